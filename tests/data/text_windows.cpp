// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/text_windows.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;

TEST_CASE("a text becomes windows and what follows them", "[data]") {
  const test::temporary_folder folder;
  const auto set = tl::data::text_windows(folder.write("text", "abc\xff\n"), 3);
  CHECK(set.size() == 2);
  const tl::data::column &text = set.column("text"), &next = set.column("next");
  CHECK(text.sample_shape == std::vector<std::int64_t>{3});
  CHECK(text.stride == 1);
  const auto first = text.sample<std::int32_t>(0), second = text.sample<std::int32_t>(1);
  CHECK(std::vector<std::int32_t>(first.begin(), first.end()) == std::vector<std::int32_t>{'a', 'b', 'c'});
  CHECK(std::vector<std::int32_t>(second.begin(), second.end()) == std::vector<std::int32_t>{'b', 'c', 255});
  CHECK(next.sample<std::int32_t>(1)[2] == '\n');
  CHECK(next.sample<std::int32_t>(0).data() == second.data());
}

TEST_CASE("a text that cannot be used is named", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("text", "abc");
  const auto error_for = [](const std::string& file, std::int64_t context) {
    return test::error_of([&] { tl::data::text_windows(file, context); });
  };
  CHECK(tl::data::text_windows(path, 2).size() == 1);
  CHECK(test::missing_in(error_for(path, 3), {path + ": expected more than 3 characters", "found 3"}) == "");
  CHECK(test::missing_in(error_for(path, INT64_MAX), {path, "found 3"}) == "");
  CHECK(test::missing_in(error_for(path, 0), {"expected a context from 1 on, found 0"}) == "");
  CHECK(test::missing_in(error_for(path + "s", 1), {path + "s", "No such file"}) == "");
}

TEST_CASE("a text in memory, and numbers of a tokenizer", "[data]") {
  const test::temporary_folder folder;
  const std::string text = "abc\xff\n";
  const auto set = tl::data::windows_of(text, 3),
             file = tl::data::text_windows(folder.write("text", text), 3);
  REQUIRE(set.size() == file.size());
  for (const char* const name : {"text", "next"})
    for (const std::int64_t i : {0, 1}) {
      const auto here = set.column(name).sample<std::int32_t>(i),
                 there = file.column(name).sample<std::int32_t>(i);
      CHECK(std::vector<std::int32_t>(here.begin(), here.end()) ==
            std::vector<std::int32_t>(there.begin(), there.end()));
    }
  CHECK(tl::data::windows_of("abc", 2).size() == 1);
  const std::vector<std::byte> bytes{std::byte{97}, std::byte{255}};
  enum class symbol { a, b = 300 };
  const auto of_bytes = tl::data::windows_of(bytes, 1),
             of_symbols = tl::data::windows_of(std::vector{symbol::a, symbol::b}, 1);
  CHECK(of_bytes.column("next").sample<std::int32_t>(0)[0] == 255);
  CHECK(of_symbols.column("next").sample<std::int32_t>(0)[0] == 300);
  const auto tokens = tl::data::windows_of<std::int64_t>(std::vector<int>{5, 40000, 7}, 1);
  CHECK(tokens.size() == 2);
  CHECK(tokens.column("text").sample<std::int64_t>(1)[0] == 40000);
  CHECK(tokens.column("next").sample<std::int64_t>(1)[0] == 7);
  const auto fractions = tl::data::windows_of<float>(std::vector<double>{0.25, 0.5, -1}, 1);
  CHECK(fractions.column<float>("next")[1][0] == -1);
  const auto wide = tl::data::windows_of(std::u32string(U"abc"), 1);
  CHECK(wide.column<std::int32_t>("text")[1][0] == 'b');
  CHECK(test::missing_in(test::error_of([] { tl::data::windows_of(std::string("ab"), 2); }),
                         {"windows_of: expected more than 2 characters", "found 2"}) == "");
  CHECK(test::missing_in(test::error_of([] { tl::data::windows_of(std::string("ab"), 0); }), {"from 1 on"}) ==
        "");
}

TEST_CASE("a number that does not fit is named", "[data]") {
  const auto problem = []<class Element>(Element, auto characters) {
    return test::error_of([&] { tl::data::windows_of<Element>(characters, 1); });
  };
  CHECK(test::missing_in(problem(std::int32_t(), std::vector<std::int64_t>{1, 5'000'000'000, 2}),
                         {"windows_of: 5000000000, at place 1, is no std::int32_t"}) == "");
  CHECK(test::missing_in(problem(std::uint8_t(), std::vector<int>{1, 2, 300}), {"300, at place 2"}) == "");
  CHECK(test::missing_in(problem(std::uint8_t(), std::vector<int>{-1, 2, 3}), {"-1, at place 0"}) == "");
  CHECK(test::missing_in(problem(std::int8_t(), std::string("ab\xff")), {"255, at place 2"}) == "");
  const test::temporary_folder folder;
  const std::string path = folder.write("text", "ab\xff");
  CHECK(test::missing_in(test::error_of([&] { tl::data::text_windows<std::int8_t>(path, 1); }),
                         {path + ": 255, at place 2"}) == "");
}

TEST_CASE("Shakespeare is read", "[data]") {
  const std::string shared = test::folder_from("TAPELESS_DATA_DIR");
  if (shared.empty()) {
    WARN("TAPELESS_DATA_DIR is not set: the text was not read");
    return;
  }
  const auto set = tl::data::text_windows(shared + "/tinyshakespeare/input.txt", 128);
  CHECK(set.size() == 1115394 - 128);
  CHECK(set.column("text").sample<std::int32_t>(0)[0] == 'F');
  CHECK(set.column("next").sample<std::int32_t>(set.size() - 1)[127] == '\n');
}
