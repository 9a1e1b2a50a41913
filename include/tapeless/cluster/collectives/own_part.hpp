// SPDX-License-Identifier: BSL-1.0
// own_part<n>(x): one of n equal parts.
#pragma once

#include <cstdint>
#include <string_view>

#include <tapeless/cluster/collectives/own_element.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

namespace detail {

/// [.., n e, ..] as [n, .., e, ..]: the parts of ranks along an axis get one of their own.
constexpr value ranks_first(value x, int axis, std::int64_t ranks, std::int64_t each) {
  shape_list divided{.rank = x.rank() + 1};
  int order[max_rank] = {axis};
  for (int i = 0; i <= x.rank(); ++i) {
    divided.extents[i] = i == axis ? ranks : i == axis + 1 ? each : x.get().shape[i < axis ? i : i - 1];
    if (i < axis) order[i + 1] = i;
    if (i > axis) order[i] = i;
  }
  return permute(reshape(x, divided), order);
}

struct own_part_exchange {
  static constexpr std::string_view name = "own_part";
  static constexpr value build(value x, int ranks, int axis) {
    const std::int64_t extent = x.get().shape[axis];
    if (!extent_table::is_literal(extent) || extent % ranks != 0)
      return x.fail(shape_sentence(name, x)
                    << ": axis " << axis << " cannot be divided evenly among " << ranks << " ranks");
    return sum_operation::build(own_element(ranks_first(x, axis, ranks, extent / ranks)), 1u, false);
  }
};

}  // namespace detail

/// Of x, which is the same on all ranks, this rank's of as many equal parts along the axis as there are
/// ranks. The transpose of all_gather.
/// @formula y = x[r n : (r + 1) n] along the axis, on rank r; the cotangent is all_gather of the ranks'
/// @shapes floating [.., Ranks n, ..] -> [.., n, ..]
/// @errors own_part
/// @torch none
/// @jax none
template <int Ranks, int Axis = -1, expression_operand X>
TAPELESS_FACTORY auto own_part(X x) {
  static_assert(Ranks >= 1, "tapeless: own_part<Ranks>: there is one rank or more");
  return make<detail::statement_along_axis<detail::own_part_exchange, Ranks, Axis>>(x);
}

}  // namespace tapeless
