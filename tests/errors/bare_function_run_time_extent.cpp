// SPDX-License-Identifier: BSL-1.0
// An extent that a function on tl::bare would only know at run time.
// lines: 20
// expect: tl::bare knows all extents while compiling, but "batch" is a run-time extent: give a number in
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
constexpr int batch = 8;
#else
constexpr auto batch = tl::dyn<"batch">;
#endif

constexpr auto model = [] { return tl::linear<"a", 2>(tl::input<"x", float, batch, 4>); };

alignas(64) constexpr unsigned char flash[64] = {};

int main() {
  tl::function f{model, tl::weights(flash), tl::bare{}};
  f.seed(2);
  const float x[32] = {1};
  return f("x"_t = x).is_valid() ? 0 : 1;
}
