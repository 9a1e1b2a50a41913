// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/file.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#endif

namespace tl = tapeless;

namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

void write_two_pieces(const std::string& path, std::string_view first, std::string_view second) {
  const std::array<tl::array_view<const std::byte>, 2> pieces = {bytes(first), bytes(second)};
  tl::io::write_file_atomically(path, pieces);
}

#if defined(__unix__) || defined(__APPLE__)

/// A socket that has a name.
class socket_file {
 public:
  explicit socket_file(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    path.copy(address.sun_path, path.size());
    REQUIRE(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  socket_file(const socket_file&) = delete;
  socket_file& operator=(const socket_file&) = delete;
  ~socket_file() { ::close(descriptor_); }

 private:
  int descriptor_;
};

#endif

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
    const socket_file socket(folder.path("socket"));
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

TEST_CASE("what killed writers have left is removed by the next", "[io]") {
  const test::temporary_folder folder;
  for (int i = 0; i < 1200; ++i) folder.write("file.tmp" + std::to_string(i), "half a");
  write_two_pieces(folder.path("file"), "whole", "");
  CHECK(test::bytes_of(folder.path("file")) == "whole");
  CHECK(folder.size() == 1);
}

TEST_CASE("what has the name of a temporary file and is none is in nobody's way", "[io]") {
  const test::temporary_folder folder;
  std::filesystem::create_directory(folder.path("file.tmp0"));
  write_two_pieces(folder.path("file"), "whole", "");
  CHECK(test::bytes_of(folder.path("file")) == "whole");
  CHECK(folder.size() == 2);
}

TEST_CASE("writers of one file at the same time leave the other's alone", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  tl::io::replacement_file first(path);
  first.write(bytes("first"));
  {
    tl::io::replacement_file second(path);
    second.write(bytes("second"));
    CHECK(folder.size() == 2);
    second.commit();
  }
  CHECK(test::bytes_of(path) == "second");
  first.commit();
  CHECK(test::bytes_of(path) == "first");
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

TEST_CASE("what is no regular file is not replaced", "[io]") {
  const test::temporary_folder folder;
  const auto message_for = [](const std::string& path) {
    return test::error_of([&] { write_two_pieces(path, "a", "b"); });
  };
  SECTION("a pipe, nor waited for") {
    const std::string path = folder.path("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(test::missing_in(message_for(path), {"cannot write " + path + ": it is a pipe"}) == "");
    CHECK(std::filesystem::is_fifo(path));
  }
  SECTION("a device, by its own name or a link") {
    // root's mistake must not cost the machine its own
    const std::string device = ::geteuid() == 0 ? folder.path("null") : "/dev/null",
                      path = folder.path("link");
    if (::geteuid() == 0 && ::mknod(device.c_str(), S_IFCHR | 0600, ::makedev(1, 3)) != 0) {
      WARN("SKIPPED: no device can be made here");
      return;
    }
    std::filesystem::create_symlink(device, path);
    CHECK(test::missing_in(message_for(device), {"cannot write " + device + ": it is a device"}) == "");
    CHECK(test::missing_in(message_for(path), {"cannot write " + path + ": it is a device"}) == "");
    CHECK(std::filesystem::is_character_file(device));
    CHECK(std::filesystem::is_symlink(path));
  }
  SECTION("a socket") {
    const socket_file socket(folder.path("socket"));
    CHECK(test::missing_in(message_for(folder.path("socket")), {"it is a socket"}) == "");
    CHECK(std::filesystem::is_socket(folder.path("socket")));
  }
  CHECK(folder.size() <= 2);
}

TEST_CASE("what a symbolic link leads to is replaced, not the link", "[io]") {
  const test::temporary_folder folder;
  std::filesystem::create_directory(folder.path("models"));
  std::filesystem::create_directory(folder.path("links"));
  const std::string target = folder.path("models/best"), link = folder.path("links/latest");
  std::filesystem::create_symlink("../models/best", link);
  std::filesystem::create_symlink(link, folder.path("again"));
  SECTION("where it is there") { folder.write("models/best", "old"); }
  SECTION("where it is not there yet") {}
  write_two_pieces(folder.path("again"), "new", "");
  CHECK(std::filesystem::is_symlink(folder.path("again")));
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(target)));
  CHECK(test::bytes_of(target) == "new");
  for (const char* each : {"models", "links"}) {
    std::filesystem::directory_iterator files(folder.path(each));
    CHECK(std::distance(files, {}) == 1);
  }
  std::filesystem::remove(link);
  std::filesystem::create_symlink("latest", link);
  CHECK(test::missing_in(test::error_of([&] { write_two_pieces(link, "a", "b"); }),
                         {"cannot write", "symbolic links"}) == "");
}

namespace {

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("a file keeps its mode, and a new one has the umask's", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "secret");
  for (const mode_t mode : {0600u, 0640u, 0644u, 0666u, 0200u}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    {
      tl::io::replacement_file file(path);
      file.write(bytes("secret, too"));
      CHECK((mode_of(path + ".tmp0") & ~mode & 077) == 0);
      file.commit();
    }
    CHECK(mode_of(path) == mode);
  }
  for (const mode_t mask : {022u, 027u, 077u}) {
    const mode_t before = ::umask(mask);
    const std::string created = folder.path("new" + std::to_string(mask));
    write_two_pieces(created, "a", "b");
    ::umask(before);
    CHECK(mode_of(created) == (0666 & ~mask));
  }
}

TEST_CASE("a file that root saves keeps its owner", "[io]") {
  if (::geteuid() != 0) {
    WARN("SKIPPED: only root can give files away");
    return;
  }
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "old");
  REQUIRE(::chown(path.c_str(), 65534, 65534) == 0);
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  write_two_pieces(path, "new", "");
  struct stat status = {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK(status.st_uid == 65534);
  CHECK(status.st_gid == 65534);
  CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("a file that may not be written is not replaced", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "kept");
  constexpr uid_t nobody = 65534;
  const uid_t before = ::geteuid();
  REQUIRE(::chmod(path.c_str(), 0444) == 0);
  if (before == 0) {  // who may do all things
    REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
    REQUIRE(::chown(path.c_str(), nobody, static_cast<gid_t>(-1)) == 0);
    REQUIRE(::seteuid(nobody) == 0);
  }
  const std::string message = test::error_of([&] { write_two_pieces(path, "a", "b"); });
  if (before == 0) REQUIRE(::seteuid(before) == 0);
  CHECK(test::missing_in(message, {"cannot replace " + path, "Permission denied"}) == "");
  CHECK(test::bytes_of(path) == "kept");
  CHECK(folder.size() == 1);
}

#if defined(__linux__)

namespace {
int fail_folders_with = 0;
}  // namespace

// In the place of the C library's: a folder's can be made to fail.
extern "C" int fsync(int descriptor) {
  struct stat status = {};
  if (fail_folders_with != 0 && ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = fail_folders_with;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

TEST_CASE("that a folder cannot be synced is said, and what is there then", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "old");
  fail_folders_with = EIO;
  const std::string message = test::error_of([&] { write_two_pieces(path, "new", ""); });
  fail_folders_with = EINVAL;  // a file system that does not sync folders
  CHECK_NOTHROW(write_two_pieces(folder.path("other"), "new", ""));
  fail_folders_with = 0;
  CHECK(test::missing_in(message, {path + " is replaced, but its folder cannot be synced", "error"}) == "");
  CHECK(test::bytes_of(path) == "new");
  CHECK(folder.size() == 2);
}

#endif

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
