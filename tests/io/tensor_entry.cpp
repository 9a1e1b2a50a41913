// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/tensor_entry.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;

TEST_CASE("a tensor gives its elements as what they are", "[io]") {
  const std::vector<float> values = {1, 2, 3};
  const tl::io::tensor_entry entry{"a", tl::element::f32, {3}, std::as_bytes(std::span(values))};
  CHECK(entry.as<float>().data() == values.data());
  CHECK(entry.as<float>().size() == 3);
  CHECK(test::missing_in(test::error_of([&] { entry.as<std::int32_t>(); }),
                         {"tensor \"a\" holds float, not std::int32_t"}) == "");
}
