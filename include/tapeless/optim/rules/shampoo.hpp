// SPDX-License-Identifier: BSL-1.0
// scale_by_shampoo, shampoo: matrices step by the inverse roots of their rows' and columns' second moments.
#pragma once

#include <concepts>

#include <tapeless/optim/base/inverse_root.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_shampoo_options {
  hyperparameter beta2 = 1;  ///< 1: sums; below 1: running means, without the bias of their start
  hyperparameter epsilon = 1e-4;
};

template <int Iterations>
struct scale_by_shampoo_transform : gradient_transform<2> {
  static constexpr std::string_view label = "scale_by_shampoo";
  static constexpr bool keeps_sign = true;
  static constexpr int label_number = Iterations;
  static_assert(Iterations >= 1, "tapeless: shampoo takes 1 iteration or more");
  static constexpr std::array<name, 2> hyper_names{"beta2", "epsilon"};
  static constexpr std::array<hyperparameter_range, 2> hyper_ranges{ranges::share, ranges::not_negative};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    if (g.rank() < 2) return detail::not_a_matrix(c.owned(), "shampoo");
    const Value matrix = reshape(g, detail::matrix_shape(g)), turned = transpose_last(matrix);
    list<Value> sides;
    sides.push(moment<"shampoo.l">(c, matmul(matrix, turned)));
    sides.push(moment<"shampoo.r">(c, matmul(turned, matrix)));
    detail::inverse_fourth_roots<Iterations>(sides);
    return reshape(matmul(matmul(sides[0], matrix), sides[1]), shape_of(g));
  }

 private:
  /// The kept sum or mean of the squares, plus epsilon I.
  template <name Label>
  static constexpr value moment(rule_context& c, value squared) {
    const value beta2 = c.hyper(0), sums = beta2 == 1.0, kept = c.state<Label>(shape_of(squared));
    const value next = beta2 * kept + where(sums, 1.0, 1.0 - beta2) * squared;
    c.set(kept, next);
    const value unbiased = next * (1.0 / where(sums, 1.0, 1.0 - pow(beta2, c.step())));
    const value identity = detail::identity_matrix(*squared.builder, squared.get().shape[0], squared.type());
    return unbiased + c.hyper(1) * identity;
  }
};

/// L^(-1/4) G R^(-1/4), where L = epsilon I + the sum of all G G^T so far, R = epsilon I + that of G^T G
/// (Gupta, Koren and Singer, 2018, algorithm 1); with beta2 < 1 running means rather than sums, L = beta2 L +
/// (1 - beta2) G G^T, over 1 - beta2^t. Axes behind the first count as one: a convolution's weight is the
/// matrix [out, in * kernel]. An error for scalars and vectors.
///
/// The roots are computed in each step, by so many iterations of matrix products (see
/// inverse_root.hpp): 24 are enough where no eigenvalue is below 1e-8 of the Frobenius norm (and give 10
/// digits of double for the condition number 1e6); what is smaller counts as larger. Of a matrix [m, n], m^2
/// + n^2 numbers are kept, and a step takes 4 * Iterations products of m x m and of n x n matrices, which can
/// be far more than the model itself takes. For the length of another rule's step: graft(scale_by_shampoo(),
/// scale_by_adam()). Gradients whose lengths' fourth powers overflow (4e9 in float) make steps of 0 or NaN:
/// clip them in front.
template <int Iterations = 24, class Options = scale_by_shampoo_options>
auto scale_by_shampoo(Options given = {}) {
  auto& o = detail::given_options<scale_by_shampoo_options>(given);
  return scale_by_shampoo_transform<Iterations>{{{std::move(o.beta2), std::move(o.epsilon)}}};
}

struct shampoo_options {
  hyperparameter learning_rate = 0.1;
  hyperparameter beta2 = 1;
  hyperparameter epsilon = 1e-4;
  hyperparameter weight_decay = 0;
};

/// Shampoo with decoupled weight decay, for matrices; the other parameters need a rule of their own:
/// partition(for_parameters(matrices, shampoo({})), adamw({})).
/// @formula L += G G^T; R += G^T G; p -= learning_rate (L^(-1/4) G R^(-1/4) + weight_decay p)
/// @states two square matrices for each matrix, of its rows and of its columns
/// @paper Gupta, Koren and Singer, 2018
/// @torch none; pytorch_optimizer.Shampoo
/// @optax none
template <int Iterations = 24, class Options = shampoo_options>
auto shampoo(Options given = {}) {
  auto& o = detail::given_options<shampoo_options>(given);
  return chain(scale_by_shampoo<Iterations>({std::move(o.beta2), std::move(o.epsilon)}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
