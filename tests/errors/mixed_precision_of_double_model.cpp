// SPDX-License-Identifier: BSL-1.0
// Mixed precision of a model that has nothing to store in 16 bits.
// expect: mixed_precision<bf16> stores float parameters in 16 bits, but the rule changes no float parameter: leave
// reject: no matching function
// reject: no type named
// reject: has no member
#include <array>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
using number = float;
#else
using number = double;
#endif

constexpr auto model = [] { return tl::mean(tl::square(tl::linear<"fc", 2>(tl::input<"x", number, 4, 3>))); };

int main() {
  tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  const number x[12] = {};
  net.step("x"_t = x);
}
