// SPDX-License-Identifier: BSL-1.0
// The contracts of policies and of their programs.
#include <tapeless/run/common/policy.hpp>

#include "catch.hpp"
#include "contracts.hpp"
#include "policies.hpp"

namespace tl = tapeless;

namespace {

struct any_resources {
  template <class Policy>
  explicit any_resources(const Policy&) {}
};
struct has_program {
  using program = tl::cpu::program;
};
struct has_memory {
  using memory = tl::cpu::memory;
};
struct has_resources {
  using resources = any_resources;
};
struct has_others_resources {
  struct resources {};
};

template <class... Parts>
using contract = tl::policy_contract<test::made_of<Parts...>>;

struct types {
  static constexpr bool whole_windows = false;
  using resources = any_resources;
};
struct plans {
  const tl::plan_view& plan() const;
};
struct prepares {
  template <class Symbols>
  void prepare(Symbols);
  std::int64_t extent(std::int64_t) const;
};
struct runs {
  void run(tl::array_view<const std::byte* const>);
};
struct runs_on_device {
  int device() const;
  void run(tl::array_view<const std::byte* const>, tl::array_view<const std::byte* const>);
};
struct shows {
  const std::byte* output(int) const;
};
struct overwrites_bytes {
  bool overwrites(tl::array_view<const std::byte>) const;
};
struct counts_bytes {
  std::int64_t arena_bytes() const;
};

template <class... Parts>
using program = tl::program_contract<test::made_of<Parts...>>;

}  // namespace

TEST_CASE("what has a program, memory and resources is a policy") {
  constexpr std::string_view resources = "the type resources, made from the policy";
  STATIC_REQUIRE(test::lacks<contract<has_program, has_memory, has_resources>>(""));
  STATIC_REQUIRE(test::lacks<contract<has_memory, has_resources>>("the type program"));
  STATIC_REQUIRE(test::lacks<contract<has_program, has_resources>>("the type memory"));
  STATIC_REQUIRE(test::lacks<contract<has_program, has_memory>>(resources));
  STATIC_REQUIRE(test::lacks<contract<has_program, has_memory, has_others_resources>>(resources));
  STATIC_REQUIRE_FALSE(tl::is_policy<int>);
}

TEST_CASE("what is made ready and runs is a program") {
  STATIC_REQUIRE(
      test::lacks<program<types, plans, prepares, runs, shows, overwrites_bytes, counts_bytes>>(""));
  STATIC_REQUIRE(
      test::lacks<program<types, plans, prepares, runs_on_device, shows, overwrites_bytes, counts_bytes>>(
          ""));
  STATIC_REQUIRE(
      test::lacks<program<types, prepares, runs, shows, overwrites_bytes, counts_bytes>>("plan() const"));
  STATIC_REQUIRE(
      test::lacks<program<types, plans, prepares, shows, overwrites_bytes, counts_bytes>>("run(inputs)"));
  STATIC_REQUIRE(
      test::lacks<program<types, plans, prepares, runs, overwrites_bytes, counts_bytes>>("output(id) const"));
  STATIC_REQUIRE(
      test::lacks<program<types, plans, prepares, runs, shows, counts_bytes>>("overwrites(bytes) const"));
  STATIC_REQUIRE(
      test::lacks<program<types, plans, prepares, runs, shows, overwrites_bytes>>("arena_bytes() const"));
  STATIC_REQUIRE_FALSE(tl::is_kept<program<plans, prepares, runs, shows, overwrites_bytes, counts_bytes>>());
  STATIC_REQUIRE_FALSE(tl::is_kept<program<types, plans, runs, shows, overwrites_bytes, counts_bytes>>());
}

TEST_CASE("the library's policies keep their contract") {
  STATIC_REQUIRE(tl::is_policy<tl::cpu>);
  STATIC_REQUIRE(tl::is_kept<tl::program_contract<tl::cpu::program>>());
#ifdef TAPELESS_HAS_THRUST
  STATIC_REQUIRE(tl::is_policy<tl::thrust_host>);
  STATIC_REQUIRE(tl::is_kept<tl::program_contract<tl::thrust_host::program>>());
#endif
}
