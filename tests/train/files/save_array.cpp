// SPDX-License-Identifier: BSL-1.0
// save_array: a header with the bytes of the file that save writes.
#include <tapeless/bytes.hpp>
#include <tapeless/tapeless.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] { return tl::mean(tl::linear<"a", 4>(tl::input<"x", float, 2, 3>)); };

}  // namespace

TEST_CASE("the array has the bytes that save_bytes gives") {
  const test::temporary_folder folder;
  const std::string path = folder.path("weights.hpp");
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  tl::save_array(net, path, "weights_of_a");
  const std::string text = test::bytes_of(path);
  const std::string declaration = "\nalignas(64) inline constexpr unsigned char weights_of_a[] = {\n";
  const std::size_t begin = text.find(declaration);
  REQUIRE(begin != std::string::npos);
  REQUIRE(text.substr(text.size() - 4) == "\n};\n");
  std::string numbers = text.substr(begin + declaration.size());
  for (char& c : numbers)
    if (c == ',') c = ' ';
  std::istringstream in(numbers);
  std::vector<std::byte> bytes;
  for (int number = 0; in >> number;) bytes.push_back(static_cast<std::byte>(number));
  CHECK(bytes == tl::save_bytes(net));
  CHECK(test::missing_in(test::error_of([&] { tl::save_array(net, path, "a", {.only = {"none"}}); }),
                         {path + ": no parameter of the model fits \"none\""}) == "");
}

TEST_CASE("a name that no array can have, or a place that cannot be written, is an error") {
  const test::temporary_folder folder;
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  for (const char* name : {"", "a.b", "2a", "a b"}) {
    CHECK_THROWS_WITH(
        tl::save_array(net, folder.path("weights.hpp"), name),
        "tapeless: save_array: the array needs a name of letters, digits and _, but here is \"" +
            std::string(name) + "\"");
  }
  CHECK_THROWS_AS(tl::save_array(net, folder.path("none/weights.hpp"), "weights"), tl::error);
}
