// SPDX-License-Identifier: BSL-1.0
// scale_by_muon, muon: matrices step along the nearest orthogonal matrix to their momentum.
#pragma once

#include <concepts>

#include <tapeless/optim/base/matrices.hpp>
#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_muon_options {
  hyperparameter momentum = 0.95;
  bool nesterov = true;
  bool match_adam = false;  ///< steps of the size of Adam's, for one learning rate with it
};

struct scale_by_muon_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_muon";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"momentum", "nesterov", "match_adam"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    if (g.rank() < 2) return detail::not_a_matrix(c.owned(), "muon");
    const Value momentum = c.hyper(0);
    const Value buffer = detail::running_mean<"muon.buffer">(c, momentum, g);
    const Value ahead = momentum * cast(c.hyper(1) != 0.0, element::number);
    const Value direction = where(c.hyper(1) != 0.0, (1.0 - ahead) * g + ahead * buffer, buffer);
    const shape_list flat = detail::matrix_shape(g);
    const Value rows = make_size(*g.builder, flat.extents[0]),
                columns = make_size(*g.builder, flat.extents[1]);
    const bool tall = flat.extents[0] > flat.extents[1];
    const Value matrix = reshape(direction, flat);
    const Value nearest = orthogonal(tall ? transpose_last(matrix) : matrix);
    const Value size =
        where(c.hyper(2) != 0.0, 0.2 * sqrt(max(rows, columns)), sqrt(max(rows / columns, 1.0)));
    return reshape(tall ? transpose_last(nearest) : nearest, shape_of(g)) * size;
  }

 private:
  /// Five steps of a Newton-Schulz iteration, which bring the singular values near 1.
  static constexpr value orthogonal(value x) {
    x = detail::scaled_by(x, 1.0 / (detail::length_of(x) + 1e-7));
    for (int i = 0; i < 5; ++i) {
      const value a = matmul(x, transpose_last(x));
      x = 3.4445 * x + matmul(-4.7750 * a + 2.0315 * matmul(a, a), x);
    }
    return x;
  }
};

/// The momentum, brought near the orthogonal matrix of the same singular vectors by five steps X = 3.4445 X +
/// (-4.7750 A + 2.0315 A^2) X, A = X X^T. Then it is multiplied by sqrt(max(1, rows / columns)) (Jordan et
/// al., 2024), or with match_adam by 0.2 sqrt(max(rows, columns)) (Liu et al., 2025). The momentum is buffer
/// = momentum * buffer + (1 - momentum) * g, with Nesterov's (1 - momentum) * g + momentum * buffer. Axes
/// behind the first count as one: a convolution's weight is the matrix [out, in * kernel]. An error for
/// scalars and vectors. One state for each parameter.
template <class Options = scale_by_muon_options>
auto scale_by_muon(Options given = {}) {
  auto& o = detail::given_options<scale_by_muon_options>(given);
  return scale_by_muon_transform{{{std::move(o.momentum), o.nesterov ? 1.0 : 0.0, o.match_adam ? 1.0 : 0.0}}};
}

struct muon_options {
  hyperparameter learning_rate = 2e-2;
  hyperparameter momentum = 0.95;
  hyperparameter weight_decay = 0;
  bool nesterov = true;
  bool match_adam = false;
};

/// Muon with decoupled weight decay, for matrices; the other parameters need a rule of their own:
/// partition(for_parameters(matrices, muon({})), adamw({})).
/// @formula buf = momentum buf + (1 - momentum) g; p -= learning_rate (the orthogonal matrix near buf, by
///   five steps of Newton and Schulz, + weight_decay p)
/// @states one for each matrix
/// @paper Jordan et al., 2024
/// @torch torch.optim.Muon
/// @optax optax.contrib.muon
template <class Options = muon_options>
auto muon(Options given = {}) {
  auto& o = detail::given_options<muon_options>(given);
  return chain(scale_by_muon({std::move(o.momentum), o.nesterov, o.match_adam}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
