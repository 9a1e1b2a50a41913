// SPDX-License-Identifier: BSL-1.0
// Files that grow: bytes at the end of one that is there, or of a new one.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::io {

namespace platform {

#if defined(__unix__) || defined(__APPLE__)

/// A regular file that is open for writing at its end, and made where there is none; with `is_new`, nothing
/// where there is something of that name. Throws tl::error with the system's reason. It never waits.
TAPELESS_COLD inline file_handle open_to_append(const std::string& path, bool is_new) {
  require_name(path);
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (is_new ? O_EXCL : 0);
  const int descriptor = ::open(path.c_str(), flags, 0666);  // less the umask, by the system
  if (descriptor < 0 && is_new && errno == EEXIST) return {};
  if (descriptor < 0) fail("write", path, errno);
  file_handle file(::fdopen(descriptor, "ab"));
  if (!file) {
    const int code = errno;
    ::close(descriptor);
    fail("write", path, code);
  }
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) fail("write", path, errno);
  require_regular(status, "write", path);
  return file;
}

#else

TAPELESS_COLD inline file_handle open_to_append(const std::string& path, bool is_new) {
  require_name(path);
  require_regular("write", path);
  file_handle file(std::fopen(path.c_str(), is_new ? "wbx" : "ab"));
  if (!file && !(is_new && errno == EEXIST)) fail("write", path, errno);
  return file;
}

#endif

TAPELESS_COLD inline void append_and_close(file_handle file, const std::string& path,
                                           std::string_view bytes) {
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) fail("write", path, errno);
  if (std::fclose(file.release()) != 0) fail("write", path, errno);
}

}  // namespace platform

/// Appends `bytes` to the file at `path`, which is made where there is none; readers see them at once. Throws
/// tl::error with the path and the system's reason.
TAPELESS_COLD inline void append_to_file(const std::string& path, std::string_view bytes) {
  platform::append_and_close(platform::open_to_append(path, false), path, bytes);
}

/// Makes a file at `path` with these bytes, unless there is something of that name: then it returns false.
/// Throws tl::error with the path and the system's reason.
TAPELESS_COLD inline bool make_new_file(const std::string& path, std::string_view bytes) {
  platform::file_handle file = platform::open_to_append(path, true);
  if (!file) return false;
  platform::append_and_close(std::move(file), path, bytes);
  return true;
}

}  // namespace tapeless::io
