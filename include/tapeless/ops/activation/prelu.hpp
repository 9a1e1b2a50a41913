// SPDX-License-Identifier: BSL-1.0
// prelu<"act">(x), prelu(x, weight): the leaky rectifier whose slope is learned (He et al., 2015).
#pragma once

#include <tapeless/expr/param.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct prelu_statement {
  static constexpr std::string_view name = "prelu";
  static constexpr int arity = 2;
  static constexpr value build(value x, value weight) {
    const bool one = weight.rank() == 0 || (weight.rank() == 1 && weight.get().shape[0] == 1);
    const bool fits =
        one || (weight.rank() == 1 && x.rank() >= 2 && weight.get().shape[0] == x.get().shape[1]);
    if (!is_floating(x.type()) || weight.type() != x.type() || !fits)
      return detail::do_not_fit(
          name, {{"x", x}, {"a weight", weight}},
          "floating x [batch, channels, ...] and a weight [1] or [channels] of its type");
    shape_list s{.rank = one ? 0 : x.rank() - 1, .extents = {weight.get().shape[0]}};
    for (int i = 1; i < s.rank; ++i) s.extents[i] = 1;
    return where(x > 0.0, x, reshape(weight, s) * x);
  }
};

template <name Name, std::int64_t Count>
struct prelu_layer {
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (Count > 0) return {};
    return text() << "prelu takes one slope or more, but got " << Count;
  }
  static constexpr value build(value x) {
    return prelu_statement::build(
        x, make_parameter(*x.builder, &interned<Name + ".weight">, x.type(), {1, {Count}}, fill(0.25)));
  }
};

namespace forms {

/// x for x > 0, weight x otherwise: one weight, [1], or one for each channel, [channels], of x [batch,
/// channels, ...]. The derivative at 0 is the weight. With a name it is a layer that owns Name.weight
/// [Count], which starts at 0.25: prelu<"act">(x), prelu<"act", 64>(x).
/// @formula y = x for x > 0, else weight x
/// @shapes floating [batch, channels, ..], [channels] or [1] -> the shape of x
/// @errors prelu
/// @torch torch.nn.PReLU, torch.nn.functional.prelu
/// @jax flax.linen.PReLU
/// @given x = [[-2, -2], [3, -1]]; w = [0.5, 0.1]
/// @gives tl::prelu(x, w) = [[-1, -0.2], [3, -0.1]]
/// @gives tl::prelu<"act">(x) = [[-0.5, -0.5], [3, -0.25]]
constexpr value prelu(is_value auto x, value weight) { return make<prelu_statement>(x, weight); }
template <layer_operand X, layer_operand W>
TAPELESS_FACTORY auto prelu(X x, W weight) {
  return make<prelu_statement>(x, weight);
}
template <name Name, std::int64_t Count = 1>
TAPELESS_FACTORY auto prelu(layer_operand auto x) {
  return make<prelu_layer<Name, Count>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto prelu(const X&... x) {
  if constexpr (requires { forms::prelu<A.value...>(x...); }) {
    return forms::prelu<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"prelu<\"act\">(x)"}, A...>(x...);
  }
}

}  // namespace tapeless
