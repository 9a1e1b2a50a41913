// SPDX-License-Identifier: BSL-1.0
// The GPU policy: what a trainer or function is told to run on. It is compiled by nvcc.
#pragma once

#ifndef __CUDACC__
#error "tapeless: tl::cuda is compiled by nvcc: name the source file .cu, or say -x cu"
#endif

#include <tapeless/run/cuda/cuda_program.hpp>
#include <tapeless/run/cuda/operation_names.hpp>

namespace tapeless {

/// Runs programs on an NVIDIA GPU: fused kernels by CUB and Thrust, matrix products by cuBLASLt, a whole step
/// as one CUDA graph. step() returns before the step is done; reading a result waits for it.
struct cuda {
  int device = 0;     ///< as cudaSetDevice counts them
  bool tf32 = false;  ///< products of float with operands rounded to 10 bits of mantissa: faster, less exact

  using program = cuda_kernels::program;
  using memory = cuda_kernels::memory;
  /// What the programs of one trainer share. Throws an error where there is no device of that number, or its
  /// driver is too old.
  class resources : public cuda_kernels::resources {
   public:
    explicit resources(const cuda& policy)
        : cuda_kernels::resources(policy.device, policy.tf32 ? cuda_kernels::float_products::tf32
                                                             : cuda_kernels::float_products::f32) {}
  };

  template <class GraphBuilder>
  static constexpr cuda_kernels::backend::kernel_table kernels{
      thrust_kernels::kernels_of<GraphBuilder, cuda_kernels::executor>,
      thrust_kernels::element_products_of<GraphBuilder, cuda_kernels::executor>,
      cuda_kernels::operation_names_of<GraphBuilder>, cuda_kernels::model_name_of<GraphBuilder>};
  /// For each command that begins a launch, how many commands the launch has.
  template <class GraphBuilder>
  static constexpr array_view<const std::size_t> commands_at_once =
      thrust_kernels::commands_at_once_of<GraphBuilder>;
};

}  // namespace tapeless
