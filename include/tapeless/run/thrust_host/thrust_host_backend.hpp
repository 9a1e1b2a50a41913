// SPDX-License-Identifier: BSL-1.0
// The backend that runs a GPU's kernels on Thrust's host system, with Eigen's matrix products.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/structural/attention_support.hpp>
#include <tapeless/run/cpu/cpu_kernel_tables.hpp>
#include <tapeless/run/cpu/work_split.hpp>
#include <tapeless/run/gpu/kernels/gpu_kernel_tables.hpp>
#include <tapeless/run/thrust_host/host_executor.hpp>

namespace tapeless::thrust_kernels {

class host_backend {
 public:
  struct kernel_table : thrust_kernels::kernel_table<host_executor> {
    array_view<const cpu_kernels::product_functions> products;
  };
  using memory = cpu_kernels::aligned_memory;
  static constexpr attention_support attention = attention_support::of_16_bits;  // as on a GPU

  class resources {
   public:
    memory allocate(std::int64_t bytes) const { return memory(bytes); }
    host_executor& executor() { return executor_; }
    cpu_kernels::thread_team& team() { return team_; }

   private:
    host_executor executor_;
    cpu_kernels::thread_team team_{1};
  };

  host_backend(const kernel_table& kernels, resources& shared)
      : kernels_(kernels), executor_(&shared.executor()), team_(&shared.team()) {}

  void prepare(std::size_t i, const product_arguments& arguments, element) {
    cpu_kernels::reserve_workspace(*team_, arguments, kernels_.products[i].workspace);
  }
  std::size_t commands_at_once(const planned_command& command) const {
    return thrust_kernels::commands_at_once(kernels_, command);
  }
  int taken_along(std::size_t product) const { return thrust_kernels::taken_along(kernels_, product); }
  void run_fused_kernel(array_view<const planned_command> commands, const fused_kernel_arguments* arguments) {
    run_group(kernels_, commands, arguments, *executor_);
  }
  void run_product(array_view<const planned_command> commands, const product_arguments& arguments,
                   const fused_kernel_arguments* of_fused_kernels) {
    const auto i = static_cast<std::size_t>(commands[0].index);
    const finished_product f = with_fused_kernels(kernels_, commands, arguments, of_fused_kernels);
    cpu_kernels::run_split(*team_, kernels_.products[i].run, f.arguments);
    if (f.has_epilogue()) kernels_.finishes[i](f, *executor_);
    if (f.side != summed::nothing)
      run_gradient(kernels_, kernels_.gradients[i], of_fused_kernels, *executor_);
  }
  template <class F>
  void prepare(std::size_t, const F& planned, const typename F::arguments& arguments) {
    if (const std::int64_t bytes = family_workspace_bytes(planned, arguments); bytes > lent_memory_.size())
      lent_memory_ = memory(bytes);
  }
  template <class F>
  void run(std::size_t i, const F&, const typename F::arguments& arguments) {
    executor_->lend(lent_memory_.data());
    kernels_.of_families.template of<F>()[i](arguments, *executor_);
    executor_->faults()->check();
  }

 private:
  kernel_table kernels_;
  host_executor* executor_;
  cpu_kernels::thread_team* team_;
  memory lent_memory_;
};

}  // namespace tapeless::thrust_kernels
