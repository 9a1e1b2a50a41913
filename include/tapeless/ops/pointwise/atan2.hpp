// SPDX-License-Identifier: BSL-1.0
// atan2(a, b): the angle of the point (b, a).
#pragma once

#include <limits>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/logical_or.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct atan2_operation : pointwise_operation<atan2_operation, 2> {
  static constexpr std::string_view name = "atan2";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto a, auto b) {
    using std::atan2;
    return atan2(a, b);
  }
  /// The squares are those of the point drawn near 1, so that they neither overflow nor vanish. At the origin
  /// and infinitely far away, where that cannot be, the point is 0 on a circle of radius 1.
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    const auto far = stop_gradient(max(abs(a), abs(b)));
    const auto is_end = far == 0.0 || far == std::numeric_limits<double>::infinity();
    const auto scale = where(is_end, 1.0, far);
    const auto y = where(is_end, 0.0, a) / scale, x = where(is_end, 0.0, b) / scale, length = x * x + y * y;
    const auto squared = where(is_end, 1.0, length);
    return g * ((k == 0 ? x : -y) / squared / scale);
  }
};

/// The angle in [-pi, pi] between the first axis and the point (b, a), element by element; shapes broadcast.
/// Its derivatives b/(a^2 + b^2) and -a/(a^2 + b^2) are taken as 0 at the origin, and are 0 where a or b is
/// infinite.
/// @formula y = the angle of the point (b, a)
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.atan2
/// @jax jnp.arctan2
/// @given a = [1, 1]; b = [1, -1]
/// @gives tl::atan2(a, b) = [0.7854, 2.356]
template <class A, class B>
  requires value_operands<A, B>
constexpr value atan2(A a, B b) {
  return make<atan2_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto atan2(A a, B b) {
  return make<atan2_operation>(a, b);
}

}  // namespace tapeless
