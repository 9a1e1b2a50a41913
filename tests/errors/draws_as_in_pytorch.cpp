// SPDX-License-Identifier: BSL-1.0
// Draws of an operand's shape, without an element type, and of a shape and of operands at once.
// both compilers
// expect: normal: it takes two operands, mean and std; a draw of the shape and type of x is: tl::normal_like<"eps">(x)
// expect: normal: the element type stands behind the name, then the extents: tl::normal<"eps", float, 2, 3>()
// expect: normal: with a type and extents it takes no operands, its numbers are scaled and moved: tl::normal<"eps", float, 2, 3>() * 3_c + 1_c
// expect: uniform: it takes two operands, low and high; a draw of the shape and type of x is: tl::uniform_like<"eps">(x)
// expect: uniform: the element type stands behind the name, then the extents: tl::uniform<"eps", float, 2, 3>()
// expect: uniform: with a type and extents it takes no operands, its numbers are scaled and moved: tl::uniform<"eps", float, 2, 3>() * 3_c + 1_c
// expect: categorical: its name and its axis are template arguments: tl::categorical<"c", -1>(x)
// expect: randint: name, type and extents are template arguments, the bounds are two operands: tl::randint<"i", std::int32_t, 3>(0_c, 10_c)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  constexpr auto batch = tl::dyn<"batch">;
  auto x = tl::input<"x", float, batch, 2>;
#ifdef CORRECTED
  return x + tl::normal_like<"a">(x) + tl::normal<"b", float, batch, 2>() +
         (tl::normal<"c", float, batch, 2>() * 3_c + 1_c) + tl::uniform_like<"d">(x) +
         tl::uniform<"e", float, batch, 2>() + (tl::uniform<"f", float, batch, 2>() * 3_c + 1_c) +
         tl::cast<float>(tl::unsqueeze<1>(tl::categorical<"g">(x)) +
                         tl::randint<"h", std::int64_t, batch, 2>(0_c, 10_c));
#else
  return x + tl::normal<"a">(x) + tl::normal<"b", batch, 2>() + tl::normal<"b">() +
         tl::normal<"c", float, batch, 2>(1_c, 3_c) + tl::uniform<"d">(x) + tl::uniform<"e", batch, 2>() +
         tl::uniform<"f", float, batch, 2>(0_c, 1_c) + tl::categorical(x) + tl::categorical<"g">(x, 1) +
         tl::randint(0, 10) + tl::randint<"h", batch, 2>(0_c, 10_c) +
         tl::randint<"i", std::int32_t, 3>(10_c) + tl::randint<"j", int>();
#endif
};

int main() { model(); }
