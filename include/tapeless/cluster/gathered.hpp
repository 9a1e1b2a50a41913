// SPDX-License-Identifier: BSL-1.0
// What ranks have computed on their parts of a batch, as if one had computed on all of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/extent.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/train/binding/tensor_view.hpp>
#include <tapeless/train/program/loss_over_samples.hpp>
#include <tapeless/train/program/result.hpp>

namespace tapeless::detail {

/// What each rank has of a batch: as many samples, and their loss.
struct ranks_part {
  std::int64_t samples = 0;
  std::uint64_t place = 0;            // which batch it is
  std::uint64_t weights = 0;          // see number_of_weights
  std::uint64_t hyperparameters = 0;  // see number_of_hyperparameters
  double loss_weight = 0;             // what the loss divides by, or is as if it did
  double loss = 0;
};

/// The axis of a tensor that counts samples, or:
namespace axis_of_samples {
inline constexpr int none = -1, several = -2;
inline constexpr int by_shape = -3;  // the first, where it has as many elements as there are samples
}  // namespace axis_of_samples

/// Joins what ranks have of their own samples. All ranks ask for the same.
class joined_parts {
 public:
  joined_parts(process_group& group, std::vector<ranks_part> parts, over_samples loss_kind)
      : group_(group), parts_(std::move(parts)), loss_kind_(loss_kind) {}

  std::int64_t samples() const {
    std::int64_t all = 0;
    for (const ranks_part& p : parts_) all += p.samples;
    return all;
  }
  double loss_weight() const {
    double all = 0;
    for (const ranks_part& p : parts_) all += p.loss_weight;
    return all;
  }
  /// That of all samples, added up in the order of ranks.
  double loss() const {
    const double all = loss_weight();
    double joined = 0;
    for (const ranks_part& p : parts_)
      if (p.samples > 0)
        if (const double share = share_in_loss(loss_kind_, p.loss_weight, all); share != 0)
          joined += share * p.loss;
    return joined;
  }

  /// One tensor of each rank's samples, by its view, where it has samples. What has no axis for samples is
  /// the mean over them, or, of whole numbers, that of the first rank. Where shapes do not fit, throws an
  /// error that names the label, on all ranks. The elements live as long as this.
  template <class T>
  tensor_view<const T> join(const std::optional<tensor_view<T>>& own, std::string_view label,
                            int axis = axis_of_samples::by_shape) const {
    using number = std::remove_const_t<T>;
    std::vector<described> all = describe(own);
    std::size_t first = 0;
    while (parts_[first].samples == 0) ++first;
    described whole = all[first];
    if (axis == axis_of_samples::by_shape)
      axis = whole.rank > 0 && whole.shape[0] == parts_[first].samples ? 0 : axis_of_samples::none;
    std::vector<std::int64_t> begin{0};
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (parts_[r].samples == 0) all[r].count = 0;
      const bool is_joined = r != first && parts_[r].samples > 0;
      if (is_joined) check_fits(all[r], whole, label, axis);
      if (is_joined && axis >= 0)
        whole.shape[static_cast<std::size_t>(axis)] += all[r].shape[static_cast<std::size_t>(axis)];
      begin.push_back(begin.back() + all[r].count * static_cast<std::int64_t>(sizeof(T)));
    }
    std::vector<std::byte>& bytes = memory_.emplace_back(static_cast<std::size_t>(begin.back()));
    if (own && own->size() > 0)
      std::memcpy(bytes.data() + begin[static_cast<std::size_t>(group_.rank())], own->as_const().data(),
                  own->size() * sizeof(T));
    group_.gather_ranges(bytes.data(), begin);
    if (axis > 0) bytes = along(axis, bytes, all, whole, sizeof(T));
    auto* const values = reinterpret_cast<number*>(bytes.data());
    if constexpr (is_floating(element_of<number>))
      if (axis < 0) average(values, static_cast<std::size_t>(whole.count));
    return {values, {whole.shape.data(), static_cast<std::size_t>(whole.rank)}};
  }

 private:
  process_group& group_;
  std::vector<ranks_part> parts_;
  over_samples loss_kind_;
  mutable std::list<std::vector<std::byte>> memory_;

  struct described {
    std::int64_t rank = 0, count = 0;
    std::array<std::int64_t, max_rank> shape{};
  };
  template <class T>
  std::vector<described> describe(const std::optional<tensor_view<T>>& own) const {
    described mine;
    if (own) {
      for (const std::int64_t e : own->shape()) mine.shape[static_cast<std::size_t>(mine.rank++)] = e;
      mine.count = static_cast<std::int64_t>(own->size());
    }
    std::vector<described> all(parts_.size());
    group_.all_gather(reinterpret_cast<const std::byte*>(&mine), reinterpret_cast<std::byte*>(all.data()),
                      sizeof(described));
    return all;
  }

  // The same shape, but for the axis of samples.
  void check_fits(const described& one, const described& whole, std::string_view label, int axis) const {
    bool fits = axis != axis_of_samples::several && one.rank == whole.rank;
    for (std::int64_t d = 0; fits && d < one.rank; ++d)
      fits = d == axis || one.shape[static_cast<std::size_t>(d)] == whole.shape[static_cast<std::size_t>(d)];
    if (!fits) refuse(label);
  }
  [[noreturn]] TAPELESS_COLD void refuse(std::string_view label) const {
    group_.throw_on_all({"\"", label,
                         "\" of a batch cannot be put together of what ranks have of their samples: it must "
                         "have the samples along one axis, and else the same shape on all ranks"});
  }

  // The ranks' tensors, which lie one behind the other, as one tensor, joined along an axis.
  static std::vector<std::byte> along(int axis, const std::vector<std::byte>& bytes,
                                      const std::vector<described>& all, const described& whole,
                                      std::size_t size) {
    std::size_t rows = 1;
    for (int d = 0; d < axis; ++d) rows *= static_cast<std::size_t>(whole.shape[static_cast<std::size_t>(d)]);
    std::vector<std::byte> joined(bytes.size());
    if (joined.empty()) return joined;
    const std::byte* from = bytes.data();
    std::size_t begin = 0;
    for (const described& one : all) {
      const std::size_t each = static_cast<std::size_t>(one.count) / rows * size;
      for (std::size_t i = 0; i < rows && each > 0; ++i, from += each)
        std::memcpy(joined.data() + begin + i * (bytes.size() / rows), from, each);
      begin += each;
    }
    return joined;
  }

  template <class T>
  void average(T* values, std::size_t count) const {
    const auto all = static_cast<double>(samples());
    const T* next = values;
    std::vector<double> means(count);
    for (const ranks_part& p : parts_) {
      if (p.samples == 0) continue;
      for (double& m : means) m += static_cast<double>(p.samples) / all * static_cast<double>(*next++);
    }
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(means[i]);
  }
};

/// The axis of an output whose extent is, or depends on, the first extent of an input. It is only known where
/// that is a run-time one.
template <class Result, name Name>
inline constexpr int axis_of_samples_in = axis_of_samples::by_shape;
template <class GraphBuilder, class Program, name Name>
inline constexpr int axis_of_samples_in<result<GraphBuilder, Program>, Name> = [] {
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  constexpr int index = output_index_of<GraphBuilder, Name>();
  if constexpr (index < 0 || g.extents.size() == 0) return axis_of_samples::by_shape;
  const node& n = g.nodes[static_cast<std::size_t>(g.outputs[index < 0 ? 0 : index].node)];
  const auto is_of_samples = [&](int axis) {
    for (const node& in : g.nodes)
      if (in.op->kind == family::input && in.rank > 0 && in.shape[0] < 0 &&
          mentions_extent(g.extents, n.shape[axis], -1 - in.shape[0]))
        return true;
    return false;
  };
  int found = axis_of_samples::none;
  for (int d = 0; d < n.rank; ++d)
    if (is_of_samples(d)) found = found == axis_of_samples::none ? d : axis_of_samples::several;
  return found;
}();

/// Has what a run's result has, of all ranks' samples. What is asked for is sent then: by all ranks.
template <class Result>
class gathered_result {
 public:
  gathered_result(const std::optional<Result>& own, const joined_parts& all) : own_(own), all_(all) {}
  template <name Name>
  auto get() const {
    std::optional<decltype(own_->template get<Name>())> view;
    if (own_) view = own_->template get<Name>();
    return all_.join(view, Name.view(), axis_of_samples_in<Result, Name>);
  }
  double loss() const { return all_.loss(); }

 private:
  const std::optional<Result>& own_;
  const joined_parts& all_;
};

/// Has what a batch has, of all ranks' samples, in the same way. Without samples of its own, `own` is null.
template <class Batch>
class gathered_batch {
 public:
  gathered_batch(const Batch* own, const joined_parts& all) : own_(own), all_(all) {}
  template <name Name>
  auto get() const {
    std::optional<decltype(own_->template get<Name>())> view;
    if (own_ != nullptr) view = own_->template get<Name>();
    return all_.join(view, Name.view());
  }

 private:
  const Batch* own_;
  const joined_parts& all_;
};

}  // namespace tapeless::detail
