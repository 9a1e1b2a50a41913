// SPDX-License-Identifier: BSL-1.0
// Sums of many numbers over all ranks, with the same bits on each of them and each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/transfer.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/half.hpp>

namespace tapeless::detail {

/// Numbers that are summed: where they are, and which of the bytes that travel are theirs.
struct summed_numbers {
  std::byte* at = nullptr;
  std::int64_t count = 0;
  element type = element::f32;
  bool as_bf16 = false;  // in which they travel
  std::int64_t begin = 0;

  std::int64_t bytes_each() const {
    return static_cast<std::int64_t>(size_of(as_bf16 ? element::bf16 : type));
  }
  std::int64_t end() const { return begin + count * bytes_each(); }
};

/// Adds up numbers over all ranks. Each rank gets its part of the bytes from all others, adds these up in the
/// order of ranks, and gives the sums to all. So a rank receives 2 (n - 1) / n of the bytes: nobody can do
/// with less. The order of MPI_Allreduce, which receives as much, is not fixed. Whole numbers are those of
/// rank 0.
///
/// What travels as bf16 is rounded on each rank, added up in float and rounded once more, to nearest and ties
/// to even: also what a rank has itself. So a sum is wrong by 2^-9 of the sum of absolute values, and of
/// itself. Numbers of 16 bits are added up in the same way.
class sum_over_ranks {
 public:
  /// Each rank adds up its own part, which begins there; it `sends` the sums to the others, or keeps them.
  /// Numbers that all travel as they are stand in one block, as their bytes do; others are packed. More than
  /// one rank.
  sum_over_ranks(process_group& group, std::vector<summed_numbers> numbers, std::vector<std::int64_t> begin,
                 bool sends)
      : group_(&group), numbers_(std::move(numbers)), begin_(std::move(begin)) {
    bool is_packed = false;
    for (const summed_numbers& n : numbers_) is_packed = is_packed || n.as_bf16;
    if (is_packed) packed_.resize(static_cast<std::size_t>(begin_.back()));
    bytes_ = is_packed ? packed_.data() : numbers_[0].at;
    received_.resize(static_cast<std::size_t>(own_bytes()) * static_cast<std::size_t>(group.size()));
    scattering_ = group.transfer_scattering(bytes_, begin_, received_.data());
    if (sends) gathering_ = group.transfer_gathering(bytes_, begin_);
  }

  // The calls of a sum, in their order; between them this process may do something else.

  void start() {
    if (is_packed()) pack();
    group_->start(*scattering_);
  }
  /// What has to be there for the next call: without waiting.
  bool has_parts() { return scattering_->has_ended(); }
  void wait_for_parts() { scattering_->wait(); }
  void add_up_parts() {
    add_up();
    if (gathering_ != nullptr) group_->start(*gathering_);
  }
  bool has_sums() { return gathering_ == nullptr || gathering_->has_ended(); }
  void wait_for_sums() {
    if (gathering_ != nullptr) gathering_->wait();
  }
  void finish() {
    if (is_packed()) unpack();
  }

 private:
  process_group* group_;
  std::vector<summed_numbers> numbers_;
  std::vector<std::int64_t> begin_;  // of each rank's part
  std::vector<std::byte> packed_, received_;
  std::byte* bytes_ = nullptr;
  std::unique_ptr<transfer> scattering_, gathering_;

  bool is_packed() const { return !packed_.empty(); }
  std::int64_t own_begin() const { return begin_[static_cast<std::size_t>(group_->rank())]; }
  std::int64_t own_end() const { return begin_[static_cast<std::size_t>(group_->rank()) + 1]; }
  std::int64_t own_bytes() const { return own_end() - own_begin(); }

  void add_up() {
    for (const summed_numbers& n : numbers_) {
      const std::int64_t from = n.begin > own_begin() ? n.begin : own_begin();
      const std::int64_t to = n.end() < own_end() ? n.end() : own_end();
      if (from >= to) continue;
      if (n.as_bf16 || n.type == element::bf16) {
        add_rounded<bf16>(from, to);
      } else if (n.type == element::f16) {
        add_rounded<f16>(from, to);
      } else if (n.type == element::f32) {
        add<float>(from, to);
      } else if (n.type == element::f64) {
        add<double>(from, to);
      } else {
        std::memcpy(bytes_ + from, part<std::byte>(0, from), static_cast<std::size_t>(to - from));
      }
    }
  }
  template <class T>
  const T* part(int rank, std::int64_t from) const {
    return reinterpret_cast<const T*>(received_.data() + rank * own_bytes() + (from - own_begin()));
  }
  template <class T>
  void add(std::int64_t from, std::int64_t to) const {
    const auto count = static_cast<std::size_t>(to - from) / sizeof(T);
    T* const sum = reinterpret_cast<T*>(bytes_ + from);
    for (int r = 0; r < group_->size(); ++r) {
      const T* const one = part<T>(r, from);
      for (std::size_t i = 0; i < count; ++i) sum[i] = r == 0 ? one[i] : sum[i] + one[i];
    }
  }
  template <class T>
  void add_rounded(std::int64_t from, std::int64_t to) const {
    constexpr std::int64_t at_once = 512;
    float sum[at_once];
    for (; from < to; from += at_once * static_cast<std::int64_t>(sizeof(T))) {
      const std::int64_t left = (to - from) / static_cast<std::int64_t>(sizeof(T));
      const std::int64_t count = left < at_once ? left : at_once;
      for (int r = 0; r < group_->size(); ++r) {
        const T* const one = part<T>(r, from);
        for (std::int64_t i = 0; i < count; ++i) sum[i] = r == 0 ? float(one[i]) : sum[i] + float(one[i]);
      }
      T* const rounded = reinterpret_cast<T*>(bytes_ + from);
      for (std::int64_t i = 0; i < count; ++i) rounded[i] = T(sum[i]);
    }
  }

  void pack() {
    for (const summed_numbers& n : numbers_) {
      if (!n.as_bf16) {
        std::memcpy(bytes_ + n.begin, n.at, static_cast<std::size_t>(n.end() - n.begin));
        continue;
      }
      bf16* const to = reinterpret_cast<bf16*>(bytes_ + n.begin);
      for_numbers(n, [&](const auto* from) {
        for (std::int64_t i = 0; i < n.count; ++i) to[i] = bf16(from[i]);
      });
    }
  }
  void unpack() const {
    for (const summed_numbers& n : numbers_) {
      if (!n.as_bf16) {
        std::memcpy(n.at, bytes_ + n.begin, static_cast<std::size_t>(n.end() - n.begin));
        continue;
      }
      const bf16* const from = reinterpret_cast<const bf16*>(bytes_ + n.begin);
      for_numbers(n, [&](auto* to) {
        for (std::int64_t i = 0; i < n.count; ++i) to[i] = float(from[i]);
      });
    }
  }
  template <class F>
  static void for_numbers(const summed_numbers& n, const F& f) {
    n.type == element::f32 ? f(reinterpret_cast<float*>(n.at)) : f(reinterpret_cast<double*>(n.at));
  }
};

}  // namespace tapeless::detail
