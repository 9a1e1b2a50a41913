// SPDX-License-Identifier: BSL-1.0
// Whether a program is worth more than one thread.
#pragma once

#include <cstdint>

#include <tapeless/run/cpu/threads/thread_team.hpp>
#include <tapeless/run/cpu/threads/work_estimates.hpp>

namespace tapeless::cpu_kernels {

/// The work of a program's fused kernels and products, by estimates. Threads share the large ones, if these
/// are half of it or more. Else little is gained, and the others take longer, as part of what they read is in
/// another core's caches then. A recurrent layer whose gates are small, and whose products over all
/// iterations are not, took a fifth longer on two threads than on one.
class program_work {
 public:
  void add(const fused_kernel_arguments& arguments, std::int64_t times) {
    add(nanoseconds_of(arguments, iterations_of(arguments)), times);
  }
  void add(const product_arguments& arguments, std::int64_t times) { add(nanoseconds_of(arguments), times); }

  bool is_shared() const { return shared_ >= 0.5 * all_; }

 private:
  double all_ = 0, shared_ = 0;

  void add(double nanoseconds, std::int64_t times) {
    const double total = nanoseconds * static_cast<double>(times);
    all_ += total;
    if (nanoseconds >= 2 * least_nanoseconds) shared_ += total;
  }
};

}  // namespace tapeless::cpu_kernels
