// SPDX-License-Identifier: BSL-1.0
// A shape beside a probability, which has one.
// lines: 20
// expect: bernoulli<"b">(p) has the shape and the type of p: tl::bernoulli<"b">(tl::full<float, 3>(0.5_c)), by <tapeless/operations.hpp>
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  constexpr auto n = tl::dyn<"n">;
  auto x = tl::input<"x", float, n, 3>;
#ifdef CORRECTED
  return tl::outputs(tl::named<"y">(x * tl::bernoulli<"b">(tl::full<float, n, 3>(0.5_c))));
#else
  return tl::outputs(tl::named<"y">(x * tl::bernoulli<"b", float, n, 3>(0.5_c)));
#endif
};

int main() { tl::function f{model}; }
