// SPDX-License-Identifier: BSL-1.0
// Sums of many numbers over all ranks, with the same bits on each of them and each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/shares.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/half.hpp>

namespace tapeless::detail {

/// Numbers of one type in a block of bytes.
struct summed_range {
  std::int64_t begin = 0, end = 0;  // in bytes
  element type = element::f32;
};

/// Adds up a block over all ranks. Each rank gets its part of the block from all others, adds these up in the
/// order of ranks, and gives the sums to all. So a rank receives 2 (n - 1) / n of the block: nobody can do
/// with less. The order of MPI_Allreduce, which receives as much, is not fixed. Whole numbers are those of
/// rank 0.
class sum_over_ranks {
 public:
  sum_over_ranks() = default;
  /// Of a block with these numbers. Each rank adds up its own part, which begins there; it `sends` the sums
  /// to the others, or keeps them.
  sum_over_ranks(process_group& group, std::vector<std::int64_t> begin, std::vector<summed_range> ranges,
                 bool sends)
      : group_(&group), begin_(std::move(begin)), ranges_(std::move(ranges)), sends_(sends) {
    if (group.size() > 1)
      received_.resize(static_cast<std::size_t>(own_bytes()) * static_cast<std::size_t>(group.size()));
  }

  void add_up(std::byte* block) {
    if (group_->size() == 1) return;
    group_->scatter_ranges(block, begin_, received_.data());
    const std::int64_t first = begin_[rank()], end = begin_[rank() + 1];
    for (const summed_range& r : ranges_) {
      const std::int64_t from = r.begin > first ? r.begin : first, to = r.end < end ? r.end : end;
      if (from >= to) continue;
      if (r.type == element::f32) {
        add<float>(block, from, to);
      } else if (r.type == element::f64) {
        add<double>(block, from, to);
      } else {
        std::memcpy(block + from, received_.data() + (from - first), static_cast<std::size_t>(to - from));
      }
    }
    if (sends_) group_->gather_ranges(block, begin_);
  }

 private:
  process_group* group_ = nullptr;
  std::vector<std::int64_t> begin_;  // of each rank's part
  std::vector<summed_range> ranges_;
  bool sends_ = true;
  std::vector<std::byte> received_;

  std::size_t rank() const { return static_cast<std::size_t>(group_->rank()); }
  std::int64_t own_bytes() const { return begin_[rank() + 1] - begin_[rank()]; }

  template <class T>
  void add(std::byte* block, std::int64_t from, std::int64_t to) const {
    const auto count = static_cast<std::size_t>(to - from) / sizeof(T);
    T* const sum = reinterpret_cast<T*>(block + from);
    for (int r = 0; r < group_->size(); ++r) {
      const T* const one =
          reinterpret_cast<const T*>(received_.data() + r * own_bytes() + (from - begin_[rank()]));
      for (std::size_t i = 0; i < count; ++i) sum[i] = r == 0 ? one[i] : sum[i] + one[i];
    }
  }
};

}  // namespace tapeless::detail
