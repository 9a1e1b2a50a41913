// SPDX-License-Identifier: BSL-1.0
// searchsorted(sequence, x): where numbers belong.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/logical_not.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// What is said beside an operand: behind equal elements, not in front of them.
struct right_side_t {};
inline constexpr right_side_t right_side;

template <bool Right>
struct searchsorted_statement {
  static constexpr std::string_view name = "searchsorted";
  static constexpr int arity = 2;
  static constexpr value build(value sequence, value x) {
    const int rank = x.rank();
    bool fits = sequence.type() == x.type() && rank < max_rank &&
                (sequence.rank() == 1 || (sequence.rank() == rank && rank > 0));
    for (int i = 0; fits && sequence.rank() > 1 && i + 1 < rank; ++i)
      fits = sequence.get().shape[i] == x.get().shape[i];
    if (!fits)
      return detail::do_not_fit(name, {{"a sequence", sequence}, {"x", x}},
                                "one element type, and a vector or a sequence for each of x's lines");
    if (!detail::require_kind(name, x, element_kind::numbers)) return x;
    shape_list column = shape_of(x), lines = shape_of(sequence);
    column.extents[column.rank++] = 1;
    if (lines.rank > 1) {
      lines.extents[lines.rank] = lines.extents[lines.rank - 1];
      lines.extents[lines.rank++ - 1] = 1;
    }
    const value bound = reshape(x, column), all = reshape(sequence, lines);
    // NaN stands behind all numbers, as in sort.
    const value none = bound != bound;
    const value before = Right ? all <= bound || none : all < bound || (none && all == all);
    return sum_operation::build(cast(before, element::i64), 1u << rank, false);
  }
};

/// How many elements of an ascending sequence are below x, so the first place where x can stand in it; with
/// right_side how many are x or below, so the last such place. The sequence is a vector, or has one for each
/// of x's lines along the last axis. It compares each x with the whole sequence: n m steps for n elements and
/// m numbers.
/// @formula y[i] = the number of k with sequence[k] < x[i]; without a derivative
/// @shapes numbers [n] or [.., n], [.., m] -> std::int64_t [.., m]
/// @errors axes_and_counts
/// @torch torch.searchsorted
/// @jax jnp.searchsorted
/// @given sequence = [1, 3, 3, 5]; x = [3, 0, 6]
/// @gives tl::searchsorted(sequence, x) = [1, 0, 4]
/// @gives tl::searchsorted(sequence, x, tl::right_side) = [3, 0, 4]
template <operand S, operand X>
TAPELESS_FACTORY auto searchsorted(S sequence, X x) {
  return make<searchsorted_statement<false>>(sequence, x);
}
template <operand S, operand X>
TAPELESS_FACTORY auto searchsorted(S sequence, X x, right_side_t) {
  return make<searchsorted_statement<true>>(sequence, x);
}

}  // namespace tapeless
