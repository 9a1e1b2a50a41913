// SPDX-License-Identifier: BSL-1.0
// linear<"fc1", 500>(x), linear(x, weight, bias): a fully connected layer.
#pragma once

#include <concepts>

#include <tapeless/expr/param.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/newton_square_root.hpp>
#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

namespace forms {

/// x weight^T + bias: [..., in] [out, in] [out] -> [..., out]; with one output without an axis [..., in] [in]
/// [] -> [...]. linear<"fc", 3, false>(x) is a layer without a bias.
/// @formula y = x weight^T + bias
/// @shapes floating [.., in] [Out, in] [Out] -> [.., Out]
/// @errors linear_weight layer_of_integers empty_name
/// @torch torch.nn.Linear, torch.nn.functional.linear
/// @jax flax.linen.Dense
/// @given x = [[1, 2]]; w = [[1, 0], [0, 1], [1, 1]]; b = [0.5, 0, 0]
/// @gives tl::linear(x, w, b) = [[1.5, 2, 3]]
/// @gives tl::linear<"fc", 3>(x) = [[-1.366, -0.5874, -0.0768]]
constexpr value linear(is_value auto x, value weight) {
  if (x.rank() >= 1 && weight.rank() == 2 && x.get().shape[x.rank() - 1] == weight.get().shape[1])
    return matmul(x, transpose_last(weight));
  if (x.rank() >= 1 && weight.rank() == 1 && x.get().shape[x.rank() - 1] == weight.get().shape[0])
    return matmul(x, weight);
  text t;
  t << "linear got x of the shape ";
  x.builder->describe_shape(t, x.get());
  t << " and a weight of the shape ";
  x.builder->describe_shape(t, weight.get());
  return x.fail(t << ": it takes [..., in] and [out, in]");
}
constexpr value linear(is_value auto x, value weight, value bias) { return forms::linear(x, weight) + bias; }

}  // namespace forms

struct linear_statement {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    const value input{&g, x.ids[0]}, weight{&g, x.ids[1]};
    return node_list::only(x.count == 2 ? forms::linear(input, weight)
                                        : forms::linear(input, weight, {&g, x.ids[2]}));
  }
};

namespace detail {

/// Owns Name.weight [out, in], which starts uniformly in [-sqrt(6/(in + out)), sqrt(6/(in + out))] (Glorot
/// and Bengio, 2010), and Name.bias [out], which starts at zero.
template <name Name, bool Bias>
constexpr value own_linear(value x, std::int64_t out) {
  text t;
  t << "linear<\"" << Name.view() << "\">";
  if (!require_kind(t.view(), x, element_kind::floating, "x")) return x;
  t << " of a value of the shape ";
  x.builder->describe_shape(t, x.get());
  if (x.rank() == 0) return x.fail(t << ": it takes [..., in]");
  if (out < 0) return x.fail(t << ": the number of outputs, " << out << ", must be 0 or more");
  const std::int64_t in = x.get().shape[x.rank() - 1];
  if (!extent_table::is_literal(in)) return x.fail(t << ": the last extent, in, must be an integer");
  const initializer start = uniform(square_root(6.0 / static_cast<double>(in + out)));
  const value weight =
      make_parameter(*x.builder, &interned<Name + ".weight">, x.type(), {2, {out, in}}, start);
  if constexpr (Bias) {
    return forms::linear(
        x, weight, make_parameter(*x.builder, &interned<Name + ".bias">, x.type(), {1, {out}}, fill(0)));
  } else {
    return forms::linear(x, weight);
  }
}

}  // namespace detail

template <name Name, std::int64_t Out, bool Bias>
struct linear_layer {
  static constexpr int arity = 1;
  static constexpr value build(value x) { return detail::own_linear<Name, Bias>(x, Out); }
};

namespace forms {

/// A layer with parameters of its own: x weight^T + bias, [..., in] -> [..., Out].
template <name Name, std::int64_t Out, std::same_as<bool> auto Bias = true>
TAPELESS_FACTORY auto linear(layer_operand auto x) {
  return make<linear_layer<Name, Out, Bias>>(x);
}

/// x weight^T + bias with the parameters given: [..., in] [out, in] [out] -> [..., out]; without bias,
/// linear(x, weight).
template <layer_operand X, layer_operand W>
TAPELESS_FACTORY auto linear(X x, W weight) {
  return make<linear_statement>(x, weight);
}
template <layer_operand X, layer_operand W, layer_operand B>
TAPELESS_FACTORY auto linear(X x, W weight, B bias) {
  return make<linear_statement>(x, weight, bias);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto linear(const X&... x) {
  if constexpr (requires { forms::linear<A.value...>(x...); }) {
    return forms::linear<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x), for 10 outputs; x has the inputs"}, A...>(
        x...);
  }
}

}  // namespace tapeless
