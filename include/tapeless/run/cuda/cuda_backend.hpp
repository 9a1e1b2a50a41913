// SPDX-License-Identifier: BSL-1.0
// The backend that runs a plan's commands on a GPU: each function here starts a kernel on the trainer's
// stream, or adds it to the graph that is being captured there.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/run/cuda/cublas_product.hpp>
#include <tapeless/run/cuda/cudnn_operations.hpp>
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
  void prepare_convolution(std::size_t i, const convolution_arguments& arguments, element type) {
    convolutions_.prepare(i, arguments, type, *shared_, {"convolution", kernels_.model});
  }
  void run_convolution(std::size_t i, const convolution_arguments& arguments) {
    const activity during{"convolution", kernels_.model};
    shared_->executor().begin(during);
    if (!convolutions_.run(i, arguments, *shared_, during))
      kernels_.convolutions[i](arguments, shared_->executor());
  }
  void prepare_pooling(std::size_t i, const pooling_arguments& arguments, element type) {
    poolings_.prepare(i, arguments, type, *shared_, {"pool", kernels_.model});
  }
  void run_pooling(std::size_t i, const pooling_arguments& arguments) {
    const activity during{"pool", kernels_.model};
    shared_->executor().begin(during);
    if (!poolings_.run(i, arguments, *shared_, during)) kernels_.poolings[i](arguments, shared_->executor());
  }
  void prepare_walk(const walk_arguments& arguments, const planned_walk& walk) {
    const std::int64_t bytes = thrust_kernels::walk_bytes(arguments, walk);
    if (bytes <= walk_bytes_) return;
    walk_memory_ = {};
    walk_bytes_ = 0;
    walk_memory_ = device_memory(bytes, "the memory of elements that are sorted by an index");
    walk_bytes_ = bytes;
  }
  void run_walk(std::size_t i, const walk_arguments& arguments) {
    shared_->executor().begin({"of an index or along an axis", kernels_.model});
    shared_->executor().lend(walk_memory_.get());
    kernels_.walks[i](arguments, shared_->executor());
  }

 private:
  kernel_table kernels_;
  resources* shared_;
  std::vector<product> products_;
  cudnn_operations convolutions_, poolings_;
  device_pointer walk_memory_;
  std::int64_t walk_bytes_ = 0;

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
