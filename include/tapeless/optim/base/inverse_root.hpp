// SPDX-License-Identifier: BSL-1.0
// Inverse fourth roots of matrices, by products alone.
#pragma once

#include <tapeless/ops/linalg/identity_matrix.hpp>
#include <tapeless/ops/reduction/reduction_options.hpp>
#include <tapeless/optim/base/matrices.hpp>
#include <tapeless/optim/base/norms.hpp>

namespace tapeless {

namespace detail {

/// Replaces symmetric matrices A without negative eigenvalues by A^(-1/4), all in one loop of so many
/// iterations: the coupled Newton iteration M = T^4 M, X = X T, T = (5 I - M) / 4, from M = 2.5 A / |A| (the
/// Frobenius norm) and X = I, with A^(-1/4) = X (2.5 / |A|)^(1/4) (Guo and Higham, 2006; as Anil et al.,
/// 2020, use it). An eigenvalue below 1 grows by (5/4)^4 in an iteration at first: 24 are enough down to 1e-8
/// |A|, and smaller eigenvalues get a smaller root than theirs. Rounding can make them negative, from where
/// the roots diverge; an iteration that leads away from I does not count.
template <int Iterations>
constexpr void inverse_fourth_roots(list<value>& matrices) {
  graph& g = *matrices[0].builder;
  list<value> scaled, identity, scale, roots, powers;
  for (value a : matrices) {
    const value length = length_of(a), factor = 2.5 / where(length == 0.0, 1.0, length);
    scale.push(factor);
    scaled.push(scaled_by(a, factor));
    identity.push(identity_matrix(g, a.get().shape[0], a.type()));
  }
  const int outside = g.region;
  g.open_region({Iterations, false, false});
  for (int i = 0; i < matrices.size(); ++i) {
    roots.push({&g, g.carry(identity[i].id)});
    powers.push({&g, g.carry(scaled[i].id)});
  }
  for (int i = 0; i < matrices.size(); ++i) {
    const value x = roots[i], m = powers[i], t = 1.25 * identity[i] - 0.25 * m, squared = matmul(t, t);
    const value next = matmul(squared, matmul(squared, m));
    const value distance = max_reduction_operation::build(abs(next - identity[i]), 3u, false),
                nearer = distance < 2.0;
    g.set_next(x.id, where(nearer, matmul(x, t), x).id);
    g.set_next(m.id, where(nearer, next, m).id);
  }
  g.region = outside;
  for (int i = 0; i < matrices.size(); ++i)
    matrices[i] = value{&g, g.last_value(roots[i].id)} * sqrt(sqrt(scale[i]));
}

}  // namespace detail

}  // namespace tapeless
