// SPDX-License-Identifier: BSL-1.0
// An output's name as an argument.
// both compilers
// lines: 20
// expect: a name is a template argument, since it is looked up while compiling: result.get<"logits">(), net.parameter<"fc.weight">(), net.set<"learning_rate">(0.1)
// reject: no matching
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  return tl::outputs(tl::named<"y">(tl::linear<"fc", 2>(x)));
};

int main() {
  tl::function f{model};
  const std::vector<float> x(6);
  auto r = f("x"_t = x);
#ifdef CORRECTED
  return r.get<"y">()[0] > 0;
#else
  return r.get("y")[0] > 0;
#endif
}
