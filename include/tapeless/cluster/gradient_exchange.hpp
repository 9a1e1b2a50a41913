// SPDX-License-Identifier: BSL-1.0
// The gradients of a trainer, and its running statistics, added up over all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/sum_over_ranks.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Adds up what parameter_memory has for gradients: one block. Running statistics travel there in their own
/// gradients' places, which nothing else uses.
class gradient_exchange {
 public:
  explicit gradient_exchange(process_group& group) : group_(&group) {}
  /// Where ranks need the sums of their own ranges alone, these are the ranges; nobody sends the others on.
  gradient_exchange(process_group& group, std::vector<std::int64_t> ranges)
      : group_(&group), own_ranges_(std::move(ranges)) {}

  /// `share` is what this rank's samples count among all, and all ranks' shares add up to one.
  void add_up(array_view<std::byte* const> gradients, array_view<std::byte* const> parameters,
              array_view<const parameter_description> descriptions, double share) {
    if (gradients.empty()) return;
    if (block_ != gradients[0]) prepare(gradients, descriptions);
    for (const std::size_t i : averaged_) scale(parameters[i], gradients[i], descriptions[i], share);
    sum_.add_up(block_);
    for (const std::size_t i : averaged_) {
      scale(gradients[i], parameters[i], descriptions[i], 1);
      std::memset(gradients[i], 0, static_cast<std::size_t>(descriptions[i].bytes()));
    }
  }

 private:
  process_group* group_;
  std::vector<std::int64_t> own_ranges_;
  std::byte* block_ = nullptr;
  std::vector<std::size_t> averaged_;
  sum_over_ranks sum_;

  void prepare(array_view<std::byte* const> gradients, array_view<const parameter_description> descriptions) {
    block_ = gradients[0];
    averaged_.clear();
    std::vector<summed_range> ranges;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const parameter_description& p = descriptions[i];
      const std::int64_t begin = gradients[i] - block_;
      ranges.push_back({begin, begin + p.bytes(), p.type});
      bytes = begin + aligned(p.bytes());
      if (p.is_buffer && (p.type == element::f32 || p.type == element::f64)) averaged_.push_back(i);
    }
    sum_ = own_ranges_.empty() || !averaged_.empty()
               ? sum_over_ranks(*group_, even_ranges(bytes, group_->size()), std::move(ranges), true)
               : sum_over_ranks(*group_, own_ranges_, std::move(ranges), false);
  }

  static void scale(const std::byte* from, std::byte* to, const parameter_description& p, double factor) {
    const auto scale_all = [&]<class T>(T) {
      for (std::int64_t i = 0; i < p.count; ++i)
        reinterpret_cast<T*>(to)[i] =
            static_cast<T>(factor * static_cast<double>(reinterpret_cast<const T*>(from)[i]));
    };
    p.type == element::f32 ? scale_all(0.0f) : scale_all(0.0);
  }
};

}  // namespace tapeless::detail
