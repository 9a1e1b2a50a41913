// SPDX-License-Identifier: BSL-1.0
// Indices that do not fit what is picked from.
// expect: gather<1> takes integers of x's rank, whose other axes are not longer; it got float[2, 3] and
// expect: an index std::int64_t[3]
// expect: take_along<1> takes integers of x's rank, whose other axes broadcast with x's; it got float[2,
// expect: 3] and an index std::int64_t[3]
// expect: index_select<2> takes a value with that axis and a row of integers; it got float[2, 3] and an
// expect: index std::int64_t[3]
// expect: index_select<0> takes a value with that axis and a row of integers; it got float[2, 3] and an
// expect: index std::int64_t[2, 1]
// expect: scatter got x float[2, 3], an index std::int64_t[3] and a source float[2, 3]: it takes
// expect: integers of the source's shape, whose other axes are not longer than x's, and one element type
// expect: scatter_add<1> takes integers of the source's shape, whose other axes are not longer than x's;
// expect: the source is float[3], and it got float[2, 3] and an index std::int64_t[3]
// expect: scatter_reduce got x float[2, 3], an index std::int64_t[3] and a source float[2, 3]: it takes
// expect: integers of the source's shape, whose other axes are not longer than x's, and one element type
// expect: index_add got x float[2, 3], an index std::int64_t[2, 1] and a source float[2, 3]: it takes a
// expect: vector of integers, and as many slices of x's shape and element type
// expect: index_copy got x float[2, 3], an index std::int64_t[2, 1] and a source float[2, 3]: it takes a
// expect: vector of integers, and as many slices of x's shape and element type
// expect: index_fill got x float[2, 3], an index std::int64_t[2, 1] and a filling float[2, 3]: it takes
// expect: a vector of integers and a number
// expect: put got x float[2, 3], an index std::int64_t[2, 1] and a source float[3]: it takes as many
// expect: integers as the source has elements, and one element type
// expect: embedding takes a table [count, width] and an index of integers; it got float[2, 3] and an
// expect: index float[3]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto one = tl::input<"one", std::int64_t, 3>;
  auto two = tl::input<"two", std::int64_t, 2, 1>;
  auto row = tl::input<"row", float, 3>;
#ifndef CORRECTED
  tl::gather<1>(x, one);
  tl::take_along<1>(x, one);
  tl::index_select<2>(x, one);
  tl::index_select<0>(x, two);
  tl::scatter<1>(x, one, x);
  tl::scatter_add<1>(x, one, row);
  tl::scatter_reduce<1, tl::reduce::sum>(x, one, x);
  tl::index_add<0>(x, two, x);
  tl::index_copy<0>(x, two, x);
  tl::index_fill<0>(x, two, x);
  tl::put(x, two, row);
  tl::embedding(x, row);
#endif
  return tl::gather<1>(x, two);
};

int main() { model(); }
