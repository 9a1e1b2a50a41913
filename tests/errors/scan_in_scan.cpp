// SPDX-License-Identifier: BSL-1.0
// A loop over a run-time extent in the body of another loop.
// both compilers
// lines: 20
// expect: scan in the body of another scan is unrolled, so its number of iterations is an integer of 1 or more, but here it is "words"
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto words = 7;
#else
constexpr auto words = tl::dyn<"words">;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"sentences">, words>;
  auto [last, all] = tl::scan(
      [](auto s, auto sentence) {
        auto [t, sums] = tl::scan([](auto t, auto word) { return tl::pack(t + word, t); }, s, sentence);
        return tl::pack(t, t);
      },
      tl::input<"start", float>, x);
  return tl::outputs(tl::named<"last">(last), tl::named<"all">(all));
};

int main() { tl::function f{model}; }
