// SPDX-License-Identifier: BSL-1.0
// The axes that an operation is asked for, as a set of bits: axis i is bit i.
#pragma once

#include <concepts>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/misuse.hpp>
#include <tapeless/graph/structural/leaf.hpp>

namespace tapeless {

namespace detail {

template <class T>
constexpr bool counts_axes() {
  if constexpr (std::same_as<T, bool>) static_assert(compile_error<misuse<T>::truth_as_axis>::reported);
  return std::integral<T>;
}

}  // namespace detail

/// The type of an axis among template arguments. A bool there would be axis 0 or 1, where NumPy's keepdims
/// was meant: the compiler says so.
template <class T>
concept axis_number = detail::counts_axes<T>();

}  // namespace tapeless

namespace tapeless::detail {

/// The set of Axes of x, of all its axes where none is named; negative ones count from the end. An axis that
/// x does not have, and one that is named twice, are errors. A scalar has no axes, but 0 and -1 may be named
/// of it, as in PyTorch: the set is empty.
template <int... Axes>
constexpr unsigned axis_mask(std::string_view op, value x) {
  if (sizeof...(Axes) == 0) return (1u << x.rank()) - 1;
  unsigned mask = 0;
  const int axes[] = {Axes..., 0};
  for (int i = 0; i < static_cast<int>(sizeof...(Axes)); ++i) {
    if (sizeof...(Axes) == 1 && is_axis_of_scalar(x, axes[i])) return 0;
    const int axis = normal_axis(axes[i], x.rank());
    if (axis < 0 || (mask >> axis & 1u) != 0) {
      text t;
      t << op << "<" << axes[i] << "> of a value of the shape ";
      x.builder->describe_shape(t, x.get());
      x.fail(t << (axis < 0 ? ", which has no such axis" : ": the axis is named twice"));
      return mask;
    }
    mask |= 1u << axis;
  }
  return mask;
}

}  // namespace tapeless::detail
