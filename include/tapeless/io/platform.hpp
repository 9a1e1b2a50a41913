// SPDX-License-Identifier: BSL-1.0
// What the C++ library lacks about files: size of an open one, syncing, replacing; POSIX and elsewhere.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
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

namespace tapeless::io::platform {

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A C file that closes itself.
using file_handle = std::unique_ptr<std::FILE, close_file>;

/// The system's text for an errno value.
inline std::string message_of(int code) { return std::generic_category().message(code); }

#if defined(__unix__) || defined(__APPLE__)

/// Bytes in the open file; throws tl::error that names `path` if it is a directory or no regular file.
inline std::uint64_t regular_file_size(std::FILE* file, const std::string& path) {
  struct stat status{};
  if (::fstat(::fileno(file), &status) != 0) throw error({"cannot read ", path, ": ", message_of(errno)});
  if (S_ISDIR(status.st_mode)) throw error({"cannot read ", path, ": it is a directory"});
  if (!S_ISREG(status.st_mode)) throw error({"cannot read ", path, ": it is not a regular file"});
  return static_cast<std::uint64_t>(status.st_size);
}

/// Waits until what was written is on the disk; false and errno on failure.
inline bool sync_to_disk(std::FILE* file) { return std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0; }

/// Renames `from` to `to`, which it replaces in one step; returns 0 or the errno value.
inline int replace_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Waits until a rename in the folder of `path` is on the disk.
inline void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  // Not every file system syncs folders, and either file that a crash may leave is whole: no error.
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

#else

/// Bytes in the open file; throws tl::error that names `path` if it is a directory or no regular file.
inline std::uint64_t regular_file_size(std::FILE*, const std::string& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) throw error({"cannot read ", path, ": it is a directory"});
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code) throw error({"cannot read ", path, ": ", code.message()});
  return size;
}

/// Hands what was written to the system; false and errno on failure.
inline bool sync_to_disk(std::FILE* file) { return std::fflush(file) == 0; }

/// Renames `from` to `to`, which it replaces; returns 0 or the errno value.
inline int replace_file(const std::string& from, const std::string& to) {
  std::error_code code;  // std::rename need not replace a file
  std::filesystem::rename(from, to, code);
  return code.default_error_condition().value();
}

/// Nothing: only POSIX asks for folders to be synced.
inline void sync_folder_of(const std::string&) {}

#endif

}  // namespace tapeless::io::platform
