// SPDX-License-Identifier: BSL-1.0
// A function on tl::bare that is const.
// expect: a trainer, as a function on tl::bare, computes in memory of its own, so it cannot be const where it is
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::linear<"a", 2>(tl::input<"x", float, 4>); };

int main() {
#ifdef CORRECTED
  tl::function f{model, tl::bare{}};
#else
  const tl::function f{model, tl::bare{}};
#endif
  const float x[4] = {1, 0, 0, 1};
  return f("x"_t = x).is_valid() ? 0 : 1;
}
