// SPDX-License-Identifier: BSL-1.0
// What the C++ library lacks about files that are there: what they are, their size, opening without waiting;
// POSIX and elsewhere.
#pragma once

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <filesystem>
#endif

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless::io::platform {

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A C file that closes itself.
using file_handle = sole_owner<std::FILE, close_file>;

/// The system's text for an errno value.
inline std::string message_of(int code) { return std::generic_category().message(code); }

/// Throws tl::error: cannot `action` `path`, and the system's reason.
[[noreturn]] TAPELESS_COLD inline void fail(const char* action, const std::string& path, int code) {
  throw_error({"cannot ", action, " ", path, ": ", message_of(code)});
}

/// Throws tl::error if `path` is empty, or holds a zero byte, at which the system would take it to end.
TAPELESS_COLD inline void require_name(const std::string& path) {
  if (path.empty()) throw_error("expected the name of a file, found an empty text");
  if (path.find('\0') != std::string::npos)
    throw_error({"the name of a file must not contain a zero byte, found one after \"", path.c_str(), "\""});
}

/// Throws tl::error if a file of that size holds nothing, or more than this program can address.
TAPELESS_COLD inline void require_size(std::uint64_t size, const std::string& path) {
  if (size == 0) throw_error({path, " is empty"});
  if (size > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max()))
    throw_error({path, " has ", size, " bytes, more than this program can address"});
}

#if defined(__unix__) || defined(__APPLE__)

/// Throws tl::error that says what is there instead if it is no regular file: cannot `action` `path`, ...
TAPELESS_COLD inline void require_regular(const struct stat& status, const char* action,
                                          const std::string& path) {
  const auto is = [&](const char* kind) {
    throw_error({"cannot ", action, " ", path, ": it is ", kind, ", not a regular file"});
  };
  if (S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode)) is("a directory");
  if (S_ISFIFO(status.st_mode)) is("a pipe");
  if (S_ISSOCK(status.st_mode)) is("a socket");
  is("a device");
}

/// Goes to a place in an open file; returns whether that is possible.
TAPELESS_COLD inline bool seek(std::FILE* file, std::uint64_t offset) {
  return ::fseeko(file, static_cast<off_t>(offset), SEEK_SET) == 0;
}

/// Whether there is nothing of that name, and no other reason not to find it.
inline bool is_missing(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) != 0 && errno == ENOENT;
}

/// A regular file that is open for reading, and how many bytes are in it; throws tl::error that names `path`
/// and says what is the matter. It never waits, as for someone who writes to a pipe.
TAPELESS_COLD inline file_handle open_to_read(const std::string& path, std::uint64_t& size) {
  require_name(path);
  struct stat status = {};
  // Before it is opened, since opening alone does something to some devices.
  if (::stat(path.c_str(), &status) != 0) fail("open", path, errno);
  require_regular(status, "read", path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) fail("open", path, errno);
  file_handle file(::fdopen(descriptor, "rb"));
  if (!file) {
    const int code = errno;
    ::close(descriptor);
    fail("open", path, code);
  }
  if (::fstat(descriptor, &status) != 0) fail("read", path, errno);
  require_regular(status, "read", path);  // another may have taken its place
  size = static_cast<std::uint64_t>(status.st_size);
  return file;
}

#else

/// Goes to a place in an open file; returns whether that is possible.
TAPELESS_COLD inline bool seek(std::FILE* file, std::uint64_t offset) {
#if defined(_WIN32)
  return ::_fseeki64(file, static_cast<std::int64_t>(offset), SEEK_SET) == 0;
#else
  return offset <= LONG_MAX && std::fseek(file, static_cast<long>(offset), SEEK_SET) == 0;
#endif
}

/// Whether there is nothing of that name, and no other reason not to find it.
inline bool is_missing(const std::string& path) {
  std::error_code code;
  return std::filesystem::status(path, code).type() == std::filesystem::file_type::not_found;
}

/// Throws tl::error if something is there that is no regular file: cannot `action` `path`, ...
TAPELESS_COLD inline void require_regular(const char* action, const std::string& path) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  throw_error({"cannot ", action, " ", path, ": it is ",
               std::filesystem::is_directory(status) ? "a directory" : "something else",
               ", not a regular file"});
}

/// A regular file that is open for reading, and how many bytes are in it; throws tl::error that names `path`
/// and says what is the matter.
TAPELESS_COLD inline file_handle open_to_read(const std::string& path, std::uint64_t& size) {
  require_name(path);
  require_regular("read", path);
  file_handle file(std::fopen(path.c_str(), "rb"));
  if (!file) fail("open", path, errno);
  std::error_code code;
  size = std::filesystem::file_size(path, code);
  if (code) throw_error({"cannot read ", path, ": ", code.message()});
  return file;
}

#endif

}  // namespace tapeless::io::platform
