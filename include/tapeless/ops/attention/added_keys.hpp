// SPDX-License-Identifier: BSL-1.0
// Keys that attention adds to those it is given, and masks that know of them.
#pragma once

#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless::detail {

/// [.., keys, heads, features] with one key more at the end, of zeros where none is given.
constexpr value with_key(value x, value key) {
  shape_list one = shape_of(x);
  one.extents[one.rank - 3] = 1;
  if (!key.exists()) {
    key = expand(make_constant(*x.builder, 0, x.type()), one);
  } else {
    key = expand(reshape(key, {2, {one.extents[one.rank - 2], one.extents[one.rank - 1]}}), one);
  }
  const value parts[] = {x, key};
  return concat(parts, 2, x.rank() - 3);
}

/// A mask of keys with so many more, which may be attended to.
constexpr value with_keys(value mask, std::int64_t keys, int more) {
  shape_list whole = shape_of(mask), end = whole;
  whole.extents[whole.rank - 1] = keys;
  end.extents[end.rank - 1] = more;
  const bool boolean = mask.type() == element::boolean;
  const value open = make_constant(*mask.builder, boolean ? 1 : 0, mask.type());
  const value parts[] = {expand(mask, whole), expand(open, end)};
  return concat(parts, 2, mask.rank() - 1);
}

}  // namespace tapeless::detail
