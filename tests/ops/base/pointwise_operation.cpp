// SPDX-License-Identifier: BSL-1.0
// The contract of element-by-element operations.
#include <tapeless/ops/ops.hpp>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct named {
  static constexpr std::string_view name = "double";
};
struct of_one : tl::pointwise_operation<of_one, 1> {};
struct of_two : tl::pointwise_operation<of_two, 2> {};
struct of_three_with_a_condition : tl::pointwise_operation<of_three_with_a_condition, 3> {
  static constexpr int first_typed = 1;
};
struct of_booleans : tl::pointwise_operation<of_booleans, 1> {
  static constexpr tl::element_kind takes = tl::element_kind::booleans;
};
struct doubles {
  static constexpr auto apply(auto x) { return x + x; }
};
struct inverts {
  static constexpr bool apply(bool x) { return !x; }
};
struct adds {
  static constexpr auto apply(auto a, auto b) { return a + b; }
};
struct chooses {
  static constexpr auto apply(bool condition, auto a, auto b) { return condition ? a : b; }
};
struct writes {
  static constexpr void apply(auto) {}
};
struct slopes {
  static constexpr tl::value cotangent(tl::value g, tl::value, tl::value) { return g; }
};
struct two_slopes {
  static constexpr tl::value cotangent(int, tl::value g, tl::value, tl::value, tl::value) { return g; }
};
struct three_slopes {
  static constexpr tl::value cotangent(int, auto g, auto, auto, auto, auto) { return g; }
};

template <class... Parts>
using contract = tl::pointwise_contract<test::made_of<Parts...>>;

constexpr std::string_view apply = "apply(x...), static, which returns a number",
                           cotangent =
                               "cotangent(g, x, y), with several operands cotangent(k, g, x..., y), static, "
                               "which returns a value";

template <class... Operations>
constexpr bool all_are_pointwise(tl::operation_list<Operations...>) {
  return (tl::is_pointwise_operation<Operations> && ...);
}

}  // namespace

TEST_CASE("what has all that the contract asks for is an element-by-element operation") {
  STATIC_REQUIRE(test::lacks<contract<named, of_one, doubles, slopes>>(""));
  STATIC_REQUIRE(test::lacks<contract<named, of_booleans, inverts, slopes>>(""));
  STATIC_REQUIRE(test::lacks<contract<named, of_two, adds, two_slopes>>(""));
  STATIC_REQUIRE(test::lacks<contract<named, of_three_with_a_condition, chooses, three_slopes>>(""));
}

TEST_CASE("what lacks a part of it is none") {
  STATIC_REQUIRE(test::lacks<contract<of_one, doubles, slopes>>("name"));
  STATIC_REQUIRE(test::lacks<contract<named, of_one, slopes>>(apply));
  STATIC_REQUIRE(test::lacks<contract<named, of_one, writes, slopes>>(apply));
  STATIC_REQUIRE(test::lacks<contract<named, of_two, doubles, two_slopes>>(apply));
  STATIC_REQUIRE(test::lacks<contract<named, of_one, doubles>>(cotangent));
  STATIC_REQUIRE(test::lacks<contract<named, of_two, adds, slopes>>(cotangent));
  STATIC_REQUIRE_FALSE(
      tl::is_pointwise_operation<test::made_of<named, doubles, slopes>>);  // without the base
  STATIC_REQUIRE_FALSE(tl::is_pointwise_operation<int>);
}

TEST_CASE("the library's operations keep the contract") {
  STATIC_REQUIRE(all_are_pointwise(tl::pointwise_operations{}));
  STATIC_REQUIRE_FALSE(tl::is_pointwise_operation<tl::sum_operation>);
}
