// SPDX-License-Identifier: BSL-1.0
// A policy whose memory does not say where its bytes are: said of the memory, once.
// both compilers
// expect: without_data` is no memory of a backend; it lacks: data() const
// reject: size() const
// reject: is no policy
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

class without_data {
 public:
  std::int64_t size() const { return 0; }
  std::byte* data_to_overwrite() const { return nullptr; }
  std::byte* program_data() const { return nullptr; }
  tl::host_shadow* copied_by() const { return nullptr; }
};

struct own_policy {
  using program = tl::program_core<tl::cpu_kernels::backend>;
#ifdef CORRECTED
  using memory = tl::cpu_kernels::aligned_memory;
#else
  using memory = without_data;
#endif
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
