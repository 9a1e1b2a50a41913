// SPDX-License-Identifier: BSL-1.0
// Values in the order of the inputs, where each is bound by its name.
// both compilers
// expect: values are bound to an input by its name, net.step("x"_t = x, "y"_t = y), where _t is of
// expect: adapted by BOOST_HANA_ADAPT_STRUCT
// lines: 20
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <vector>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mse_loss(tl::linear<"fc", 1>(x), tl::input<"y", float, tl::dyn<"batch">, 1>);
};

int main() {
  const std::vector<float> x(8), y(4);
  tl::trainer net{model, tl::sgd({})};
#ifdef CORRECTED
  const auto result = net.step("x"_t = x, "y"_t = y);
#else
  const auto result = net.step(x, y);
#endif
  return result.loss() < 1 ? 0 : 1;
}
