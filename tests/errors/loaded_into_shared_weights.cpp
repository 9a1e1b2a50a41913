// SPDX-License-Identifier: BSL-1.0
// Weights that are loaded into a function, but are a trainer's.
// expect: this function computes with a trainer's weights: change those of the trainer
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  return tl::mean(tl::square(tl::linear<"fc", 2>(tl::input<"x", float, 2>) - 1_c));
};

int main() {
  tl::trainer net{model, tl::adam({})};
  tl::function f{model, tl::weights(net)};
#ifdef CORRECTED
  tl::load(net, "net.safetensors");
#else
  tl::load(f, "net.safetensors");
#endif
}
