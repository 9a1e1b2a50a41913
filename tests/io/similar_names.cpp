// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/similar_names.hpp>

#include <string_view>
#include <vector>

#include "catch.hpp"

namespace io = tapeless::io;

TEST_CASE("edits between names are counted", "[io]") {
  CHECK(io::edit_distance("", "") == 0);
  CHECK(io::edit_distance("abc", "") == 3);
  CHECK(io::edit_distance("", "abc") == 3);
  CHECK(io::edit_distance("abc", "abc") == 0);
  CHECK(io::edit_distance("kitten", "sitting") == 3);
  CHECK(io::edit_distance("fc1.wieght", "fc1.weight") == 2);
}

TEST_CASE("similar names come first, and few of them", "[io]") {
  const std::vector<std::string_view> names = {"conv.bias", "fc2.weight", "fc1.weight", "fc1.bias"};
  CHECK(io::similar_names("fc1.wight", names) == "\"fc1.weight\", \"fc2.weight\", \"fc1.bias\"");
  CHECK(io::similar_names("fc1.wight", names, 1) == "\"fc1.weight\"");
  CHECK(io::similar_names("a", {}) == "none");
}
