// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/gzip.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;

namespace {

std::string read_text(const std::string& path, std::uint64_t limit = 1 << 30) {
  tl::io::byte_source source(path);
  std::string text;
  std::vector<char> block(1000);
  while (text.size() < limit) {
    const std::size_t count = source.read({reinterpret_cast<std::byte*>(block.data()),
                                           std::min<std::size_t>(block.size(), limit - text.size())});
    if (count == 0) break;
    text.append(block.data(), count);
  }
  return text;
}

}  // namespace

TEST_CASE("a plain file is read as it is", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "plain text");
  CHECK(tl::io::byte_source(path).path() == path);
  CHECK(read_text(path) == "plain text");
  CHECK(read_text(path, 5) == "plain");
  CHECK(read_text(path, 10) == "plain text");
}

TEST_CASE("of a file that is there neither plain nor compressed, both names are said", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("missing");
  const std::string message = test::error_of([&] { tl::io::byte_source source(path); });
  CHECK(test::missing_in(message, {path + " or " + path + ".gz", "No such file"}) == "");
}

#if defined(TAPELESS_ZLIB_LINKED)

namespace {

std::string gzipped(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string input(text), output(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  deflate(&stream, Z_FINISH);
  output.resize(stream.total_out);
  deflateEnd(&stream);
  return output;
}

// Long, and hard to compress.
std::string noise(std::size_t size) {
  std::string text(size, '\0');
  std::uint32_t state = 1;
  for (char& c : text) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24);
  }
  return text;
}

}  // namespace

TEST_CASE("a compressed file stands in for the plain one", "[io]") {
  const test::temporary_folder folder;
  folder.write("file.gz", gzipped("compressed text"));
  const std::string path = folder.path("file");
  CHECK(tl::io::byte_source(path).path() == path + ".gz");
  CHECK(read_text(path) == "compressed text");
  CHECK(read_text(path + ".gz") == "compressed text");
  folder.write("file", "plain text");
  CHECK(read_text(path) == "plain text");
}

TEST_CASE("a compressed file comes in pieces of any size", "[io]") {
  const test::temporary_folder folder;
  const std::string text = noise(300000);
  tl::io::byte_source source(folder.write("noise.gz", gzipped(text)));
  std::string read;
  std::vector<std::byte> piece(777);
  while (const std::size_t count = source.read(piece)) {
    read.append(reinterpret_cast<const char*>(piece.data()), count);
  }
  CHECK(read == text);
}

TEST_CASE("several compressed files in one are read one after the other", "[io]") {
  const test::temporary_folder folder;
  CHECK(read_text(folder.write("two.gz", gzipped("one, ") + gzipped("two"))) == "one, two");
}

TEST_CASE("zeros after the compressed data are passed over, as gzip does", "[io]") {
  const test::temporary_folder folder;
  const std::string two = gzipped("one, ") + gzipped("two");
  for (const std::size_t size : {std::size_t{1}, std::size_t{511}, std::size_t{200'000}})
    CHECK(read_text(folder.write("padded.gz", two + std::string(size, '\0'))) == "one, two");
  const std::string path = folder.write("more.gz", two + std::string(100'000, '\0') + gzipped("three"));
  CHECK(test::missing_in(test::error_of([&] { read_text(path); }),
                         {path, "something follows the zeros after the gzip data"}) == "");
}

TEST_CASE("how much can come at most is known beforehand", "[io]") {
  const test::temporary_folder folder;
  const std::string zeros = gzipped(std::string(5'000'000, '\0'));
  const tl::io::byte_source plain(folder.write("plain", "12345")), packed(folder.write("zeros.gz", zeros));
  CHECK(plain.most() == 5);
  CHECK(plain.bytes_in_file() == 5);
  CHECK(packed.bytes_in_file() == zeros.size());
  CHECK(packed.most() == 1032 * zeros.size());
  CHECK(packed.most() >= 5'000'000);
}

TEST_CASE("a file that decompresses into very much is read up to the limit", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("bomb.gz", gzipped(std::string(50'000'000, 'a')));
  CHECK(read_text(path, 3'000'000) == std::string(3'000'000, 'a'));
}

TEST_CASE("damaged compressed files are named", "[io]") {
  const test::temporary_folder folder;
  const std::string whole = gzipped("some text that is compressed");
  const auto message_for = [&](const std::string& bytes) {
    const std::string path = folder.write("damaged.gz", bytes);
    return test::error_of([&] { read_text(path); });
  };
  const std::string path = folder.path("damaged.gz");
  SECTION("truncated anywhere") {
    for (std::size_t size = 1; size < whole.size(); ++size) {
      CHECK(test::missing_in(message_for(whole.substr(0, size)), {path, "is truncated"}) == "");
    }
  }
  SECTION("one bit changed in the checksum") {
    std::string changed = whole;
    changed[whole.size() - 6] ^= 1;
    CHECK(test::missing_in(message_for(changed), {path, "is corrupt", "data check"}) == "");
  }
  SECTION("not compressed at all") {
    CHECK(test::missing_in(message_for("some plain text"), {path, "is corrupt", "header check"}) == "");
  }
  SECTION("something else behind it") {
    CHECK(test::missing_in(message_for(whole + "more"), {path, "is corrupt", "header check"}) == "");
  }
}

#elif !defined(TAPELESS_ZLIB_LOADED)

TEST_CASE("without zlib a compressed file is refused, and the remedy said", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file.gz", "anything");
  const std::string message = test::error_of([&] { tl::io::byte_source source(path); });
  CHECK(test::missing_in(message, {path, "without zlib", "TAPELESS_HAS_ZLIB"}) == "");
}

#endif
