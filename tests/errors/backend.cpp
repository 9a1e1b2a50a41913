// SPDX-License-Identifier: BSL-1.0
// A policy whose backend runs no products: said of the backend, and of nothing that is made of it.
// both compilers
// expect: without_products` is no backend; it lacks: run_product(commands, arguments, of_fused_kernels)
// reject: run_fused_kernel(commands
// reject: is no policy
// reject: is no program
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

class without_products {
 public:
  using kernel_table = tl::cpu_kernels::kernel_table;
  using memory = tl::cpu_kernels::aligned_memory;
  using resources = tl::cpu_kernels::backend::resources;
  using commands = tl::array_view<const tl::planned_command>;

  without_products(const kernel_table&, resources&) {}
  void prepare(std::size_t, const tl::product_arguments&, tl::element) {}
  std::size_t commands_at_once(const tl::planned_command&) const { return 1; }
  void run_fused_kernel(commands, const tl::fused_kernel_arguments*) {}
};

struct own_policy {
#ifdef CORRECTED
  using program = tl::program_core<tl::cpu_kernels::backend>;
#else
  using program = tl::program_core<without_products>;
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
  tl::function f{model, own_policy{}};
  f();
}
