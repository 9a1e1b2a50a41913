// SPDX-License-Identifier: BSL-1.0
// bincount<size>(index): how many there are of each number.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/indexing/times_named.hpp>

namespace tapeless {

template <std::int64_t Size>
struct bincount_statement {
  static constexpr std::string_view name = "bincount";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Size >= 1, name, "one number or more to count", Size);
  }
  static constexpr value build(value index) {
    if (!detail::is_index(index) || index.rank() != 1) return misfit(index);
    return detail::times_named(index, 0, element::i64, {1, {Size}});
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
  static constexpr text refusal() { return bincount_statement<Size>::refusal(); }
  static constexpr value build(value index, value weights) {
    if (!detail::is_index(index) || index.rank() != 1) return bincount_statement<Size>::misfit(index);
    if (!(shape_of(weights) == shape_of(index)))
      return detail::do_not_fit(name, {{"an index", index}, {"weights", weights}}, "a weight for each index");
    return scatter_add(index, weights, 0, {1, {Size}});
  }
};

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
  return make<bincount_statement<Size>>(index);
}
template <std::int64_t Size>
TAPELESS_FACTORY auto bincount(operand auto index, operand auto weights) {
  return make<bincount_weighted_statement<Size>>(index, weights);
}

}  // namespace tapeless
