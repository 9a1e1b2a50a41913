// SPDX-License-Identifier: BSL-1.0
// A model that captures a variable.
// both compilers
// lines: 20
// first: the model has captures, but is run while compiling: give what changes as inputs or run-time extents,
// expect: the model has captures, but is run while compiling: give what changes as inputs or run-time extents,
// expect: and what is fixed as constexpr variables or template arguments
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  tl::function f{[] { return tl::input<"scale", float> * tl::input<"x", float, 8, 4>; }};
#else
  float scale = 2;
  tl::function f{[scale] {
    (void)scale;
    return tl::input<"x", float, 8, 4>;
  }};
#endif
}
