// SPDX-License-Identifier: BSL-1.0
// Weights of what is neither a file's path nor a trainer or function.
// both compilers
// lines: 20
// first: tapeless: tl::weights takes the path of a file, its bytes (std::byte), or a trainer or function with
// weights of its own that is not const: tl::weights("net.safetensors"), tl::weights(bytes), tl::weights(net)
// expect: tapeless: tl::weights takes the path of a file, its bytes (std::byte), or a trainer or function with weights of its own that is not const: tl::weights("net.safetensors"), tl::weights(bytes), tl::weights(net)
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: is no update rule
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
  tl::function f{model, tl::weights(3)};
#endif
}
