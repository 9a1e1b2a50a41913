// SPDX-License-Identifier: BSL-1.0
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/constant_items.hpp>

#include <catch2/catch.hpp>

namespace {

constexpr auto squares = [] {
  tapeless::constant_items<int, 4> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i * i);
  return all;
}();

constexpr int sum_of(tapeless::array_view<const int> items) {
  int sum = 0;
  for (const int item : items) sum += item;
  return sum;
}

static_assert(squares[3] == 9 && sum_of(squares) == 14);
static_assert(squares.end() - squares.begin() == 4 && squares.data() == squares.begin());
static_assert(!squares.empty());

constexpr tapeless::constant_items<int, 0> none{};
static_assert(none.empty() && sum_of(none) == 0 && none.begin() == none.end());

}  // namespace

TEST_CASE("items of a constant are there when the program runs, too") {
  int sum = 0;
  for (const int square : squares) sum += square;
  CHECK(sum == 14);
  tapeless::constant_items<int, 4> copy = squares;
  copy[1] = 5;
  CHECK(sum_of(copy) == 18);
  CHECK(sum_of(squares) == 14);
  CHECK(none.size() == 0);
}
