// SPDX-License-Identifier: BSL-1.0
// PyTorch's and Keras's calls of a model or an optimizer, on a trainer.
// both compilers
// lines: 110
// first: instead of net.to(...) say where it computes
// expect: leave net.zero_grad() out: each step makes its gradients anew
// expect: leave net.eval() out: net.predict(...) and net.evaluate(...) compute as in evaluation
// expect: leave net.train(...) out: net.step("x"_t = x, "y"_t = y) trains on a batch
// expect: instead of net.fit(...) write tl::fit(net, dataset, {.epochs = 10})
// expect: instead of net.to(...) say where it computes as it is made: tl::trainer net{model, rule, tl::cuda{}}
// expect: instead of net.backward(...) write net.step(...)
// expect: a trainer's numbers are set by name: net.set<"learning_rate">(0.1)
// expect: a trainer's numbers are read by name: net.get<"learning_rate">()
// reject: no member named
// reject: has no member
// reject: no matching
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  const std::array x{1.0f, 2.0f};
#ifdef CORRECTED
  net.step("x"_t = x);
  net.set<"learning_rate">(0.1);
  const double rate = net.get<"learning_rate">();
  return rate < 1;
#else
  net.to("cuda");
  net.train();
  net.zero_grad();
  net.fit(x, 10);
  net.fit(x, {.epochs = 10});
  net.backward(net.step("x"_t = x));
  net.learning_rate = 0.1;
  const double rate = net.learning_rate;
  net.eval();
  return rate < 1;
#endif
}
