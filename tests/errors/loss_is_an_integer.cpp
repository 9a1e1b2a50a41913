// SPDX-License-Identifier: BSL-1.0
// A loss of whole numbers.
// expect: must be a floating scalar, but is std::int32_t[]
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

constexpr auto model = [] {
  auto x = tl::input<"x", int, 2>;
#ifdef CORRECTED
  return tl::sum(tl::cast<float>(x) * tl::param<"w", float, 2>);
#else
  return tl::sum(x * tl::cast<int>(tl::param<"w", float, 2>));
#endif
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  net.step("x"_t = std::array{1, 2});
}
