// SPDX-License-Identifier: BSL-1.0
// What is written down comes back by its name, and nothing else does.
#include "catch.hpp"

#include <tapeless/train/loop/fit_history.hpp>
#include <tapeless/train/loop/fit_state.hpp>

namespace tl = tapeless;
using test::contains;

namespace {

/// Something of everything that a state may have.
struct everything {
  double x = 0;
  float y = 0;
  std::int64_t i = 0;
  int n = 0;
  bool b = false;
  std::vector<double> list;
  std::vector<std::byte> bytes;
  std::string text;

  void state(tl::fit_state& s) {
    s("x", x), s("y", y), s("i", i), s("n", n), s("b", b);
    s("list", list), s("bytes", bytes), s("text", text);
  }
  bool operator==(const everything&) const = default;
};

tl::fit_state given(const tl::fit_state& s) { return {s.items(), "the file"}; }

}  // namespace

TEST_CASE("a state comes back as it was") {
  everything one{1.5, 2.5f, std::int64_t{1} << 60, -7, true, {1, 2}, {std::byte{3}}, "four"}, other, rest;
  tl::fit_state s;
  CHECK(!s.gives());
  CHECK(s.begin_part("part") == "part");
  one.state(s);
  CHECK(s.begin_part("part") == "part_2");
  rest.state(s);
  CHECK(s.items()[0].name == "part.x");
  CHECK(s.items()[8].name == "part_2.x");

  tl::fit_state back = given(s);
  CHECK(back.gives());
  back.begin_part("part");
  other.state(back);
  CHECK(other == one);
  CHECK_THROWS_WITH(
      back.require_all_given(),
      "tapeless: the file: \"part_2.x\" belongs to no callback of this fit; give it those of the "
      "fit that wrote it, or begin anew");
  back.begin_part("part");
  other.state(back);
  CHECK(other == everything());
  CHECK_NOTHROW(back.require_all_given());
}

TEST_CASE("what is missing, or something else, is said by name") {
  tl::fit_state s;
  s.begin_part("part");
  double x = 1;
  s("x", x);
  tl::fit_state back = given(s);
  back.begin_part("other");
  CHECK_THROWS_WITH(back("x", x),
                    "tapeless: the file: there is no \"other.x\": the fit that wrote it had other "
                    "callbacks; give this one the same, or begin anew");
  back.begin_part("part");
  int n = 0;
  CHECK_THROWS_WITH(back("x", n),
                    "tapeless: the file: \"part.x\" is one double, but this fit has one "
                    "std::int32_t there");
  std::vector<double> list;
  CHECK_THROWS_WITH(back("x", list), contains("but this fit has a list of double there"));
  CHECK_NOTHROW(back("x", x));
}

TEST_CASE("a history comes back as it was") {
  tl::fit_history history, back;
  for (int k = 0; k < 3; ++k) {
    tl::epoch_report e;
    e.updates = 10 * k;
    e.seconds = 0.5 * k;
    e.train.set("loss", {1.0 / (k + 3), 0.1}, tl::direction::down);
    if (k > 0) e.validation.set("top, 3", {k + 0.5, 0}, tl::direction::up);
    if (k > 1) e.validation.set("other", {-1, 0});
    history.push_back(e);
  }
  tl::fit_state s;
  history.state(s);
  tl::fit_state from = given(s);
  back.state(from);
  from.require_all_given();
  REQUIRE(back.size() == 3);
  CHECK(back[1].updates == 10);
  CHECK(back[2].seconds == 1);
  CHECK(back[1].train["loss"].mean == 0.25);
  CHECK(back[1].train.improves("loss") == tl::direction::down);
  CHECK(back.front().validation.empty());
  CHECK(back.back().validation["top, 3"].mean == 2.5);
  CHECK(back.back().validation.improves("top, 3") == tl::direction::up);
  CHECK(back.back().validation.improves("other") == tl::direction::unknown);
}

TEST_CASE("a history that was cut is refused") {
  tl::fit_history history;
  tl::epoch_report e;
  e.train.set("loss", {1, 2});
  history.push_back(e);
  tl::fit_state s;
  history.state(s);
  for (std::size_t left = 0; left <= 7; ++left) {
    auto items = s.items();
    items[0].bytes.resize(left * sizeof(double));
    tl::fit_state from(items, "the file");
    tl::fit_history back;
    if (left < 7) {
      CHECK_THROWS_WITH(back.state(from), contains("history"));
    } else {
      CHECK_NOTHROW(back.state(from));
    }
  }
}

TEST_CASE("epochs that are not there are refused") {
  tl::fit_history history;
  CHECK(history.empty());
  CHECK_THROWS_WITH(history.back(),
                    "tapeless: the history has 0 epochs, but the report of number 0, counted "
                    "from 0, is asked for");
  history.push_back({});
  CHECK_NOTHROW(history.back());
  CHECK_THROWS_AS(history[1], tl::error);
  CHECK(!history.interrupted());
}

TEST_CASE("what is taken of a history that nobody keeps is the caller's own") {
  const auto fitted = [] {
    tl::fit_history history;
    history.push_back({});
    history.number_from(7);
    return history;
  };
  const tl::epoch_report& last = fitted().back();
  CHECK(last.number == 7);
  for (const tl::epoch_report& e : fitted().epochs()) CHECK(e.number == 7);
  STATIC_REQUIRE(std::is_same_v<decltype(fitted()[0]), tl::epoch_report>);
  STATIC_REQUIRE(std::is_same_v<decltype(fitted().front()), tl::epoch_report>);
}
