// SPDX-License-Identifier: BSL-1.0
// one_hot<classes>(index): 1 at the index, 0 elsewhere.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <extent Classes, element Type>
struct one_hot_statement {
  static constexpr std::string_view name = "one_hot";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (detail::are_extents<Classes>) return {};
    return text() << name << " takes 0 or more classes, or tl::dyn<...>, but got " << Classes.value;
  }
  static constexpr value build(value index) {
    graph& g = *index.builder;
    shape_list shape = shape_of(index), column = shape;
    if (!detail::is_index(index) || shape.rank == max_rank) {
      text t;
      t << "one_hot of a value " << name_of(index.type());
      g.describe_shape(t, index.get());
      return index.fail(t << ": it takes integers of at most " << max_rank - 1 << " axes");
    }
    const std::int64_t classes = g.extents.number(Classes);
    index = detail::checked_index(index, classes);
    shape.extents[shape.rank++] = classes;
    column.extents[column.rank++] = 1;
    return cast(make_iota(g, shape, shape.rank - 1, index.type()) == reshape(index, column), Type);
  }
};

/// 1 where the last axis is at the index, 0 elsewhere: integers [..] -> T [.., Classes]. An input's indices
/// are checked when they are bound: 0 <= index < Classes; where an index that the model computes is none of
/// these, its row is 0.
/// @formula y[.., c] = 1 for c = index[..], else 0; without a derivative
/// @shapes integers [..] -> T [.., Classes]
/// @errors shapes one_hot_classes options_as_in_pytorch
/// @torch torch.nn.functional.one_hot
/// @jax jax.nn.one_hot
/// @given index = int32 [2, 0]
/// @gives tl::one_hot<3>(index) = [[0, 0, 1], [1, 0, 0]]
template <extent Classes, element_type T = float>
constexpr value one_hot(is_value auto index) {
  return make<one_hot_statement<Classes, element_of<T>>>(index);
}
template <extent Classes, element_type T = float>
TAPELESS_FACTORY auto one_hot(expression_operand auto index) {
  return make<one_hot_statement<Classes, element_of<T>>>(index);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous one_hot(detail::any_expression, detail::axis_as_argument, ...) { return {}; }
template <element_type T, extent Classes>
constexpr auto one_hot(const operand auto& index) {
  return detail::refuse_call<sentence{"one_hot"}, sentence{"the number of classes stands before the type"},
                             sentence{"<4, float>(index)"}>(index);
}

}  // namespace tapeless
