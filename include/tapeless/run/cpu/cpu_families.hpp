// SPDX-License-Identifier: BSL-1.0
// The kernel families that the CPU has kernels for: a header of each, in which kernel_for<key>() is a kernel.
// Convolutions and poolings are made of products and fused kernels there.
#pragma once

#include <tapeless/run/common/family_kernels.hpp>
#include <tapeless/run/cpu/cpu_gather.hpp>
#include <tapeless/run/cpu/cpu_prefix_scan.hpp>
#include <tapeless/run/cpu/cpu_scatter.hpp>

namespace tapeless::cpu_kernels {

using families = family_list<planned_gather, planned_scatter, planned_prefix_scan>;

struct family_kernel_finder {
  template <auto Key>
  static constexpr auto kernel() {
    return kernel_for<Key>();
  }
};

template <class F>
using family_kernels = kernels_of_family<F>;

}  // namespace tapeless::cpu_kernels
