// SPDX-License-Identifier: BSL-1.0
// lstsq(a, b): least squares, by the pseudoinverse.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/linalg/pinv.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct lstsq_statement {
  static constexpr std::string_view name = "lstsq";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!detail::require_known_matrices(name, a)) return a;
    if (a.type() != b.type() || b.rank() == 0) return do_not_fit(a, b);
    if (is_half(a.type())) return cast(build(cast(a, element::f32), cast(b, element::f32)), a.type());
    // As PyTorch: b is vectors where it has a's axes without the last one.
    shape_list axes = shape_of(a);
    --axes.rank;
    const bool vectors = b.rank() == 1 || shape_of(b) == axes;
    value right = vectors ? detail::as_columns(b) : b, left = a;
    if (detail::rows_of(a) != detail::rows_of(right)) return do_not_fit(a, b);
    left = pinv_operation::build(a, pinv_operation::usual_rtol(a));
    if (!detail::share_batch(left, right)) return do_not_fit(a, b);
    const value x = matmul(left, right);
    shape_list s = shape_of(x);
    --s.rank;
    return vectors ? reshape(x, s) : x;
  }

 private:
  static constexpr value do_not_fit(value a, value b) {
    return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                              "[.., m, n] and [.., m] or [.., m, k] of one floating type");
  }
};

/// The x with the least |a x - b|, the smallest where there are several, as PyTorch's driver "gelsd" has it:
/// pinv(a) b, of vectors or matrices b as in solve. Only the solution: PyTorch's residuals, rank and singular
/// values are sum(square(a x - b)) and svdvals(a).
/// @formula x = pinv(a) b
/// @shapes floating [.., m, n] [.., m, k] -> [.., n, k]; [.., m, n] [.., m] -> [.., n]
/// @errors linear_systems
/// @torch torch.linalg.lstsq(a, b).solution
/// @jax jnp.linalg.lstsq
/// @given a = [[1, 0], [1, 1], [1, 2]]; b = [1, 2, 4]
/// @gives tl::lstsq(a, b) = [0.8333, 1.5]
template <class A, class B>
  requires value_operands<A, B>
constexpr value lstsq(A a, B b) {
  return make<lstsq_statement>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto lstsq(A a, B b) {
  return make<lstsq_statement>(a, b);
}

}  // namespace tapeless
