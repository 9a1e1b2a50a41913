// SPDX-License-Identifier: BSL-1.0
// spectral_norm<"fc.weight", float, 500, 784>(): a weight divided by its largest singular value (Miyato et
// al., 2018).
#pragma once

#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/norm/batch_norm.hpp>
#include <tapeless/ops/norm/normalize.hpp>
#include <tapeless/ops/norm/weight_norm.hpp>

namespace tapeless {

/// The weight divided by u^T weight v, for u and v made as long as 1.
struct spectral_norm_statement {
  static constexpr std::string_view name = "spectral_norm";
  static constexpr int arity = 3;
  static constexpr value build(value weight, value u, value v) {
    if (weight.rank() < 2 || !is_floating(weight.type()) || u.type() != weight.type() ||
        v.type() != weight.type() || !(shape_of(u) == rows(weight)) || !(shape_of(v) == columns(weight)))
      return detail::do_not_fit(name, {{"a weight", weight}, {"u", u}, {"v", v}},
                                "three of one floating type, [out, ...], [out] and [all others]");
    return weight / matmul(stop_gradient(unit(u)), matmul(matrix(weight), stop_gradient(unit(v))));
  }

  static constexpr shape_list rows(value weight) { return {1, {weight.get().shape[0]}}; }
  static constexpr shape_list columns(value weight) {
    std::int64_t count = 1;
    for (int i = 1; i < weight.rank(); ++i)
      count = weight.builder->extents.multiply(count, weight.get().shape[i]);
    return {1, {count}};
  }
  static constexpr value matrix(value weight) {
    return reshape(weight, {2, {rows(weight).extents[0], columns(weight).extents[0]}});
  }
  static constexpr value unit(value x) { return normalize_statement<2.0, 0, 1e-12>::build(x); }
};

/// The weight with Name_orig as parameter, and Name_u and Name_v, which no rule changes.
template <name Name, element Type, extent... E>
struct spectral_norm_layer {
  using plain = weight_norm_layer<Name, Type, E...>;
  static constexpr bool built_once = true;
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return build(g, plain::plain_start()); }
  static constexpr value build(graph& g, const initializer& start) {
    if (g.region != 0)
      return value{&g, 0}.fail(text() << "spectral_norm<\"" << Name.view()
                                      << "\"> in the body of scan, where its vectors cannot be kept");
    using form = spectral_norm_statement;
    const value weight = make_parameter(g, &interned<Name + "_orig">, Type, plain::shape, start);
    const auto vector = [&](const name* label, const shape_list& shape) {
      return make_parameter(g, label, Type, shape, normal(1), true);
    };
    const value left = vector(&interned<Name + "_u">, form::rows(weight));
    const value right = vector(&interned<Name + "_v">, form::columns(weight));
    if (!g.is_training()) return form::build(weight, left, right);
    const value matrix = stop_gradient(form::matrix(weight));
    const value v = form::unit(matmul(form::unit(left), matrix)), u = form::unit(matmul(matrix, v));
    detail::set_value(left, u);
    detail::set_value(right, v);
    return form::build(weight, u, v);
  }
};

/// weight / (u^T weight v), with u and v made as long as 1 and without a derivative: a weight [out, ...],
/// seen as [out, all others], u [out] and v [all others]. Where these are its singular vectors, its largest
/// singular value becomes 1.
/// @formula y = w / (u^T w v), |u| = |v| = 1
/// @shapes floating [out, ..] [out] [all others] -> [out, ..]
/// @errors spectral_norm
/// @torch torch.nn.utils.spectral_norm
/// @jax flax.linen.SpectralNorm
/// @given w = [[4, 0], [0, 2]]; u = [1, 0]; v = [3, 0]
/// @gives tl::spectral_norm(w, u, v) = [[1, 0], [0, 0.5]]
constexpr value spectral_norm(is_value auto weight, value u, value v) {
  return make<spectral_norm_statement>(weight, u, v);
}
template <expression_operand W, expression_operand U, expression_operand V>
TAPELESS_FACTORY auto spectral_norm(W weight, U u, V v) {
  return make<spectral_norm_statement>(weight, u, v);
}

/// The weight [E...] of a layer, [out, in, ...], divided by the largest singular value of [out, all others]:
/// as linear(x, spectral_norm<"fc.weight", float, 500, 784>(), param<"fc.bias", float, 500>). Owns Name_orig,
/// which starts as the weight of the layers without it, or as the initializer says, and the vectors Name_u
/// [out] and Name_v. Each step in training improves these by one power iteration, through which no derivative
/// flows; evaluation uses them as they are. The names are those in PyTorch's files.
template <name Name, element_type T, extent... E>
TAPELESS_FACTORY auto spectral_norm() {
  return leaf<spectral_norm_layer<Name, element_of<T>, E...>>{};
}
template <name Name, element_type T, extent... E>
TAPELESS_FACTORY auto spectral_norm(const initializer& start) {
  return leaf<spectral_norm_layer<Name, element_of<T>, E...>, 1>{{{start}}};
}

}  // namespace tapeless
