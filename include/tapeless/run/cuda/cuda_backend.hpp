// SPDX-License-Identifier: BSL-1.0
// The backend that runs a plan's commands on a GPU: each function here starts a kernel on the trainer's
// stream, or adds it to the graph that is being captured there.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/structural/attention_support.hpp>
#include <tapeless/run/cuda/cublas_product.hpp>
#include <tapeless/run/cuda/cudnn_attention.hpp>
#include <tapeless/run/cuda/cudnn_operations.hpp>
#include <tapeless/run/cuda/cufft_transforms.hpp>
#include <tapeless/run/gpu/kernels/gpu_kernel_tables.hpp>
#include <tapeless/run/gpu/kernels/product_element.hpp>

namespace tapeless::cuda_kernels {

class backend {
 public:
  struct kernel_table : thrust_kernels::kernel_table<executor> {
    array_view<void (*const)(const thrust_kernels::finished_product&, executor&)> element_products;
    array_view<const std::string_view> operations;  // of each fused kernel
    std::string_view model;
  };
  using memory = cuda_kernels::memory;
  using resources = cuda_kernels::resources;
#ifdef TAPELESS_HAS_CUDNN
  static constexpr attention_support attention = attention_support::of_16_bits;
#else
  static constexpr attention_support attention =
      attention_support::none;  // products and a softmax are faster
#endif

  backend(const kernel_table& kernels, resources& shared) : kernels_(kernels), shared_(&shared) {}

  std::string_view model() const { return kernels_.model; }

  void prepare(std::size_t i, const product_arguments& arguments, element type) {
    if (products_.size() <= i) products_.resize(i + 1);
    products_[i].prepare(arguments, type, kernels_.epilogues[i], kernels_.gradients[i].side, *shared_,
                         {"matmul", kernels_.model});
  }
  std::size_t commands_at_once(const planned_command& command) const {
    return thrust_kernels::commands_at_once(kernels_, command);
  }
  int taken_along(std::size_t product) const { return thrust_kernels::taken_along(kernels_, product); }
  void run_fused_kernel(array_view<const planned_command> commands, const fused_kernel_arguments* arguments) {
    shared_->executor().begin(
        {kernels_.operations[static_cast<std::size_t>(commands[0].index)], kernels_.model});
    thrust_kernels::run_group(kernels_, commands, arguments, shared_->executor());
  }
  void run_product(array_view<const planned_command> commands, const product_arguments& arguments,
                   const fused_kernel_arguments* of_fused_kernels) {
    const auto i = static_cast<std::size_t>(commands[0].index);
    const thrust_kernels::finished_product f =
        with_fused_kernels(kernels_, commands, arguments, of_fused_kernels);
    const bool is_empty = arguments.m == 0 || arguments.n == 0 || arguments.batches == 0;
    const bool takes_sums_along = !is_empty && run_product(i, f);
    if (f.side == thrust_kernels::summed::nothing || takes_sums_along) return;
    const thrust_kernels::bias_gradient& gradient = kernels_.gradients[i];
    shared_->executor().begin(
        {kernels_.operations[static_cast<std::size_t>(gradient.fused_kernel)], kernels_.model});
    run_gradient(kernels_, gradient, of_fused_kernels, shared_->executor());
  }
  template <class F>
  void prepare(std::size_t i, const F& planned, const typename F::arguments& arguments) {
    if constexpr (is_known_to_cudnn<typename F::arguments>)
      cudnn_.prepare(i, arguments, planned.type, *shared_, {F::label, kernels_.model});
    if constexpr (std::is_same_v<F, planned_attention>)
      attention_.prepare(i, planned, arguments, *shared_, {F::label, kernels_.model});
    keep_for<F>(i);
    shared_->executor().begin({F::label, kernels_.model});
    prepare_kernel(kernels_.of_families.template of<F>()[i], arguments, shared_->executor());
    const std::int64_t bytes = std::max(thrust_kernels::family_workspace_bytes(planned, arguments),
                                        shared_->executor().wanted_bytes());
    if (bytes <= lent_bytes_) return;
    lent_memory_ = {};
    lent_bytes_ = 0;
    lent_memory_ = device_memory(bytes, "a kernel's workspace");
    lent_bytes_ = bytes;
  }
  template <class F>
  void run(std::size_t i, const F& planned, const typename F::arguments& arguments) {
    const activity during{F::label, kernels_.model};
    shared_->executor().begin(during);
    if constexpr (is_known_to_cudnn<typename F::arguments>)
      if (cudnn_.run(i, arguments, *shared_, during)) return;
    if constexpr (std::is_same_v<F, planned_attention>)
      if (attention_.run(i, planned, arguments, *shared_, during)) return;
    keep_for<F>(i);
    shared_->executor().lend(lent_memory_.get());
    kernels_.of_families.template of<F>()[i](arguments, shared_->executor());
  }

 private:
  kernel_table kernels_;
  resources* shared_;
  std::vector<product> products_;
  cudnn_operations cudnn_;
  cudnn_attention attention_;
  std::vector<std::shared_ptr<void>> kept_;  // what kernels keep that prepare themselves, by their numbers
  device_pointer lent_memory_;
  std::int64_t lent_bytes_ = 0;

  // The one family whose kernels prepare themselves has these places.
  template <class F>
  void keep_for(std::size_t i) {
    if constexpr (std::is_same_v<F, planned_fourier>) {
      if (kept_.size() <= i) kept_.resize(i + 1);
      shared_->executor().keep_in(kept_[i]);
    }
  }

  // Whether an operand's sums, if any are wanted, have been taken along.
  bool run_product(std::size_t i, const thrust_kernels::finished_product& f) {
    const activity during{"matmul", kernels_.model};
    shared_->executor().begin(during);
    if (!products_[i].is_ready()) {
      kernels_.element_products[i](f, shared_->executor());
      return false;
    }
    const bool takes_all_along = products_[i].run(f, *shared_, during);
    if (!takes_all_along && f.has_epilogue()) kernels_.finishes[i](f, shared_->executor());
    return takes_all_along;
  }
};

}  // namespace tapeless::cuda_kernels
