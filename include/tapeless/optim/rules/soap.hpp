// SPDX-License-Identifier: BSL-1.0
// scale_by_soap, soap: Adam in the eigenbases of shampoo's moments. Not in tapeless.hpp: it reads qr.
#pragma once

#include <concepts>

#include <tapeless/ops/linalg/qr.hpp>
#include <tapeless/optim/base/matrices.hpp>
#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_soap_options {
  hyperparameter beta1 = 0.95;
  hyperparameter beta2 = 0.95;
  hyperparameter epsilon = 1e-8;
};

struct scale_by_soap_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_soap";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"beta1", "beta2", "epsilon"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value given) {
    if (given.rank() < 2) return detail::not_a_matrix(c.owned(), "soap");
    const Value g = detail::with_finite_square(given);
    const Value matrix = reshape(g, detail::matrix_shape(g)), turned = transpose_last(matrix);
    const Value beta1 = c.hyper(0), beta2 = c.hyper(1);
    const Value rows = basis<"soap.ql", "soap.l">(c, beta2, matmul(matrix, turned));
    const Value columns = basis<"soap.qr", "soap.r">(c, beta2, matmul(turned, matrix));

    const auto as_matrix = [&](Value x) { return reshape(x, shape_of(matrix)); };
    const auto into_bases = [&](Value x) { return matmul(matmul(transpose_last(rows), x), columns); };
    const Value squares = reshape(square(into_bases(matrix)), shape_of(g));
    const Value mu = as_matrix(detail::running_mean<"soap.mu">(c, beta1, g));
    const Value nu = as_matrix(detail::running_mean<"soap.nu">(c, beta2, squares));
    const Value step =
        into_bases(mu) * detail::debias(c, beta1) / (sqrt(nu * detail::debias(c, beta2)) + c.hyper(2));
    return reshape(matmul(matmul(rows, step), transpose_last(columns)), shape_of(g));
  }

 private:
  /// The eigenvectors of the gradients before, the identity at first. What this gradient adds is for the next
  /// step, by one iteration of the power method for all vectors at once.
  template <name Vectors, name Moment>
  static constexpr value basis(rule_context& c, value beta2, value squared) {
    const value kept = c.state<Vectors>(shape_of(squared)), mean = c.state<Moment>(shape_of(squared));
    const value identity = detail::identity_matrix(*squared.builder, squared.get().shape[0], squared.type());
    const value vectors = where(c.step() == 1.0, identity, kept);
    const value next = c.set(mean, beta2 * mean + (1.0 - beta2) * squared);
    c.set(kept, detail::at_least_float(matmul(next, vectors),
                                       [](value x) { return qr_operation::factors_of(x).q; }));
    return vectors;
  }
};

/// Q_L (m / (sqrt(v) + epsilon)) Q_R^T, where m = Q_L^T M Q_R and v are the running means of the gradient G
/// and of (Q_L^T G Q_R)^2, without the bias of their start, and the columns of Q_L and Q_R are near the
/// eigenvectors of the running means L and R of G G^T and G^T G, with beta2: after each step Q_L is the
/// orthonormal factor of L Q_L (Vyas et al., 2024, algorithms 3 and 4, with f = 1). In the first step,
/// Adam's, they are the identity. Axes behind the first count as one: a convolution's weight is the matrix
/// [out, in * kernel]. An error for scalars and vectors. Gradients the square of whose length
/// overflows (1e19 in float) are shortened to one that does not.
///
/// Of a matrix [m, n], 2 m^2 + 2 n^2 + 2 m n numbers are kept, and a step takes the QR factors of an m x m
/// and an n x n matrix, which is far more than the model itself takes where these are large. Include
/// tapeless/optim/rules/soap.hpp.
template <class Options = scale_by_soap_options>
auto scale_by_soap(Options given = {}) {
  auto& o = detail::given_options<scale_by_soap_options>(given);
  return scale_by_soap_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}}};
}

struct soap_options {
  hyperparameter learning_rate = 3e-3;
  hyperparameter beta1 = 0.95;
  hyperparameter beta2 = 0.95;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 1e-2;
};

/// SOAP with decoupled weight decay, for matrices; the other parameters need a rule of their own:
/// partition(for_parameters(matrices, soap({})), adamw({})). It is not in tapeless.hpp: include
/// tapeless/optim/rules/soap.hpp.
/// @formula p -= learning_rate (Q_L (m / (sqrt(v) + epsilon)) Q_R^T + weight_decay p), where m and v are
/// Adam's
///   of Q_L^T G Q_R, and Q_L and Q_R the eigenvectors of the running means of G G^T and G^T G
/// @states two for each matrix, and two square matrices of its rows and two of its columns
/// @paper Vyas et al., 2024
/// @torch none; pytorch_optimizer.SOAP
/// @optax none
template <class Options = soap_options>
auto soap(Options given = {}) {
  auto& o = detail::given_options<soap_options>(given);
  return chain(scale_by_soap({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
