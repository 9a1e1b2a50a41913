// SPDX-License-Identifier: BSL-1.0
// Integers that are used as indices.
#pragma once

#include <tapeless/graph/value.hpp>

namespace tapeless::detail {

/// Whether v's elements can be indices.
constexpr bool is_index(value v) { return v.type() == element::i32 || v.type() == element::i64; }

/// Notes that an input's elements, where v is one or a view of one, select among `bound` elements, or are
/// `ignored`.
constexpr void check_indices(value v, std::int64_t bound, std::int64_t ignored = index_bound::none) {
  while (v.is(family::view)) v = v.operand(0);
  if (!v.is(family::input)) return;
  for (const index_bound& known : v.owner->index_bounds)
    if (known.node == v.id && known.bound == bound && known.ignored == ignored) return;
  v.owner->index_bounds.push({v.id, bound, ignored});
}

}  // namespace tapeless::detail
