// SPDX-License-Identifier: BSL-1.0
// Parameters of f16 with a rule whose first steps are too small for them.
// both compilers
// expect: prodigy's first steps are too small for f16, which parameters of this model have: write the model in float and train it by tl::mixed_precision<tl::f16>(prodigy({..}))
// reject: no matching function
// reject: constant expression
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
using number = float;
#else
using number = tl::f16;
#endif
constexpr auto model = [] {
  auto x = tl::input<"x", number, 8, 4>;
  return tl::mean(tl::square(tl::linear<"fc", 2>(x)));
};

int main() {
  const auto rule = [] { return tl::prodigy({}); };
#ifdef CORRECTED
  tl::trainer net{model, tl::mixed_precision<tl::f16>(rule())};
#else
  tl::trainer net{model, rule()};
#endif
}
