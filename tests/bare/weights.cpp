// SPDX-License-Identifier: BSL-1.0
// Computing with weights in flash leaves nothing undefined: see freestanding.cmake.
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4>;
  return tl::outputs(tl::named<"y">(tl::linear<"fc2", 2>(tl::tanh(tl::linear<"fc1", 16>(x)))));
};

}  // namespace

alignas(64) unsigned char flash[1024];  // stands for what another source, or the linker, puts there

using network_type = decltype(tl::function{model, tl::weights(flash), tl::bare{}});
static_assert(sizeof(network_type) <= 18 * sizeof(float) + 2 * 64);
static network_type network{model, tl::weights(flash), tl::bare{}};

extern "C" bool predict(const float (&x)[4], float (&y)[2]) {
  const auto result = network("x"_t = x);
  if (!result.is_valid()) return false;
  for (std::size_t i = 0; i < 2; ++i) y[i] = result.get<"y">()[i];
  return true;
}
