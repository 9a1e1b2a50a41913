// SPDX-License-Identifier: BSL-1.0
// A list keeps its items while it grows, in constant evaluations and in programs.
#include <tapeless/graph/core/list.hpp>

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "catch.hpp"

namespace {

constexpr bool grows() {
  tapeless::list<int> l;
  for (int i = 0; i < 100; ++i)
    if (l.push(3 * i) != i) return false;
  for (int i = 0; i < 100; ++i)
    if (l[i] != 3 * i || l[static_cast<std::size_t>(i)] != 3 * i) return false;
  l.resize(102, 7);
  return l.size() == 102 && l[99] == 297 && l[100] == 7 && l[101] == 7 && l.end() - l.begin() == 102;
}
static_assert(grows());

// While compiling, what is read of memory that was given back is an error.
constexpr bool takes_an_item_of_its_own() {
  tapeless::list<int> l;
  l.reserve(1);
  l.push(7);
  l.push(l[0]);
  return l.size() == 2 && l[1] == 7;
}
static_assert(takes_an_item_of_its_own());

struct item {
  int number = 3;
  tapeless::list<int> more{};
};

// While compiling, memory that is not given back is an error too, and so is reading what nobody has made.
constexpr bool makes_and_ends_items() {
  tapeless::list<item> l(2);
  for (int i = 0; i < 40; ++i) l.add().more.push(i);
  if (l[1].number != 3 || l[41].more[0] != 39) return false;
  l.clear();
  l.add();
  return l.size() == 1 && l[0].more.empty();
}
static_assert(makes_and_ends_items());

struct pair {
  int first = 1;
  int second = 2;
};

constexpr bool sets_items() {
  tapeless::list<pair> l;
  l.assign(3, {});
  l.assign(2, {5, 6});
  l.resize(4, {});
  l.resize(3, {});
  l.push({});
  return l.size() == 4 && l[0].first == 5 && l[1].second == 6 && l[2].second == 2 && l[3].first == 1;
}
static_assert(sets_items());

}  // namespace

TEST_CASE("list: it grows, is set and cleared") {
  CHECK(grows());
  CHECK(makes_and_ends_items());
  CHECK(sets_items());
  tapeless::list<double> l(5);
  CHECK(l.size() == 5);
  CHECK(std::span<const double>(l).size() == 5);
  for (const double x : l) CHECK(x == 0);
  l.assign(3, 2.5);
  CHECK(l.size() == 3);
  CHECK(l[2] == 2.5);
  l.clear();
  CHECK(l.size() == 0);
}

TEST_CASE("list: a new item is empty, whatever was in its place") {
  tapeless::list<std::unique_ptr<int>> l;  // no copies
  for (int i = 0; i < 40; ++i) l.add() = std::make_unique<int>(i);
  CHECK(l.size() == 40);
  CHECK(*l[39] == 39);
  l.clear();
  CHECK(l.add() == nullptr);
  CHECK(l.size() == 1);
}

TEST_CASE("list: items stay where they are while there is room") {
  tapeless::list<int> l;
  l.reserve(40);
  l.push(1);
  const int* first = l.data();
  for (int i = 1; i < 40; ++i) l.push(i);
  CHECK(l.data() == first);
}

TEST_CASE("list: it moves as a whole, and so do its items while it grows") {
  tapeless::list<std::unique_ptr<int>> l(1);
  l[0] = std::make_unique<int>(7);
  l.reserve(100);
  CHECK(*l[0] == 7);
  const std::unique_ptr<int>* first = l.data();
  tapeless::list<std::unique_ptr<int>> moved = std::move(l);
  CHECK(moved.data() == first);
  CHECK(moved.size() == 1);
  CHECK(l.empty());
  tapeless::list<std::unique_ptr<int>> assigned;
  assigned = std::move(moved);
  CHECK(assigned.data() == first);
  CHECK(moved.empty());
}

// Items that a program copies as bytes have memory from one function, which knows nothing of their alignment.
TEST_CASE("list: items of large alignment lie where they must") {
  struct alignas(64) line {
    int number = 5;
  };
  tapeless::list<line> l;
  for (int i = 0; i < 40; ++i) {
    l.add().number += i;
    CHECK(reinterpret_cast<std::uintptr_t>(l.data()) % 64 == 0);
  }
  CHECK(l[39].number == 44);
}

TEST_CASE("list: more items than an int can count are refused") {
  CHECK_THROWS_AS(tapeless::list<bool>(std::size_t{1} << 31), std::bad_alloc);
  CHECK_THROWS_AS(tapeless::list<char>(std::size_t{1} << 32), std::bad_alloc);
}
