// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/sample_order.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using tl::data::sample_order;
using numbers = std::vector<std::int64_t>;

namespace {

numbers taken(sample_order& order, std::int64_t pass, std::int64_t first, std::int64_t count) {
  const auto samples = order.take(pass, first, count);
  return {samples.begin(), samples.end()};
}

}  // namespace

TEST_CASE("without shuffling each pass is the same", "[data]") {
  sample_order all(tl::data::detail::first_numbers(5), 1, false), some(numbers{7, 3, 9}, 1, false);
  CHECK(all.size() == 5);
  CHECK(taken(all, 0, 0, 5) == numbers{0, 1, 2, 3, 4});
  CHECK(taken(all, 3, 1, 2) == numbers{1, 2});
  CHECK(taken(some, 1, 0, 3) == numbers{7, 3, 9});
}

TEST_CASE("the order of a pass depends on its number and the seed alone", "[data]") {
  const numbers all = tl::data::detail::first_numbers(50);
  sample_order a(all, 1, true), b(all, 1, true), c(all, 2, true);
  const numbers first = taken(a, 0, 0, 50), second = taken(a, 1, 0, 50);
  CHECK(first != second);
  CHECK(taken(b, 1, 0, 50) == second);  // no pass before
  CHECK(taken(b, 0, 10, 5) == numbers(first.begin() + 10, first.begin() + 15));
  CHECK(taken(c, 0, 0, 50) != first);
  numbers sorted = second;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == all);
}

TEST_CASE("one batch stays while the next is taken, also that of another pass", "[data]") {
  sample_order finite(tl::data::detail::first_numbers(6), 1, true), infinite;
  for (sample_order* order : {&finite, &infinite}) {
    const numbers expected = taken(*order, 0, 4, 2);
    const auto last = order->take(0, 4, 2);
    const auto next = order->look_ahead(1, 0, 2);
    CHECK(numbers(last.begin(), last.end()) == expected);
    const numbers expected_next(next.begin(), next.end());
    CHECK(taken(*order, 1, 0, 2) == expected_next);
    CHECK(taken(*order, 0, 4, 2) == expected);
  }
}

TEST_CASE("samples without an end come by their numbers", "[data]") {
  sample_order order;
  CHECK(order.size() == tl::data::endless);
  CHECK(taken(order, 0, 1'000'000'000'000, 3) ==
        numbers{1'000'000'000'000, 1'000'000'000'001, 1'000'000'000'002});
}

TEST_CASE("the last batch is kept, dropped or filled", "[data]") {
  using tl::data::last_batch;
  const numbers seven{0, 1, 2, 3, 4, 5, 6};
  const auto size = [&](std::int64_t batch, last_batch last) {
    return sample_order(seven, 1, true, batch, last).size();
  };
  CHECK(size(3, last_batch::keep) == 7);
  CHECK(size(3, last_batch::drop) == 6);
  CHECK(size(3, last_batch::fill) == 9);
  CHECK(size(7, last_batch::drop) == 7);
  CHECK(size(7, last_batch::fill) == 7);
  CHECK(size(8, last_batch::drop) == 0);
  sample_order filled(seven, 1, true, 5, last_batch::fill), kept(seven, 1, true);
  const numbers pass = taken(kept, 2, 0, 7), two = taken(filled, 2, 5, 5);
  CHECK(taken(filled, 2, 0, 5) == numbers(pass.begin(), pass.begin() + 5));
  CHECK(two == numbers{pass[5], pass[6], pass[0], pass[1], pass[2]});
  sample_order in_order(seven, 1, false, 4, last_batch::fill);
  CHECK(taken(in_order, 3, 4, 4) == numbers{4, 5, 6, 0});
  REQUIRE_THROWS_WITH(size(8, last_batch::fill),
                      test::contains("a batch of 8 is too large to be filled with 7 samples"));
}
