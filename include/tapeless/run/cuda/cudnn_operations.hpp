// SPDX-License-Identifier: BSL-1.0
// All operations of one kind in a program that cuDNN may run, where TAPELESS_HAS_CUDNN says that the program
// is linked with it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tapeless/graph/core/element.hpp>
#include <tapeless/run/cuda/convolutions.hpp>
#include <tapeless/run/cuda/poolings.hpp>
#include <tapeless/run/cuda/resources.hpp>

namespace tapeless::cuda_kernels {

#ifdef TAPELESS_HAS_CUDNN

/// The plans of operations, with the memory that they share. Of an operation's arguments there is
///   operation_of(arguments, type)   what it is for cuDNN; nothing where that has no such operation
///   operands_of(arguments)          in the order of the operation's tensors
class cudnn_operations {
 public:
  template <class Arguments>
  void prepare(std::size_t i, const Arguments& arguments, element type, resources& shared,
               const activity& during) {
    if (plans_.size() <= i) plans_.resize(i + 1);
    const cudnn_operation operation = operation_of(arguments, type);
    plans_[i] = {};
    if (operation.empty()) return;  // nor is cuDNN started for it
    const cudnn_limits limits{shared.products() == float_products::tf32, shared.most_workspace_bytes()};
    plans_[i] = {operation, type, limits, cudnn_device{shared.cudnn()}, during};
    if (plans_[i].workspace_bytes() <= workspace_bytes_) return;
    workspace_ = {};
    workspace_bytes_ = 0;
    workspace_ = device_memory(plans_[i].workspace_bytes(), "cuDNN's workspace");
    workspace_bytes_ = plans_[i].workspace_bytes();
  }

  /// False where cuDNN has nothing for it.
  template <class Arguments>
  bool run(std::size_t i, const Arguments& arguments, resources& shared, const activity& during) const {
    const auto operands = operands_of(arguments);
    std::uintptr_t bits = 0;
    for (void* const p : operands) bits |= reinterpret_cast<std::uintptr_t>(p);
    if (!plans_[i].is_ready() || bits % cudnn_alignment != 0) return false;
    plans_[i].run(operands, workspace_.get(), shared.cudnn(), during);
    return true;
  }

 private:
  std::vector<cudnn_plan> plans_;
  device_pointer workspace_;
  std::int64_t workspace_bytes_ = 0;
};

/// Whether an operation of cuDNN's may be made of such arguments.
template <class Arguments>
concept is_known_to_cudnn = requires(const Arguments& arguments) { operation_of(arguments, element::f32); };

#else

struct cudnn_operations {};
template <class>
inline constexpr bool is_known_to_cudnn = false;

#endif

/// Those of one family.
template <class F>
struct cudnn_of_family {
  cudnn_operations items;
};

}  // namespace tapeless::cuda_kernels
