// SPDX-License-Identifier: BSL-1.0
// A history as text.
#include <tapeless/train/loop/table.hpp>

#include <cmath>

#include "catch.hpp"

namespace tl = tapeless;

TEST_CASE("a table has a line for each epoch, its numbers point below point") {
  std::vector<tl::epoch_report> history(10);
  for (std::size_t i = 0; i < history.size(); ++i) {
    const auto x = static_cast<double>(i);
    history[i].seconds = 0.021 * (1 + x);
    history[i].train.set("loss", {12.5 / (1 + 3 * x), 0.5 / (1 + 3 * x)});
    if (i == 1) history[i].validation.set("accuracy", {0.875, 0});
    if (i == 9) history[i].validation.set("accuracy", {std::nan(""), 0});
  }
  history.erase(history.begin() + 2, history.begin() + 8);
  CHECK(tl::table(history) ==
        "       train          validation\n"
        "epoch  loss           accuracy      time\n"
        "    1  12.50+-0.50                 21 ms\n"
        "    2   3.12+-0.12      0.875      42 ms\n"
        "    3   0.500+-0.020              189 ms\n"
        "    4   0.446+-0.018  nan         210 ms");
}

TEST_CASE("a table of nothing has a head, and times stand there where they are known") {
  CHECK(tl::table({}) == "\nepoch");
  std::vector<tl::epoch_report> twelve(12);
  CHECK(tl::table(twelve).ends_with("\n   11\n   12"));
  twelve.back().seconds = 4.5;
  CHECK(tl::table(twelve).starts_with("\nepoch   time\n"));
  CHECK(tl::table(twelve).ends_with(" 4.5 s"));
  twelve.resize(1);
  twelve[0].number = 100;
  CHECK(tl::table(twelve) == "\nepoch\n  100");
}
