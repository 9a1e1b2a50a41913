// SPDX-License-Identifier: BSL-1.0
// An index that is no bag, one of numbers with fractions, a padding that is no index or none of the table's,
// a table of integers, weights of another shape or mode, offsets that are none, and a layer without a name.
// expect: embedding_bag of a value of the shape []: it takes an index [.., bag] of integers
// expect: embedding takes a table [count, width] and an index of integers
// expect: embedding_bag takes a padding_index of 0 or more, or -1 for none
// expect: embedding_bag takes a padding_index below the count of rows of the table, 5, but got 5
// expect: embedding_bag got a table of the element type std::int32_t: it takes floating-point numbers
// expect: embedding_bag takes weights of rows with bag_mode::sum alone
// expect: embedding_bag got an index std::int32_t[4, 3] and weights float[4]: it takes weights of the table's element type and the index's shape
// expect: embedding_bag got an index std::int32_t[4, 3] and offsets std::int32_t[2]: it takes a vector of indices, and
// expect: a vector of integers, where bags begin in it
// expect: a layer has template arguments in this order, its name first: tl::embedding_bag<"words", 1000, 64>(index)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto table = tl::input<"table", float, 5, 2>;
  auto index = tl::input<"index", int, 4, 3>;
#ifndef CORRECTED
  tl::embedding_bag(table, tl::input<"one", int>);
  tl::embedding_bag(table, table);
  tl::embedding_bag<tl::bag{.padding_index = -2}>(table, index);
  tl::embedding_bag<tl::bag{.padding_index = 5}>(table, index);
  tl::embedding_bag(tl::input<"whole", int, 5, 2>, index);
  tl::embedding_bag(table, index, tl::input<"w", float, 4, 3>);
  tl::embedding_bag<tl::bag{.mode = tl::bag_mode::sum}>(table, index, tl::input<"few", float, 4>);
  tl::embedding_bag(table, index, tl::input<"offsets", int, 2>);
  tl::embedding_bag<1000, 64>(index);
#endif
  return tl::embedding_bag<tl::bag{.padding_index = 4}>(table, index);
};

int main() { model(); }
