// SPDX-License-Identifier: BSL-1.0
// Calls of a trainer that is const.
// expect: a trainer, as a function on tl::bare, computes in memory of its own, so it cannot be const where it is
// reject: discards qualifiers
// reject: no matching
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto y = tl::linear<"fc", 1>(tl::input<"x", float, 2>);
  return tl::outputs(tl::sum(y), tl::named<"y">(y));
};

#ifdef CORRECTED
float use(auto& net) {
#else
float use(const auto& net) {
#endif
  return net.predict("x"_t = {1.f, 2.f}).template get<"y">()[0] +
         static_cast<float>(net.step("x"_t = {1.f, 2.f}).loss()) +
         static_cast<float>(net.evaluate("x"_t = {1.f, 2.f}).loss());
}

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  return use(net) > 0 ? 0 : 1;
}
