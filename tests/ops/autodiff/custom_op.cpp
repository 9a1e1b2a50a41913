// SPDX-License-Identifier: BSL-1.0
// The contract of custom operations.
#include <tapeless/ops/ops.hpp>

#include <tuple>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct forward_of_one {
  static constexpr auto forward(auto x) { return x * x; }
};
struct forward_of_two {
  static constexpr tl::value forward(tl::value a, tl::value b) { return a * b; }
};
struct forward_of_none {
  static constexpr void forward(tl::value) {}
};
struct backward_of_one {
  static constexpr auto backward(auto g, auto x, auto) { return 2.0 * x * g; }
};
struct backward_in_a_tuple {
  static constexpr auto backward(auto g, auto, auto) { return std::tuple(g); }
};
struct backward_of_two {
  static constexpr auto backward(auto g, auto a, auto b, auto) { return std::tuple(g * b, g * a); }
};
struct backward_of_the_first {
  static constexpr auto backward(auto g, auto, auto b, auto) { return g * b; }
};
struct backward_to_a_number {
  static constexpr double backward(auto, auto, auto) { return 1; }
};

template <int Operands, class... Parts>
using contract = tl::custom_op_contract<test::made_of<tl::custom_op, Parts...>, Operands>;

constexpr std::string_view forward = "forward(x...), static, which returns a value",
                           backward =
                               "backward(g, x..., y), static, which returns a value, or a std::tuple "
                               "of as many as there are operands";

}  // namespace

TEST_CASE("what has a forward and a backward is a custom operation") {
  STATIC_REQUIRE(test::lacks<contract<1, forward_of_one, backward_of_one>>(""));
  STATIC_REQUIRE(test::lacks<contract<1, forward_of_one, backward_in_a_tuple>>(""));
  STATIC_REQUIRE(test::lacks<contract<2, forward_of_two, backward_of_two>>(""));
  STATIC_REQUIRE(tl::is_custom_op<test::made_of<tl::custom_op, forward_of_one, backward_of_one>, 1>);
}

TEST_CASE("what lacks one of them, or has them for other operands, is none") {
  STATIC_REQUIRE(test::lacks<contract<1, backward_of_one>>(forward));
  STATIC_REQUIRE(test::lacks<contract<1, forward_of_none, backward_of_one>>(forward));
  STATIC_REQUIRE(test::lacks<contract<2, forward_of_one, backward_of_two>>(forward));
  STATIC_REQUIRE(test::lacks<contract<1, forward_of_one>>(backward));
  STATIC_REQUIRE(test::lacks<contract<1, forward_of_one, backward_to_a_number>>(backward));
  STATIC_REQUIRE(test::lacks<contract<2, forward_of_two, backward_of_the_first>>(backward));
  STATIC_REQUIRE(test::lacks<tl::custom_op_contract<test::made_of<forward_of_one, backward_of_one>, 1>>(
      "the base custom_op"));
  STATIC_REQUIRE_FALSE(tl::is_custom_op<int, 1>);
}
