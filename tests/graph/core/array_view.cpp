// SPDX-License-Identifier: BSL-1.0
// A view shows what it was made from, all of it or a part, in constant evaluations and in programs.
#include <tapeless/graph/core/array_view.hpp>

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <tapeless/graph/core/list.hpp>

#include "catch.hpp"

using tapeless::array_view;

namespace {

constexpr std::array<int, 4> numbers{1, 2, 3, 4};

constexpr int sum(array_view<const int> all) {
  int result = 0;
  for (const int x : all) result += x;
  return result;
}
static_assert(sum(numbers) == 10);
static_assert(sum(array_view<const int>(numbers).first(2)) == 3);
static_assert(sum(array_view<const int>(numbers).subspan(1)) == 9);
static_assert(sum(array_view<const int>(numbers).subspan(1, 2)) == 5);
static_assert(array_view<const int>(numbers)[3] == 4);
static_assert(array_view<const int>(numbers).size_bytes() == 4 * sizeof(int));
static_assert(sum({}) == 0 && array_view<int>().empty() && !array_view<const int>(numbers).empty());

// What may not be written to is no array_view of what may, and items of another type are refused.
static_assert(std::is_convertible_v<std::vector<int>&, array_view<int>>);
static_assert(std::is_convertible_v<array_view<int>, array_view<const int>>);
static_assert(!std::is_convertible_v<const std::vector<int>&, array_view<int>>);
static_assert(!std::is_convertible_v<array_view<const int>, array_view<int>>);
static_assert(!std::is_convertible_v<std::vector<float>&, array_view<const int>>);
static_assert(!std::is_convertible_v<int, array_view<const int>>);

// Neither are items with gaps between them.
static_assert(!std::is_convertible_v<decltype(Eigen::MatrixXi().row(0)), array_view<const int>>);
struct strided_items {
  const int* data() const { return numbers.data(); }
  std::size_t size() const { return 2; }
  std::array<std::ptrdiff_t, 1> strides() const { return {2}; }
};
static_assert(!std::is_convertible_v<strided_items, array_view<const int>>);

template <class Items>
void require_same(Items& items) {
  const array_view<const int> view = items;
  CHECK(view.data() == items.data());
  CHECK(view.size() == static_cast<std::size_t>(items.size()));
}

}  // namespace

TEST_CASE("array_view: whatever holds contiguous items") {
  std::vector<int> v{5, 6, 7};
  tapeless::list<int> l(3);
  const std::span<int> s = v;
  require_same(v);
  require_same(l);
  require_same(s);
  require_same(numbers);
  int plain[2] = {8, 9};
  const array_view<int> all = plain;
  CHECK(all.data() == plain);
  CHECK(all.size() == 2);
}

TEST_CASE("array_view: what is written to it is written to the items") {
  std::vector<std::string> v{"a", "b", "c"};
  array_view<std::string> view = v;
  view.subspan(1)[0] = "d";
  for (std::string& text : view.first(1)) text = "e";
  CHECK(v == std::vector<std::string>{"e", "d", "c"});
}

TEST_CASE("array_view: users make a std::span of it") {
  const array_view<const int> view = numbers;
  const std::span<const int> span = view;
  CHECK(span.data() == view.data());
  CHECK(span.size() == 4);
}
