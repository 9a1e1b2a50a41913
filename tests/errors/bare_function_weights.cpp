// SPDX-License-Identifier: BSL-1.0
// A function on tl::bare that should share a trainer's weights.
// expect: a function on tl::bare takes its weights as bytes: tl::weights(array), or tl::weights(data, size)
#include <tapeless/bare.hpp>
#include <tapeless/tapeless.hpp>

#include <cstddef>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::mean(tl::linear<"a", 2>(tl::input<"x", float, 4>)); };

alignas(64) std::byte bytes[512] = {};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#ifdef CORRECTED
  tl::function f{model, tl::weights(bytes), tl::bare{}};
#else
  tl::function f{model, tl::weights(net), tl::bare{}};
#endif
  const float x[4] = {1, 0, 0, 1};
  return f("x"_t = x).is_valid() && net.steps() == 0 ? 0 : 1;
}
