// SPDX-License-Identifier: BSL-1.0
// Views with the names of what they show: all parameters of a trainer.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <tapeless/expr/misuse.hpp>
#include <tapeless/train/binding/tensor_view.hpp>

namespace tapeless {

/// A view of a parameter that knows the parameter's name.
template <class T>
class named_view : public tensor_view<T> {
 public:
  named_view(std::string_view name, const tensor_view<T>& values) : tensor_view<T>(values), name_(name) {}
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;
};

/// Views of several tensors: of elements of one type, for (auto& p : net.parameters()), or of several.
template <class... T>
class named_views {
 public:
  explicit named_views(const named_view<T>&... views) : views_(views...) {}

  static constexpr std::size_t size() { return sizeof...(T); }
  /// Calls f with each.
  template <class F>
  void for_each(const F& f) const {
    std::apply([&](const auto&... view) { (f(view), ...); }, views_);
  }
  /// Refuses a loop through views of several types.
  const named_view<float>* begin() const {
    static_assert(sizeof...(T) == 0,
                  "tapeless: these parameters have elements of several types, so that no variable of a loop "
                  "has the type of all: net.parameters().for_each([](auto p) { ... })");
    return nullptr;
  }
  const named_view<float>* end() const { return nullptr; }

 private:
  std::tuple<named_view<T>...> views_;
};

template <class T, class... Same>
  requires(std::is_same_v<T, Same> && ...)
class named_views<T, Same...> {
 public:
  explicit named_views(const named_view<T>& first, const named_view<Same>&... others)
      : views_{first, others...} {}

  static constexpr std::size_t size() { return 1 + sizeof...(Same); }
  template <class F>
  void for_each(const F& f) const {
    for (const auto& view : views_) f(view);
  }
  const named_view<T>& operator[](std::size_t i) const { return views_[i]; }
  /// Refuses a name in brackets.
  template <std::convertible_to<std::string_view> Text>
  const named_view<T>& operator[](const Text&) const {
    static_assert(compile_error<misuse<Text>::name_as_argument>::reported);
    return views_[0];
  }
  const named_view<T>* begin() const { return views_.data(); }
  const named_view<T>* end() const { return views_.data() + size(); }

 private:
  std::array<named_view<T>, 1 + sizeof...(Same)> views_;
};

}  // namespace tapeless
