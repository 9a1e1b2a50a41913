// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/idx.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;

namespace {

const std::string matrix("\0\0\x08\2\0\0\0\2\0\0\0\3\1\2\3\4\5\xff", 18);

}  // namespace

TEST_CASE("IDX files of any rank are read", "[data]") {
  const test::temporary_folder folder;
  const auto read = tl::data::read_idx(folder.write("matrix", matrix), 2);
  CHECK(read.shape == std::vector<std::int64_t>{2, 3});
  CHECK(read.values == std::vector<unsigned char>{1, 2, 3, 4, 5, 255});
  const auto labels = tl::data::read_idx(folder.write("labels", std::string("\0\0\x08\1\0\0\0\1\7", 9)), 1);
  CHECK(labels.shape == std::vector<std::int64_t>{1});
  CHECK(labels.values == std::vector<unsigned char>{7});
}

TEST_CASE("an IDX file comes block by block", "[data]") {
  const test::temporary_folder folder;
  std::string bytes("\0\0\x08\1\0\2\0\0", 8), values;
  for (int i = 0; i < 1 << 17; ++i) values += static_cast<char>(i % 251);
  tl::data::idx_file file(folder.write("file", bytes + values), 1);
  CHECK(file.path() == folder.path("file"));
  CHECK(file.shape() == std::vector<std::int64_t>{1 << 17});
  CHECK(file.certain_size() == 1 << 17);
  std::string read;
  int blocks = 0;
  for (auto block = file.next(); !block.empty(); block = file.next(), ++blocks)
    read.append(reinterpret_cast<const char*>(block.data()), block.size());
  CHECK(read == values);
  CHECK(blocks > 1);
  CHECK(file.next().empty());
}

TEST_CASE("an IDX file that is wrong is named, with what was expected and what was found", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const auto error_for = [&](const std::string& bytes, int rank) {
    folder.write("file", bytes);
    return test::error_of([&] { tl::data::read_idx(path, rank); });
  };
  SECTION("missing") {
    CHECK(test::missing_in(test::error_of([&] { tl::data::read_idx(path, 1); }),
                           {path + " or " + path + ".gz", "No such file"}) == "");
  }
  SECTION("empty") { CHECK(test::missing_in(error_for("", 1), {path + " is empty"}) == ""); }
  SECTION("truncated in the header") {
    for (std::size_t size = 1; size < 12; ++size) {
      CHECK(test::missing_in(error_for(matrix.substr(0, size), 2), {path, "truncated", "IDX header"}) == "");
    }
  }
  SECTION("truncated in the values") {
    for (std::size_t size = 12; size < matrix.size(); ++size) {
      CHECK(test::missing_in(error_for(matrix.substr(0, size), 2),
                             {path + ": truncated, expected 6 bytes for shape [2, 3]",
                              "found " + std::to_string(size - 12)}) == "");
    }
  }
  SECTION("too long") {
    CHECK(test::missing_in(error_for(matrix + "x", 2),
                           {path + ": too long, expected 6 bytes", "found more"}) == "");
  }
  SECTION("labels in the place of images") {
    CHECK(test::missing_in(error_for(std::string("\0\0\x08\1\0\0\0\1\7", 9), 3),
                           {path + ": expected IDX bytes of rank 3 (magic number 2051)",
                            "found IDX bytes of rank 1 (magic number 2049)"}) == "");
  }
  SECTION("elements that are no bytes") {
    CHECK(test::missing_in(error_for(std::string("\0\0\x0d\1\0\0\0\1\0\0\0\0", 12), 1),
                           {"found IDX elements of another type (magic number 3329)"}) == "");
  }
  SECTION("no IDX file") {
    CHECK(test::missing_in(error_for("<html>", 1), {path, "found no IDX file"}) == "");
  }
  SECTION("no elements") {
    CHECK(test::missing_in(error_for(std::string("\0\0\x08\1\0\0\0\0", 8), 1),
                           {path + ": expected positive extents", "found [0]"}) == "");
  }
  SECTION("an absurd number of elements") {
    CHECK(test::missing_in(error_for(std::string("\0\0\x08\1\xff\xff\xff\xff\1", 9), 1),
                           {"expected 4294967295 bytes", "found at most 9"}) == "");
    std::string header("\0\0\x08\3", 4);
    header.append(12, '\xff');
    CHECK(test::missing_in(error_for(header, 3), {"a product below 2^63", "[4294967295, 4294967295"}) == "");
  }
}

#if defined(TAPELESS_HAS_ZLIB)

TEST_CASE("a compressed IDX file is unpacked only if it can hold what its header says", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file.gz");
  const auto write = [&](const std::string& bytes) {
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
  };
  write(matrix);
  CHECK(tl::data::read_idx(folder.path("file"), 2).values == std::vector<unsigned char>{1, 2, 3, 4, 5, 255});
  write(std::string("\0\0\x08\1\0\x10\0\0", 8) + std::string(100, '\0'));
  CHECK(test::missing_in(test::error_of([&] { tl::data::read_idx(path, 1); }),
                         {path + ": truncated, expected 1048576 bytes for shape [1048576], found at most"}) ==
        "");
  write(std::string("\0\0\x08\1\0\0\0\5", 8) + std::string(3'000'000, '\0'));
  CHECK(test::missing_in(test::error_of([&] { tl::data::read_idx(path, 1); }),
                         {path + ": too long, expected 5 bytes", "found more"}) == "");
}

#endif
