// SPDX-License-Identifier: BSL-1.0
// Parameters of a loop's iterations in the body of another loop.
// lines: 20
// expect: the parameter "layer.weight" in the body of scan<N> in another scan, where each iteration would have one of its own: use repeat<N>, and number the name
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"time">, 4, 8>;
  auto [last, all] = tl::scan(
      [](auto h, auto now) {
#ifdef CORRECTED
        auto next = tl::repeat<3>(
            h + now, []<int I>(auto h) { return tl::tanh(tl::linear<tl::name{"layer"} + I, 8>(h)); });
#else
        auto next = tl::scan<3>(h + now, [](auto h) { return tl::tanh(tl::linear<"layer", 8>(h)); });
#endif
        return tl::pack(next, next);
      },
      tl::input<"start", float, 4, 8>, x);
  return tl::outputs(tl::named<"last">(last), tl::named<"all">(all));
};

int main() { tl::function f{model}; }
