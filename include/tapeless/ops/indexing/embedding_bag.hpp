// SPDX-License-Identifier: BSL-1.0
// embedding_bag<"bag", 256, 128>(index), embedding_bag(table, index): sums, means or maxima of rows of a
// table; embedding_bag(table, index, offsets, weights).
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/indexing/embedding.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/indexing/scatter_extreme.hpp>
#include <tapeless/ops/indexing/times_named.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/greater.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/not_equal.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/cumsum.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>

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

/// Which rows are in which bag: those along the last axis of an index, or of a vector those from an offset to
/// the next. What is in front of the first offset is in no bag.
class bags_of_rows {
 public:
  /// Precondition: an index of one axis or more, and no offsets or a vector of integers beside a vector.
  constexpr bags_of_rows(value index, value offsets) : axis_(index.rank() - 1) {
    if (!offsets.exists()) return;
    extent_table& extents = index.builder->extents;
    const std::int64_t places = index.get().shape[0];
    count_ = offsets.get().shape[0];
    const value begins = times_named(offsets, 0, element::i64, {1, {extents.add(places, 1)}});
    number_ = slice(cumulative_sum(begins, 0, false), 0, 0, 1, places);
  }

  /// Of rows [.., bag, width], or [places, width]: [.., width].
  constexpr value sum(value rows) const {
    if (!number_.exists()) return sum_operation::build(rows, 1u << axis_, false);
    return without_first(scatter_add(numbers_along(rows), rows, 0, with_first(rows)));
  }
  /// The same, where bags have no rows the least of all numbers.
  constexpr value largest(value rows) const {
    if (!number_.exists()) return max_reduction_operation::build(rows, 1u << axis_, false);
    return without_first(
        scatter_extreme<scatter_kind::largest>({}, numbers_along(rows), rows, 0, with_first(rows)));
  }

 private:
  int axis_;
  value number_ = {};  // how many offsets there are up to a place: bags count from 1
  std::int64_t count_ = 0;

  constexpr value numbers_along(value rows) const {
    return expand(reshape(number_, {2, {rows.get().shape[0], 1}}), shape_of(rows));
  }
  constexpr shape_list with_first(value rows) const {
    return {2, {rows.builder->extents.add(count_, 1), rows.get().shape[1]}};
  }
  constexpr value without_first(value bags) const { return slice(bags, 0, 1, 1, count_); }
};

/// What stands behind the index: nothing, offsets, weights, or both.
struct bag_operands {
  value offsets = {}, weights = {};

  constexpr bag_operands(value third, value fourth) {
    const bool has_offsets = third.exists() && (fourth.exists() || is_integer(third.type()));
    (has_offsets ? offsets : weights) = third;
    if (has_offsets) weights = fourth;
  }
};

/// Of the rows [.., bag, width] of a table of `table_rows` that an index [.., bag] has picked, with weights
/// [.., bag] where they exist: [.., width].
template <bag Options>
constexpr value reduced_bags(value rows, value index, std::int64_t table_rows, const bag_operands& more) {
  constexpr std::string_view name = "embedding_bag";
  if (Options.padding_index < -1)
    return index.fail(text() << "embedding_bag takes a padding_index of 0 or more, or -1 for none, but got "
                             << Options.padding_index);
  graph& g = *index.builder;
  if (!require_kind(name, rows, element_kind::floating, "a table")) return rows;
  if (index.rank() == 0)
    return index.fail(shape_sentence(name, index) << ": it takes an index [.., bag] of integers");
  if (extent_table::is_literal(table_rows) && Options.padding_index >= table_rows)
    return index.fail(text() << "embedding_bag takes a padding_index below the count of rows of the table, "
                             << table_rows << ", but got " << Options.padding_index);
  const value offsets = more.offsets, weights = more.weights;
  if (offsets.exists() && (!is_integer(offsets.type()) || offsets.rank() != 1 || index.rank() != 1))
    return do_not_fit(name, {{"an index", index}, {"offsets", offsets}},
                      "a vector of indices, and a vector of integers, where bags begin in it");
  const bags_of_rows bags(index, offsets);
  const value none = make_constant(g, 0, rows.type());
  shape_list each = shape_of(index);
  each.extents[each.rank++] = 1;
  if (weights.exists()) {
    if (Options.mode != bag_mode::sum)
      return index.fail(text() << "embedding_bag takes weights of rows with bag_mode::sum alone");
    if (weights.type() != rows.type() || !(shape_of(weights) == shape_of(index)))
      return do_not_fit(name, {{"an index", index}, {"weights", weights}},
                        "weights of the table's element type and the index's shape");
  }
  value count = make_size(g, index.get().shape[index.rank() - 1]);
  value kept = {}, factors = weights.exists() ? reshape(weights, each) : value{};
  if (Options.padding_index >= 0) {
    kept = reshape(index != static_cast<double>(Options.padding_index), each);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    rows = where(kept, rows, Options.mode == bag_mode::max ? make_constant(g, -infinity, rows.type()) : none);
    if (weights.exists()) factors = where(kept, factors, none);
  }
  if (weights.exists()) rows = rows * factors;
  if (Options.mode == bag_mode::sum) return bags.sum(rows);
  const element counted = computed_in(rows.type());
  if (kept.exists())
    count = bags.sum(cast(kept, counted));
  else if (offsets.exists())
    count = bags.sum(expand(make_constant(g, 1, counted), each));
  if (Options.mode == bag_mode::max) {
    const value largest = bags.largest(rows);
    return is_constant(count) && count.get().number > 0 ? largest : where(count > 0.0, largest, none);
  }
  return at_least_float(rows, [&](value of) { return bags.sum(of) / max(count, 1.0); });
}

}  // namespace detail

template <bag Options, int More = 0>
struct embedding_bag_statement {
  static constexpr int arity = 2 + More;
  static constexpr value build(value table, value index, value third = {}, value fourth = {}) {
    return detail::reduced_bags<Options>(embedding_operation::build(table, index), index,
                                         table.rank() == 0 ? 0 : table.get().shape[0], {third, fourth});
  }
};

template <name Name, std::int64_t Count, std::int64_t Width, element Type, bag Options, int More = 0>
struct embedding_bag_layer {
  static constexpr int arity = 1 + More;
  static constexpr text refusal() {
    return detail::refused_table("embedding_bag", Name.view(), Count, Width);
  }
  static constexpr value build(value index, value third = {}, value fourth = {}) {
    return detail::reduced_bags<Options>(embedding_layer<Name, Count, Width, Type>::build(index), index,
                                         Count, {third, fourth});
  }
};

namespace forms {

/// The mean of the rows of the table that the last axis of the index names, or with bag::mode their sum or
/// maximum: [count, width] [.., bag] -> [.., width]. Indices are as in embedding; those that are
/// bag::padding_index, a row of the table, have no part, and a bag without others is 0. Bags of different
/// lengths are padded by it, or stand one behind the other in a vector: embedding_bag(table, index, offsets)
/// with the ascending places [bags], 0 first, at which they begin; others are read as if they were sorted,
/// and what is in front of the first is in no bag. Weights, of the table's element type and the index's
/// shape, may follow, PyTorch's per_sample_weights: with bag_mode::sum the rows are multiplied by them.
/// @formula y[i..] = mean_k table[index[i..][k]]
/// @shapes floating [count, width], integers [.., bag] -> [.., width]; [places] and offsets [bags] -> [bags,
/// width]
/// @errors embedding_bag indices
/// @torch torch.nn.EmbeddingBag, torch.nn.functional.embedding_bag
/// @jax jnp.mean(table[index], axis=-2)
/// @given table = [[1, 2], [3, 4], [5, 6]]; index = int32 [[2, 0], [1, 1]]
/// @gives tl::embedding_bag(table, index) = [[3, 4], [3, 4]]
/// @gives tl::embedding_bag<tl::bag{.mode = tl::bag_mode::sum, .padding_index = 0}>(table, index) = [[5, 6],
/// [6, 8]]
template <bag Options = bag{}, layer_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto embedding_bag(layer_operand auto table, layer_operand auto index,
                                    More... offsets_and_weights) {
  return make<embedding_bag_statement<Options, sizeof...(More)>>(table, index, offsets_and_weights...);
}

/// A layer that owns its table, Name.weight [Count, Width] with elements of type T: [.., bag] -> [.., Width].
template <name Name, std::int64_t Count, std::int64_t Width, bag Options = bag{}, element_type T = float,
          layer_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto embedding_bag(layer_operand auto index, More... offsets_and_weights) {
  return make<embedding_bag_layer<Name, Count, Width, element_of<T>, Options, sizeof...(More)>>(
      index, offsets_and_weights...);
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

template <name Name, std::int64_t Count, std::int64_t Width, bag Options, element_type T,
          layer_operand... More>
TAPELESS_FACTORY auto embedding_bag(layer_operand auto index, More... offsets_and_weights) {
  return forms::embedding_bag<Name, Count, Width, Options, T>(index, offsets_and_weights...);
}

}  // namespace tapeless
