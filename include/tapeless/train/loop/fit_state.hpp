// SPDX-License-Identifier: BSL-1.0
// fit_state: what a fit and its callbacks keep in a checkpoint. One function of theirs writes and reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>

namespace tapeless {

/// What a number of a fit's state can be.
template <class T>
concept kept_number = element_type<T> && sizeof(T) >= 4;

/// Numbers, texts and lists of numbers by name. A callback names each of its own once, and the same call
/// writes it into a checkpoint and reads it back:
///   void state(tl::fit_state& s) { s("best", best_), s("waited", waited_); }
/// Names are the callback's own: others may use the same ones.
class fit_state {
 public:
  /// One that was written: a scalar, or a list.
  struct item {
    std::string name;
    element type{};
    bool is_list = false;
    std::vector<std::byte> bytes;
    bool is_given = false;  // to somebody who asked for it
  };

  /// Takes down what it is given.
  fit_state() = default;
  /// Gives out what was taken down; `where` is what an error begins with, such as the file's name. A scalar's
  /// bytes are as many as its type takes.
  fit_state(std::vector<item> items, std::string where)
      : items_(std::move(items)), where_(std::move(where)), gives_(true) {}

  /// A number: float, double, std::int32_t, std::int64_t or std::uint32_t.
  template <kept_number T>
  void operator()(std::string_view name, T& number) {
    scalar(name, element_of<T>, &number);
  }
  void operator()(std::string_view name, bool& truth) {
    std::int32_t number = truth ? 1 : 0;
    scalar(name, element::i32, &number);
    truth = number != 0;
  }
  /// A list of such numbers, or of bytes; a text is one of bytes.
  template <class T>
    requires(kept_number<T> || std::is_same_v<T, std::byte>)
  void operator()(std::string_view name, std::vector<T>& all) {
    list(name, all);
  }
  void operator()(std::string_view name, std::string& text) { list(name, text); }

  /// Whether values are given out, rather than taken down.
  bool gives() const { return gives_; }

  /// What was taken down.
  const std::vector<item>& items() const { return items_; }

  /// From here on names are those of a part: "early_stopping" makes "best" "early_stopping.best". Parts of
  /// the same name are numbered. Returns the name as it is.
  TAPELESS_COLD std::string begin_part(std::string_view part) {
    std::string name(part);
    for (int i = 2; parts_.find(join({"\n", name, "\n"})) != std::string::npos; ++i)
      name = join({part, "_", i});
    append(parts_, {name, "\n"});
    part_ = join({name, "."});
    return name;
  }

  /// Throws an error where there is something that nobody has asked for.
  TAPELESS_COLD void require_all_given() const {
    for (const item& i : items_)
      if (!i.is_given)
        throw_error(
            {where_, ": \"", i.name,
             "\" belongs to no callback of this fit; give it those of the fit that wrote it, or begin "
             "anew"});
  }

 private:
  std::vector<item> items_;
  std::string parts_ = "\n";  // the names of all parts that were begun, a line for each
  std::string where_, part_;
  bool gives_ = false;

  TAPELESS_COLD void scalar(std::string_view name, element type, void* number) {
    if (gives_) {
      std::memcpy(number, find(name, type, false).bytes.data(), size_of(type));
    } else {
      take(name, type, false, {static_cast<const std::byte*>(number), size_of(type)});
    }
  }

  template <class List>
  void list(std::string_view name, List& all) {
    using T = typename List::value_type;
    constexpr element type = [] {
      if constexpr (sizeof(T) == 1) {
        return element::u8;
      } else {
        return element_of<T>;
      }
    }();
    if (gives_) {
      const std::vector<std::byte>& bytes = find(name, type, true).bytes;
      all.resize(bytes.size() / sizeof(T));
      if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    } else {
      take(name, type, true, {reinterpret_cast<const std::byte*>(all.data()), all.size() * sizeof(T)});
    }
  }

  TAPELESS_COLD void take(std::string_view name, element type, bool is_list,
                          array_view<const std::byte> bytes) {
    items_.push_back({join({part_, name}), type, is_list, {bytes.begin(), bytes.end()}});
  }

  TAPELESS_COLD const item& find(std::string_view name, element type, bool is_list) {
    const std::string full = join({part_, name});
    for (item& found : items_) {
      if (found.name != full) continue;
      if (found.type != type || found.is_list != is_list)
        throw_error({where_, ": \"", full, "\" is ", text_of(found.type, found.is_list),
                     ", but this fit has ", text_of(type, is_list), " there"});
      found.is_given = true;
      return found;
    }
    throw_error({where_, ": there is no \"", full,
                 "\": the fit that wrote it had other callbacks; give this one the same, or begin anew"});
  }

  static std::string text_of(element type, bool is_list) {
    return join({is_list ? "a list of " : "one ", name_of(type)});
  }
};

}  // namespace tapeless
