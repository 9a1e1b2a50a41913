// SPDX-License-Identifier: BSL-1.0
// The gradients of a trainer, and its running statistics, added up over all ranks while the backward pass
// goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/cluster/buckets.hpp>
#include <tapeless/cluster/data_parallel_options.hpp>
#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/shares.hpp>
#include <tapeless/cluster/sum_over_ranks.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Adds up what parameter_memory has for gradients: one block. Running statistics travel there in their own
/// gradients' places, which nothing else uses.
///
/// The block is divided into buckets, from its end on, where the first gradients of a backward pass are. Each
/// travels as soon as all of it is there, and what of one has come is added up, whenever the pass looks:
/// after each command of its program. All ranks have the same buckets in the same order.
class gradient_exchange {
 public:
  template <class Policy>
  static constexpr bool fits = true;
  /// At 10 Gbit/s: 6.5 microseconds of the processor's, and, twice, a message of 2 microseconds to each other
  /// rank with an n-th of the bucket.
  static constexpr bucket_costs costs(int ranks) {
    return {.message = 8192 + std::int64_t{2560} * ranks, .least = std::int64_t{1} << 16};
  }
  static constexpr std::int64_t travelling_bytes(const parameter_description& p,
                                                 const data_parallel_options& options) {
    return aligned(is_rounded(p, options) ? p.count * static_cast<std::int64_t>(size_of(element::bf16))
                                          : p.bytes());
  }

  /// Each rank adds up the numbers of the parameters that it owns, by parameter, and nobody sends the sums
  /// on. Without owners each adds up as many, and all get all sums.
  gradient_exchange(process_group& group, const data_parallel_options& options, std::vector<int> owners)
      : group_(&group), options_(options), owners_(std::move(owners)) {}
  gradient_exchange(const gradient_exchange&) = delete;
  gradient_exchange& operator=(const gradient_exchange&) = delete;
  ~gradient_exchange() {
    if (is_open_) lose_buckets();
  }

  bool is_open() const { return is_open_; }

  /// What all ranks do in a step, see device_exchange: here nobody waits for others before all are through.
  template <class Ready, class Run, class Read>
  void together(std::string_view what, std::int64_t step, const Ready& ready, const Run& run,
                const Read& read) {
    group_->together(what, step, [&] {
      ready();
      run();
      read();
    });
  }

  /// From here on gradients may travel: all ranks open it, and finish it. `share` is what this rank's samples
  /// count among all, and all ranks' shares add up to one. Parameter i is there behind command after[i] of
  /// the program that computes gradients last; those of an empty `after` when it has ended.
  void open(array_view<std::byte* const> gradients, array_view<std::byte* const> parameters,
            array_view<const parameter_description> descriptions, array_view<const std::size_t> after,
            double share) {
    if (group_->size() == 1) return;
    if (is_open_) refuse_to_open();
    if (buckets_.empty() || block_ != gradients[0]) make_buckets(gradients, parameters, descriptions, after);
    started_ = added_ = ended_ = 0;
    share_ = share;
    is_open_ = true;
  }

  // As the observer of a program: what is complete behind a command travels.

  void before(std::size_t) const {}
  void after(std::size_t command) {
    if (!is_open_) return;
    while (started_ < buckets_.size() && buckets_[started_].command <= command) start_next();
    go_on();
  }

  /// See buckets_before.
  std::vector<std::size_t> buckets_before(const plan_view& plan) const {
    return detail::buckets_before(buckets_, plan, descriptions_.size());
  }
  /// Post-condition: the sums of so many buckets are there.
  void wait_for(std::size_t buckets) {
    while (started_ < buckets_.size()) start_next();
    go_on();
    while (ended_ < buckets) {
      while (added_ <= ended_) {
        buckets_[added_].sum.wait_for_parts();
        add_next();
      }
      buckets_[ended_].sum.wait_for_sums();
      end_next();
      go_on();
    }
  }

  /// Post-condition: all sums are there.
  void finish() {
    if (!is_open_) return;
    wait_for(buckets_.size());
    for (bucket& b : buckets_)
      for (const running_statistic& s : b.averaged) {
        scale(s.travels, s.is, s, 1);
        std::memset(s.travels, 0, static_cast<std::size_t>(s.count) * size_of(s.type));
      }
    is_open_ = false;
  }
  /// Where something has gone wrong. What is under way on other ranks ends there only if it does here.
  void abandon() {
    if (is_open_ && group_->all_throw()) {
      wait_for(buckets_.size());
      is_open_ = false;
    }
  }

 private:
  struct running_statistic {
    std::byte *is, *travels;
    std::int64_t count;
    element type;
  };
  struct bucket {
    std::size_t command;     // behind which it is complete
    std::size_t first, end;  // its parameters
    std::vector<running_statistic> averaged;
    sum_over_ranks sum;
  };

  process_group* group_;
  data_parallel_options options_;
  std::vector<int> owners_;
  const std::byte* block_ = nullptr;
  array_view<const parameter_description> descriptions_;
  std::vector<bucket> buckets_;  // in the order in which they travel
  struct lost_buckets {
    std::vector<bucket> buckets;
    lost_buckets* before;
  };
  inline static std::atomic<lost_buckets*> last_lost_ = nullptr;
  std::size_t started_ = 0, added_ = 0, ended_ = 0;
  double share_ = 0;
  bool is_open_ = false;

  void start_next() {
    bucket& b = buckets_[started_++];
    for (const running_statistic& s : b.averaged) scale(s.is, s.travels, s, share_);
    b.sum.start();
  }
  void end_next() { buckets_[ended_++].sum.finish(); }
  void add_next() { buckets_[added_++].sum.add_up_parts(); }
  void go_on() {
    while (added_ < started_ && buckets_[added_].sum.has_parts()) add_next();
    while (ended_ < added_ && buckets_[ended_].sum.has_sums()) end_next();
  }
  [[noreturn]] TAPELESS_COLD static void refuse_to_open() {
    throw_error(
        "data_parallel: gradients of an earlier step are still under way, which something thrown on this "
        "rank alone has ended: end the program, and go on from the last checkpoint");
  }
  // Others may still write to what this process has given up: its memory stays, where leak checkers find it.
  TAPELESS_COLD void lose_buckets() {
    auto* const lost = new lost_buckets{std::move(buckets_), last_lost_.load()};
    while (!last_lost_.compare_exchange_weak(lost->before, lost)) {
    }
  }

  TAPELESS_COLD void make_buckets(array_view<std::byte* const> gradients,
                                  array_view<std::byte* const> parameters,
                                  array_view<const parameter_description> descriptions,
                                  array_view<const std::size_t> after) {
    block_ = gradients[0];
    descriptions_ = descriptions;
    buckets_.clear();
    const auto is_averaged = [&](std::size_t i) {
      const parameter_description& p = descriptions[i];
      return p.is_buffer && (p.type == element::f32 || p.type == element::f64);
    };
    bool sends = owners_.empty();
    for (std::size_t i = 0; i < gradients.size(); ++i) sends = sends || is_averaged(i);
    const auto make = [&](std::size_t first, std::size_t end) {
      std::vector<summed_numbers> numbers;
      std::vector<running_statistic> averaged;
      std::vector<std::int64_t> begin(sends ? 0 : static_cast<std::size_t>(group_->size()) + 1);
      std::size_t command = 0;
      std::int64_t at = 0;
      for (std::size_t i = first; i < end; ++i) {
        const parameter_description& p = descriptions[i];
        command = std::max(command, after.empty() ? static_cast<std::size_t>(-1) : after[i]);
        numbers.push_back({gradients[i], p.count, p.type, is_rounded(p, options_), at});
        if (is_averaged(i)) averaged.push_back({parameters[i], gradients[i], p.count, p.type});
        at += travelling_bytes(p, options_);
        if (!sends)
          for (std::size_t r = static_cast<std::size_t>(owners_[i]) + 1; r < begin.size(); ++r) begin[r] = at;
      }
      if (sends) begin = even_ranges(at, group_->size());
      buckets_.push_back({command, first, end, std::move(averaged),
                          sum_over_ranks(*group_, std::move(numbers), std::move(begin), sends)});
    };
    for_each_bucket(bytes_of_gradients<gradient_exchange>(descriptions, options_),
                    options_.bucket_bytes.value_or(bytes_of_buckets), make);
    std::sort(buckets_.begin(), buckets_.end(), [](const bucket& a, const bucket& b) {
      return a.command != b.command ? a.command < b.command : a.first > b.first;
    });
  }
  static constexpr bool is_rounded(const parameter_description& p, const data_parallel_options& options) {
    return options.compression == gradient_compression::bf16 && !p.is_buffer &&
           (p.type == element::f32 || p.type == element::f64);
  }

  static void scale(const std::byte* from, std::byte* to, const running_statistic& s, double factor) {
    const auto scale_all = [&]<class T>(T) {
      for (std::int64_t i = 0; i < s.count; ++i)
        reinterpret_cast<T*>(to)[i] =
            static_cast<T>(factor * static_cast<double>(reinterpret_cast<const T*>(from)[i]));
    };
    s.type == element::f32 ? scale_all(0.0f) : scale_all(0.0);
  }
};

/// What adds up the gradients of ranks of that kind.
template <class Ranks>
struct exchange_by {
  using type = gradient_exchange;
};

/// The observer of a program that updates parameters while gradients come: each command waits for those that
/// it needs.
class update_as_they_come {
 public:
  update_as_they_come(gradient_exchange& exchange, array_view<const std::size_t> needed)
      : exchange_(exchange), needed_(needed) {}
  void before(std::size_t command) const { exchange_.wait_for(needed_[command]); }
  void after(std::size_t) const {}

 private:
  gradient_exchange& exchange_;
  array_view<const std::size_t> needed_;
};

}  // namespace tapeless::detail
