// SPDX-License-Identifier: BSL-1.0
// The machine that runs a GPU's kernels on Thrust's host system, with Eigen's matrix products.
#pragma once

#include <tapeless/graph/array_view.hpp>
#include <tapeless/run/cpu/kernels.hpp>
#include <tapeless/run/cpu/split.hpp>
#include <tapeless/run/thrust/host_executor.hpp>
#include <tapeless/run/thrust/kernels.hpp>

namespace tapeless::thrust_kernels {

class host_machine {
 public:
  struct kernel_table : thrust_kernels::kernel_table<host_executor> {
    array_view<void (*const)(const product_call&)> products;
  };
  using memory = cpu_kernels::aligned_memory;

  class resources {
   public:
    memory allocate(std::int64_t bytes) const { return memory(bytes); }
    host_executor& executor() { return executor_; }
    cpu_kernels::thread_team& team() { return team_; }

   private:
    host_executor executor_;
    cpu_kernels::thread_team team_{1};
  };

  host_machine(const kernel_table& kernels, resources& shared)
      : kernels_(kernels), executor_(&shared.executor()), team_(&shared.team()) {}

  void prepare(std::size_t, const product_call& call, element type) {
    team_->reserve_workspace(cpu_kernels::product_workspace(type, call.m, call.n, call.k));
  }
  std::size_t steps_at_once(const planned_step& step) const {
    return thrust_kernels::steps_at_once(kernels_, step);
  }
  void run_pass(array_view<const planned_step> steps, const pass_call* calls) {
    run_group(kernels_, steps, calls, *executor_);
  }
  void run_product(array_view<const planned_step> steps, const product_call& call, const pass_call* passes) {
    const auto i = static_cast<std::size_t>(steps[0].index);
    const finished_product f = with_passes(kernels_, steps, call, passes);
    cpu_kernels::run_split(*team_, kernels_.products[i], f.call);
    if (f.has_epilogue()) kernels_.finishes[i](f, *executor_);
    if (f.side != summed::nothing) run_gradient(kernels_, kernels_.gradients[i], passes, *executor_);
  }
  void prepare_convolution(std::size_t, const convolution_call&, element) {}
  void run_convolution(std::size_t i, const convolution_call& call) {
    kernels_.convolutions[i](call, *executor_);
  }
  void prepare_pooling(std::size_t, const pooling_call&, element) {}
  void run_pooling(std::size_t i, const pooling_call& call) { kernels_.poolings[i](call, *executor_); }
  void prepare_walk(const walk_call& call, const planned_walk& walk) {
    if (const std::int64_t bytes = walk_bytes(call, walk); bytes > walk_memory_.size())
      walk_memory_ = memory(bytes);
  }
  void run_walk(std::size_t i, const walk_call& call) {
    executor_->lend(walk_memory_.data());
    kernels_.walks[i](call, *executor_);
    executor_->faults()->check();
  }

 private:
  kernel_table kernels_;
  host_executor* executor_;
  cpu_kernels::thread_team* team_;
  memory walk_memory_;
};

}  // namespace tapeless::thrust_kernels
