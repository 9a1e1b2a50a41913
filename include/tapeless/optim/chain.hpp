// SPDX-License-Identifier: BSL-1.0
// chain(t1, t2, ...): gradient transformations one after the other, first to last: a rule.
#pragma once

#include <span>
#include <tuple>

#include <tapeless/optim/transform.hpp>

namespace tapeless {

/// A rule: the gradient goes through all transformations; what comes out is added to the parameter.
template <class... Transforms>
class chain_rule {
 public:
  static constexpr int hyper_count = (0 + ... + static_cast<int>(Transforms::hyper_names.size()));
  static constexpr int states = (0 + ... + Transforms::states);

  explicit chain_rule(Transforms... transforms) : transforms_(std::move(transforms)...) {}

  /// Builds the update of one parameter from its gradient.
  static constexpr void update(rule_context& c, value g) {
    int first_hyper = 0;
    (
        [&] {
          c.begin_transform(first_hyper);
          g = Transforms::transform(c, g);
          first_hyper += static_cast<int>(Transforms::hyper_names.size());
        }(),
        ...);
    c.set(c.parameter(), c.parameter() + g);
  }

  /// The names of all hyperparameters, first to last.
  static constexpr std::array<name, hyper_count> hyper_names() {
    std::array<name, hyper_count> all{};
    std::size_t n = 0;
    (
        [&] {
          for (const name& one : Transforms::hyper_names) all[n++] = one;
        }(),
        ...);
    return all;
  }

  hyperparameter& hyper(int i) {
    hyperparameter* found = nullptr;
    std::apply(
        [&](auto&... t) {
          (
              [&] {
                for (hyperparameter& h : t.hypers)
                  if (i-- == 0) found = &h;
              }(),
              ...);
        },
        transforms_);
    return *found;
  }

  /// Writes the values for a step, counted from 0.
  void write(std::int64_t step, std::span<double> values) const {
    std::size_t n = 0;
    std::apply(
        [&](const auto&... t) {
          (
              [&] {
                for (const hyperparameter& h : t.hypers) values[n++] = h.at(step);
              }(),
              ...);
        },
        transforms_);
  }

  const std::tuple<Transforms...>& transforms() const { return transforms_; }

 private:
  std::tuple<Transforms...> transforms_;
};

template <class T>
inline constexpr bool is_chain_rule = false;
template <class... Transforms>
inline constexpr bool is_chain_rule<chain_rule<Transforms...>> = true;

namespace detail {

template <class T>
auto transforms_of(T t) {
  if constexpr (is_chain_rule<T>) {
    return t.transforms();
  } else {
    return std::tuple<T>(std::move(t));
  }
}

template <class... Transforms>
chain_rule<Transforms...> chain_of_tuple(std::tuple<Transforms...> all) {
  return std::apply([](auto... t) { return chain_rule<Transforms...>(std::move(t)...); }, std::move(all));
}

}  // namespace detail

/// The rule that sends the gradient through the transformations, first to last. A rule that is itself a chain
/// can be one of them: chain(clip_by_global_norm(1.0f), adamw({})).
template <class... T>
  requires((is_gradient_transform<T> || is_chain_rule<T>) && ...)
auto chain(T... t) {
  return detail::chain_of_tuple(std::tuple_cat(detail::transforms_of(std::move(t))...));
}

}  // namespace tapeless
