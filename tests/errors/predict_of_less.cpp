// SPDX-License-Identifier: BSL-1.0
// A prediction without the inputs that another named output needs.
// both compilers
// lines: 20
// expect: not bound: "aim" float[batch, 2]; bound: "obs"; tl::function f{tl::only<"p", "size">(model), tl::weights(net)} needs no more
// reject: no matching
// reject: no type named
// reject: has no member
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto p = tl::linear<"fc", 2>(tl::input<"obs", float, tl::dyn<"batch">, 3>);
  auto far = tl::abs(p - tl::input<"aim", float, tl::dyn<"batch">, 2>);
  return tl::outputs(tl::mean(far), tl::named<"far">(far), tl::named<"p">(p),
                     tl::named<"size">(tl::square(p)));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  const std::vector<float> obs(6);
#ifdef CORRECTED
  tl::function f{tl::only<"p", "size">(model), tl::weights(net)};
  return f("obs"_t = obs).get<"p">()[0] > 0;
#else
  return net.predict("obs"_t = obs).get<"p">()[0] > 0;
#endif
}
