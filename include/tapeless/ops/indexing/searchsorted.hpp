// SPDX-License-Identifier: BSL-1.0
// searchsorted(sequence, x), bincount<size>(index): where numbers belong, and how many there are.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/logical_not.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/expand.hpp>
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

template <std::int64_t Size>
struct bincount_statement {
  static constexpr std::string_view name = "bincount";
  static constexpr int arity = 1;
  static constexpr value build(value index) {
    if (!detail::is_index(index) || index.rank() != 1) return misfit(index);
    return of(index, expand(make_constant(*index.builder, 1, element::i64), shape_of(index)));
  }
  static constexpr value of(value index, value weights) {
    return scatter_add(index, weights, 0, {1, {Size}});
  }
  static constexpr value misfit(value index) {
    text t = detail::shape_sentence(name, index);
    return index.fail(t << " with elements " << name_of(index.type()) << ": it takes a vector of integers");
  }
};
template <std::int64_t Size>
struct bincount_weighted_statement {
  static constexpr std::string_view name = "bincount";
  static constexpr int arity = 2;
  static constexpr value build(value index, value weights) {
    if (!detail::is_index(index) || index.rank() != 1) return bincount_statement<Size>::misfit(index);
    if (!(shape_of(weights) == shape_of(index)))
      return detail::do_not_fit(name, {{"an index", index}, {"weights", weights}}, "a weight for each index");
    return bincount_statement<Size>::of(index, weights);
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

/// How often each of the numbers 0 to Size - 1 is among the indices, as std::int64_t; with weights the sum of
/// theirs, of their type. Indices as in gather.
/// @formula y_k = the number of i with index_i = k, or the sum of their weights
/// @shapes integers [n], weights [n] -> [Size]
/// @errors axes_and_counts counts_below_one
/// @torch torch.bincount
/// @jax jnp.bincount
/// @given index = int64 [2, 0, 2]; weights = [0.5, 1, 2]
/// @gives tl::bincount<4>(index) = [1, 0, 2, 0]
/// @gives tl::bincount<4>(index, weights) = [1, 0, 2.5, 0]
template <std::int64_t Size>
TAPELESS_FACTORY auto bincount(operand auto index) {
  static_assert(Size >= 1, "tapeless: bincount<size>(index) counts one number or more");
  return make<bincount_statement<Size>>(index);
}
template <std::int64_t Size>
TAPELESS_FACTORY auto bincount(operand auto index, operand auto weights) {
  static_assert(Size >= 1, "tapeless: bincount<size>(index) counts one number or more");
  return make<bincount_weighted_statement<Size>>(index, weights);
}

}  // namespace tapeless
