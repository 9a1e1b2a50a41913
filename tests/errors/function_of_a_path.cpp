// SPDX-License-Identifier: BSL-1.0
// A file's path where a function takes weights.
// both compilers
// lines: 20
// first: tapeless: a function takes weights by tl::weights: tl::function f{model, tl::weights(net)}, or
// tl::weights("net.safetensors")
// expect: tapeless: a function takes weights by tl::weights: tl::function f{model, tl::weights(net)}, or tl::weights("net.safetensors")
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
#ifdef CORRECTED
  tl::function f{model, tl::weights("net.safetensors")};
#else
  tl::function f{model, "net.safetensors"};
#endif
  f.parameter<"fc1.weight">();
}
