// SPDX-License-Identifier: BSL-1.0
// One name for two parameters of different shapes.
// both compilers
// expect: the name \"w\" is used twice, for param float[2, 3] and for param float[3, 2]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
constexpr auto second = tl::param<"v", float, 3, 2>;
#else
constexpr auto second = tl::param<"w", float, 3, 2>;
#endif

constexpr auto model = [] {
  auto h = tl::matmul(tl::input<"x", float, 2>, tl::param<"w", float, 2, 3>);
  return tl::sum(tl::matmul(h, second));
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  net.step("x"_t = std::array{1.0f, 2.0f});
}
