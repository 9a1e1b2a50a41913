// SPDX-License-Identifier: BSL-1.0
// Weights for a function that is const.
// expect: the weights of a trainer or function that is const do not change: leave its const out
// reject: discards qualifiers
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::linear<"fc", 1>(tl::input<"x", float, 4, 2>); };

int main() {
#ifdef CORRECTED
  tl::function to{model};
#else
  const tl::function to{model};
#endif
  const tl::function from{model};
  tl::load(to, "net.safetensors");
  tl::copy_parameters(from, to);
  tl::soft_update(from, to, 0.1);
}
