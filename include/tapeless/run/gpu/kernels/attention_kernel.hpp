// SPDX-License-Identifier: BSL-1.0
// The kernel family of attention, where no library has it: a thread computes a row of the result, or of a
// gradient, and keeps no scores. Of all keys or causal, without a mask, and nothing is dropped.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/plan/families/planned_attention.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/gpu/kernels/index_space.hpp>

namespace tapeless::thrust_kernels {

/// A row of an operand: elements that are so far apart.
template <class T>
struct attention_row {
  using number = computed_as<element_of<T>>;
  T* data;
  std::int64_t step;

  constexpr number operator[](std::int64_t column) const { return static_cast<number>(data[column * step]); }
  constexpr void set(std::int64_t column, number x) const { data[column * step] = static_cast<T>(x); }
  constexpr attention_row from(std::int64_t column) const { return {data + column * step, step}; }
};

/// What makes a score a weight, e^(score - largest) * inverse. As one logarithm, which large scores would
/// round away, they are what cuDNN has.
template <class T>
struct softmax_terms {
  T largest, inverse;

  static constexpr softmax_terms of_logarithm(T x) { return {x, 1}; }
  constexpr T logarithm() const { return largest - std::log(inverse); }
  constexpr T weight(T score) const { return std::exp(score - largest) * inverse; }
};

/// What is behind a row of the result: its terms, of 16 bits as floats.
template <class T>
constexpr auto& terms_behind(const attention_row<T>& row, std::int64_t value_width) {
  using terms = softmax_terms<computed_as<element_of<T>>>;
  return *static_cast<terms*>(static_cast<void*>(row.data + value_width * row.step));
}

/// The operands of all heads.
template <class T>
class attention_operands {
 public:
  using number = computed_as<element_of<T>>;
  using row = attention_row<T>;

  explicit attention_operands(const attention_arguments& a) : of(a) {
    for (int d = 0; d < a.rank; ++d) heads_.add_axis(a.extents[d]);
  }

  constexpr row row_of(const strided_operand& o, std::uint32_t head, std::int64_t r) const {
    std::int64_t at = r * o.strides[of.rank];
    heads_.for_each_axis(head, [&](int d, std::int64_t index) { at += index * o.strides[d]; });
    return {static_cast<T*>(static_cast<void*>(o.data)) + at, o.strides[of.rank + 1]};
  }
  static constexpr number product(const row& a, const row& b, std::int64_t width) {
    number sum = 0;
    for (std::int64_t c = 0; c < width; ++c) sum += a[c] * b[c];
    return sum;
  }
  constexpr number score(const row& query, const row& key) const {
    return static_cast<number>(of.scores.scale) * product(query, key, of.width);
  }
  /// The keys that a query attends to are those before this one.
  constexpr std::int64_t keys_of(std::int64_t query) const {
    return of.scores.causal && query + 1 < of.keys ? query + 1 : of.keys;
  }
  /// The queries that attend to a key are those from this one on.
  constexpr std::int64_t first_query_of(std::int64_t key) const { return of.scores.causal ? key : 0; }

  attention_arguments of;

 private:
  index_space heads_;
};

/// Writes the sum of factor(i) times row(i), for i from begin to end, to a row of so many columns.
template <class T, class Factor, class Rows>
constexpr void add_up(std::int64_t begin, std::int64_t end, std::int64_t columns, const attention_row<T>& to,
                      const Factor& factor, const Rows& rows) {
  using number = typename attention_row<T>::number;
  constexpr int at_once = 32;
  for (std::int64_t first = 0; first < columns; first += at_once) {
    number sums[at_once] = {};
    const std::int64_t count = first + at_once < columns ? at_once : columns - first;
    for (std::int64_t i = begin; i < end; ++i) {
      const number f = factor(i);
      const attention_row<T> from = rows(i).from(first);
      for (std::int64_t c = 0; c < count; ++c) sums[c] += f * from[c];
    }
    for (std::int64_t c = 0; c < count; ++c) to.set(first + c, sums[c]);
  }
}

/// Item i is query i % queries of head i / queries.
template <class T>
struct attention_result {
  attention_operands<T> operands;
  divisor queries;

  constexpr void operator()(std::uint32_t item) const {
    using number = typename attention_operands<T>::number;
    const attention_arguments& a = operands.of;
    const std::uint32_t head = queries.quotient(item);
    const std::int64_t query = item - head * queries.value(), keys = operands.keys_of(query);
    const auto q = operands.row_of(a.query, head, query), y = operands.row_of(a.target, head, query);
    const auto score = [&](std::int64_t key) { return operands.score(q, operands.row_of(a.key, head, key)); };
    number largest = below_all<number>, sum = 0;
    for (std::int64_t k = 0; k < keys; ++k) largest = std::fmax(largest, score(k));
    for (std::int64_t k = 0; k < keys; ++k) sum += std::exp(score(k) - largest);
    const softmax_terms<number> terms{largest, 1 / sum};
    add_up(
        0, keys, a.value_width, y, [&](std::int64_t key) { return terms.weight(score(key)); },
        [&](std::int64_t key) { return operands.row_of(a.values, head, key); });
    terms_behind(y, a.value_width) = terms;
  }
};

/// Of a head, the rows below one another: the gradients of its queries, of its keys and of its values.
template <class T>
class attention_gradients {
 public:
  using number = typename attention_operands<T>::number;
  using row = attention_row<T>;

  explicit attention_gradients(const attention_arguments& a) : operands_(a), rows_(rows_of_head(a)) {}
  static std::int64_t rows_of_head(const attention_arguments& a) { return a.queries + 2 * a.keys; }

  constexpr void operator()(std::uint32_t item) const {
    const attention_arguments& a = operands_.of;
    const std::uint32_t head = rows_.quotient(item);
    const std::int64_t r = item - head * rows_.value();
    const row to = operands_.row_of(a.target, head, r);
    if (r < a.queries) return of_query(head, r, to);
    if (r < a.queries + a.keys) return of_key(head, r - a.queries, to);
    of_value(head, r - a.queries - a.keys, to);
  }

 private:
  attention_operands<T> operands_;
  divisor rows_;

  /// A query and a key: the weight, and the slope of what is differentiated by their score.
  struct slope {
    number weight, by_score;
  };
  constexpr slope between(std::uint32_t head, std::int64_t query, std::int64_t key) const {
    const attention_arguments& a = operands_.of;
    const row q = operands_.row_of(a.query, head, query), k = operands_.row_of(a.key, head, key);
    const row g = operands_.row_of(a.result, head, query), y = g.from(a.value_width);
    const number weight = terms_behind(y, a.value_width).weight(operands_.score(q, k));
    const number by_weight = operands_.product(g, operands_.row_of(a.values, head, key), a.value_width) -
                             operands_.product(g, y, a.value_width);
    return {weight, weight * by_weight * static_cast<number>(a.scores.scale)};
  }
  constexpr void of_query(std::uint32_t head, std::int64_t query, const row& to) const {
    add_up(
        0, operands_.keys_of(query), operands_.of.width, to,
        [&](std::int64_t key) { return between(head, query, key).by_score; },
        [&](std::int64_t key) { return operands_.row_of(operands_.of.key, head, key); });
  }
  constexpr void of_key(std::uint32_t head, std::int64_t key, const row& to) const {
    add_up(
        operands_.first_query_of(key), operands_.of.queries, operands_.of.width, to,
        [&](std::int64_t query) { return between(head, query, key).by_score; },
        [&](std::int64_t query) { return operands_.row_of(operands_.of.query, head, query); });
  }
  constexpr void of_value(std::uint32_t head, std::int64_t key, const row& to) const {
    add_up(
        operands_.first_query_of(key), operands_.of.queries, operands_.of.value_width, to,
        [&](std::int64_t query) { return between(head, query, key).weight; },
        [&](std::int64_t query) { return operands_.row_of(operands_.of.result, head, query); });
  }
};

/// Computes an attention or its gradients on an executor.
template <class T, attention_kind Computes, class Executor>
void attend_by_rows(const attention_arguments& a, Executor& executor) {
  const std::int64_t rows =
      Computes == attention_kind::result ? a.queries : attention_gradients<T>::rows_of_head(a);
  const std::int64_t count = iterations_of(a) * rows;
  if (count == 0) return;
  if (count > most_items)
    throw_error({"an attention of ", count, " rows is more than a launch takes, ", most_items});
  if constexpr (Computes == attention_kind::result) {
    executor.for_each(count, attention_result<T>{attention_operands<T>(a), divisor(a.queries)});
  } else {
    executor.for_each(count, attention_gradients<T>(a));
  }
}

template <attention_key Key, class Executor>
constexpr auto kernel_for() {
  static_assert(Key.computes != attention_kind::of_mask && !Key.adds && !Key.drops);
  return &attend_by_rows<storage_of<Key.type>, Key.computes, Executor>;
}

}  // namespace tapeless::thrust_kernels
