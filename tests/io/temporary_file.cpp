// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/file.hpp>
#include <tapeless/io/temporary_file.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "catch.hpp"
#include "temporary_folder.hpp"

#if defined(__unix__) || defined(__APPLE__)

#include <sys/stat.h>
#include <unistd.h>

#include "socket_file.hpp"
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#endif

namespace tl = tapeless;

namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

void write(const std::string& path, std::string_view text) {
  const std::array<tl::array_view<const std::byte>, 1> pieces = {bytes(text)};
  tl::io::write_file_atomically(path, pieces);
}

}  // namespace

TEST_CASE("what killed writers have left is removed by the next", "[io]") {
  const test::temporary_folder folder;
  for (int i = 0; i < 1200; ++i) folder.write("file.tmp" + std::to_string(i), "half a");
  write(folder.path("file"), "whole");
  CHECK(test::bytes_of(folder.path("file")) == "whole");
  CHECK(folder.size() == 1);
}

TEST_CASE("what has the name of a temporary file and is none is in nobody's way", "[io]") {
  const test::temporary_folder folder;
  std::filesystem::create_directory(folder.path("file.tmp0"));
  write(folder.path("file"), "whole");
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

TEST_CASE("what is no regular file is not replaced", "[io]") {
  const test::temporary_folder folder;
  const auto message_for = [](const std::string& path) {
    return test::error_of([&] { write(path, "new"); });
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
    const test::socket_file socket(folder.path("socket"));
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
  write(folder.path("again"), "new");
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
  CHECK(test::missing_in(test::error_of([&] { write(link, "new"); }), {"cannot write", "symbolic links"}) ==
        "");
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
    write(created, "new");
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
  write(path, "new");
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
  const std::string message = test::error_of([&] { write(path, "new"); });
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
  const std::string message = test::error_of([&] { write(path, "new"); });
  fail_folders_with = EINVAL;  // a file system that does not sync folders
  CHECK_NOTHROW(write(folder.path("other"), "new"));
  fail_folders_with = 0;
  CHECK(test::missing_in(message, {path + " is replaced, but its folder cannot be synced", "error"}) == "");
  CHECK(test::bytes_of(path) == "new");
  CHECK(folder.size() == 2);
}

#endif

#else

TEST_CASE("temporary files", "[io]") { WARN("SKIPPED: what is tested is POSIX"); }

#endif
