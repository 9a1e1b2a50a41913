// SPDX-License-Identifier: BSL-1.0
// What a new column's shape, samples and windows can be.
#include <tapeless/data/new_column.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include <tapeless/data/dataset.hpp>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using tl::data::dataset;

TEST_CASE("a new column has its shape, and as many samples as there are values for", "[data]") {
  tl::data::column x = tl::data::detail::described_column(tl::data::column_of<float>("x", {2, 3}));
  CHECK(x.sample_size == 6);
  CHECK(x.count == 0);
  tl::data::detail::set_samples(x, 12);
  CHECK(x.count == 2);
  CHECK(x.stride == 6);
  CHECK_THROWS_WITH(tl::data::detail::set_samples(x, 13), test::contains("expected a multiple of 6 values"));
  CHECK_THROWS_WITH(tl::data::detail::described_column(tl::data::column_of<float>("x", {2, 0})),
                    test::contains("expected positive extents, found [2, 0]"));
}

TEST_CASE("windows lie within the values", "[data]") {
  const auto values = std::make_shared<const std::vector<float>>(10);
  const auto add = [&](tl::data::windows where) {
    dataset set;
    set.add("w", {3}, values, where);
  };
  CHECK_NOTHROW(add({.first = 1, .count = 4, .stride = 2}));
  CHECK_NOTHROW(add({.first = 7, .count = 1, .stride = INT64_MAX}));
  CHECK_NOTHROW(add({.first = 10, .count = 0}));
  const tl::data::windows outside[] = {{.first = 2, .count = 4, .stride = 2},
                                       {.first = 8, .count = 1},
                                       {.first = 0, .count = 9},
                                       {.first = -1, .count = 1},
                                       {.first = 0, .count = -1},
                                       {.first = 5, .count = 2, .stride = -1},
                                       {.first = INT64_MAX, .count = 1},
                                       {.first = 0, .count = INT64_MAX},
                                       {.first = 0, .count = 2, .stride = INT64_MAX},
                                       {.first = 11, .count = 0}};
  for (const tl::data::windows where : outside) {
    CHECK(test::missing_in(test::error_of([&] { add(where); }),
                           {"column \"w\"", "windows of 3 values", "do not lie within 10 values"}) == "");
  }
}
