// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/column.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;

namespace {

// Four windows of three numbers, two apart, in 0, 1, ... 8.
tl::data::column windows() {
  const auto values =
      std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  tl::data::column result{"w", tl::element::i32, {3}, 3, 2, 4, {}};
  result.storage = {values, reinterpret_cast<const std::byte*>(values->data())};
  return result;
}

}  // namespace

TEST_CASE("a column gives its samples one by one", "[data]") {
  const tl::data::column column = windows();
  CHECK(column.sample_bytes() == 12);
  CHECK(column.sample<std::int32_t>(0).size() == 3);
  CHECK(column.sample<std::int32_t>(3)[0] == 6);
  CHECK(column.sample<std::int32_t>(3)[2] == 8);
}

TEST_CASE("samples are gathered in any order and as often as asked", "[data]") {
  const tl::data::column column = windows();
  const std::vector<std::int64_t> indices = {3, 0, 3, 1};
  std::vector<std::int32_t> out(13, -1);
  tl::data::copy_samples(column, indices, reinterpret_cast<std::byte*>(out.data()));
  CHECK(out == std::vector<std::int32_t>{6, 7, 8, 0, 1, 2, 6, 7, 8, 2, 3, 4, -1});
}

TEST_CASE("a sample that does not exist is named", "[data]") {
  const tl::data::column column = windows();
  std::vector<std::int32_t> out(6);
  const auto error_for = [&](std::int64_t index) {
    const std::vector<std::int64_t> indices = {0, index};
    return test::error_of(
        [&] { tl::data::copy_samples(column, indices, reinterpret_cast<std::byte*>(out.data())); });
  };
  CHECK(test::missing_in(error_for(4), {"column \"w\": no sample 4, it has 4"}) == "");
  CHECK(test::missing_in(error_for(-1), {"column \"w\": no sample -1, it has 4"}) == "");
  CHECK(test::missing_in(test::error_of([&] { column.sample<std::int32_t>(4); }), {"no sample 4"}) == "");
}

TEST_CASE("a column says what it holds when asked for something else", "[data]") {
  const tl::data::column column = windows();
  CHECK(test::missing_in(test::error_of([&] { column.sample<float>(0); }),
                         {"column \"w\" holds std::int32_t, not float"}) == "");
}
