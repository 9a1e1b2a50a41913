// SPDX-License-Identifier: BSL-1.0
// A body that captures an expression.
// both compilers
// lines: 20
// expect: scan's body captures nothing: give it what it needs as a carry or an operand (inputs and parameters can be named inside)
// reject: no matching
// reject: deleted
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"time">, 3>;
  auto decay = tl::sigmoid(tl::param<"decay", float, 3>);
#ifdef CORRECTED
  auto [last, same, all] = tl::scan(
      [](auto h, auto decay, auto now) {
        auto next = decay * h + now;
        return tl::pack(next, decay, next);
      },
      tl::pack(tl::input<"h", float, 3>, decay), x);
#else
  auto [last, all] = tl::scan(
      [=](auto h, auto now) {
        auto next = decay * h + now;
        return tl::pack(next, next);
      },
      tl::input<"h", float, 3>, x);
#endif
  return tl::outputs(tl::named<"last">(last), tl::named<"all">(all));
};

int main() { tl::function f{model}; }
