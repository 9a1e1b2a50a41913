// SPDX-License-Identifier: BSL-1.0
// instance_norm<"in">(x), instance_norm(x, weight, bias): each channel of each sample, normalized (Ulyanov,
// Vedaldi and Lempitsky, 2016).
#pragma once

#include <concepts>

#include <tapeless/ops/norm/group_norm.hpp>

namespace tapeless {

template <double Eps, int Operands>
struct instance_norm_statement {
  static constexpr std::string_view name = "instance_norm";
  static constexpr int arity = Operands;
  static constexpr bool fits(value x) { return x.rank() >= 3 && is_floating(x.type()); }
  static constexpr value fail(value x) {
    return x.fail(detail::shape_sentence(name, x)
                  << ": it takes a floating value [batch, channels, ...] of at least 3 axes");
  }
  static constexpr value build(value x, value weight = {}, value bias = {}) {
    if (!fits(x)) return fail(x);
    return detail::normalize_groups(name, x, 1, Eps, weight, bias);
  }
};

template <name Name, double Eps, bool Affine>
struct instance_norm_layer {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    using statement = instance_norm_statement<Eps, 3>;
    if (!statement::fits(x)) return statement::fail(x);
    if constexpr (!Affine) return statement::build(x);
    const shape_list shape{1, {x.get().shape[1]}};
    if (!detail::is_literal(shape))
      return x.fail(detail::shape_sentence("instance_norm", x)
                    << ": the extent of \"" << (Name + ".weight").view() << "\" must be an integer");
    return statement::build(x,
                            make_parameter(*x.builder, &interned<Name + ".weight">, x.type(), shape, fill(1)),
                            make_parameter(*x.builder, &interned<Name + ".bias">, x.type(), shape, fill(0)));
  }
};

/// A layer with parameters of its own, if Affine: instance_norm with Name.weight [channels], which starts at
/// 1, and Name.bias [channels], which starts at 0.
/// @formula y = (x - mean) / sqrt(variance + Eps) weight + bias, for each channel of each sample
/// @shapes floating [batch, channels, ..], at least 3 axes -> the same
/// @errors instance_norm_axes norms_as_in_pytorch
/// @torch torch.nn.InstanceNorm1d, torch.nn.functional.instance_norm
/// @jax flax.linen.InstanceNorm
/// @given x = [[[1, 2, 3], [4, 4, 7]]]
/// @gives tl::instance_norm(x) = [[[-1.225, 0, 1.225], [-0.7071, -0.7071, 1.414]]]
template <name Name, double Eps = 1e-5, bool Affine = true>
TAPELESS_FACTORY auto instance_norm(expression_operand auto x) {
  return make<instance_norm_layer<Name, Eps, Affine>>(x);
}

/// (x - mean) / sqrt(variance + Eps) * weight + bias, with the mean and the biased variance over all axes but
/// the first two: a floating x [batch, channels, ...] and, if given, weight [channels] and bias [channels] ->
/// x's shape.
template <double Eps = 1e-5, is_value X, is_value... More>
  requires(sizeof...(More) <= 2)
constexpr value instance_norm(X x, More... weight_and_bias) {
  return make<instance_norm_statement<Eps, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <double Eps = 1e-5, expression_operand X, expression_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto instance_norm(X x, More... weight_and_bias) {
  return make<instance_norm_statement<Eps, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
// Calls as in PyTorch, which are refused.
template <name Name, std::integral auto Features, auto... More>
constexpr auto instance_norm(expression_operand auto x) {
  return detail::refuse_call<sentence{"instance_norm"}, detail::features_are_known,
                             sentence{"<\"in\">(x), or with eps <\"in\", 1e-6>(x)"}>(x);
}

}  // namespace tapeless
