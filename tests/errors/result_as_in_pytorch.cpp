// SPDX-License-Identifier: BSL-1.0
// PyTorch's calls of a loss, and outputs by a name in brackets, on results; parameters by a name in brackets.
// both compilers
// lines: 60
// expect: leave loss.backward() out: net.step(...) has computed the gradients and updated the parameters
// expect: instead of result.item() write result.loss()
// expect: a name is a template argument, since it is looked up while compiling: result.get<"logits">(), net.parameter<"fc.weight">()
// reject: no member named
// reject: has no member
// reject: array subscript is not an integer
// reject: no viable
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto y = tl::linear<"fc", 1>(x);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::function f{model};
  auto loss = net.step("x"_t = {1.0f, 2.0f});
#ifdef CORRECTED
  return loss.loss() < net.predict("x"_t = {1.0f, 2.0f}).get<"y">()[0] +
                           f("x"_t = {1.0f, 2.0f}).get<"y">()[0] + net.parameter<"fc.weight">()[0];
#else
  loss.backward();
  return loss.item() < net.predict("x"_t = {1.0f, 2.0f})["y"][0] + f("x"_t = {1.0f, 2.0f})["y"][0] +
                           net.parameters()["fc.weight"][0];
#endif
}
