// SPDX-License-Identifier: BSL-1.0
// A wrong operation in the midst of a model is reported once, and nothing that follows from it.
// both compilers
// expect: slice of a value of the shape [batch, 6]: it has no axis 2
// reject: do not fit
// reject: another number of elements
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
#ifdef CORRECTED
constexpr int axis = 1;
#else
constexpr int axis = 2;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 6>;
  auto h = tl::reshape<batch, 2>(tl::slice<axis, 0, 2>(x));
  auto y = tl::linear<"fc", 3>(tl::softmax(tl::max<-1>(h, tl::keep_dims) - 2_c * h));
  auto loss = tl::cross_entropy(y, tl::input<"label", int, batch>);
  return tl::outputs(loss + tl::mean(tl::square(tl::grad(loss, x))), tl::named<"y">(y));
};

int main() {
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
#ifdef CORRECTED
  net.predict("x"_t = tl::bound_elements{});
#else
  net.step("x"_t = tl::bound_elements{}, "label"_t = tl::bound_elements{});
  net.parameter<"fc.weight">();
#endif
}
