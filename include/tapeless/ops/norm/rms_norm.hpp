// SPDX-License-Identifier: BSL-1.0
// rms_norm<"norm">(x), rms_norm(x, weight): the last axis, divided by its root mean square (Zhang and
// Sennrich, 2019).
#pragma once

#include <concepts>

#include <tapeless/ops/norm/standardize.hpp>

namespace tapeless {

template <double Eps, int Operands>
struct rms_norm_statement {
  static constexpr std::string_view name = "rms_norm";
  static constexpr int arity = Operands;
  static constexpr value build(value x, value weight = {}) {
    if (x.rank() < 1 || !is_floating(x.type()))
      return x.fail(detail::shape_sentence(name, x) << ": it takes a floating value of at least 1 axis");
    const value wrong = detail::misfit(name, x, {1, {x.get().shape[x.rank() - 1]}}, weight, {},
                                       "a weight of the type and the last extent of x");
    if (wrong.exists()) return wrong;
    return detail::affine(standardize_operation<false>::build(x, 1u << (x.rank() - 1), Eps), weight, {});
  }
};

template <name Name, double Eps>
struct rms_norm_layer {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const shape_list shape{1, {x.rank() < 1 ? 1 : x.get().shape[x.rank() - 1]}};
    if (!detail::is_literal(shape))
      return x.fail(detail::shape_sentence("rms_norm", x)
                    << ": the extent of \"" << (Name + ".weight").view() << "\" must be an integer");
    return rms_norm_statement<Eps, 2>::build(
        x, make_parameter(*x.builder, &interned<Name + ".weight">, x.type(), shape, fill(1)));
  }
};

/// A layer with a parameter of its own: rms_norm with Name.weight, which starts at 1, of x's last extent, an
/// integer.
/// @formula y = x / sqrt(mean(x^2) + Eps) weight
/// @shapes floating [.., features] -> the same
/// @errors layer_norm_weight norms_as_in_pytorch
/// @torch torch.nn.RMSNorm, torch.nn.functional.rms_norm
/// @jax flax.linen.RMSNorm
/// @given x = [[3, 4]]
/// @gives tl::rms_norm(x) = [[0.8485, 1.131]]
template <name Name, double Eps = 1e-5>
TAPELESS_FACTORY auto rms_norm(expression_operand auto x) {
  return make<rms_norm_layer<Name, Eps>>(x);
}

/// x / sqrt(mean(x^2) + Eps) * weight over the last axis: a floating x [..., features] and, if given, a
/// weight [features] -> [..., features].
template <double Eps = 1e-5, is_value X, is_value... W>
  requires(sizeof...(W) <= 1)
constexpr value rms_norm(X x, W... weight) {
  return make<rms_norm_statement<Eps, 1 + int(sizeof...(W))>>(x, weight...);
}
template <double Eps = 1e-5, expression_operand X, expression_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto rms_norm(X x, W... weight) {
  return make<rms_norm_statement<Eps, 1 + int(sizeof...(W))>>(x, weight...);
}
// Calls as in PyTorch, which are refused.
template <name Name, std::integral auto Features, auto... More>
constexpr auto rms_norm(expression_operand auto x) {
  return detail::refuse_call<sentence{"rms_norm"}, detail::features_are_known,
                             sentence{"<\"norm\">(x), or with eps <\"norm\", 1e-6>(x)"}>(x);
}

}  // namespace tapeless
