// SPDX-License-Identifier: BSL-1.0
// The identity matrix inside formulas.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/equal.hpp>

namespace tapeless::detail {

/// Ones on the diagonal: [n, n].
constexpr value identity_matrix(graph& g, std::int64_t n, element type) {
  const shape_list matrix{2, {n, n}};
  return cast(make_iota(g, matrix, 0, element::i64) == make_iota(g, matrix, 1, element::i64), type);
}

}  // namespace tapeless::detail
