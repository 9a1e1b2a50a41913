// SPDX-License-Identifier: BSL-1.0
#include <tapeless/graph/core/made_later.hpp>

#include <catch2/catch.hpp>
#include <string>

namespace {

int alive = 0;

struct counted {
  std::string text;
  explicit counted(std::string t) : text(std::move(t)) { ++alive; }
  counted(counted&& other) noexcept : text(std::move(other.text)) { ++alive; }
  ~counted() { --alive; }
};

tapeless::made_later<counted> made_if(bool wanted) {
  if (wanted) return counted("made at once");
  return {};
}

}  // namespace

TEST_CASE("a value is made when it is asked for, and ends with its place, once") {
  {
    tapeless::made_later<counted> none, one;
    CHECK(alive == 0);
    CHECK_FALSE(one);
    one.emplace("longer than what strings hold in place");
    CHECK(alive == 1);
    CHECK(one);
    CHECK_FALSE(none);
    CHECK(one->text == "longer than what strings hold in place");
    (*one).text = "another";
    CHECK(static_cast<const tapeless::made_later<counted>&>(one)->text == "another");
  }
  CHECK(alive == 0);
}

TEST_CASE("a function returns a value, or none") {
  {
    const auto made = made_if(true), none = made_if(false);
    CHECK(alive == 1);
    CHECK((*made).text == "made at once");
    CHECK_FALSE(none);
  }
  CHECK(alive == 0);
}
