// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/npy.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using shape = std::vector<std::int64_t>;

namespace {

/// A file of version 1.0 with this dictionary.
std::string npy_file(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(version), '\0', static_cast<char>(dictionary.size() & 0xff),
            static_cast<char>(dictionary.size() >> 8)};
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + dictionary + data;
}
std::string dictionary(const std::string& descr, const std::string& extents, const char* fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': (" + extents + "), }";
}

/// The elements as numbers.
template <class T>
std::vector<double> numbers(const tl::io::npy_array& array) {
  std::vector<double> all;
  for (const T x : array.as<T>()) all.push_back(static_cast<double>(x));
  return all;
}
using list = std::vector<double>;

}  // namespace

TEST_CASE("each type of NumPy's becomes the one that holds all of its numbers", "[io]") {
  const test::temporary_folder folder;
  const auto read = [&](const std::string& descr, const std::string& extents, const std::string& data) {
    return tl::io::read_npy(folder.write("file", npy_file(dictionary(descr, extents), data)));
  };
  const auto text = [](const auto&... bytes) { return std::string{static_cast<char>(bytes)...}; };
  CHECK(numbers<float>(read("<f4", "1,", text(0, 0, 0xc0, 0xbf))) == list{-1.5});
  CHECK(numbers<float>(read(">f4", "1,", text(0xbf, 0xc0, 0, 0))) == list{-1.5});
  CHECK(numbers<double>(read("<f8", "1,", text(0, 0, 0, 0, 0, 0, 4, 0x40))) == list{2.5});
  CHECK(numbers<double>(read(">f8", "1,", text(0x40, 4, 0, 0, 0, 0, 0, 0))) == list{2.5});
  CHECK(numbers<tl::f16>(read("<f2", "2,", text(0, 0x3c, 0, 0xc0))) == list{1, -2});
  CHECK(numbers<tl::f16>(read(">f2", "2,", text(0x3c, 0, 0xc0, 0))) == list{1, -2});
  CHECK(numbers<std::uint8_t>(read("|u1", "2,", text(7, 255))) == list{7, 255});
  CHECK(numbers<std::int8_t>(read("|i1", "2,", text(7, 255))) == list{7, -1});
  CHECK(numbers<std::int16_t>(read("<i2", "2,", text(1, 2, 0xfe, 0xff))) == list{513, -2});
  CHECK(numbers<std::int16_t>(read(">i2", "2,", text(1, 2, 0xff, 0xfe))) == list{258, -2});
  CHECK(numbers<std::int32_t>(read(">u2", "2,", text(1, 2, 0xfe, 0xff))) == list{258, 65279});
  CHECK(numbers<std::int32_t>(read("<i4", "1,", text(0xff, 0xff, 0xff, 0xff))) == list{-1});
  CHECK(numbers<std::int32_t>(read(">i4", "1,", text(0xff, 0, 0, 0))) == list{-16777216});
  CHECK(numbers<std::uint32_t>(read("<u4", "1,", text(0xff, 0xff, 0xff, 0xff))) == list{4294967295});
  CHECK(numbers<std::int64_t>(read("<i8", "1,", std::string(8, '\xff'))) == list{-1});
  CHECK(numbers<std::int64_t>(read(">u8", "1,", text(0, 0, 0, 0, 0, 0, 1, 2))) == list{258});
  CHECK(numbers<bool>(read("|b1", "2,", text(1, 0))) == list{1, 0});
  CHECK(read("<f4", "", std::string(4, '\0')).shape.empty());
  CHECK(read("<f4", "0, 3", "").shape == shape{0, 3});
  CHECK(read("<f4", "0, 3", "").bytes.empty());
  CHECK(read("<f4", "0, 4611686018427387904, 4611686018427387904", "").bytes.empty());
}

TEST_CASE("arrays in Fortran's order come out row by row", "[io]") {
  const test::temporary_folder folder;
  const auto read = [&](const std::string& extents, const std::string& data) {
    return tl::io::read_npy(folder.write("file", npy_file(dictionary("|u1", extents, "True"), data)));
  };
  const auto matrix = read("2, 3", {0, 3, 1, 4, 2, 5});
  CHECK(matrix.shape == shape{2, 3});
  CHECK(numbers<std::uint8_t>(matrix) == list{0, 1, 2, 3, 4, 5});
  CHECK(numbers<std::uint8_t>(read("2, 2, 2", {0, 4, 2, 6, 1, 5, 3, 7})) == list{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(numbers<std::uint8_t>(read("3,", {1, 2, 3})) == list{1, 2, 3});
  std::string many;
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 400; ++j) many += static_cast<char>((400 * i + j) % 251);
  std::string columns;
  for (int j = 0; j < 400; ++j)
    for (int i = 0; i < 300; ++i) columns += many[static_cast<std::size_t>(400 * i + j)];
  const auto large = read("300, 400", columns);  // more than one block of the file
  CHECK(std::string(reinterpret_cast<const char*>(large.bytes.data()), large.bytes.size()) == many);
}

TEST_CASE("headers of all versions are read, as Python may write them", "[io]") {
  const test::temporary_folder folder;
  const auto read = [&](const std::string& header, int version = 1) {
    return numbers<std::uint8_t>(tl::io::read_npy(folder.write("file", npy_file(header, "\1\2", version))));
  };
  CHECK(read(dictionary("|u1", "2,"), 2) == list{1, 2});
  CHECK(read(dictionary("|u1", "2,") + "   \n", 3) == list{1, 2});
  CHECK(read("{\"shape\":(2L,1),\"descr\":'|u1',\"fortran_order\":True}") == list{1, 2});
}

TEST_CASE("what is written is what NumPy writes", "[io]") {
  const test::temporary_folder folder;
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  tl::io::write_npy<float>(folder.path("file"), {2, 3}, values);
  std::string header = dictionary("<f4", "2, 3");
  header += std::string(128 - 11 - header.size(), ' ') + "\n";
  CHECK(test::bytes_of(folder.path("file")) ==
        npy_file(header, std::string(reinterpret_cast<const char*>(values.data()), 24)));
  const auto read = tl::io::read_npy(folder.path("file"));
  CHECK(read.name == folder.path("file"));
  CHECK(read.shape == shape{2, 3});
  CHECK(numbers<float>(read) == list{1, 2, 3, 4, 5, 6});
  CHECK(reinterpret_cast<std::uintptr_t>(read.bytes.data()) % 64 == 0);
  for (const shape& extents : {shape{}, shape{1}, shape{1, 1, 1}}) {
    tl::io::write_npy<double>(folder.path("file"), extents, std::vector<double>{0.1});
    CHECK(test::bytes_of(folder.path("file")).size() == 136);
    CHECK(tl::io::read_npy(folder.path("file")).shape == extents);
    CHECK(numbers<double>(tl::io::read_npy(folder.path("file"))) == list{0.1});
  }
}

TEST_CASE("what NumPy has no type for is not written", "[io]") {
  const test::temporary_folder folder;
  const std::vector<tl::bf16> values(3);
  CHECK(test::missing_in(test::error_of([&] { tl::io::write_npy<tl::bf16>(folder.path("a"), {3}, values); }),
                         {folder.path("a") + ": NumPy has no type for elements of type bf16"}) == "");
  const std::vector<float> two(2);
  CHECK(test::missing_in(test::error_of([&] { tl::io::write_npy<float>(folder.path("a"), {3}, two); }),
                         {"expected the bytes of float of shape [3], found 8 bytes"}) == "");
  CHECK(folder.size() == 0);
}

TEST_CASE("an NPY file that is wrong is named, with what was expected and what was found", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file"),
                    right = npy_file(dictionary("<f4", "2, 3"), std::string(24, '\0'));
  const auto error_for = [&](const std::string& bytes) {
    folder.write("file", bytes);
    return test::error_of([&] { tl::io::read_npy(path); });
  };
  const auto error_of_header = [&](const std::string& header) { return error_for(npy_file(header, "1234")); };
  SECTION("missing, empty, something else") {
    CHECK(test::missing_in(test::error_of([&] { tl::io::read_npy(path); }), {path, "No such file"}) == "");
    CHECK(test::missing_in(error_for(""), {path + " is empty"}) == "");
    CHECK(test::missing_in(error_for("\x93NUMPY\1"), {path + ": expected an NPY file, found only 7 bytes"}) ==
          "");
    CHECK(test::missing_in(error_for("PK\3\4 and so on"), {path + ": expected an NPY file", "found \"PK"}) ==
          "");
    CHECK(test::missing_in(error_for(npy_file("{}", "", 4)),
                           {"expected version 1.0, 2.0 or 3.0 of NPY, found 4.0"}) == "");
  }
  SECTION("truncated anywhere, or too long") {
    for (std::size_t size = 1; size < right.size(); ++size)
      CHECK(test::missing_in(error_for(right.substr(0, size)), {path}) == "");
    CHECK(test::missing_in(
              error_for(right.substr(0, right.size() - 1)),
              {path + ": expected 24 bytes for elements of 4 bytes and shape [2, 3], found 23"}) == "");
    CHECK(test::missing_in(error_for(right + "x"), {"expected 24 bytes", "found 25"}) == "");
  }
  SECTION("a header that goes on") {
    std::string bytes = right;
    bytes[8] = bytes[9] = '\xff';
    CHECK(test::missing_in(error_for(bytes), {"the NPY header would take 65535 bytes where at most"}) == "");
  }
  SECTION("elements that are no numbers") {
    for (const auto& [descr, hint] :
         {std::pair{"|O", "objects"}, std::pair{"<U5", "texts"}, std::pair{"<c8", "complex"},
          std::pair{"<M8[ns]", "dates"}, std::pair{"|V2", "bfloat16"},
          std::pair{"<f16", "'<f16'; expected numbers"}})
      CHECK(test::missing_in(error_of_header(dictionary(descr, "1,")), {path + ": NPY header", hint}) == "");
    for (const char* descr : {"f4", "|f4", "<f", "", "<f44444444444", "<f4 ", "<f-4", "<f3", "?"})
      CHECK(test::missing_in(error_of_header(dictionary(descr, "1,")), {"; expected numbers"}) == "");
    CHECK(test::missing_in(
              error_of_header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"),
              {"elements of type '[('a', '<f4')]' (named fields"}) == "");
  }
  SECTION("a header of another form") {
    for (const char* header : {"", "{", "{}", "[]", "{'descr'", "{'descr': '<f4'}", "{'descr: '<f4'}",
                               "{'descr': '<f4\\x00'}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
                               "{'descr': '<f4', 'fortran_order': True, 'shape': 1}",
                               "{'descr': '<f4', 'fortran_order': True, 'shape': (1 1)}",
                               "{'descr': '<f4', 'fortran_order': True, 'shape': (-1,)}",
                               "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), 'more': 1}",
                               "{'descr': '<f4', 'descr': '<f4', 'fortran_order': True, 'shape': (1,)}",
                               "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)} x"}) {
      INFO(header);
      CHECK(test::missing_in(error_of_header(header), {path + ": NPY header: "}) == "");
    }
  }
  SECTION("absurd extents") {
    CHECK(test::missing_in(error_of_header(dictionary("<f4", "4294967296, 4294967296")),
                           {"the shape [4294967296, 4294967296] is larger than any memory"}) == "");
    CHECK(test::missing_in(error_of_header(dictionary("<f4", "99999999999999999999,")),
                           {"expected an integer"}) == "");
    CHECK(test::missing_in(error_of_header(dictionary("<f4", "1000000000000,")),
                           {"expected 4000000000000 bytes", "found 4"}) == "");
    std::string many;
    for (int i = 0; i < 65; ++i) many += "1,";
    CHECK(test::missing_in(error_of_header(dictionary("<f4", many)), {"more than 64 axes"}) == "");
  }
  SECTION("numbers that do not fit") {
    CHECK(test::missing_in(
              error_for(npy_file(dictionary("<u8", "2,"), std::string(8, '\0') + std::string(8, '\xff'))),
              {path + ": element 1 is 18446744073709551615, which does not fit into std::int64_t"}) == "");
    CHECK(test::missing_in(error_for(npy_file(dictionary("|b1", "2,"), "\1\2")),
                           {path + ": a bool must be 0 or 1, found 2"}) == "");
    CHECK(test::missing_in(error_for(npy_file(dictionary("|b1", "1, 2", "True"), "\1\2")), {"found 2"}) ==
          "");
  }
}
