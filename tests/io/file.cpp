// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/file.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "socket_file.hpp"
#endif

namespace tl = tapeless;

namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

void write_two_pieces(const std::string& path, std::string_view first, std::string_view second) {
  const std::array<tl::array_view<const std::byte>, 2> pieces = {bytes(first), bytes(second)};
  tl::io::write_file_atomically(path, pieces);
}

}  // namespace

TEST_CASE("a file is read whole", "[io]") {
  const test::temporary_folder folder;
  const std::string text("ab\0\xff\n", 5);
  const auto read = tl::io::read_file(folder.write("file", text));
  REQUIRE(read.size() == 5);
  CHECK(std::string(reinterpret_cast<const char*>(read.data()), read.size()) == text);
}

TEST_CASE("a reader counts what comes and what is missing", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "12345");
  std::array<std::byte, 3> part{};
  tl::io::file_reader file(path);
  CHECK(file.path() == path);
  CHECK(file.size() == 5);
  CHECK(file.read(part) == 3);
  CHECK(part[2] == std::byte{'3'});
  SECTION("fewer at the end, then none") {
    CHECK(file.read(part) == 2);
    CHECK(file.read(part) == 0);
  }
  SECTION("exactly, or an error") {
    const std::string message = test::error_of([&] { file.read_exactly(part); });
    CHECK(test::missing_in(message, {path, "ends too early", "expected 3", "found 2"}) == "");
  }
}

TEST_CASE("a file that shrinks while it is read ends too early", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", std::string(100'000, 'a'));
  tl::io::file_reader file(path);
  std::filesystem::resize_file(path, 70'000);
  std::vector<std::byte> all(100'000);
  CHECK(test::missing_in(test::error_of([&] { file.read_exactly(all); }),
                         {path, "ends too early", "expected 100000", "found 70000"}) == "");
}

TEST_CASE("what cannot be read is named with the reason", "[io]") {
  const test::temporary_folder folder;
  const auto message_for = [](const std::string& path) {
    return test::error_of([&] { tl::io::read_file(path); });
  };
  SECTION("a missing file") {
    const std::string path = folder.path("missing");
    CHECK(test::missing_in(message_for(path), {"cannot open " + path, "No such file"}) == "");
  }
  SECTION("a folder") {
    CHECK(test::missing_in(message_for(folder.path()), {folder.path(), "it is a directory"}) == "");
  }
  SECTION("an empty file") {
    const std::string path = folder.write("empty", "");
    CHECK(test::missing_in(message_for(path), {path + " is empty"}) == "");
  }
  SECTION("no name") {
    CHECK(test::missing_in(message_for(""), {"expected the name of a file"}) == "");
    const std::string path = folder.write("file", "text") + std::string("\0x", 2);
    CHECK(test::missing_in(message_for(path), {"must not contain a zero byte", folder.path("file")}) == "");
  }
#if defined(__unix__) || defined(__APPLE__)
  SECTION("a pipe, for which nobody waits") {
    const std::string path = folder.path("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(test::missing_in(message_for(path), {path, "it is a pipe, not a regular file"}) == "");
  }
  SECTION("a device") {
    CHECK(test::missing_in(message_for("/dev/zero"), {"/dev/zero: it is a device, not a regular file"}) ==
          "");
  }
  SECTION("a socket") {
    const test::socket_file socket(folder.path("socket"));
    CHECK(test::missing_in(message_for(folder.path("socket")), {"it is a socket, not a regular file"}) == "");
  }
#endif
}

TEST_CASE("a file is replaced whole", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  write_two_pieces(path, "first ", "contents, which are longer");
  CHECK(test::bytes_of(path) == "first contents, which are longer");
  write_two_pieces(path, "second", "");
  CHECK(test::bytes_of(path) == "second");
  CHECK(folder.size() == 1);
}

TEST_CASE("a replacement that is not committed leaves nothing", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "old");
  {
    tl::io::replacement_file file(path);
    file.write(bytes("new"));
    CHECK(folder.size() == 2);
  }
  CHECK(test::bytes_of(path) == "old");
  CHECK(folder.size() == 1);
}

TEST_CASE("a file that cannot be written is named with the reason", "[io]") {
  const test::temporary_folder folder;
  const auto message_for = [](const std::string& path) {
    return test::error_of([&] { write_two_pieces(path, "a", "b"); });
  };
  SECTION("in a folder that does not exist") {
    const std::string path = folder.path("nowhere") + "/file";
    CHECK(test::missing_in(message_for(path), {"cannot create " + path, "No such file"}) == "");
  }
  SECTION("in the place of a folder") {
    const std::string path = folder.path("folder");
    std::filesystem::create_directory(path);
    CHECK(test::missing_in(message_for(path), {"cannot write " + path, "it is a directory"}) == "");
    CHECK(folder.size() == 1);
  }
  SECTION("without a name") {
    CHECK(test::missing_in(message_for(""), {"expected the name of a file"}) == "");
    CHECK(test::missing_in(message_for(folder.path("a") + std::string("\0b", 2)),
                           {"must not contain a zero byte"}) == "");
    CHECK(folder.size() == 0);
  }
}

TEST_CASE("memory that a file asks for and does not get is the file's error", "[io]") {
  const auto message_of = [](auto thrown) {
    return test::error_of([&] { tl::io::with_memory_for("file", [&]() -> int { throw thrown; }); });
  };
  CHECK(test::missing_in(message_of(std::bad_alloc()), {"file: there is not enough memory"}) == "");
  CHECK(test::missing_in(message_of(std::length_error("")), {"file: there is not enough memory"}) == "");
  CHECK(message_of(tl::error("as it is")) == "tapeless: as it is");
}

#if defined(__unix__) || defined(__APPLE__)

namespace {

/// While it lives, no file of this process grows beyond some bytes.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

std::string error_beyond_limit(const std::string& path, rlim_t limit, const std::string& text) {
  return test::error_of([&] {
    const file_size_limit limited(limit);
    write_two_pieces(path, "start", text);
  });
}

}  // namespace

TEST_CASE("when the disk takes no more, the old file stays", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "old");
  for (const std::size_t size :
       {std::size_t{5000}, std::size_t{1000000}}) {  // fails in the flush; in the write
    const std::string message = error_beyond_limit(path, 4096, std::string(size, 'x'));
    CHECK(test::missing_in(message, {"cannot write " + path, "File too large"}) == "");
  }
  CHECK(test::bytes_of(path) == "old");
  CHECK(folder.size() == 1);
}

#endif
