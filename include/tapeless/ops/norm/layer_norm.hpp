// SPDX-License-Identifier: BSL-1.0
// layer_norm<"ln">(x), layer_norm(x, weight, bias): the last axes, normalized (Ba, Kiros and Hinton, 2016).
#pragma once

#include <concepts>
#include <cstdint>

#include <tapeless/ops/norm/standardize.hpp>

namespace tapeless {

template <int TrailingAxes, double Eps, int Operands>
struct layer_norm_statement {
  static constexpr std::string_view name = "layer_norm";
  static constexpr int arity = Operands;
  static constexpr text refusal() {
    if (TrailingAxes > 0) return {};
    return text() << "layer_norm takes at least one trailing axis, but got " << TrailingAxes;
  }

  static constexpr bool fits(value x) { return x.rank() >= TrailingAxes && is_floating(x.type()); }
  static constexpr value fail(value x) {
    text t = detail::shape_sentence(name, x);
    t << ": it takes a floating value of at least " << TrailingAxes << " axes";
    if (x.rank() < TrailingAxes)
      t << "; the number counts axes, not features: tl::layer_norm<\"ln\", 1e-6>(x)";
    return x.fail(t);
  }
  /// The extents that are normalized.
  static constexpr shape_list trailing(value x) {
    shape_list s{TrailingAxes, {}};
    for (int i = 0; i < s.rank; ++i) s.extents[i] = x.get().shape[x.rank() - TrailingAxes + i];
    return s;
  }

  static constexpr value build(value x, value weight = {}, value bias = {}) {
    if (!fits(x)) return fail(x);
    const value wrong = detail::misfit(name, x, trailing(x), weight, bias,
                                       "a weight and a bias of the type and the last extents of x");
    if (wrong.exists()) return wrong;
    const unsigned axes = (1u << x.rank()) - (1u << (x.rank() - TrailingAxes));
    return detail::affine(detail::standardize(x, axes, Eps), weight, bias);
  }
};

/// Which parameters a normalization has.
enum class norm_parameters : std::uint8_t { weight_and_bias, weight, bias, none };

template <name Name, int TrailingAxes, double Eps, norm_parameters Parameters>
struct layer_norm_layer {
  static constexpr int arity = 1;
  static constexpr text refusal() { return layer_norm_statement<TrailingAxes, Eps, 3>::refusal(); }
  static constexpr value build(value x) {
    using statement = layer_norm_statement<TrailingAxes, Eps, 3>;
    if (!statement::fits(x)) return statement::fail(x);
    const shape_list shape = statement::trailing(x);
    if (!detail::is_literal(shape))
      return x.fail(detail::shape_sentence("layer_norm", x)
                    << ": the extents of \"" << (Name + ".weight").view() << "\" must be integers");
    value weight, bias;
    if constexpr (Parameters == norm_parameters::weight_and_bias || Parameters == norm_parameters::weight)
      weight = make_parameter(*x.builder, &interned<Name + ".weight">, x.type(), shape, fill(1));
    if constexpr (Parameters == norm_parameters::weight_and_bias || Parameters == norm_parameters::bias)
      bias = make_parameter(*x.builder, &interned<Name + ".bias">, x.type(), shape, fill(0));
    return statement::build(x, weight, bias);
  }
};

/// A layer with parameters of its own: layer_norm with Name.weight, which starts at 1, and Name.bias, which
/// starts at 0, both of the shape of x's last axes, whose extents are integers. norm_parameters says which of
/// them it has: layer_norm<"ln", 1, 1e-5, norm_parameters::weight>(x) has no bias. For one axis its number
/// may be left out: layer_norm<"ln", 1e-6>(x).
/// @formula y = (x - mean) / sqrt(variance + Eps) weight + bias, over the last axes
/// @shapes floating [.., E..] -> the same
/// @errors layer_norm_extent layer_norm_weight
/// @torch torch.nn.LayerNorm, torch.nn.functional.layer_norm
/// @jax flax.linen.LayerNorm
/// @given x = [[1, 2, 3], [4, 4, 7]]
/// @gives tl::layer_norm(x) = [[-1.225, 0, 1.225], [-0.7071, -0.7071, 1.414]]
template <name Name, int TrailingAxes = 1, double Eps = 1e-5,
          norm_parameters Parameters = norm_parameters::weight_and_bias>
TAPELESS_FACTORY auto layer_norm(expression_operand auto x) {
  return make<layer_norm_layer<Name, TrailingAxes, Eps, Parameters>>(x);
}
template <name Name, std::floating_point auto Eps,
          norm_parameters Parameters = norm_parameters::weight_and_bias>
TAPELESS_FACTORY auto layer_norm(expression_operand auto x) {
  return layer_norm<Name, 1, double{Eps}, Parameters>(x);
}

/// (x - mean) / sqrt(variance + Eps) * weight + bias, with the mean and the biased variance over the last
/// TrailingAxes axes: a floating x [..., E...] and, if given, weight [E...] and bias [E...] -> [..., E...].
/// The weight may be a number: layer_norm(x, 1_c, bias) has a bias alone.
template <int TrailingAxes = 1, double Eps = 1e-5, is_value X, is_value... More>
  requires(sizeof...(More) <= 2)
constexpr value layer_norm(X x, More... weight_and_bias) {
  return make<layer_norm_statement<TrailingAxes, Eps, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <int TrailingAxes = 1, double Eps = 1e-5, expression_operand X, expression_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto layer_norm(X x, More... weight_and_bias) {
  return make<layer_norm_statement<TrailingAxes, Eps, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <std::floating_point auto Eps, is_value X, is_value... More>
  requires(sizeof...(More) <= 2)
constexpr value layer_norm(X x, More... weight_and_bias) {
  return layer_norm<1, double{Eps}>(x, weight_and_bias...);
}
template <std::floating_point auto Eps, expression_operand X, expression_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto layer_norm(X x, More... weight_and_bias) {
  return layer_norm<1, double{Eps}>(x, weight_and_bias...);
}

}  // namespace tapeless
