// SPDX-License-Identifier: BSL-1.0
// The drawing in the guide of looking inside.
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/to_mermaid.hpp>

#include <cstdio>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", float, batch, 1>;
  auto out = tl::linear<"out", 1>(tl::tanh(tl::linear<"hidden", 8>(x)));
  return tl::outputs(tl::mse_loss(out, y), tl::named<"out">(out));
};

int main() {
  tl::function f{model};
  std::printf("%s", tl::to_mermaid(f).c_str());
}
