// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/texts_by_name.hpp>

#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

using tapeless::io::named_text;
using tapeless::io::texts_by_name;

TEST_CASE("texts are found by their names, and are in the names' order", "[io]") {
  const texts_by_name texts = {{"note", "b"}, {"format", "pt"}, {"", "nameless"}};
  CHECK(texts.size() == 3);
  std::string all;
  for (const auto& [name, text] : texts) all += name + "=" + text + ";";
  CHECK(all == "=nameless;format=pt;note=b;");
  CHECK(texts.at("format") == "pt");
  CHECK(texts.at("") == "nameless");
  CHECK(texts.find("note")->text == "b");
  CHECK(texts.contains("note"));
  for (const char* absent : {"a", "formats", "notes", "z"}) {
    CHECK(texts.find(absent) == texts.end());
    CHECK_FALSE(texts.contains(absent));
  }
}

TEST_CASE("no texts", "[io]") {
  const texts_by_name none;
  CHECK(none.empty());
  CHECK(none.begin() == none.end());
  CHECK_FALSE(none.contains(""));
  CHECK(none == texts_by_name{});
}

TEST_CASE("texts by name are made of a std::map, too, and equal where names and texts do", "[io]") {
  const std::map<std::string, std::string> map = {{"b", "2"}, {"a", "1"}};
  CHECK(texts_by_name(map) == texts_by_name{{"a", "1"}, {"b", "2"}});
  CHECK(texts_by_name(map) != texts_by_name{{"a", "1"}, {"b", "3"}});
  CHECK(texts_by_name(map) != texts_by_name{{"a", "1"}});
}

TEST_CASE("a text that is not there, or is there twice, is an error", "[io]") {
  const texts_by_name texts = {{"model", "m"}, {"rule", "r"}};
  CHECK(test::error_of([&] { texts.at("modal"); }) ==
        "tapeless: there is no text of the name \"modal\"; similar: \"model\", \"rule\"");
  CHECK(test::error_of([] { texts_by_name().at("a"); }) ==
        "tapeless: there is no text of the name \"a\"; similar: none");
  CHECK(test::error_of([] { texts_by_name({{"a", "1"}, {"b", "2"}, {"a", "3"}}); }) ==
        "tapeless: the name \"a\" occurs twice");
  CHECK(test::error_of([] { texts_by_name(std::vector<named_text>{{"a", ""}, {"a", ""}}, "file: "); }) ==
        "tapeless: file: the name \"a\" occurs twice");
}
