// SPDX-License-Identifier: BSL-1.0
// cosine_similarity<axis>(a, b): the cosine of the angle between vectors.
#pragma once

#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <int Axis, double Eps>
struct cosine_similarity_statement {
  static constexpr std::string_view name = "cosine_similarity";
  static constexpr int arity = 2;
  static constexpr text refusal() {
    if (Eps > 0) return {};
    return text() << "cosine_similarity takes an eps above 0, but got " << Eps;
  }
  static constexpr value build(value a, value b) {
    const int axis = normal_axis(Axis, a.rank());
    shape_list shape;
    if (a.type() != b.type() || !is_floating(a.type()) || a.rank() != b.rank() || axis < 0 ||
        a.get().shape[axis] != b.get().shape[axis] || !broadcast(shape_of(a), shape_of(b), shape))
      return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                                "two of one floating type whose shapes broadcast, with the vectors along an "
                                "axis that both have");
    const value left = scale(a, axis), right = scale(b, axis);
    const value u = a / left, v = b / right;
    const value product = sum_operation::build(u * v, 1u << axis, false);
    return product / (length(u, left, axis) * length(v, right, axis));
  }

 private:
  // The largest |x| of each vector, or eps where that is more: the result does not depend on it, but the
  // squares of x / scale neither overflow nor vanish.
  static constexpr value scale(value x, int axis) {
    const value largest = stop_gradient(max_reduction_operation::build(abs(x), 1u << axis, true));
    return where(largest < Eps, Eps, largest);
  }
  // max(|x|, eps) / scale of u = x / scale. Bounded before the root is taken, whose derivative at 0 is
  // infinite.
  static constexpr value length(value u, value scale, int axis) {
    const value total = sum_operation::build(square(u), 1u << axis, true), least = square(Eps / scale);
    const value bounded = sqrt(where(total < least, least, total));
    shape_list s = shape_of(bounded);
    for (int i = axis; i + 1 < s.rank; ++i) s.extents[i] = s.extents[i + 1];
    --s.rank;
    return reshape(bounded, s);
  }
};

/// a . b / (max(|a|, eps) max(|b|, eps)) along the axis, the last one where none is given: two operands of
/// one floating type and equally many axes, whose shapes broadcast and are equal along the axis -> the shape
/// without it.
/// @formula y = a . b / (max(|a|, eps) max(|b|, eps))
/// @shapes floating a and b [.., n, ..] -> without the axis
/// @errors cosine_axes
/// @torch torch.nn.functional.cosine_similarity
/// @jax optax.cosine_similarity
/// @given a = [[1, 0], [1, 1]]; b = [[0, 1], [2, 0]]
/// @gives tl::cosine_similarity(a, b) = [0, 0.7071]
template <int Axis = -1, double Eps = 1e-8>
constexpr value cosine_similarity(is_value auto a, value b) {
  return make<cosine_similarity_statement<Axis, Eps>>(a, b);
}
template <int Axis = -1, double Eps = 1e-8, expression_operand A, expression_operand B>
TAPELESS_FACTORY auto cosine_similarity(A a, B b) {
  return make<cosine_similarity_statement<Axis, Eps>>(a, b);
}

}  // namespace tapeless
