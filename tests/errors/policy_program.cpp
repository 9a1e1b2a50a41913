// SPDX-License-Identifier: BSL-1.0
// A policy whose programs do not say where outputs are.
// expect: without_outputs` is no program of a policy; it lacks: output(id) const
// reject: is no policy
// reject: is no backend
// reject: no matching function
// reject: use of deleted function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

struct without_outputs : tl::program_core<tl::cpu_kernels::backend> {
  using tl::program_core<tl::cpu_kernels::backend>::program_core;
  void output(int) const = delete;
};

struct own_policy {
#ifdef CORRECTED
  using program = tl::program_core<tl::cpu_kernels::backend>;
#else
  using program = without_outputs;
#endif
  using memory = tl::cpu_kernels::aligned_memory;
  struct resources : tl::cpu_kernels::backend::resources {
    explicit resources(const own_policy&) : tl::cpu_kernels::backend::resources(1) {}
  };
  template <class Program>
  static constexpr tl::cpu_kernels::kernel_table kernels = tl::cpu_kernels::kernels_of<Program>;
};

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
  tl::trainer net{model, tl::sgd({}), own_policy{}};
  net.step();
}
