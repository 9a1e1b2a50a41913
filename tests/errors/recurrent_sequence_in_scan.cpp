// SPDX-License-Identifier: BSL-1.0
// A loop over time in the body of another loop.
// expect: rnn in the body of scan: use rnn_cell there
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto model = [] {
  return tl::repeat<2>(tl::input<"x", float, 6, 3, 5>, []<int I>(auto x) {
#else
constexpr auto model = [] {
  return tl::scan<2>(tl::input<"x", float, 6, 3, 5>, [](auto x) {
    constexpr int I = 0;
#endif
    auto [y, h] = tl::rnn<tl::name{"rnn"} + I, 5>(x);
    return y;
  });
};

int main() { tl::function f{model}; }
