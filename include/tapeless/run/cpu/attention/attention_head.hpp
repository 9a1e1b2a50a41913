// SPDX-License-Identifier: BSL-1.0
// One head of an attention, by blocks of queries and of keys, whose scores stay in the cache (Dao, Fu, Ermon,
// Rudra and Re, 2022). A vector's lanes are queries, so that maxima and sums along the keys are those of
// whole vectors. Blocks of keys that no query of a block attends to are left out.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/cpu/attention/attention_blocks.hpp>
#include <tapeless/run/cpu/attention/block_product.hpp>
#include <tapeless/run/cpu/vectors/vectors.hpp>

namespace tapeless::cpu_kernels {

/// One head, where numbers are added to the scores, and weights are dropped.
template <class T, bool Adds, bool Drops>
class attention_head {
  using matrix = detail::strided_matrix<T>;
  static constexpr std::int64_t block = attention_block, lanes = packet_size<T>;

 public:
  attention_head(const attention_arguments& a, std::int64_t head, attention_kind computes, std::byte* memory)
      : a_(a),
        room_(a, computes),
        q_(detail::matrix_of<T>(a.query, a, head)),
        k_(detail::matrix_of<T>(a.key, a, head)),
        v_(detail::matrix_of<T>(a.values, a, head)),
        target_(detail::matrix_of<T>(a.target, a, head)) {
    if (a.scores.masked && !a.scores.adds) mask_ = detail::matrix_of<const bool>(a.mask, a, head);
    if (computes != attention_kind::result) y_ = detail::matrix_of<T>(a.result, a, head);
    if constexpr (Adds) {
      if (a.scores.adds) added_ = detail::matrix_of<const T>(a.mask, a, head);
      if (a.scores.sloping > 0)
        slope_ = static_cast<T>(slope_of_head(head % a.scores.sloping, a.scores.sloping));
    }
    if constexpr (Drops) {
      kept_ = {a.scores.dropout, *reinterpret_cast<const std::int64_t*>(a.random.data)};
      first_weight_ = head * a.queries * a.keys;
    }
    room_.place(memory);
  }

  /// The result of the block of queries from `first` on.
  void weigh(std::int64_t first) {
    begin(first);
    detail::pack_columns(q_.at(first, 0), count_, a_.width, T(a_.scores.scale), room_.query_columns);
    std::fill_n(room_.largest, block, below_all<T>);
    std::fill_n(room_.total, block, T(0));
    std::fill_n(room_.sums, block * room_.value_width, T(0));
    for (std::int64_t key = begin_; key < end_; key += block) {
      const std::int64_t keys = std::min(block, end_ - key);
      find_scores(key, keys);
      detail::pack_rows(v_.at(key, 0), keys, a_.value_width, T(1), room_.values, room_.value_width);
      std::int64_t lane = 0;
      for (; lane + 4 * lanes <= columns_; lane += 4 * lanes) add_exponentials<4>(key, keys, lane);
      for (; lane < columns_; lane += lanes) add_exponentials<1>(key, keys, lane);
      if (key > begin_) scale_sums();
      multiply_block<T>({room_.weights, 1, block}, room_.values, room_.value_width, room_.sums,
                        room_.value_width, count_, room_.value_width, keys, part(key, block_part::to_row),
                        true);
    }
    for (std::int64_t i = 0; i < count_; ++i) {
      const bool none = room_.total[i] == T(0) || (Adds && a_.scores.adds && !(room_.largest[i] > T(-1e30)));
      const T inverse = none ? T(0) : T(1 / kept_share()) / room_.total[i];
      const matrix row = target_.at(first + i, 0);
      detail::unpack_row<T>(room_.sums + i * room_.value_width, inverse, a_.value_width, row);
      *row.at(0, a_.value_width).data = none ? above_all<T> : room_.largest[i];
      *row.at(0, a_.value_width + 1).data = none ? T(0) : 1 / room_.total[i];
    }
  }

  /// The gradients of all queries, keys and values.
  void differentiate() {
    const std::int64_t all = room_.keys_in_whole_blocks();
    std::fill_n(room_.of_keys, all * room_.width, T(0));
    std::fill_n(room_.of_values, all * room_.value_width, T(0));
    for (std::int64_t first = 0; first < a_.queries; first += block) differentiate_block(first);
    for (std::int64_t k = 0; k < a_.keys; ++k) {
      detail::unpack_row<T>(room_.of_keys + k * room_.width, T(1), a_.width, target_.at(a_.queries + k, 0));
      detail::unpack_row<T>(room_.of_values + k * room_.value_width, T(1), a_.value_width,
                            target_.at(a_.queries + a_.keys + k, 0));
    }
  }

  /// Adds to the gradient of a mask that of the block of queries from `first` on.
  void differentiate_mask(std::int64_t first) {
    begin_gradients(first);
    for (std::int64_t key = begin_; key < end_; key += block) {
      const std::int64_t keys = std::min(block, end_ - key);
      find_weights_and_slopes(key, keys);
      detail::transpose_onto<T>({room_.slopes, block, 1}, keys, count_, target_.at(first, key), true);
    }
  }
  /// Sets it to 0 first.
  void clear_mask(std::int64_t first) {
    for (std::int64_t i = first; i < std::min(first + block, a_.queries); ++i)
      for (std::int64_t j = 0; j < a_.keys; ++j) *target_.at(i, j).data = T(0);
  }

 private:
  const attention_arguments& a_;
  attention_workspace<T> room_;
  matrix q_, k_, v_, target_, y_;
  detail::strided_matrix<const bool> mask_;
  detail::strided_matrix<const T> added_;
  T slope_ = 0;
  kept_weights kept_;
  std::int64_t first_weight_ = 0;
  std::int64_t first_ = 0, count_ = 0, columns_ = 0, begin_ = 0, end_ = 0;

  // Of the block: how many queries it has, also in whole vectors, and the blocks of keys they may attend to.
  void begin(std::int64_t first) {
    first_ = first;
    count_ = std::min(block, a_.queries - first);
    columns_ = detail::vector_multiple<T>(count_);
    const std::int64_t window = a_.scores.window, last = first + count_;
    begin_ = window > 0 ? std::max<std::int64_t>(0, first - window + 1) / block * block : 0;
    end_ = a_.scores.causal ? last : window > 0 ? last + std::min(window, a_.keys) - 1 : a_.keys;
    // whole ones, but for the last: what a product leaves behind its rows is behind all keys then
    end_ = std::min((end_ + block - 1) / block * block, a_.keys);
  }

  // weights = k q^T of a block of keys.
  void find_scores(std::int64_t key, std::int64_t keys) {
    if (mask_.data != nullptr) pack_mask(key, keys);
    if constexpr (Adds) find_added(key, keys);
    if constexpr (Drops)
      for (std::int64_t j = 0; j < keys; ++j)
        kept_.find(first_weight_ + first_ * a_.keys + key + j, a_.keys, room_.kept + j * block);
    detail::pack_rows(k_.at(key, 0), keys, a_.width, T(1), room_.keys, room_.width);
    multiply_block<T>({room_.keys, room_.width, 1}, room_.query_columns, block, room_.weights, block, keys,
                      columns_, a_.width, part(key, block_part::right), Adds);
  }
  // What is added to the scores, where they will be.
  void find_added(std::int64_t key, std::int64_t keys) {
    if (added_.data == nullptr || count_ < block) std::fill_n(room_.weights, block * block, T(0));
    if (added_.data != nullptr)
      detail::transpose_onto<T>(added_.at(first_, key), count_, keys, {room_.weights, block, 1}, false);
    if (slope_ == T(0)) return;
    for (std::int64_t j = 0; j < keys; ++j)
      for (std::int64_t i = 0; i < block; ++i)
        room_.weights[j * block + i] -= slope_ * static_cast<T>(std::abs(first_ + i - key - j));
  }
  // Which of the weights are kept, and what is made of those that are not.
  double kept_share() const { return Drops ? 1 - a_.scores.dropout : 1; }
  wide<T> kept(wide<T> x, [[maybe_unused]] std::int64_t at) const {
    if constexpr (Drops) return choose(load_conditions<T>(room_.kept + at), x, splat(T(0)));
    return x;
  }

  // Of a product with the scores of a block of keys, what matters: on the diagonal half of them are left out.
  block_part part(std::int64_t key, block_part on_diagonal) const {
    return a_.scores.causal && key == first_ ? on_diagonal : block_part::all;
  }
  // The queries that attend to key number j of the block from `key` on, in the vector from `lane` on.
  seen_lanes seen(std::int64_t key, std::int64_t j, std::int64_t lane) const {
    const std::int64_t at = key + j - first_ - lane, window = a_.scores.window;
    return {a_.scores.causal ? at
            : window > 0     ? at - window + 1
                             : 0,
            window > 0 ? at + window : lanes,
            mask_.data != nullptr ? room_.mask + j * block + lane : nullptr};
  }
  // The mask of a block of keys, as the scores are.
  void pack_mask(std::int64_t key, std::int64_t keys) {
    for (std::int64_t j = 0; j < keys; ++j) {
      const bool* from = mask_.at(first_, key + j).data;
      bool* const to = room_.mask + j * block;
      if (mask_.row == 0) {
        std::fill_n(to, block, *from);
        continue;
      }
      for (std::int64_t i = 0; i < count_; ++i) to[i] = from[i * mask_.row];
      std::fill(to + count_, to + block, false);
    }
  }

  /// Of so many vectors of queries from `lane` on: the exponentials of the scores, less the largest so far;
  /// what was summed up with the largest one before is to be multiplied by `factor`.
  template <int Vectors>
  void add_exponentials(std::int64_t key, std::int64_t keys, std::int64_t lane) {
    constexpr T nothing = below_all<T>;
    T* const column = room_.weights + lane;
    wide<T> before[Vectors], largest[Vectors], total[Vectors];
    for (int v = 0; v < Vectors; ++v) {
      before[v] = largest[v] = load(room_.largest + lane + v * lanes);
      total[v] = splat(T(0));
    }
    for (std::int64_t j = 0; j < keys; ++j)
      for (int v = 0; v < Vectors; ++v) {
        const seen_lanes queries = seen(key, j, lane + v * lanes);
        if (queries.any<T>())
          largest[v] = larger(largest[v], queries.in(load(column + j * block + v * lanes), nothing));
      }
    wide<T> shift[Vectors];  // 0 where there is none yet
    for (int v = 0; v < Vectors; ++v)
      shift[v] = choose(largest[v] == splat(nothing), splat(T(0)), largest[v]);
    for (std::int64_t j = 0; j < keys; ++j)
      for (int v = 0; v < Vectors; ++v) {
        const seen_lanes queries = seen(key, j, lane + v * lanes);
        T* const at = column + j * block + v * lanes;
        if (!queries.any<T>()) {
          store(at, splat(T(0)));
          continue;
        }
        const wide<T> term = queries.in(exp(load(at) - shift[v]), T(0));
        store(at, kept(term, j * block + lane + v * lanes));
        total[v] = total[v] + term;
      }
    for (int v = 0; v < Vectors; ++v) {
      const std::int64_t at = lane + v * lanes;
      const wide<T> factor = exp(before[v] - shift[v]);
      store(room_.total + at, multiply_add(load(room_.total + at), factor, total[v]));
      store(room_.factor + at, factor);
      store(room_.largest + at, largest[v]);
    }
  }
  void scale_sums() {
    for (std::int64_t i = 0; i < count_; ++i) {
      T* const row = room_.sums + i * room_.value_width;
      const wide<T> factor = splat(room_.factor[i]);
      for (std::int64_t j = 0; j < room_.value_width; j += lanes) store(row + j, load(row + j) * factor);
    }
  }

  // Post-condition: what is needed of the block of queries from `first` on to differentiate is packed.
  void begin_gradients(std::int64_t first) {
    begin(first);
    const matrix gradient = y_.at(first, 0), result = y_.at(first, a_.value_width);
    const auto share = T(1 / kept_share());
    detail::pack_columns(q_.at(first, 0), count_, a_.width, T(a_.scores.scale), room_.query_columns);
    detail::pack_rows(q_.at(first, 0), count_, a_.width, T(a_.scores.scale), room_.queries, room_.width);
    detail::pack_columns(gradient, count_, a_.value_width, share, room_.gradient_columns);
    detail::pack_rows(gradient, count_, a_.value_width, share, room_.gradients, room_.value_width);
    std::fill_n(room_.total, block, T(0));
    std::fill_n(room_.largest, block, above_all<T>);
    std::fill_n(room_.factor, block, T(0));
    detail::pack_rows(result, count_, a_.value_width, T(kept_share()), room_.values, room_.value_width);
    for (std::int64_t i = 0; i < count_; ++i) {
      wide<T> sum = splat(T(0));
      for (std::int64_t j = i * room_.value_width; j < (i + 1) * room_.value_width; j += lanes)
        sum = multiply_add(load(room_.gradients + j), load(room_.values + j), sum);
      room_.total[i] = Eigen::internal::predux(sum.p);
      room_.largest[i] = *result.at(i, a_.value_width).data;
      room_.factor[i] = *result.at(i, a_.value_width + 1).data;
    }
  }
  // The weights of a block of keys, and the gradients of its scores.
  void find_weights_and_slopes(std::int64_t key, std::int64_t keys) {
    find_scores(key, keys);
    detail::pack_rows(v_.at(key, 0), keys, a_.value_width, T(1), room_.values, room_.value_width);
    multiply_block<T>({room_.values, room_.value_width, 1}, room_.gradient_columns, block, room_.slopes,
                      block, keys, columns_, a_.value_width, part(key, block_part::right), false);
    for (std::int64_t j = 0; j < keys; ++j) find_slopes(key, j);
  }

  void differentiate_block(std::int64_t first) {
    begin_gradients(first);
    std::fill_n(room_.sums, block * room_.width, T(0));
    for (std::int64_t key = begin_; key < end_; key += block) {
      const std::int64_t keys = std::min(block, end_ - key);
      find_weights_and_slopes(key, keys);
      multiply_block<T>({room_.weights, block, 1}, room_.gradients, room_.value_width,
                        room_.of_values + key * room_.value_width, room_.value_width, keys, room_.value_width,
                        count_, part(key, block_part::from_row_on), true);
      multiply_block<T>({room_.slopes, block, 1}, room_.queries, room_.width,
                        room_.of_keys + key * room_.width, room_.width, keys, room_.width, count_,
                        part(key, block_part::from_row_on), true);
      multiply_block<T>({room_.slopes, 1, block}, room_.keys, room_.width, room_.sums, room_.width, count_,
                        room_.width, keys, part(key, block_part::to_row), true);
    }
    for (std::int64_t i = 0; i < count_; ++i)
      detail::unpack_row<T>(room_.sums + i * room_.width, T(a_.scores.scale), a_.width,
                            target_.at(first + i, 0));
  }

  // From scores and the weights' gradients: the weights, and the gradients of the scores.
  void find_slopes(std::int64_t key, std::int64_t row) {
    for (std::int64_t lane = 0; lane < columns_; lane += lanes) {
      const seen_lanes queries = seen(key, row, lane);
      T *const weights = room_.weights + row * block + lane, *const slopes =
                                                                 room_.slopes + row * block + lane;
      if (!queries.any<T>()) {
        store(weights, splat(T(0)));
        store(slopes, splat(T(0)));
        continue;
      }
      const wide<T> weight =
          queries.in(exp(load(weights) - load(room_.largest + lane)) * load(room_.factor + lane), T(0));
      store(weights, kept(weight, row * block + lane));
      store(slopes, weight * (kept(load(slopes), row * block + lane) - load(room_.total + lane)));
    }
  }
};

}  // namespace tapeless::cpu_kernels
