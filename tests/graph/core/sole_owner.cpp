// SPDX-License-Identifier: BSL-1.0
#include <tapeless/graph/core/sole_owner.hpp>

#include <catch2/catch.hpp>
#include <utility>

namespace {

int alive = 0;

struct counted {
  int number;
  explicit counted(int n = 0) : number(n) { ++alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }
};

int closed = 0;

struct close_handle {
  void operator()(int* handle) const { closed += *handle; }
};

}  // namespace

TEST_CASE("what is owned ends with its owner, once") {
  using owner = tapeless::sole_owner<counted>;
  {
    owner a(new counted(1)), b(new counted(2)), none;
    CHECK(alive == 2);
    CHECK(none == nullptr);
    CHECK(a->number == 1);
    CHECK((*b).number == 2);
    a = std::move(b);  // the first one ends
    CHECK(alive == 1);
    CHECK(a->number == 2);
    CHECK(b == nullptr);
    owner c = std::move(a);
    CHECK_FALSE(a);
    CHECK(c.get()->number == 2);
    none.reset(c.release());
    CHECK(c == nullptr);
    CHECK(alive == 1);
    none.reset(new counted(3));
    CHECK(alive == 1);
    CHECK(none->number == 3);
  }
  CHECK(alive == 0);
}

TEST_CASE("what is owned may end in another way than by delete, and nothing never does") {
  int handle = 5;
  {
    tapeless::sole_owner<int, close_handle> file(&handle), none;
    CHECK(closed == 0);
  }
  CHECK(closed == 5);
}

TEST_CASE("arrays are owned, and exchanged when they are assigned") {
  using owner = tapeless::sole_owner<counted[]>;
  {
    owner a(new counted[3]), b(new counted[2]);
    a[2].number = 7;
    b = std::move(a);
    CHECK(alive == 5);
    CHECK(b[2].number == 7);
    CHECK(a.get() != nullptr);
    owner c = std::move(b);
    CHECK(b.get() == nullptr);
    CHECK(c[2].number == 7);
  }
  CHECK(alive == 0);
}
