// SPDX-License-Identifier: BSL-1.0
// unique<size>(x), unique_consecutive<size>(x): the different elements, and how often each is there.
#pragma once

#include <tapeless/ops/indexing/masked_select.hpp>
#include <tapeless/ops/pointwise/logical_or.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/not_equal.hpp>
#include <tapeless/ops/reduction/cumsum.hpp>

namespace tapeless {

/// Different elements, where in them each element of x is, and how often each is there.
template <class Values, class Inverse, class Counts>
struct unique_elements {
  Values values;
  Inverse inverse;
  Counts counts;
};
template <class Values, class Inverse, class Counts>
unique_elements(Values, Inverse, Counts) -> unique_elements<Values, Inverse, Counts>;

namespace detail {

enum class unique_part : std::uint8_t { values, inverse, counts };

}  // namespace detail

template <std::int64_t Size, bool Sorted, detail::unique_part Part>
struct unique_statement {
  static constexpr std::string_view name = Sorted ? "unique" : "unique_consecutive";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Size >= 1, name, "one element or more", Size);
  }
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::numbers)) return x;
    graph& g = *x.builder;
    const shape_list all{1, {element_count(g, shape_of(x))}}, both{2, {Size, all.extents[0]}};
    const value flat = reshape(x, all), order = Sorted ? argsort_of_last(flat, {}) : value{};
    const value line = Sorted ? gather(flat, 0, order) : flat;
    const value place = make_iota(g, all, 0, element::i64);
    const value is_first = place == 0 || line != gather(line, 0, max(place - 1, 0));
    if (Part == detail::unique_part::values) {
      if (extent_table::is_literal(all.extents[0]) && all.extents[0] < Size)
        return x.fail(detail::shape_sentence(name, x) << ": it has no " << Size << " elements");
      return masked_select_statement<Size>::build(line, is_first);
    }
    const value number = cumulative_sum(cast(is_first, element::i64), 0, false) - 1;
    if (Part == detail::unique_part::inverse)
      return reshape(Sorted ? scatter_add(order, number, 0, all) : number, shape_of(x));
    const value is_this = make_iota(g, both, 0, element::i64) == number;
    return sum_operation::build(cast(is_this, element::i64), 2u, false);
  }
};

namespace detail {

// Where the values are refused, so are the others, by one sentence.
template <std::int64_t Size, bool Sorted, class X>
TAPELESS_FACTORY auto unique_of(X x) {
  const auto values = make<unique_statement<Size, Sorted, unique_part::values>>(x);
  if constexpr (is_erroneous<decltype(values)>) {
    return unique_elements{values, values, values};
  } else {
    return unique_elements{values, make<unique_statement<Size, Sorted, unique_part::inverse>>(x),
                           make<unique_statement<Size, Sorted, unique_part::counts>>(x)};
  }
}

}  // namespace detail

/// auto [values, inverse, counts] = unique<Size>(x): the Size smallest of x's different elements, ascending;
/// for each element of x the number of its own among all different ones; and how often each value is there.
/// Where there are fewer than Size, zeros with the count 0 follow. Each NaN is different from all others. How
/// many there are is not known before the program runs, so that Size is given; sum(counts) is x's number of
/// elements if it is large enough. It sorts, at argsort's cost, and counts in n Size steps. The derivative
/// of a value goes to the first element of x that has it.
/// @formula values_0 < values_1 < ..; values[inverse[i]] = x[i]; counts_k = the number of i with inverse[i] =
/// k
/// @shapes numbers [..] -> [Size], std::int64_t of x's shape, std::int64_t [Size]
/// @errors axes_and_counts counts_below_one
/// @torch torch.unique
/// @jax jnp.unique(x, size=Size)
/// @given x = [3, 1, 3, 2, 1]
/// @gives tl::unique<4>(x).values = [1, 2, 3, 0]
/// @gives tl::unique<4>(x).inverse = [2, 0, 2, 1, 0]
/// @gives tl::unique<4>(x).counts = [2, 1, 2, 0]
template <std::int64_t Size>
TAPELESS_FACTORY auto unique(expression_operand auto x) {
  return detail::unique_of<Size, true>(x);
}

/// auto [values, inverse, counts] = unique_consecutive<Size>(x): as unique, of runs of equal elements in
/// row-major order, which stay in theirs.
/// @formula values = the first element of each run; counts = the runs' lengths
/// @shapes numbers [..] -> [Size], std::int64_t of x's shape, std::int64_t [Size]
/// @errors axes_and_counts counts_below_one
/// @torch torch.unique_consecutive
/// @jax none
/// @given x = [3, 3, 1, 3]
/// @gives tl::unique_consecutive<4>(x).values = [3, 1, 3, 0]
/// @gives tl::unique_consecutive<4>(x).inverse = [0, 0, 1, 2]
/// @gives tl::unique_consecutive<4>(x).counts = [2, 1, 1, 0]
template <std::int64_t Size>
TAPELESS_FACTORY auto unique_consecutive(expression_operand auto x) {
  return detail::unique_of<Size, false>(x);
}

}  // namespace tapeless
