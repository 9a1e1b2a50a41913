// SPDX-License-Identifier: BSL-1.0
// embedding_bag<"bag", 256, 128>(index), embedding_bag(table, index): sums, means or maxima of rows of a
// table.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/indexing/embedding.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/greater.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/not_equal.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// What embedding_bag makes of a bag's rows.
enum class bag_mode : std::uint8_t { sum, mean, max };

/// Options of embedding_bag, with PyTorch's defaults.
struct bag {
  bag_mode mode = bag_mode::mean;
  std::int64_t padding_index = -1;  ///< an index that is in no bag, wherever it stands; -1: there is none
  friend constexpr bool operator==(const bag&, const bag&) = default;
};

namespace detail {

/// Of the rows [.., bag, width] of a table of `table_rows` that an index [.., bag] has picked: [.., width].
template <bag Options>
constexpr value reduced_bags(value rows, value index, std::int64_t table_rows) {
  if (Options.padding_index < -1)
    return index.fail(text() << "embedding_bag takes a padding_index of 0 or more, or -1 for none, but got "
                             << Options.padding_index);
  graph& g = *index.builder;
  if (!require_kind("embedding_bag", rows, element_kind::floating, "a table")) return rows;
  if (index.rank() == 0)
    return index.fail(shape_sentence("embedding_bag", index) << ": it takes an index [.., bag] of integers");
  if (extent_table::is_literal(table_rows) && Options.padding_index >= table_rows)
    return index.fail(text() << "embedding_bag takes a padding_index below the count of rows of the table, "
                             << table_rows << ", but got " << Options.padding_index);
  const unsigned axis = 1u << (index.rank() - 1);
  const value none = make_constant(g, 0, rows.type());
  value count = make_size(g, index.get().shape[index.rank() - 1]);
  if (Options.padding_index >= 0) {
    shape_list each = shape_of(index);
    each.extents[each.rank++] = 1;
    const value kept = reshape(index != static_cast<double>(Options.padding_index), each);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    rows = where(kept, rows, Options.mode == bag_mode::max ? make_constant(g, -infinity, rows.type()) : none);
    count = sum_operation::build(cast(kept, computed_in(rows.type())), axis, false);
  }
  if (Options.mode == bag_mode::max) {
    const value largest = max_reduction_operation::build(rows, axis, false);
    return is_constant(count) && count.get().number > 0 ? largest : where(count > 0.0, largest, none);
  }
  if (Options.mode == bag_mode::sum) return sum_operation::build(rows, axis, false);
  return at_least_float(rows,
                        [&](value of) { return sum_operation::build(of, axis, false) / max(count, 1.0); });
}

}  // namespace detail

template <bag Options>
struct embedding_bag_statement {
  static constexpr int arity = 2;
  static constexpr value build(value table, value index) {
    return detail::reduced_bags<Options>(embedding_operation::build(table, index), index,
                                         table.rank() == 0 ? 0 : table.get().shape[0]);
  }
};

template <name Name, std::int64_t Count, std::int64_t Width, element Type, bag Options>
struct embedding_bag_layer {
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::refused_table("embedding_bag", Name.view(), Count, Width);
  }
  static constexpr value build(value index) {
    return detail::reduced_bags<Options>(embedding_layer<Name, Count, Width, Type>::build(index), index,
                                         Count);
  }
};

namespace forms {

/// The mean of the rows of the table that the last axis of the index names, or with bag::mode their sum or
/// maximum: [count, width] [.., bag] -> [.., width]. Indices are as in embedding; those that are
/// bag::padding_index, a row of the table, have no part, and a bag without others is 0. Bags of different
/// lengths are padded by it. For rows with weights, embedding(table, index) times these is summed.
/// @formula y[i..] = mean_k table[index[i..][k]]
/// @shapes floating [count, width], integers [.., bag] -> [.., width]
/// @errors embedding_bag indices
/// @torch torch.nn.EmbeddingBag, torch.nn.functional.embedding_bag
/// @jax jnp.mean(table[index], axis=-2)
/// @given table = [[1, 2], [3, 4], [5, 6]]; index = int32 [[2, 0], [1, 1]]
/// @gives tl::embedding_bag(table, index) = [[3, 4], [3, 4]]
/// @gives tl::embedding_bag<tl::bag{.mode = tl::bag_mode::sum, .padding_index = 0}>(table, index) = [[5, 6],
/// [6, 8]]
template <bag Options = bag{}>
TAPELESS_FACTORY auto embedding_bag(layer_operand auto table, layer_operand auto index) {
  return make<embedding_bag_statement<Options>>(table, index);
}

/// A layer that owns its table, Name.weight [Count, Width] with elements of type T: [.., bag] -> [.., Width].
template <name Name, std::int64_t Count, std::int64_t Width, bag Options = bag{}, element_type T = float>
TAPELESS_FACTORY auto embedding_bag(layer_operand auto index) {
  return make<embedding_bag_layer<Name, Count, Width, element_of<T>, Options>>(index);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto embedding_bag(const X&... x) {
  if constexpr (requires { forms::embedding_bag<A.value...>(x...); }) {
    return forms::embedding_bag<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"embedding_bag<\"words\", 1000, 64>(index)"}, A...>(x...);
  }
}

template <name Name, std::int64_t Count, std::int64_t Width, bag Options, element_type T>
TAPELESS_FACTORY auto embedding_bag(layer_operand auto index) {
  return forms::embedding_bag<Name, Count, Width, Options, T>(index);
}

}  // namespace tapeless
