// SPDX-License-Identifier: BSL-1.0
// The gradients of a trainer on a GPU, and its running statistics, added up over all ranks' GPUs while the
// backward pass goes on.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/cluster/buckets.hpp>
#include <tapeless/cluster/device_buckets.hpp>
#include <tapeless/cluster/device_graph.hpp>
#include <tapeless/cluster/device_rounded_sum.hpp>
#include <tapeless/cluster/device_sum.hpp>
#include <tapeless/cluster/gradient_exchange.hpp>
#include <tapeless/cluster/nccl.hpp>
#include <tapeless/cluster/nccl_options.hpp>
#include <tapeless/cluster/state_division.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Adds up the block of gradients, where it is, in buckets from its end on, as gradient_exchange does;
/// running statistics in the parameters' own places. It is the observer of a program that is being captured:
/// what it adds is part of the program's graph, on a stream of its own.
///
/// NCCL wants ranks to launch graphs that they have captured together. So captures have numbers, and before a
/// step the ranks agree on one: that of the graphs that all have, or a new one, for which all capture again.
class device_exchange {
 public:
  static constexpr bool is_on_device = true;
  template <class Policy>
  static constexpr bool fits = std::is_same_v<Policy, cuda>;
  /// Assumed, not measured: a call of NCCL takes 20 microseconds, in which 400 Gbit/s carry a MiB.
  static constexpr bucket_costs costs(int) {
    return {.message = std::int64_t{1} << 20, .least = std::int64_t{1} << 20};
  }
  static constexpr std::int64_t travelling_bytes(const parameter_description& p,
                                                 const nccl_options& options) {
    return gradient_exchange::travelling_bytes(p, {.compression = options.compression});
  }

  /// `owners` says, by parameter, which rank needs the sum of its gradients; empty where all need all.
  device_exchange(nccl& ranks, const nccl_options& options, std::vector<int> owners)
      : ranks_(&ranks), options_(options), owners_(std::move(owners)) {}
  device_exchange(const device_exchange&) = delete;
  device_exchange& operator=(const device_exchange&) = delete;

  /// The resources of the trainer whose gradients they are. Throws an error where it is on another device.
  TAPELESS_COLD void run_on(cuda_kernels::resources& trainer) {
    if (trainer.device() != ranks_->device())
      throw_error({"data_parallel: the trainer is on device ", trainer.device(),
                   ", but this rank of tl::nccl on device ", ranks_->device(),
                   ": write tl::cuda{.device = gpus.device()}"});
    trainer_ = &trainer;
    const cuda_kernels::on_device here(ranks_->device());
    sum_ = std::make_unique<device_sum>(*ranks_);
    done_ = cuda_kernels::make_event();
  }

  bool is_open() const { return is_open_; }

  /// From here on the next run adds up; see gradient_exchange.
  void open(array_view<std::byte* const> gradients, array_view<std::byte* const> parameters,
            array_view<const parameter_description> descriptions, array_view<const std::size_t> after,
            double share) {
    ranks_->communicator();
    if (block_ != gradients.data()) make_buckets(gradients, parameters, descriptions, after);
    if (has_averages_) {
      const cuda_kernels::on_device here(ranks_->device());
      sum_->set_share(share, trainer_->steps());
    }
    is_open_ = true;
    is_launched_ = has_updated_ = false;
  }

  /// What all ranks do in a step, each for itself, but so that nobody waits on its device for one who does
  /// not come. `ready` throws what can be known before, and says which capture the own graph has; `run`
  /// starts the graph, `read` reads what it has computed. Where one cannot start it, all abort: the others
  /// have.
  template <class Ready, class Run, class Read>
  void together(std::string_view what, std::int64_t step, const Ready& ready, const Run& run,
                const Read& read) {
    process_group& world = ranks_->world();
    if (!is_open_)
      return world.together(what, step, [&] {
        ready();
        run();
        read();
      });
    std::uint64_t own = 0;
    world.together(what, step, [&] { own = ready(); });
    agree(own);
    undone_by([&] { ranks_->abort(); }, [&] { world.together(what, step, run); });
    world.together(what, step, [&] {
      wait();
      read();
    });
  }

  /// The update comes into the graph of the step, where each command waits for the sums that it needs.
  /// Precondition: nothing is captured yet, or with the same one; it is prepared.
  void update_by(cuda_kernels::program& update) { update_ = &update; }
  /// Whether the run has updated the parameters.
  bool has_updated() const { return has_updated_; }

  // As the observer of a program.

  bool takes_part() const { return is_open_ && !is_launched_; }
  std::uint64_t capture() const { return capture_; }
  void begin_capture() { started_ = 0; }
  void before(std::size_t) const {}
  void after(std::size_t command) {
    while (started_ < buckets_.size() && buckets_[started_].command <= command) start_next();
  }
  void end_capture(const std::byte* hyperparameters) {
    while (started_ < buckets_.size()) start_next();
    if (update_ != nullptr) add_update(hyperparameters);
    if (started_ > 0) sum_->join(trainer_->steps());
  }
  void launched() {
    if (!takes_part()) return;
    record_launch();
    has_updated_ = update_ != nullptr;
  }

  // The sums without a program: of a rank that has no samples, or whose gradients have been there before.

  std::uint64_t capture_alone() const { return alone_.capture(); }
  void run_alone() {
    if (!takes_part()) return;
    const cuda_kernels::on_device here(ranks_->device());
    start(alone_, [&] {
      begin_capture();
      while (started_ < buckets_.size()) start_next();
      if (started_ > 0) sum_->join(trainer_->steps());
    });
  }

  /// Post-condition: all sums are there.
  void finish() {
    if (!is_open_) return;
    if (!is_launched_) together("an update", 0, [&] { return capture_alone(); }, [&] { run_alone(); }, [] {});
    is_open_ = false;
  }
  /// Where something has gone wrong.
  void abandon() { is_open_ = false; }

  /// Behind an update, each rank gives its own parameters to the others; gradients are zero from here on.
  /// Post-condition: all ranks have the same.
  void give(array_view<std::byte* const> parameters, array_view<std::byte* const> gradients,
            array_view<const parameter_description> descriptions,
            array_view<const parameter_description> of_gradients, const state_division& division) {
    is_open_ = true;
    is_launched_ = false;
    const auto run = [&] {
      const cuda_kernels::on_device here(ranks_->device());
      start(given_, [&] {
        for (const device_bytes& b : in_pieces(gradients, of_gradients, [](std::size_t) { return 0; }))
          cuda_kernels::check(cudaMemsetAsync(b.at, 0, static_cast<std::size_t>(b.count), trainer_->steps()),
                              "cudaMemsetAsync");
        sum_->wait_for(trainer_->steps());
        sum_->give(in_pieces(parameters, descriptions, [&](std::size_t i) { return division.owner(i); }));
        sum_->join(trainer_->steps());
      });
    };
    undone_by([&] { abandon(); },
              [&] { together("updated parameters", 0, [&] { return given_.capture(); }, run, [] {}); });
    is_open_ = false;
  }

 private:
  nccl* ranks_;
  nccl_options options_;
  std::vector<int> owners_;
  cuda_kernels::resources* trainer_ = nullptr;
  std::unique_ptr<device_sum> sum_;
  device_rounded_sum rounded_sum_;
  cuda_kernels::event done_;  // what was launched last
  const std::byte* const* block_ = nullptr;
  std::vector<device_bucket> buckets_;  // in the order in which they travel
  bool has_averages_ = false;
  std::size_t started_ = 0;
  std::uint64_t captures_ = 0, capture_ = 0;  // all that ranks have made; the one of this step
  device_graph alone_, given_;
  cuda_kernels::program* update_ = nullptr;
  std::size_t parameters_ = 0;
  bool is_open_ = false, is_launched_ = false, has_updated_ = false;

  void record_launch() {
    cuda_kernels::check(cudaEventRecord(done_.get(), trainer_->steps()), "cudaEventRecord");
    is_launched_ = true;
  }

  /// Tells an update's commands when their sums are there.
  struct waiting_update {
    device_exchange& exchange;
    std::vector<std::size_t> needed;  // how many buckets, by command
    std::size_t awaited = 0;
    void before(std::size_t command) {
      if (needed[command] <= awaited) return;
      awaited = needed[command];
      cuda_kernels::check(
          cudaStreamWaitEvent(exchange.trainer_->steps(), exchange.buckets_[awaited - 1].there.get()),
          "cudaStreamWaitEvent");
    }
    void after(std::size_t) const {}
  };
  TAPELESS_COLD void add_update(const std::byte* hyperparameters) {
    waiting_update observer{*this, buckets_before(buckets_, update_->plan(), parameters_)};
    std::vector<std::size_t>& needed = observer.needed;
    for (std::size_t s = 0; s < needed.size(); ++s)  // what is one launch waits for all that it needs
      for (std::size_t k = 1; k < update_->commands_at_once(s) && s + k < needed.size(); ++k)
        needed[s] = std::max(needed[s], needed[s + k]);
    update_->add_to_capture(hyperparameters, observer);
  }

  void start_next() {
    const device_bucket& b = buckets_[started_++];
    sum_->wait_for(trainer_->steps());
    if (!b.numbers.empty()) sum_->add_up(b.numbers);
    if (!b.rounded.numbers.empty()) rounded_sum_.add_up(b.rounded, *ranks_, sum_->stream());
    if (update_ != nullptr)
      cuda_kernels::check(cudaEventRecord(b.there.get(), sum_->stream()), "cudaEventRecord");
  }

  void agree(std::uint64_t own) {
    process_group& world = ranks_->world();
    std::vector<std::uint64_t> all(static_cast<std::size_t>(world.size()));
    world.all_gather(reinterpret_cast<const std::byte*>(&own), reinterpret_cast<std::byte*>(all.data()),
                     sizeof(own));
    bool is_common = own != 0;
    for (const std::uint64_t other : all) is_common = is_common && other == own;
    capture_ = is_common ? own : ++captures_;
  }

  /// Until the device has done what was launched. Throws an error where another rank does not do its part.
  void wait() {
    const cuda_kernels::on_device here(ranks_->device());
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      const cudaError_t status = cudaEventQuery(done_.get());
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) cuda_kernels::check(status, "cudaEventQuery");
      cudaGetLastError();  // that it is not ready is none
      ranks_->check_others();
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
      if (waited.count() > options_.seconds_to_wait) give_up();
    }
  }
  [[noreturn]] TAPELESS_COLD void give_up() {
    ranks_->abort();
    throw_error(nccl_error({"nccl: rank ", ranks_->world().rank(), " has waited for the others for ",
                            options_.seconds_to_wait, " seconds: one of them does not do its part"}));
  }

  template <class Contents>
  void start(device_graph& own, const Contents& contents) {
    own.launch(*trainer_, capture_, contents);
    record_launch();
  }

  TAPELESS_COLD void make_buckets(array_view<std::byte* const> gradients,
                                  array_view<std::byte* const> parameters,
                                  array_view<const parameter_description> descriptions,
                                  array_view<const std::size_t> after) {
    block_ = gradients.data();
    const bool are_rounded = options_.compression == gradient_compression::bf16 && ranks_->world().size() > 1;
    buckets_ = buckets_on_device(gradients, parameters, descriptions, after, owners_,
                                 bytes_of_gradients<device_exchange>(descriptions, options_),
                                 options_.bucket_bytes.value_or(bytes_of_buckets), are_rounded,
                                 ranks_->world().size());
    parameters_ = descriptions.size();
    std::int64_t room = 0;
    const cuda_kernels::on_device here(ranks_->device());
    for (device_bucket& b : buckets_) {
      b.there = cuda_kernels::make_event();
      room = std::max(room, b.rounded.room(ranks_->world().rank()));
      for (const device_numbers& n : b.numbers) has_averages_ = has_averages_ || n.is_averaged;
    }
    if (are_rounded) rounded_sum_.reserve(room);
  }
};

template <>
struct exchange_by<nccl> {
  using type = device_exchange;
};

}  // namespace tapeless::detail
