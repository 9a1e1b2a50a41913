// SPDX-License-Identifier: BSL-1.0
// scale_by_apollo, apollo, apollo_mini: Adam's scale from moments of low rank.
#pragma once

#include <concepts>
#include <numbers>

#include <tapeless/optim/base/matrices.hpp>
#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/rules/adam.hpp>

namespace tapeless {

struct scale_by_apollo_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter scale = 1;
  hyperparameter period = 200;  ///< steps until another projection is drawn
  hyperparameter growth = 1.01;
};

/// By channels: a scale of its own for each row or column, rather than one for the whole matrix.
template <int Rank, bool ByChannels>
struct scale_by_apollo_transform : gradient_transform<6> {
  static constexpr std::string_view label = ByChannels ? "scale_by_apollo" : "scale_by_apollo_mini";
  static constexpr bool keeps_sign = true;
  static constexpr int label_number = Rank;
  static_assert(Rank >= 1, "tapeless: apollo takes a rank of 1 or more");
  static constexpr std::array<name, 6> hyper_names{"beta1", "beta2", "epsilon", "scale", "period", "growth"};

  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    if (g.rank() < 2) return scale_by_adam_transform::transform(c, g);
    const shape_list flat = detail::matrix_shape(g);
    if (flat.extents[0] <= Rank || flat.extents[1] <= Rank) return scale_by_adam_transform::transform(c, g);
    const Value matrix = reshape(g, flat);
    // The shorter axis is projected to Rank.
    const bool wide = flat.extents[0] <= flat.extents[1];
    const Value low = wide ? matmul(projection(c, {2, {Rank, flat.extents[0]}}), matrix)
                           : matmul(matrix, projection(c, {2, {flat.extents[1], Rank}}));
    const Value mu = mean<"apollo.mu">(c, c.hyper(0), low),
                nu = mean<"apollo.nu">(c, c.hyper(1), square(low));
    const Value adam = mu * detail::debias(c, c.hyper(0)) /
                       (sqrt(nu) * (1.0 / sqrt(1.0 - pow(c.hyper(1), c.step()))) + c.hyper(2));
    const unsigned axes = !ByChannels ? 3u : wide ? 1u : 2u;
    const Value own = detail::lengths_over(low, axes), none = own == 0.0;
    const Value ratio = where(none, 0.0, detail::lengths_over(adam, axes) / where(none, 1.0, own));
    const Value scaled = detail::scaled_by(matrix, c.hyper(3) * ratio);
    return reshape(limited(c, scaled), shape_of(g));
  }

 private:
  /// Normal numbers of the variance 1 / Rank (Box and Muller, 1958), which depend on nothing but the
  /// parameter's place and the period.
  static constexpr value projection(rule_context& c, const shape_list& shape) {
    graph& g = *c.parameter().builder;
    const value index = reshape(make_iota(g, {1, {element_count(g, shape)}}, 0, element::i64), shape);
    const double place = parameter_number(c.owned().get());
    const value key = 2.0 * floor((c.step() - 1.0) / c.hyper(4)) + place * 4294967296.0;
    const auto uniform = [&](double stream) {
      return cast(make<random_operation>(index, cast(key + stream, element::i64)), c.parameter().type());
    };
    const value radius = sqrt((-2.0 / Rank) * log(1.0 - uniform(0)));
    return radius * cos(2 * std::numbers::pi * uniform(1));
  }

  template <name Label>
  static constexpr value mean(rule_context& c, value decay, value x) {
    const value kept = c.state<Label>(shape_of(x)), next = decay * kept + (1.0 - decay) * x;
    c.set(kept, next);
    return next;
  }

  /// x, scaled down where it has grown too much since the last step.
  static constexpr value limited(rule_context& c, value x) {
    const value before = c.state<"apollo.length">({}), now = detail::length_of(x),
                limit = c.hyper(5) * before;
    const value too_long = before > 0.0 && now > limit;
    c.set(before, where(too_long, limit, now));
    return x * where(too_long, limit / where(too_long, now, 1.0), 1.0);
  }
};

/// The gradient, each of its columns scaled, or each row where there are more rows than columns. R is the
/// gradient projected by a random matrix to Rank rows (columns). The factor is the ratio of the lengths that
/// scale_by_adam(R) and R have there, times `scale`. The gradient's length grows by the factor `growth` at
/// most from step to step (Zhu et al., 2024; Chen et al., 2024, for the growth). The limit acts on the step
/// as it is used, after `scale` and the corrections of bias, where the authors' code looks at it before them.
/// Axes behind the first count as one. Vectors, and matrices that have not more than Rank rows and columns,
/// take scale_by_adam's step. Of a matrix [m, n] with m <= n, 2 Rank n numbers are kept.
template <int Rank>
auto scale_by_apollo(scale_by_apollo_options o = {}) {
  return scale_by_apollo_transform<Rank, true>{
      {{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), std::move(o.scale), std::move(o.period),
        std::move(o.growth)}}};
}

/// The same with rank 1 and one ratio for the whole matrix.
inline auto scale_by_apollo_mini(scale_by_apollo_options o = {.scale = std::numbers::sqrt2 * 8}) {
  return scale_by_apollo_transform<1, false>{
      {{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), std::move(o.scale), std::move(o.period),
        std::move(o.growth)}}};
}

struct apollo_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  hyperparameter scale = 1;
  hyperparameter period = 200;
  hyperparameter growth = 1.01;
};

/// APOLLO with decoupled weight decay: apollo<4>() keeps moments of rank 4.
/// @formula R = a random projection of g to Rank rows; p -= learning_rate (scale g |adam(R)_j| / |R_j| in
///   each column j + weight_decay p)
/// @states two of Rank rows for each matrix, and a number
/// @paper Zhu et al., 2024
/// @torch none; apollo_torch.APOLLOAdamW
/// @optax none
template <int Rank>
auto apollo(apollo_options o = {}) {
  return chain(scale_by_apollo<Rank>({o.beta1, o.beta2, o.epsilon, o.scale, o.period, o.growth}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

struct apollo_mini_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  hyperparameter scale = std::numbers::sqrt2 * 8;
  hyperparameter period = 200;
  hyperparameter growth = 1.01;
};

/// APOLLO-Mini with decoupled weight decay: little more memory than the parameters take.
/// @formula as apollo's, with rank 1 and one ratio for the whole matrix
/// @states two vectors for each matrix, and a number
/// @paper Zhu et al., 2024
/// @torch none; apollo_torch.APOLLOAdamW(rank=1)
/// @optax none
template <class Options = apollo_mini_options>
auto apollo_mini(Options given = {}) {
  auto& o = detail::given_options<apollo_mini_options>(given);
  return chain(scale_by_apollo_mini({o.beta1, o.beta2, o.epsilon, o.scale, o.period, o.growth}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
