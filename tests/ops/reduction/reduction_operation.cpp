// SPDX-License-Identifier: BSL-1.0
// The contract of reductions.
#include <tapeless/ops/ops.hpp>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct named {
  static constexpr std::string_view name = "total";
};
struct starts {
  template <class T>
  static constexpr T identity = 0;
};
struct adds {
  static constexpr auto combine(auto a, auto b) { return a + b; }
};
struct forgets {
  static constexpr void combine(auto, auto) {}
};
struct spreads {
  static constexpr tl::value cotangent(tl::value g, tl::value, tl::value) { return g; }
};
struct spreads_by_number {
  static constexpr tl::value cotangent(int, tl::value g, tl::value, tl::value) { return g; }
};
struct operates {
  static constexpr tl::operation op = tl::sum_operation::op;
};

template <class... Parts>
using contract = tl::reduction_contract<test::made_of<Parts...>>;

constexpr std::string_view combine = "combine(a, b), static, which returns a number",
                           cotangent = "cotangent(g, x, y), static, which returns a value";

template <class... Operations>
constexpr bool all_are_reductions(tl::operation_list<Operations...>) {
  return (tl::is_reduction_operation<Operations> && ...);
}

}  // namespace

TEST_CASE("what has all that the contract asks for is a reduction") {
  STATIC_REQUIRE(test::lacks<contract<named, starts, adds, spreads, operates>>(""));
}

TEST_CASE("what lacks a part of it is none") {
  STATIC_REQUIRE(test::lacks<contract<starts, adds, spreads, operates>>("name"));
  STATIC_REQUIRE(test::lacks<contract<named, adds, spreads, operates>>("identity<T>, a constant"));
  STATIC_REQUIRE(test::lacks<contract<named, starts, spreads, operates>>(combine));
  STATIC_REQUIRE(test::lacks<contract<named, starts, forgets, spreads, operates>>(combine));
  STATIC_REQUIRE(test::lacks<contract<named, starts, adds, operates>>(cotangent));
  STATIC_REQUIRE(test::lacks<contract<named, starts, adds, spreads_by_number, operates>>(cotangent));
  STATIC_REQUIRE(test::lacks<contract<named, starts, adds, spreads>>("op, a constant operation"));
  STATIC_REQUIRE_FALSE(tl::is_reduction_operation<int>);
}

TEST_CASE("the library's reductions keep the contract") {
  STATIC_REQUIRE(all_are_reductions(tl::reduction_operations{}));
  STATIC_REQUIRE_FALSE(tl::is_reduction_operation<tl::add_operation>);
}
