// SPDX-License-Identifier: BSL-1.0
// Functions of a user that call what every run calls, and have loops of their own, see warm.cmake.
#include <tapeless/tapeless.hpp>

#include <span>
#include <string>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 3>;
  return tl::mean(tl::square(tl::linear<"fc", 2>(x)));
};

}  // namespace

extern "C" double user_work(double sum, float x);

extern "C" double own_loop(float* x, int n) {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}};
  double sum = 0;
  for (int step = 0; step < n; ++step) {
    for (int i = 0; i < 12; ++i) x[i] = x[i] * 0.5f + static_cast<float>(sum);
    for (int i = 1; i < n; ++i) sum = user_work(sum, x[i] * x[i - 1]);
    sum += net.step("x"_t = std::span<const float>(x, 12)).loss();
  }
  return sum;
}

extern "C" double whole_run(const std::string& folder, const float* x, int n) {
  const auto [train, test] = tl::data::mnist(folder);
  tl::trainer net{model, tl::adamw({.learning_rate = 0.1f}), tl::cpu{}};
  tl::load(net, folder);
  const auto before = tl::snapshot(net);
  double sum = 0;
  for (int i = 1; i < n; ++i) sum = user_work(sum, x[i] * x[i - 1]);
  sum += static_cast<double>(train.size() + test.size());
  tl::restore(net, before);
  tl::save_checkpoint(net, folder);
  tl::load_checkpoint(net, folder);
  tl::save(net, folder);
  return sum;
}
