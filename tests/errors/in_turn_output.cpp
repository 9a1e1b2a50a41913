// SPDX-License-Identifier: BSL-1.0
// An output of a step whose loss is not computed from it.
// both compilers
// lines: 20
// expect: there is no output named "logits"; there is "critic", "td": a step of an objective shows the named outputs that its loss is computed from, evaluate and predict show the others
// reject: no matching
// reject: no type named
// reject: has no member
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto state = tl::input<"state", float, tl::dyn<"batch">, 3>;
  auto td = tl::linear<"value", 1>(state) - 1_c;
  return tl::outputs(tl::named<"critic">(tl::mean(tl::square(td))), tl::named<"td">(td),
                     tl::named<"logits">(tl::linear<"policy", 2>(state)));
};

int main() {
  tl::trainer net{model, tl::in_turn(tl::objective<"critic">(tl::names_like<"value.*">, tl::sgd({})))};
  const std::vector<float> state(6);
#ifdef CORRECTED
  net.step<"critic">("state"_t = state).get<"td">();
  return net.predict("state"_t = state).get<"logits">()[0] > 0;
#else
  return net.step<"critic">("state"_t = state).get<"logits">()[0] > 0;
#endif
}
