// SPDX-License-Identifier: BSL-1.0
// Numbers in a model, as they are written.
#include "catch.hpp"

#include <numbers>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/lower.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

template <class E>
constexpr double number(E) {
  struct model {
    constexpr auto operator()() const { return E{}; }
  };
  return tl::constant_graph_of<tl::lower<model>>.nodes[0].number;
}

static_assert(number(2_c) == 2 && number(0_c) == 0 && number(0.5_c) == 0.5 && number(.25_c) == 0.25);
static_assert(number(1e3_c) == 1000 && number(1e-3_c) == 1e-3 && number(2.5E+2_c) == 250 &&
              number(12.e-1_c) == 1.2);
static_assert(number(1'000'000_c) == 1e6 && number(0.1_c) == 0.1 && number(3.14159265_c) == 3.14159265);
static_assert(number(1e-8_c) == 1e-8 && number(0.999_c) == 0.999 && number(123456789.125_c) == 123456789.125);
static_assert(number(tl::constant<std::numbers::pi>) == std::numbers::pi && number(tl::constant<-3>) == -3);

}  // namespace

TEST_CASE("constants are what was written") { SUCCEED(); }
