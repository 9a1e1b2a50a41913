// SPDX-License-Identifier: BSL-1.0
// std::cout << net.parameter<"fc.weight">(): the elements of a tensor as text, for a look at them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/binding/tensor_copy.hpp>
#include <tapeless/train/binding/tensor_view.hpp>
#include <tapeless/train/loop/measurement_text.hpp>
#include <tapeless/train/program/output_names.hpp>

namespace tapeless {

namespace detail {

/// A number in six digits at the most, as std::cout writes it.
template <class T>
TAPELESS_COLD std::string element_text(T x) {
  if constexpr (std::is_same_v<T, bool>) {
    return x ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    return join({static_cast<std::int64_t>(x)});
  } else {
    return printed("%g", static_cast<double>(x));
  }
}

/// Brackets, commas and lines around the elements of a tensor of these extents, where text_of(i) is element
/// i. In a tensor of many elements an axis shows its first and last ones.
template <class TextOf>
class tensor_layout {
  static constexpr std::size_t all_shown = 1000;
  static constexpr std::int64_t at_each_end = 3;

 public:
  tensor_layout(array_view<const std::int64_t> extents, std::size_t size, const TextOf& text_of)
      : extents_(extents), is_abbreviated_(size > all_shown), text_of_(text_of) {}

  TAPELESS_COLD std::string text() {
    std::string all;
    write(all, 0, 0);  // for the width alone
    all.clear();
    write(all, 0, 0);
    return all;
  }

 private:
  array_view<const std::int64_t> extents_;
  bool is_abbreviated_;
  const TextOf& text_of_;
  std::size_t width_ = 0;  // of the longest element so far

  TAPELESS_COLD void write(std::string& to, std::size_t axis, std::int64_t first) {
    if (axis == extents_.size()) {
      const std::string element = text_of_(first);
      if (axis > 0) to.append(width_ - std::min(width_, element.size()), ' ');
      width_ = std::max(width_, element.size());
      append(to, {element});
      return;
    }
    const std::int64_t extent = extents_[axis];
    const bool has_gap = is_abbreviated_ && extent > 2 * at_each_end;
    to += '[';
    for (std::int64_t i = 0; i < extent; ++i) {
      if (i > 0) separate(to, axis);
      if (has_gap && i == at_each_end) {
        to += "...";
        separate(to, axis);
        i = extent - at_each_end;
      }
      write(to, axis + 1, first * extent + i);
    }
    to += ']';
  }
  // Rows begin a line each, matrices leave one free.
  TAPELESS_COLD void separate(std::string& to, std::size_t axis) const {
    const std::size_t lines = extents_.size() - 1 - axis;
    to += lines > 0 ? "," : ", ";
    to.append(lines, '\n');
    to.append(lines > 0 ? axis + 1 : 0, ' ');
  }
};

template <class Tensor>
TAPELESS_COLD std::string text_of_tensor(const Tensor& x, array_view<const std::int64_t> extents) {
  const auto* const elements = x.data();
  return tensor_layout(extents, x.size(), [&](std::int64_t i) { return element_text(elements[i]); }).text();
}

}  // namespace detail

/// The elements of a tensor, in a pair of brackets for each axis: "[[1, 0.5],\n [0, 2]]". Of more than 1,000
/// elements, axes of more than six show the first three and the last three. Throws an error where a result
/// can no longer be read.
template <class T>
TAPELESS_COLD std::string to_text(const tensor_view<T>& x) {
  return detail::text_of_tensor(x.as_const(), x.extents());
}
template <class T>
TAPELESS_COLD std::string to_text(const tensor_copy<T>& x) {
  return detail::text_of_tensor(x, x.shape());
}
// Of what stands for a tensor when an error has been reported.
inline std::string to_text(const no_output&) { return {}; }

/// Writes to_text of a view or a copy.
template <class Traits, class T>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const tensor_view<T>& x) {
  return out << to_text(x);
}
template <class Traits, class T>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const tensor_copy<T>& x) {
  return out << to_text(x);
}

}  // namespace tapeless
