// SPDX-License-Identifier: BSL-1.0
// All convolutions of a program, which cuDNN may run where TAPELESS_HAS_CUDNN says that the program is linked
// with it. Pools are never cuDNN's: on an H200 our kernels are faster, and cuDNN's gradients of means fail
// when they are run.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <tapeless/graph/core/element.hpp>
#include <tapeless/plan/families/planned_convolution.hpp>
#include <tapeless/run/cuda/convolutions.hpp>
#include <tapeless/run/cuda/resources.hpp>
#include <tapeless/run/gpu/kernels/convolution_kernel.hpp>

namespace tapeless::cuda_kernels {

#ifdef TAPELESS_HAS_CUDNN

/// Their plans, with the memory that these share.
class cudnn_operations {
 public:
  void prepare(std::size_t i, const convolution_arguments& arguments, element type, resources& shared,
               const activity& during) {
    if (plans_.size() <= i) plans_.resize(i + 1);
    plans_[i] = {};
    const cudnn_limits limits{shared.products() == float_products::tf32, shared.most_workspace_bytes()};
    if (is_faster_here(arguments, type, limits)) return;
    const cudnn_operation operation = operation_of(arguments, type);
    if (operation.empty()) return;  // nor is cuDNN started for it
    plans_[i] = {operation, type, limits, cudnn_device{shared.cudnn()}, during};
    if (plans_[i].workspace_bytes() <= workspace_bytes_) return;
    workspace_ = {};
    workspace_bytes_ = 0;
    workspace_ = device_memory(plans_[i].workspace_bytes(), "cuDNN's workspace");
    workspace_bytes_ = plans_[i].workspace_bytes();
  }

  /// False where cuDNN has nothing for it.
  bool run(std::size_t i, const convolution_arguments& arguments, resources& shared,
           const activity& during) const {
    const auto operands = operands_of(arguments);
    std::uintptr_t bits = 0;
    for (void* const p : operands) bits |= reinterpret_cast<std::uintptr_t>(p);
    if (!plans_[i].is_ready() || bits % cudnn_alignment != 0) return false;
    static constexpr std::array<std::int64_t, 3> ids{1, 2, 3};
    plans_[i].run(ids, operands, workspace_.get(), shared.cudnn(), during);
    return true;
  }

 private:
  std::vector<cudnn_plan> plans_;
  device_pointer workspace_;
  std::int64_t workspace_bytes_ = 0;

  // Gradients of small weights: of 32 filters of 3 channels, 3 by 3, over 256 images of 32 by 32, our kernel
  // takes 45 microseconds on an H200, and cuDNN's exact engines that add up in a fixed order 440 and more.
  static bool is_faster_here(const convolution_arguments& a, element type, const cudnn_limits& limits) {
    return a.computes == convolution_part::weight && !is_half(type) && !limits.allows_tf32 &&
           a.in / a.groups * a.kernel[0] * a.kernel[1] <= thrust_kernels::small_tile;
  }
};

#else

/// None, as there is no cuDNN.
struct cudnn_operations {
  void prepare(std::size_t, const convolution_arguments&, element, resources&, const activity&) {}
  bool run(std::size_t, const convolution_arguments&, resources&, const activity&) const { return false; }
};

#endif

/// Whether an operation of cuDNN's may be made of such arguments.
template <class Arguments>
concept is_known_to_cudnn = std::is_same_v<Arguments, convolution_arguments>;

}  // namespace tapeless::cuda_kernels
