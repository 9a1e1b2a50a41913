// SPDX-License-Identifier: BSL-1.0
// What attention by blocks is made of: its blocks in memory of their own, packed from matrices of any
// strides, and the queries that attend to a key.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/random/random_bits.hpp>
#include <tapeless/plan/families/planned_attention.hpp>
#include <tapeless/run/cpu/vectors/conditions.hpp>
#include <tapeless/run/cpu/vectors/transposition.hpp>

namespace tapeless::cpu_kernels {

/// So many queries, and so many keys, are in a block: the same for any number of threads.
inline constexpr std::int64_t attention_block = 64;

namespace detail {

/// A matrix in memory.
template <class T>
struct strided_matrix {
  T* data = nullptr;
  std::int64_t row = 0, column = 0;

  strided_matrix at(std::int64_t r, std::int64_t c) const {
    return {data + r * row + c * column, row, column};
  }
};

/// The operand's matrix of head number `head`.
template <class T>
strided_matrix<T> matrix_of(const strided_operand& o, const attention_arguments& a, std::int64_t head) {
  auto* data = reinterpret_cast<T*>(o.data);
  for (int d = a.rank - 1; d >= 0; --d) {
    data += head % a.extents[d] * o.strides[d];
    head /= a.extents[d];
  }
  return {data, o.strides[a.rank], o.strides[a.rank + 1]};
}

/// to[r * length + c] = factor * from(r, c), with zeros behind each row.
template <class T>
void pack_rows(strided_matrix<T> from, std::int64_t rows, std::int64_t columns, T factor, T* to,
               std::int64_t length) {
  constexpr std::int64_t width = packet_size<T>;
  for (std::int64_t r = 0; r < rows; ++r, from.data += from.row, to += length) {
    std::int64_t c = 0;
    if (from.column == 1)
      for (; c + width <= columns; c += width) store(to + c, load(from.data + c) * splat(factor));
    for (; c < columns; ++c) to[c] = from.data[c * from.column] * factor;
    for (; c < length; ++c) to[c] = T(0);
  }
}
/// to(0, c) = factor * row[c].
template <class T>
void unpack_row(const T* row, T factor, std::int64_t columns, strided_matrix<T> to) {
  constexpr std::int64_t width = packet_size<T>;
  std::int64_t c = 0;
  if (to.column == 1)
    for (; c + width <= columns; c += width) store(to.data + c, load(row + c) * splat(factor));
  for (; c < columns; ++c) to.data[c * to.column] = row[c] * factor;
}
/// to[c * attention_block + r] = factor * from(r, c), with zeros behind each row.
template <class T>
void pack_columns(strided_matrix<T> from, std::int64_t rows, std::int64_t columns, T factor, T* to) {
  for (std::int64_t c = 0; c < columns; ++c, from.data += from.column, to += attention_block) {
    for (std::int64_t r = 0; r < rows; ++r) to[r] = from.data[r * from.row] * factor;
    std::fill(to + rows, to + attention_block, T(0));
  }
}

/// to(c, r) = from(r, c), or is added to.
template <class T>
void transpose_onto(strided_matrix<const T> from, std::int64_t rows, std::int64_t columns,
                    strided_matrix<T> to, bool adds) {
  constexpr std::int64_t width = packet_size<T>;
  square<T> tile;
  for (std::int64_t r = 0; r < rows; r += width)
    for (std::int64_t c = 0; c < columns; c += width) {
      if (to.column != 1 || r + width > rows || c + width > columns) {
        for (std::int64_t i = r; i < std::min(r + width, rows); ++i)
          for (std::int64_t j = c; j < std::min(c + width, columns); ++j) {
            T& target = *to.at(j, i).data;
            target = *from.at(i, j).data + (adds ? target : T(0));
          }
        continue;
      }
      for (int i = 0; i < width; ++i) {
        const T* const row = from.at(r + i, c).data;
        tile.packet[i] = (from.column == 1 ? load(row) : load(row, from.column)).p;
      }
      transpose_vectors(tile);
      for (int i = 0; i < width; ++i) {
        T* const row = to.at(c + i, r).data;
        store(row, adds ? load(row) + wide<T>{tile.packet[i]} : wide<T>{tile.packet[i]});
      }
    }
}

template <class T>
constexpr std::int64_t vector_multiple(std::int64_t count) {
  constexpr std::int64_t width = packet_size<T>;
  return (count + width - 1) / width * width;
}

}  // namespace detail

/// The lanes from `first` to before `last` of each vector of queries, and of these those that the mask says,
/// where there is one; they count from the vector's first.
struct seen_lanes {
  std::int64_t first, last;
  const bool* mask;

  template <class T>
  bool any() const {
    return first < packet_size<T> && last > 0;
  }
  /// x there, `other` elsewhere.
  template <class T>
  wide<T> in(wide<T> x, T other) const {
    const wide<T> lanes{Eigen::internal::plset<packet<T>>(T(0))};
    if (first > 0) x = choose(lanes < splat(static_cast<T>(first)), splat(other), x);
    if (last < packet_size<T>) x = choose(lanes < splat(static_cast<T>(last)), x, splat(other));
    return mask == nullptr ? x : choose(load_conditions<T>(mask), x, splat(other));
  }
};

/// How much the scores of a head fall from one place to the next: as distance_bias has it for head number
/// `head` of so many.
inline double slope_of_head(std::int64_t head, std::int64_t heads) {
  double power = 1;
  while (2 * power <= static_cast<double>(heads)) power *= 2;
  const auto h = static_cast<double>(head);
  return std::exp2(h < power ? (h + 1) * (-8 / power) : (2 * (h - power) + 1) * (-4 / power));
}

/// Which weights a step keeps: those whose random numbers, of the same stream that random_like draws from,
/// are the dropout or more.
class kept_weights {
 public:
  kept_weights() = default;
  kept_weights(double dropout, std::int64_t key)
      : start_(tapeless::detail::random_start(key)),
        least_(static_cast<std::uint64_t>(
            std::ceil(static_cast<double>(static_cast<float>(dropout)) * 0x1p24))) {}

  /// to[i] = whether weight number first + i * step is, for a block's side of them.
  void find(std::int64_t first, std::int64_t step, bool* to) const {
    std::uint64_t bits[attention_block];
    for (std::int64_t i = 0; i < attention_block; ++i)
      bits[i] = tapeless::detail::random_bits_from(start_, first + i * step);
    for (std::int64_t i = 0; i < attention_block; ++i) to[i] = bits[i] >> 40 >= least_;
  }

 private:
  std::uint64_t start_ = 0, least_ = 0;
};

/// What one thread has beside the operands.
template <class T>
class attention_workspace {
 public:
  attention_workspace(const attention_arguments& a, attention_kind computes)
      : width(detail::vector_multiple<T>(a.width)),
        value_width(detail::vector_multiple<T>(a.value_width)),
        keys_(computes == attention_kind::gradients ? (a.keys + padding) / padding * padding : 0),
        backward_(computes != attention_kind::result),
        has_conditions_(a.scores.masked && !a.scores.adds),
        drops_(a.scores.drops()) {}

  std::int64_t bytes() {
    next_ = 0;
    place(nullptr);
    return next_ * std::int64_t{sizeof(T)};
  }
  void place(std::byte* memory) {
    constexpr std::int64_t n = attention_block;
    data_ = reinterpret_cast<T*>(memory);
    next_ = 0;
    query_columns = take(width * n);
    keys = take(n * width);
    values = take(n * value_width);
    weights = take(n * n);
    largest = take(n);
    total = take(n);
    factor = take(n);
    sums = take(n * std::max(width, value_width));
    constexpr std::int64_t conditions = n * n * std::int64_t{sizeof(bool)} / std::int64_t{sizeof(T)};
    if (has_conditions_) mask = reinterpret_cast<bool*>(take(conditions));
    if (drops_) kept = reinterpret_cast<bool*>(take(conditions));
    if (!backward_) return;
    queries = take(n * width);
    gradient_columns = take(value_width * n);
    gradients = take(n * value_width);
    slopes = take(n * n);
    of_keys = take(keys_ * width);
    of_values = take(keys_ * value_width);
  }

  std::int64_t width, value_width;                                 // in whole vectors
  T *query_columns = nullptr, *keys = nullptr, *values = nullptr;  // of a block
  T* weights = nullptr;                                            // [keys, queries]
  T *largest = nullptr, *total = nullptr, *factor = nullptr;       // of each query
  T* sums = nullptr;                                               // of each query: results, or gradients
  T *queries = nullptr, *gradient_columns = nullptr, *gradients = nullptr;
  bool *mask = nullptr, *kept = nullptr;       // [keys, queries]
  T* slopes = nullptr;                         // the gradients of the scores [keys, queries]
  T *of_keys = nullptr, *of_values = nullptr;  // gradients of all keys and values

  std::int64_t keys_in_whole_blocks() const { return keys_; }

 private:
  static constexpr std::int64_t padding = attention_block;
  std::int64_t keys_, next_ = 0;
  bool backward_, has_conditions_, drops_;
  T* data_ = nullptr;

  T* take(std::int64_t count) {
    T* const here = data_ == nullptr ? nullptr : data_ + next_;
    next_ += (count + 15) / 16 * 16;
    return here;
  }
};

}  // namespace tapeless::cpu_kernels
