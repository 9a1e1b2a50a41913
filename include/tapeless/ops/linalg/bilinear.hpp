// SPDX-License-Identifier: BSL-1.0
// bilinear<"name", out>(a, b), bilinear(a, b, weight, bias): linear in each of two operands.
#pragma once

#include <concepts>

#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

namespace forms {

/// [..., in1] [..., in2] [out, in1, in2] -> [..., out].
/// @formula y_o = sum_ij a_i weight_oij b_j + bias_o
/// @shapes floating [.., in1] [.., in2] -> [.., Out]
/// @errors products
/// @torch torch.nn.Bilinear
/// @jax jnp.einsum('...i,oij,...j->...o', a, w, b)
/// @given a = [[1, 2]]; b = [[3, 4]]; w = [[[1, 0], [0, 1]]]; c = [0.5]
/// @gives tl::bilinear(a, b, w, c) = [[11.5]]
constexpr value bilinear(is_value auto a, value b, value weight) {
  shape_list left = shape_of(a), right = shape_of(b);
  const shape_list w = shape_of(weight);
  --left.rank;
  --right.rank;
  if (left.rank < 0 || !(left == right) || w.rank != 3 || left.extents[left.rank] != w.extents[1] ||
      right.extents[right.rank] != w.extents[2]) {
    text t;
    t << "bilinear got operands of the shapes ";
    a.builder->describe_shape(t, a.get());
    t << " and ";
    a.builder->describe_shape(t, b.get());
    t << " and a weight of the shape ";
    a.builder->describe_shape(t, weight.get());
    return a.fail(t << ": it takes [..., in1], [..., in2] and [out, in1, in2]");
  }
  // b's products with all rows of all matrices at once, [..., out, in1]; then a's with these.
  const shape_list rows{2, {a.builder->extents.multiply(w.extents[0], w.extents[1]), w.extents[2]}};
  shape_list products = left, factors = left;
  products.extents[products.rank++] = w.extents[0];
  products.extents[products.rank++] = w.extents[1];
  factors.extents[factors.rank++] = 1;
  factors.extents[factors.rank++] = w.extents[1];
  const value y = reshape(linear(b, reshape(weight, rows)), products) * reshape(a, factors);
  return sum_operation::build(y, 1u << (products.rank - 1), false);
}
constexpr value bilinear(is_value auto a, value b, value weight, value bias) {
  return forms::bilinear(a, b, weight) + bias;
}

}  // namespace forms

struct bilinear_statement {
  static constexpr std::string_view name = "bilinear";
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    const value a{&g, x.ids[0]}, b{&g, x.ids[1]}, weight{&g, x.ids[2]};
    return node_list::only(x.count == 3 ? forms::bilinear(a, b, weight)
                                        : forms::bilinear(a, b, weight, value{&g, x.ids[3]}));
  }
};

/// Owns Name.weight [Out, in1, in2], which starts uniformly in [-r, r] with r = sqrt(6/(in1 in2 + Out)), and
/// Name.bias [Out], which starts at zero.
template <name Name, std::int64_t Out, bool Bias>
struct bilinear_layer {
  static constexpr int arity = 2;
  static constexpr text refusal() {
    if (Out >= 0) return {};
    return text() << "bilinear<\"" << Name.view() << "\"> has 0 or more outputs, but got " << Out;
  }
  static constexpr value build(value a, value b) {
    text t;
    t << "bilinear<\"" << Name.view() << "\">";
    if (!detail::require_kind(t.view(), a, element_kind::floating)) return a;
    t << " of values of the shapes ";
    a.builder->describe_shape(t, a.get());
    t << " and ";
    a.builder->describe_shape(t, b.get());
    if (a.rank() == 0 || b.rank() == 0) return a.fail(t << ": it takes [..., in1] and [..., in2]");
    const std::int64_t in1 = a.get().shape[a.rank() - 1], in2 = b.get().shape[b.rank() - 1];
    if (!extent_table::is_literal(in1) || !extent_table::is_literal(in2))
      return a.fail(t << ": the last extents, in1 and in2, must be integers");
    const initializer start = uniform(detail::square_root(6.0 / static_cast<double>(in1 * in2 + Out)));
    const value weight =
        make_parameter(*a.builder, &interned<Name + ".weight">, a.type(), {3, {Out, in1, in2}}, start);
    if constexpr (Bias) {
      return forms::bilinear(
          a, b, weight, make_parameter(*a.builder, &interned<Name + ".bias">, a.type(), {1, {Out}}, fill(0)));
    } else {
      return forms::bilinear(a, b, weight);
    }
  }
};

namespace forms {

/// A layer with parameters of its own: element o of the result is the sum over i and j of
/// a_i weight_oij b_j, plus bias_o: [..., in1] [..., in2] -> [..., Out].
template <name Name, std::int64_t Out, std::same_as<bool> auto Bias = true, layer_operand A, layer_operand B>
TAPELESS_FACTORY auto bilinear(A a, B b) {
  return make<bilinear_layer<Name, Out, Bias>>(a, b);
}

/// The same with the parameters given: [..., in1] [..., in2] [out, in1, in2] [out] -> [..., out]; without
/// bias, bilinear(a, b, weight).
template <layer_operand A, layer_operand B, layer_operand W>
TAPELESS_FACTORY auto bilinear(A a, B b, W weight) {
  return make<bilinear_statement>(a, b, weight);
}
template <layer_operand A, layer_operand B, layer_operand W, layer_operand C>
TAPELESS_FACTORY auto bilinear(A a, B b, W weight, C bias) {
  return make<bilinear_statement>(a, b, weight, bias);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto bilinear(const X&... x) {
  if constexpr (requires { forms::bilinear<A.value...>(x...); }) {
    return forms::bilinear<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"bilinear<\"mix\", 10>(a, b)"}, A...>(x...);
  }
}

}  // namespace tapeless
