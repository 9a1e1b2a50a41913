// SPDX-License-Identifier: BSL-1.0
// group_norm<"gn", groups>(x), group_norm<groups>(x, weight, bias): groups of channels, normalized (Wu and
// He, 2018).
#pragma once

#include <concepts>

#include <tapeless/ops/norm/standardize.hpp>

namespace tapeless {

namespace detail {

/// x, [batch, channels, ...], normalized within each group of so many channels.
constexpr value normalize_groups(std::string_view op, value x, std::int64_t channels_per_group, double eps,
                                 value weight, value bias) {
  extent_table& extents = x.builder->extents;
  const std::int64_t channels = x.get().shape[1];
  const value wrong = misfit(op, x, {1, {channels}}, weight, bias,
                             "a weight and a bias of the type of x, one for each channel (axis 1)");
  if (wrong.exists()) return wrong;
  std::int64_t positions = 1;
  for (int i = 2; i < x.rank(); ++i) positions = extents.multiply(positions, x.get().shape[i]);
  const std::int64_t groups = channels_per_group == 1 ? channels : channels / channels_per_group;
  // In this shape the channels keep an axis of their own, so that all is one fused kernel.
  const shape_list grouped{4, {x.get().shape[0], groups, channels_per_group, positions}};
  const auto of_channels = [&](value v) {
    return v.exists() ? reshape(v, {3, {groups, channels_per_group, 1}}) : v;
  };
  const value y = standardize(reshape(x, grouped), 0b1100u, eps);
  return reshape(affine(y, of_channels(weight), of_channels(bias)), shape_of(x));
}

}  // namespace detail

template <int Groups, double Eps, int Operands>
struct group_norm_statement {
  static constexpr std::string_view name = "group_norm";
  static constexpr int arity = Operands;
  static constexpr text refusal() {
    if (Groups > 0) return {};
    return text() << "group_norm takes at least one group, but got " << Groups;
  }
  static constexpr bool fits(value x) {
    return x.rank() >= 2 && is_floating(x.type()) && extent_table::is_literal(x.get().shape[1]) &&
           x.get().shape[1] % Groups == 0;
  }
  static constexpr value fail(value x) {
    return x.fail(detail::shape_sentence(name, x)
                  << ": it takes a floating value [batch, channels, ...] whose channels make " << Groups
                  << " equal groups");
  }
  static constexpr value build(value x, value weight = {}, value bias = {}) {
    if (!fits(x)) return fail(x);
    return detail::normalize_groups(name, x, x.get().shape[1] / Groups, Eps, weight, bias);
  }
};

template <name Name, int Groups, double Eps>
struct group_norm_layer {
  static constexpr int arity = 1;
  static constexpr text refusal() { return group_norm_statement<Groups, Eps, 3>::refusal(); }
  static constexpr value build(value x) {
    using statement = group_norm_statement<Groups, Eps, 3>;
    if (!statement::fits(x)) return statement::fail(x);
    const shape_list shape{1, {x.get().shape[1]}};
    return statement::build(x,
                            make_parameter(*x.builder, &interned<Name + ".weight">, x.type(), shape, fill(1)),
                            make_parameter(*x.builder, &interned<Name + ".bias">, x.type(), shape, fill(0)));
  }
};

/// A layer with parameters of its own: group_norm with Name.weight [channels], which starts at 1, and
/// Name.bias [channels], which starts at 0.
/// @formula y = (x - mean) / sqrt(variance + Eps) weight + bias, for each group of channels
/// @shapes floating [batch, channels, ..] -> the same
/// @errors group_norm_groups norms_as_in_pytorch
/// @torch torch.nn.GroupNorm, torch.nn.functional.group_norm
/// @jax flax.linen.GroupNorm
/// @given x = [[1, 2, 3, 5]]
/// @gives tl::group_norm<2>(x) = [[-1, 1, -1, 1]]
template <name Name, int Groups, double Eps = 1e-5>
TAPELESS_FACTORY auto group_norm(expression_operand auto x) {
  return make<group_norm_layer<Name, Groups, Eps>>(x);
}

/// (x - mean) / sqrt(variance + Eps) * weight + bias, with the mean and the biased variance over each of
/// Groups groups of neighbouring channels: a floating x [batch, channels, ...], whose channels are an integer
/// and Groups divides, and, if given, weight [channels] and bias [channels] -> x's shape.
template <int Groups, double Eps = 1e-5, is_value X, is_value... More>
  requires(sizeof...(More) <= 2)
constexpr value group_norm(X x, More... weight_and_bias) {
  return make<group_norm_statement<Groups, Eps, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <int Groups, double Eps = 1e-5, expression_operand X, expression_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto group_norm(X x, More... weight_and_bias) {
  return make<group_norm_statement<Groups, Eps, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
// Calls as in PyTorch, which are refused.
template <name Name, std::floating_point auto Eps = 1e-5>
constexpr auto group_norm(expression_operand auto x) {
  return detail::refuse_call<sentence{"group_norm"}, sentence{"its number of groups stands before eps"},
                             sentence{"<\"gn\", 4, 1e-6>(x)"}>(x);
}
template <name Name, std::integral auto Groups, std::integral auto Channels, auto... More>
constexpr auto group_norm(expression_operand auto x) {
  return detail::refuse_call<sentence{"group_norm"}, detail::features_are_known,
                             sentence{"<\"gn\", 4>(x), or with eps <\"gn\", 4, 1e-6>(x)"}>(x);
}

}  // namespace tapeless
