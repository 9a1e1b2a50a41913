// SPDX-License-Identifier: BSL-1.0
// The contracts of backends and of their memory.
#include <tapeless/run/common/backend.hpp>

#include "catch.hpp"
#include "contracts.hpp"
#include "policies.hpp"

namespace tl = tapeless;

namespace {

struct has_size {
  std::int64_t size() const { return 0; }
};
struct has_data {
  std::byte* data() const { return nullptr; }
};
struct has_data_to_read_only {
  const std::byte* data() const { return nullptr; }
};
struct overwrites {
  std::byte* data_to_overwrite() const { return nullptr; }
};
struct has_program_data {
  std::byte* program_data() const { return nullptr; }
};
struct is_not_copied {
  tl::host_shadow* copied_by() const { return nullptr; }
};
struct stays {
  stays() = default;
  stays(const stays&) = delete;
  stays& operator=(const stays&) = delete;
};

template <class... Parts>
using memory = tl::memory_contract<test::made_of<Parts...>>;
using whole_memory = test::made_of<has_size, has_data, overwrites, has_program_data, is_not_copied>;

struct has_kernels {
  struct kernel_table {};
};
struct has_resources {
  struct resources {
    whole_memory allocate(std::int64_t) { return {}; }
  };
};
struct has_memory {
  using memory = whole_memory;
};
struct has_other_memory {
  using memory = tl::cpu::memory;
};
struct prepares {
  void prepare(std::size_t, const tl::product_arguments&, tl::element) {}
};
struct groups {
  std::size_t commands_at_once(const tl::planned_command&) const { return 1; }
};
using commands = tl::array_view<const tl::planned_command>;
struct runs_kernels {
  void run_fused_kernel(commands, const tl::fused_kernel_arguments*) {}
};
struct runs_products {
  void run_product(commands, const tl::product_arguments&, const tl::fused_kernel_arguments*) {}
};

/// Made of a kernel table and resources, besides what the parts have.
template <class... Parts>
struct made : Parts... {
  template <class Kernels, class Resources>
  made(const Kernels&, Resources&) {}
};
template <class... Parts>
using backend = tl::backend_contract<made<Parts...>>;

}  // namespace

TEST_CASE("what has a size and three places is memory") {
  STATIC_REQUIRE(test::lacks<tl::memory_contract<whole_memory>>(""));
  STATIC_REQUIRE(test::lacks<memory<has_data, overwrites, has_program_data, is_not_copied>>("size() const"));
  STATIC_REQUIRE(test::lacks<memory<has_size, overwrites, has_program_data, is_not_copied>>("data() const"));
  STATIC_REQUIRE(
      test::lacks<memory<has_size, has_data_to_read_only, overwrites, has_program_data, is_not_copied>>(
          "data() const"));
  STATIC_REQUIRE(
      test::lacks<memory<has_size, has_data, has_program_data, is_not_copied>>("data_to_overwrite() const"));
  STATIC_REQUIRE(test::lacks<memory<has_size, has_data, overwrites, is_not_copied>>("program_data() const"));
  STATIC_REQUIRE(test::lacks<memory<has_size, has_data, overwrites, has_program_data>>("copied_by() const"));
  STATIC_REQUIRE(test::lacks<memory<has_size, has_data, overwrites, has_program_data, is_not_copied, stays>>(
      "a start without arguments, and moves"));
}

TEST_CASE("what runs kernels and products is a backend") {
  STATIC_REQUIRE(test::lacks<backend<has_kernels, has_resources, has_memory, prepares, groups, runs_kernels,
                                     runs_products>>(""));
  STATIC_REQUIRE(
      test::lacks<backend<has_kernels, has_resources, has_memory, groups, runs_kernels, runs_products>>(
          "prepare(i, arguments, type)"));
  STATIC_REQUIRE(
      test::lacks<backend<has_kernels, has_resources, has_memory, prepares, runs_kernels, runs_products>>(
          "commands_at_once(command) const"));
  STATIC_REQUIRE(
      test::lacks<backend<has_kernels, has_resources, has_memory, prepares, groups, runs_products>>(
          "run_fused_kernel(commands, arguments)"));
  STATIC_REQUIRE(test::lacks<backend<has_kernels, has_resources, has_memory, prepares, groups, runs_kernels>>(
      "run_product(commands, arguments, of_fused_kernels)"));
  STATIC_REQUIRE(
      test::lacks<backend<has_kernels, has_resources, has_other_memory, prepares, groups, runs_kernels,
                          runs_products>>("the type memory, which resources.allocate(bytes) returns"));
  STATIC_REQUIRE(
      test::lacks<tl::backend_contract<test::made_of<has_kernels, has_resources, has_memory, prepares, groups,
                                                     runs_kernels, runs_products>>>(
          "a constructor from a kernel_table and resources"));
  // without kernels or resources nothing can be made of them, either
  STATIC_REQUIRE_FALSE(
      tl::is_backend<made<has_resources, has_memory, prepares, groups, runs_kernels, runs_products>>);
  STATIC_REQUIRE_FALSE(
      tl::is_backend<made<has_kernels, has_memory, prepares, groups, runs_kernels, runs_products>>);
}

TEST_CASE("the library's backends and their memory keep the contracts") {
  STATIC_REQUIRE(tl::is_backend<tl::cpu_kernels::backend>);
  STATIC_REQUIRE(tl::is_memory<tl::cpu_kernels::backend::memory>);
#ifdef TAPELESS_HAS_THRUST
  STATIC_REQUIRE(tl::is_backend<tl::thrust_kernels::host_backend>);
  STATIC_REQUIRE(tl::is_memory<tl::thrust_kernels::host_backend::memory>);
#endif
}
