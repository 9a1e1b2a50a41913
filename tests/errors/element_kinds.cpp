// SPDX-License-Identifier: BSL-1.0
// Operations of elements that they do not take: each is one sentence.
// expect: + got an operand of the element type bool: it takes numbers; tl::cast<float>(x) converts
// expect: neg got an operand of the element type bool: it takes numbers
// expect: sum got an operand of the element type bool: it takes numbers
// expect: exp got an operand of the element type std::int32_t: it takes floating-point numbers; tl::cast
// expect: mean got an operand of the element type std::int32_t: it takes floating-point numbers
// expect: silu got an operand of the element type std::int32_t: it takes floating-point numbers
// expect: all got an operand of the element type float: it takes booleans, which comparisons give (x != 0_c)
// expect: any got an operand of the element type float: it takes booleans
// expect: * got a constant that is no whole number next to elements of the type std::int32_t: tl::cast<float>(x)
// expect: cumsum got an operand of the element type bool: it takes numbers
// expect: cumprod got an operand of the element type bool: it takes numbers
// expect: einsum got an operand of the element type bool: it takes numbers
// expect: recip got an operand of the element type std::int32_t: it takes floating-point numbers
// expect: softmax got an operand of the element type std::int32_t: it takes floating-point numbers
// expect: log_softmax got an operand of the element type std::int32_t: it takes floating-point numbers
// expect: elu got an operand of the element type std::int32_t: it takes floating-point numbers
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto sums = [] {
  auto mask = tl::input<"mask", bool, 2>;
#ifdef CORRECTED
  auto m = tl::cast<float>(mask);
#else
  auto m = mask;
#endif
  return tl::outputs(tl::named<"a">(m + m), tl::named<"b">(-m), tl::named<"c">(tl::sum(m)),
                     tl::named<"d">(tl::cumsum<0>(m)), tl::named<"e">(tl::cumprod<0>(m)),
                     tl::named<"f">(tl::einsum<"i->">(m)));
};

constexpr auto functions = [] {
  auto i = tl::input<"i", int, 2>;
#ifdef CORRECTED
  auto x = tl::cast<float>(i);
#else
  auto x = i;
#endif
  return tl::outputs(tl::named<"a">(tl::exp(x)), tl::named<"b">(tl::mean(x)), tl::named<"c">(tl::silu(x)),
                     tl::named<"d">(tl::recip(x)), tl::named<"e">(tl::softmax(x)),
                     tl::named<"f">(tl::log_softmax(x)), tl::named<"g">(tl::elu(x)));
};

constexpr auto fraction = [] {
  auto i = tl::input<"i", int, 2>;
#ifdef CORRECTED
  return tl::cast<float>(i) * 0.5_c;
#else
  return i * 0.5_c;
#endif
};

constexpr auto conditions = [] {
  auto x = tl::input<"x", float, 2>;
#ifdef CORRECTED
  auto c = x > 0_c;
#else
  auto c = x;
#endif
  return tl::outputs(tl::named<"a">(tl::all(c)), tl::named<"b">(tl::any(c)));
};

int main() {
  tl::function f{sums};
  tl::function g{functions};
  tl::function h{conditions};
  tl::function k{fraction};
}
