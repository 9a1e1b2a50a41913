// SPDX-License-Identifier: BSL-1.0
// The machine that runs a plan's steps on a GPU: each call starts a kernel on the trainer's stream, or adds
// it to the graph that is being captured there.
#pragma once

#include <tapeless/graph/array_view.hpp>
#include <tapeless/run/cuda/cudnn_operations.hpp>
#include <tapeless/run/cuda/product.hpp>
#include <tapeless/run/thrust/kernels.hpp>
#include <tapeless/run/thrust/product_element.hpp>

namespace tapeless::cuda_kernels {

class machine {
 public:
  struct kernel_table : thrust_kernels::kernel_table<executor> {
    array_view<void (*const)(const thrust_kernels::finished_product&, executor&)> element_products;
    array_view<const std::string_view> operations;  // of each pass
    std::string_view model;
  };
  using memory = cuda_kernels::memory;
  using resources = cuda_kernels::resources;

  machine(const kernel_table& kernels, resources& shared) : kernels_(kernels), shared_(&shared) {}

  std::string_view model() const { return kernels_.model; }

  void prepare(std::size_t i, const product_call& call, element type) {
    if (products_.size() <= i) products_.resize(i + 1);
    products_[i].prepare(call, type, kernels_.epilogues[i], kernels_.gradients[i].side, *shared_,
                         {"matmul", kernels_.model});
  }
  std::size_t steps_at_once(const planned_step& step) const {
    return thrust_kernels::steps_at_once(kernels_, step);
  }
  void run_pass(array_view<const planned_step> steps, const pass_call* calls) {
    shared_->executor().begin(
        {kernels_.operations[static_cast<std::size_t>(steps[0].index)], kernels_.model});
    thrust_kernels::run_group(kernels_, steps, calls, shared_->executor());
  }
  void run_product(array_view<const planned_step> steps, const product_call& call, const pass_call* passes) {
    const auto i = static_cast<std::size_t>(steps[0].index);
    const thrust_kernels::finished_product f = with_passes(kernels_, steps, call, passes);
    const bool is_empty = call.m == 0 || call.n == 0 || call.batches == 0;
    const bool takes_sums_along = !is_empty && run_product(i, f);
    if (f.side == thrust_kernels::summed::nothing || takes_sums_along) return;
    const thrust_kernels::bias_gradient& gradient = kernels_.gradients[i];
    shared_->executor().begin({kernels_.operations[static_cast<std::size_t>(gradient.pass)], kernels_.model});
    run_gradient(kernels_, gradient, passes, shared_->executor());
  }
  void prepare_convolution(std::size_t i, const convolution_call& call, element type) {
    convolutions_.prepare(i, call, type, *shared_, {"convolution", kernels_.model});
  }
  void run_convolution(std::size_t i, const convolution_call& call) {
    const activity during{"convolution", kernels_.model};
    shared_->executor().begin(during);
    if (!convolutions_.run(i, call, *shared_, during)) kernels_.convolutions[i](call, shared_->executor());
  }
  void prepare_pooling(std::size_t i, const pooling_call& call, element type) {
    poolings_.prepare(i, call, type, *shared_, {"pool", kernels_.model});
  }
  void run_pooling(std::size_t i, const pooling_call& call) {
    const activity during{"pool", kernels_.model};
    shared_->executor().begin(during);
    if (!poolings_.run(i, call, *shared_, during)) kernels_.poolings[i](call, shared_->executor());
  }
  void prepare_walk(const walk_call& call, const planned_walk& walk) {
    const std::int64_t bytes = thrust_kernels::walk_bytes(call, walk);
    if (bytes <= walk_bytes_) return;
    walk_memory_ = {};
    walk_bytes_ = 0;
    walk_memory_ = device_memory(bytes, "the memory of elements that are sorted by an index");
    walk_bytes_ = bytes;
  }
  void run_walk(std::size_t i, const walk_call& call) {
    shared_->executor().begin({"of an index or along an axis", kernels_.model});
    shared_->executor().lend(walk_memory_.get());
    kernels_.walks[i](call, shared_->executor());
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
