// SPDX-License-Identifier: BSL-1.0
// embedding<"token", 256, 128>(index), embedding(table, index): rows of a table, by their numbers.
#pragma once

#include <tapeless/expr/param.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct embedding_operation {
  static constexpr int arity = 2;
  static constexpr value build(value table, value index) {
    if (table.rank() != 2 || !detail::is_index(index))
      return detail::index_does_not_fit(
          text() << "embedding takes a table [count, width] and an index of integers; it", table, index);
    graph& g = *table.builder;
    const std::int64_t count = element_count(g, shape_of(index)), width = table.get().shape[1];
    index = detail::checked_index(index, table.get().shape[0]);
    const value rows = expand(reshape(index, {2, {count, 1}}), {2, {count, width}});
    shape_list shape = shape_of(index);
    shape.extents[shape.rank++] = width;
    return reshape(gather(table, 0, rows), shape);
  }
};

namespace detail {

constexpr text refused_table(std::string_view layer, std::string_view name, std::int64_t count,
                             std::int64_t width) {
  if (count >= 0 && width >= 0) return {};
  return text() << layer << "<\"" << name << "\"> takes a table of 0 or more rows and columns, but got "
                << count << " and " << width;
}

}  // namespace detail

/// Owns Name.weight [Count, Width], which starts normally distributed with deviation 1.
template <name Name, std::int64_t Count, std::int64_t Width, element Type>
struct embedding_layer {
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_table("embedding", Name.view(), Count, Width); }
  static constexpr value build(value index) {
    return embedding_operation::build(
        make_parameter(*index.builder, &interned<Name + ".weight">, Type, {2, {Count, Width}}, normal(1)),
        index);
  }
};

namespace forms {

/// Row index[..] of the table: [count, width] [..] -> [.., width]. Indices are of an integer type, 0 or more
/// and below count.
/// @formula y[i..] = table[index[i..]]
/// @shapes floating [count, width], integers [..] -> [.., width]
/// @errors labels_are_no_integers indices
/// @torch torch.nn.Embedding, torch.nn.functional.embedding
/// @jax flax.linen.Embed, table[index]
/// @given table = [[1, 2], [3, 4], [5, 6]]; index = int32 [2, 0]
/// @gives tl::embedding(table, index) = [[5, 6], [1, 2]]
TAPELESS_FACTORY auto embedding(layer_operand auto table, layer_operand auto index) {
  return make<embedding_operation>(table, index);
}

/// A layer that owns its table, Name.weight [Count, Width] with elements of type T: [..] -> [.., Width].
template <name Name, std::int64_t Count, std::int64_t Width, element_type T = float>
TAPELESS_FACTORY auto embedding(layer_operand auto index) {
  return make<embedding_layer<Name, Count, Width, element_of<T>>>(index);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto embedding(const X&... x) {
  if constexpr (requires { forms::embedding<A.value...>(x...); }) {
    return forms::embedding<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"embedding<\"words\", 1000, 64>(index)"}, A...>(x...);
  }
}

template <name Name, std::int64_t Count, std::int64_t Width, element_type T>
TAPELESS_FACTORY auto embedding(layer_operand auto index) {
  return forms::embedding<Name, Count, Width, T>(index);
}

}  // namespace tapeless
