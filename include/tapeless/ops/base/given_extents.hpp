// SPDX-License-Identifier: BSL-1.0
// Extents that are template arguments.
#pragma once

#include <tapeless/expr/make.hpp>

namespace tapeless::detail {

/// Whether all are 0 or more, or have names: negative numbers stand for names in a graph.
template <extent... E>
inline constexpr bool are_extents = ((E.symbol != nullptr || E.value >= 0) && ...);

/// What is said where an operation takes extents and these are none; `last` is what it takes beside.
template <extent... E>
constexpr text refused_extents(std::string_view op, std::string_view last = "or tl::dyn<...>",
                               std::int64_t least = 0) {
  constexpr int count = sizeof...(E);
  if (count > max_rank) return too_many_axes(text() << op, count);
  const extent all[] = {E..., {}};
  for (const extent& e : all)
    if (e.symbol == nullptr && e.value < least)
      return text() << op << " takes extents of 0 or more, " << last << ", but got " << e.value;
  return {};
}

/// Stops the compiler where they are no shape of a constant.
template <extent... E>
constexpr bool require_extents() {
  constexpr bool fits = sizeof...(E) <= max_rank && are_extents<E...>;
  static_assert(fits,
                "tapeless: a constant has at most 8 axes, whose extents are 0 or more, or tl::dyn<...>");
  return fits;
}

}  // namespace tapeless::detail
