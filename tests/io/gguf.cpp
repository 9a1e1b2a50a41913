// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/gguf.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "file_parts.hpp"
#include "gguf_parts.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using tl::io::gguf;
using tl::io::gguf_metadata;
using tl::io::tensor_entry;
using shape = std::vector<std::int64_t>;
using test::entry, test::little;
using test::gguf::file_bytes, test::gguf::place, test::gguf::text;

TEST_CASE("tensors and values under keys are written and read back", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("all.gguf");
  const std::vector<float> floats{0.5f, -2, 3, 4, 5, 6};
  const std::vector<double> scalar{0.1};
  const std::vector<std::int32_t> ints{-1};
  const std::vector<std::int64_t> longs{INT64_MIN, INT64_MAX};
  const std::vector<tl::f16> halves{tl::f16(1.5f)};
  const std::vector<tl::bf16> brains{tl::bf16(-2.0f), tl::bf16(3.0f)};
  const std::vector<tensor_entry> tensors{entry("fc1.weight", {3, 2}, floats),
                                          entry("scalar", {}, scalar),
                                          entry("ints", {1}, ints),
                                          entry("longs", {2}, longs),
                                          entry("halves", {1, 1, 1, 1}, halves),
                                          entry("brains", {2}, brains),
                                          entry("none", {0, 4}, std::vector<float>())};
  const gguf_metadata metadata{
      {"general.architecture", "test"},
      {"general.name", "gr\xc3\xbc\xc3\x9f"},
      {"a.u8", std::uint8_t{255}},
      {"a.i8", std::int8_t{-1}},
      {"a.u16", std::uint16_t{65535}},
      {"a.i16", std::int16_t{-2}},
      {"a.u32", std::uint32_t{4294967295}},
      {"a.i32", std::int32_t{-3}},
      {"a.f32", 1.5f},
      {"a.bool", true},
      {"a.u64", std::uint64_t{18446744073709551615u}},
      {"a.i64", std::numeric_limits<std::int64_t>::min()},
      {"a.f64", 0.1},
      {"b.u8", std::vector<std::uint8_t>{1, 2}},
      {"b.i16", std::vector<std::int16_t>{-1, 2}},
      {"b.bools", std::vector<bool>{true, false, true}},
      {"b.floats", std::vector<float>{1, 2}},
      {"b.texts", std::vector<std::string>{"", "two"}},
      {"b.longs", std::vector<std::int64_t>{-1, 2}},
      {"b.none", std::vector<double>{}},
  };
  tl::io::write_gguf(path, tensors, metadata);
  const gguf file = gguf::read(path);
  CHECK(file.metadata() == metadata);
  REQUIRE(file.size() == tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const tensor_entry& read = file.entries()[i];
    CHECK(read.name == tensors[i].name);
    CHECK(read.type == tensors[i].type);
    CHECK(read.shape == tensors[i].shape);
    CHECK(std::equal(read.bytes.begin(), read.bytes.end(), tensors[i].bytes.begin(), tensors[i].bytes.end()));
    CHECK(reinterpret_cast<std::uintptr_t>(read.bytes.data()) % 32 == 0);
  }
  CHECK(std::get<std::string>(file.metadata().at("general.name")) == "gr\xc3\xbc\xc3\x9f");
}

TEST_CASE("what is written is laid out as the format says", "[io]") {
  const test::temporary_folder folder;
  const std::vector<float> values{1, 2}, one{3};
  tl::io::write_gguf(folder.path("file"), std::vector{entry("w", {1, 2}, values), entry("b", {1}, one)},
                     {{"k", std::vector<std::uint16_t>{7}}});
  const std::string architecture = text("general.architecture") + little(8, 4) + text("tapeless");
  const std::string list = text("k") + little(9, 4) + little(2, 4) + little(1, 8) + little(7, 2);
  std::string data(reinterpret_cast<const char*>(values.data()), 8);
  data.resize(32, '\0');
  data.append(reinterpret_cast<const char*>(one.data()), 4);
  data.resize(64, '\0');
  // extents come in the other order
  const std::string expected =
      file_bytes(2, architecture + list, 2, place("w", {2, 1}, 0, 0) + place("b", {1}, 0, 32), data);
  CHECK(test::bytes_of(folder.path("file")) == expected);
}

TEST_CASE("a file may hold no tensors, and other alignments", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  tl::io::write_gguf(path, {});
  CHECK(gguf::read(path).size() == 0);
  CHECK(gguf::read(folder.write("file", file_bytes(0, "", 0, "", "", 1))).metadata().empty());
  const std::string alignment = text("general.alignment") + little(4, 4);
  const std::string places = place("a", {1}, 0, 0) + place("b", {1}, 0, 64);
  const std::string data = std::string(64, '\0') + std::string("\0\0\x80\x3f", 4);
  folder.write("file", file_bytes(1, alignment + little(64, 4), 2, places, data, 64));
  const gguf aligned = gguf::read(path);
  CHECK(aligned["b"].as<float>()[0] == 1);
  for (const auto& [key, value] : gguf::read(path).metadata()) CHECK(key == "general.alignment");
}

TEST_CASE("a GGUF file that is wrong is named, with what was expected and what was found", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file"), data(4, '\0');
  const auto error_for = [&](const std::string& bytes) {
    folder.write("file", bytes);
    return test::error_of([&] { gguf::read(path); });
  };
  const auto error_of_pair = [&](const std::string& pair) {
    return error_for(file_bytes(1, pair, 0, "", ""));
  };
  const auto error_of_place = [&](const std::string& where) {
    return error_for(file_bytes(0, "", 1, where, data));
  };
  SECTION("missing, empty, something else") {
    CHECK(test::missing_in(test::error_of([&] { gguf::read(path); }), {path, "No such file"}) == "");
    CHECK(test::missing_in(error_for(""), {path + " is empty"}) == "");
    CHECK(test::missing_in(error_for("GGUF"), {path + ": expected a GGUF file, found only 4 bytes"}) == "");
    CHECK(test::missing_in(error_for(std::string(30, 'x')), {"which begins with \"GGUF\", found \"xxxx\""}) ==
          "");
    CHECK(test::missing_in(error_for("GGUF" + little(1, 4) + std::string(16, '\0')),
                           {"expected version 2 or 3 of GGUF, found 1"}) == "");
    CHECK(test::missing_in(error_for(std::string("GGUF\0\0\0\3", 8) + std::string(16, '\0')),
                           {"big-endian"}) == "");
  }
  SECTION("truncated anywhere, or too long") {
    const std::string pairs =
        text("k") + little(9, 4) + little(8, 4) + little(2, 8) + text("one") + text("two");
    const std::string bytes = file_bytes(1, pairs, 1, place("a", {1}, 0, 0), data);
    CHECK(error_for(bytes) == "(no error)");
    CHECK(error_for(bytes + std::string(28, '\0')) == "(no error)");  // padding
    CHECK(test::missing_in(error_for(bytes + std::string(29, '\0')),
                           {path + ": expected at most 32 bytes of data, found 33"}) == "");
    for (std::size_t size = 1; size < bytes.size(); ++size)
      CHECK(test::missing_in(error_for(bytes.substr(0, size)), {path}) == "");
  }
  SECTION("absurd numbers") {
    CHECK(test::missing_in(error_for("GGUF" + little(3, 4) + little(1000, 8) + little(0, 8)),
                           {path + ": expected at most 0 tensors in the 0 bytes that follow, found 1000"}) ==
          "");
    CHECK(test::missing_in(error_for("GGUF" + little(3, 4) + little(0, 8) + little(~0ull, 8)),
                           {"at most 0 keys", "found 18446744073709551615"}) == "");
    CHECK(test::missing_in(error_of_pair(little(~0ull, 8) + std::string(20, 'x')),
                           {"at most 32 characters", "found 18446744073709551615"}) == "");
    CHECK(test::missing_in(error_of_pair(text("k") + little(9, 4) + little(10, 4) + little(1ull << 60, 8)),
                           {"items", "found 1152921504606846976"}) == "");
    CHECK(test::missing_in(
              error_of_place(place("a", {1ull << 62, 1ull << 62}, 0, 0)),
              {"tensor \"a\": shape [4611686018427387904, 4611686018427387904] from byte 0 on"}) == "");
    CHECK(test::missing_in(error_of_place(place("a", {~0ull}, 0, 0)),
                           {"axis 0 has 18446744073709551615 elements"}) == "");
    CHECK(test::missing_in(error_of_place(place("a", {1}, 0, ~0ull)),
                           {"from byte 18446744073709551615 on"}) == "");
  }
  SECTION("keys") {
    CHECK(test::missing_in(error_of_pair(text("k") + little(13, 4) + little(0, 8)),
                           {path + ": key \"k\": unknown type 13, expected 0 to 12"}) == "");
    CHECK(test::missing_in(error_of_pair(text("k") + little(9, 4) + little(9, 4) + little(0, 8)),
                           {"lists in it"}) == "");
    CHECK(test::missing_in(error_of_pair(text("k") + little(7, 4) + "\2"),
                           {"a bool must be 0 or 1, found 2"}) == "");
    CHECK(test::missing_in(error_of_pair(text("") + little(7, 4) + "\1"),
                           {"the name of a key must be UTF-8"}) == "");
    const std::string pair = text("k") + little(0, 4) + "x";
    CHECK(test::missing_in(error_for(file_bytes(2, pair + pair, 0, "", "")),
                           {"the key \"k\" occurs twice"}) == "");
    const std::string alignment = text("general.alignment") + little(4, 4);
    CHECK(test::missing_in(error_of_pair(alignment + little(0, 4)),
                           {"power of two from 8 on, as uint32, found 0"}) == "");
    CHECK(test::missing_in(error_of_pair(alignment + little(48, 4)), {"found 48"}) == "");
    CHECK(test::missing_in(error_of_pair(text("general.alignment") + little(5, 4) + little(32, 4)),
                           {"as uint32"}) == "");
  }
  SECTION("tensors") {
    CHECK(test::missing_in(
              error_of_place(place("a", {2}, 0, 0)),
              {path + ": tensor \"a\": ends at byte 8 of the data, but the file holds only 4"}) == "");
    CHECK(test::missing_in(error_of_place(place("a", {1, 1, 1, 1, 1}, 0, 0)), {"at most 4 axes, found 5"}) ==
          "");
    CHECK(test::missing_in(error_of_place(place("a", {1}, 0, 4)),
                           {"begins at byte 4 of the data, expected 0"}) == "");
    const std::string both = place("a", {1}, 0, 0) + place("a", {1}, 0, 32);
    CHECK(test::missing_in(error_for(file_bytes(0, "", 2, both, std::string(36, '\0'))),
                           {"\"a\" occurs twice"}) == "");
  }
}

TEST_CASE("what no GGUF file can hold is not written", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const std::vector<float> values{1, 2};
  const auto error_for = [&](const std::vector<tensor_entry>& tensors, const gguf_metadata& metadata = {}) {
    return test::error_of([&] { tl::io::write_gguf(path, tensors, metadata); });
  };
  CHECK(test::missing_in(error_for({entry("a", {2}, values), entry("a", {2}, values)}),
                         {path + ": tensor \"a\": the name is given twice"}) == "");
  CHECK(test::missing_in(error_for({entry(std::string(64, 'a'), {2}, values)}),
                         {"1 to 63 bytes of UTF-8, found 64"}) == "");
  CHECK(test::missing_in(error_for({entry("a", {1, 1, 1, 1, 2}, values)}), {"at most 4 axes, found 5"}) ==
        "");
  CHECK(test::missing_in(error_for({entry("a", {3}, values)}),
                         {"the bytes of float of shape [3], found 8"}) == "");
  CHECK(test::missing_in(error_for({entry("a", {2}, std::vector<unsigned char>(2))}),
                         {"no type", "std::uint8_t"}) == "");
  CHECK(test::missing_in(error_for({}, {{"", true}}), {"expected a key of 1 to 65535 bytes"}) == "");
  CHECK(test::missing_in(error_for({}, {{"general.alignment", std::uint32_t{64}}}),
                         {"\"general.alignment\" is 32"}) == "");
  CHECK(folder.size() == 0);
}
