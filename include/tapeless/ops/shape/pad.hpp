// SPDX-License-Identifier: BSL-1.0
// pad<axis, before, after>(x): zeros around x along one axis, or fewer of its elements.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

struct pad_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const slice_places p = slice_of(y.get());
    return slice(g, p.axis, p.begin, p.step, x[0].get().shape[p.axis]);
  }
  static constexpr operation op{"pad", family::pad, jacobian::linear, &cotangent_of};
};

/// Element before + i * step of the result along the axis is element i of x; the others are zero. In the
/// form with template arguments, a negative number takes as many elements off that end.
/// @formula y = Before zeros, x, After zeros along the axis
/// @shapes [.., n, ..] -> [.., Before + n + After, ..]
/// @errors shapes pad_without_axis
/// @torch torch.nn.functional.pad
/// @jax jnp.pad
/// @given x = [1, 2]
/// @gives tl::pad<-1, 1, 2>(x) = [0, 1, 2, 0, 0]
/// @gives tl::pad<-1, -1, 2>(x) = [2, 0, 0]
constexpr value pad(value x, int axis, std::int64_t before, std::int64_t step, std::int64_t extent) {
  axis = detail::axis_of("pad", x, axis);
  if (axis < 0) return x;
  if (before == 0 && step == 1 && extent == x.get().shape[axis]) return x;
  node n = detail::unary_node(pad_operation::op, x, shape_of(x));
  n.shape[axis] = extent;
  set_slice(n, {axis, before, step});
  return x.insert(n);
}

namespace detail {

/// x without what negative numbers take off the ends of an axis; an error where that is more than there is.
constexpr value cropped(value x, int axis, std::int64_t before, std::int64_t after) {
  const std::int64_t first = before < 0 ? -before : 0, last = after < 0 ? -after : 0;
  if (first + last == 0) return x;
  const std::int64_t extent = x.get().shape[axis];
  if (extent_table::is_literal(extent) && first + last > extent)
    return x.fail(shape_sentence("pad", x) << ": " << before << " and " << after << " take " << first + last
                                           << " elements off axis " << axis << ", which has " << extent);
  return slice(x, axis, first, 1, x.builder->extents.subtract(extent, first + last));
}

inline constexpr sentence parts_of_a_padding{
    "its template arguments are one axis, and how much is put before x and behind it there"};

constexpr std::int64_t positive(std::int64_t padding) { return padding < 0 ? 0 : padding; }

}  // namespace detail

template <int Axis, std::int64_t Before, std::int64_t After>
struct pad_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    constexpr std::int64_t before = detail::positive(Before), after = detail::positive(After);
    const int axis = detail::axis_of("pad", x, Axis);
    if (axis < 0) return x;
    x = detail::cropped(x, axis, Before, After);
    return pad(x, axis, before, 1, x.builder->extents.add(x.get().shape[axis], before + after));
  }
};

/// x with Before zeros before it and After behind it along the axis: pad<-1, 1, 1>(x).
template <int Axis, std::int64_t Before, std::int64_t After>
constexpr value pad(is_value auto x) {
  return make<pad_statement<Axis, Before, After>>(x);
}
template <int Axis, std::int64_t Before, std::int64_t After>
TAPELESS_FACTORY auto pad(expression_operand auto x) {
  return make<pad_statement<Axis, Before, After>>(x);
}

// Other numbers of template arguments, and calls as in PyTorch, which are refused.
template <plain_number auto... N, class... X>
  requires(sizeof...(N) != 3 && (sizeof...(N) > 0 || (expression<X> || ...)))
constexpr auto pad(const X&... x) {
  return detail::refuse_call<sentence{"pad"}, detail::parts_of_a_padding, sentence{"<-1, 1, 2>(x)"}>(x...);
}
template <expression X, std::size_t N>
constexpr auto pad(const X& x, const int (&)[N], const auto&...) {
  return pad(x, 0);
}

}  // namespace tapeless
