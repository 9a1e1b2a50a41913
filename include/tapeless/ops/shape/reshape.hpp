// SPDX-License-Identifier: BSL-1.0
// reshape<E...>(x): the same elements in row-major order, in another shape.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

struct reshape_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value) {
    return reshape(g, shape_of(x[0]));
  }
  static constexpr operation op{"reshape", view_kind::reshape, jacobian::linear, &cotangent_of};
};

constexpr value reshape(value x, const shape_list& shape) {
  if (shape_of(x) == shape) return x;
  if (element_count(*x.builder, shape_of(x)) != element_count(*x.builder, shape)) {
    text t = detail::shape_sentence("reshape", x);
    t << " to ";
    node n;
    set_shape(n, shape);
    x.builder->describe_shape(t, n);
    return x.fail(t << ", which has another number of elements");
  }
  if (x.is(reshape_operation::op)) return reshape(x.operand(0), shape);
  return x.insert(detail::unary_node(reshape_operation::op, x, shape));
}

namespace detail {

/// A scalar as a vector: what PyTorch takes it for where its axis 0 or -1 is named.
constexpr value as_vector(value x) { return x.rank() == 0 ? reshape(x, {1, {1}}) : x; }

}  // namespace detail

/// The extent that a reshape finds out, and an expand keeps.
inline constexpr std::int64_t inferred_extent = -1;

template <extent... E>
struct reshape_statement {
  static constexpr int arity = 1;
  static constexpr text refusal() {
    constexpr int inferred = ((E == extent(inferred_extent) ? 1 : 0) + ... + 0);
    if (inferred > 1)
      return text() << "reshape finds out one extent, so that -1 stands once, but got it " << inferred
                    << " times";
    return detail::refused_extents<E...>("reshape", "or -1 for the one that reshape finds out",
                                         inferred_extent);
  }
  static constexpr value build(value x) {
    constexpr extent all[] = {E..., extent()};
    constexpr int rank = sizeof...(E);
    extent_table& extents = x.builder->extents;
    // Extents that x has, too, are left out of the division: run-time ones have no quotient.
    shape_list shape{.rank = rank}, rest_of_x = shape_of(x);
    std::int64_t known = 1;
    int inferred = -1;
    for (int i = 0; i < rank; ++i) {
      if (all[i] == extent(inferred_extent)) {
        inferred = i;
        continue;
      }
      shape.extents[i] = extents.number(all[i]);
      int same = 0;
      while (same < rest_of_x.rank && rest_of_x.extents[same] != shape.extents[i]) ++same;
      if (same < rest_of_x.rank) {
        rest_of_x.extents[same] = 1;
      } else {
        known = extents.multiply(known, shape.extents[i]);
      }
    }
    if (inferred < 0) return reshape(x, shape);
    const std::int64_t count = element_count(*x.builder, rest_of_x);
    const std::int64_t rest = known == 0 ? 0 : extents.divide(count, known);
    if (known == 0 || extents.multiply(rest, known) != count) {
      text t = detail::shape_sentence("reshape", x);
      t << " to [";
      for (int i = 0; i < rank; ++i) {
        t << (i == 0 ? "" : ", ");
        if (i == inferred) {
          t << "-1";
        } else {
          extents.describe(t, shape.extents[i]);
        }
      }
      return x.fail(t << "]: the other extents do not divide its number of elements");
    }
    shape.extents[inferred] = rest;
    return reshape(x, shape);
  }
};

/// x in the shape [E...], which has as many elements: reshape<batch, 4, 8>(x). One extent may be -1: it is
/// what the others leave, reshape<-1, 8>(x).
/// @formula y = the same elements in row-major order
/// @shapes [..] -> [E...]
/// @errors reshape
/// @torch torch.reshape
/// @jax jnp.reshape
/// @given x = [[1, 2, 3], [4, 5, 6]]
/// @gives tl::reshape<3, 2>(x) = [[1, 2], [3, 4], [5, 6]]
template <extent... E>
constexpr value reshape(is_value auto x) {
  return make<reshape_statement<E...>>(x);
}
template <extent... E>
TAPELESS_FACTORY auto reshape(expression_operand auto x) {
  return make<reshape_statement<E...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous reshape(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
