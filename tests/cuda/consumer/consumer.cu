// SPDX-License-Identifier: BSL-1.0
// Trains on a GPU where there is one; elsewhere it is told in a sentence what is missing.
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"w", 1>(x) - 1_c));
};

int main() {
  const std::vector<float> x{0, 1, 1, 0, 1, 1};
  try {
    tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::cuda{}};
    const float first = net.step("x"_t = x).loss();
    for (int step = 0; step < 100; ++step) net.step("x"_t = x);
    return net.evaluate("x"_t = x).loss() < first ? 0 : 1;
  } catch (const tl::error& e) {
    std::printf("%s\n", e.what());
    const std::string_view sentence = e.what();
    return sentence.starts_with("tapeless: cuda: ") && sentence.find("use tl::cpu") != sentence.npos ? 0 : 1;
  }
}
