// SPDX-License-Identifier: BSL-1.0
// An element-by-element operation without a derivative.
// expect: softsign_operation` is no element-by-element operation; it lacks: cotangent(g, x, y)
// reject: apply(x...)
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: is not a member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

struct softsign_operation : tl::pointwise_operation<softsign_operation, 1> {
  static constexpr std::string_view name = "softsign";
  static constexpr auto apply(auto x) { return x / (tl::number_like(x, 1) + abs(x)); }
#ifdef CORRECTED
  static constexpr tl::value cotangent(auto g, auto x, auto) { return g / square(1.0 + abs(x)); }
#endif
};

constexpr auto model = [] {
  return tl::make<softsign_operation>(tl::input<"x", float, 2>) * tl::input<"y", float, 2>;
};

int main() { static_cast<void>(model()); }
