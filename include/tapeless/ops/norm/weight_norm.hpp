// SPDX-License-Identifier: BSL-1.0
// weight_norm<"fc.weight", float, 500, 784>(), weight_norm(v, g): a weight as lengths and directions
// (Salimans and Kingma, 2016).
#pragma once

#include <tapeless/expr/param.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/norm.hpp>

namespace tapeless {

struct weight_norm_statement {
  static constexpr std::string_view name = "weight_norm";
  static constexpr int arity = 2;
  static constexpr value build(value v, value g) {
    shape_list lengths{.rank = v.rank()};
    for (int d = 0; d < v.rank(); ++d) lengths.extents[d] = d == 0 ? v.get().shape[0] : 1;
    if (v.rank() < 2 || !is_floating(v.type()) || v.type() != g.type() || !(shape_of(g) == lengths))
      return detail::do_not_fit(name, {{"v", v}, {"g", g}},
                                "two of one floating type, [out, ...] and [out, 1, ...]");
    const unsigned all_but_first = (1u << v.rank()) - 2;
    return v * (g / norm_operation<2.0>::build(v, all_but_first, true));
  }
};

/// The weight with Name_v and Name_g as parameters.
template <name Name, element Type, extent... E>
struct weight_norm_layer {
  static_assert(sizeof...(E) >= 2 && ((E.symbol == nullptr) && ...),
                "tapeless: a weight_norm's extents are 2 integers or more: [out, in, ...]");
  static constexpr int arity = 0;
  static constexpr shape_list shape{sizeof...(E), {E.value...}};
  /// As the weight of a layer without it.
  static constexpr initializer plain_start() {
    double fans = static_cast<double>(shape.extents[0] + shape.extents[1]);
    for (int d = 2; d < shape.rank; ++d) fans *= static_cast<double>(shape.extents[d]);
    return uniform(detail::square_root(6.0 / fans));
  }
  static constexpr value build(graph& g) { return build(g, plain_start()); }
  static constexpr value build(graph& g, const initializer& start) {
    shape_list lengths = shape;
    for (int d = 1; d < shape.rank; ++d) lengths.extents[d] = 1;
    const value length = make_parameter(g, &interned<Name + "_g">, Type, lengths, norm_of<Name + "_v">());
    return weight_norm_statement::build(make_parameter(g, &interned<Name + "_v">, Type, shape, start),
                                        length);
  }
};

/// v g / |v|: v [out, ...] with its parts along the first axis made as long as g [out, 1, ...] says.
/// @formula y = v g / |v|, the norm over all axes but the first
/// @shapes floating [out, ..] [out, 1, ..] -> [out, ..]
/// @torch torch.nn.utils.weight_norm
/// @jax flax.linen.WeightNorm
/// @errors weight_norm_lengths
/// @given v = [[3, 4], [0, 2]]; g = [[1], [5]]
/// @gives tl::weight_norm(v, g) = [[0.6, 0.8], [0, 5]]
constexpr value weight_norm(is_value auto v, value g) { return make<weight_norm_statement>(v, g); }
template <expression_operand V, expression_operand G>
TAPELESS_FACTORY auto weight_norm(V v, G g) {
  return make<weight_norm_statement>(v, g);
}

/// The weight [E...] of a layer, [out, in, ...], with parameters of its own: v is Name_v and g is Name_g, the
/// names in PyTorch's files. g starts as |v|, so that training starts from the weight v: uniform as the
/// layers without it, or as the initializer says. linear(x, weight_norm<"fc.weight", float, 500, 784>(),
/// param<"fc.bias", float, 500>).
template <name Name, element_type T, extent... E>
TAPELESS_FACTORY auto weight_norm() {
  return leaf<weight_norm_layer<Name, element_of<T>, E...>>{};
}
template <name Name, element_type T, extent... E>
TAPELESS_FACTORY auto weight_norm(const initializer& start) {
  return leaf<weight_norm_layer<Name, element_of<T>, E...>, 1>{{{start}}};
}

}  // namespace tapeless
