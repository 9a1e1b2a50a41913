// SPDX-License-Identifier: BSL-1.0
// Files as bytes: read whole, or replaced whole so that a crash leaves the old one.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/array_view.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::io {

/// A regular file that is not empty, open for reading from its beginning.
class file_reader {
 public:
  /// Opens `path`; throws tl::error if it is missing, unreadable, a directory, no regular file, or empty.
  [[gnu::cold]] explicit file_reader(std::string path)
      : path_(std::move(path)), file_(std::fopen(path_.c_str(), "rb")) {
    if (!file_) throw error({"cannot open ", path_, ": ", platform::message_of(errno)});
    size_ = platform::regular_file_size(file_.get(), path_);
    if (size_ == 0) throw error({path_, " is empty"});
  }

  /// The name it was opened by.
  const std::string& path() const { return path_; }

  /// Bytes in the whole file.
  std::uint64_t size() const { return size_; }

  /// Fills `out` with the next bytes and returns how many came, fewer only at the end of the file; throws
  /// tl::error when the system fails to read.
  std::size_t read(array_view<std::byte> out) {
    errno = 0;
    const std::size_t count = std::fread(out.data(), 1, out.size(), file_.get());
    if (std::ferror(file_.get())) throw error({"cannot read ", path_, ": ", platform::message_of(errno)});
    return count;
  }

  /// Fills `out` with the next bytes; throws tl::error when the file ends before.
  void read_exactly(array_view<std::byte> out) {
    const std::size_t count = read(out);
    if (count == out.size()) return;
    throw error({path_, " ends too early: expected ", out.size(), " more bytes, found ", count});
  }

 private:
  std::string path_;
  platform::file_handle file_;
  std::uint64_t size_ = 0;
};

/// All bytes of the file at `path`; throws tl::error as file_reader does.
[[gnu::cold]] inline std::vector<std::byte> read_file(const std::string& path) {
  file_reader file(path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
  file.read_exactly({bytes.data(), bytes.size()});
  return bytes;
}

/// A new file beside `path` that takes its place at commit(), and disappears if that never comes.
class replacement_file {
 public:
  /// Creates the file in the folder of `path`; throws tl::error with the system's reason.
  [[gnu::cold]] explicit replacement_file(std::string path) : path_(std::move(path)) {
    // Another writer, or one that crashed, may hold a name: "x" opens only a file that is new.
    constexpr int attempts = 1000;
    for (int i = 0; i < attempts && !file_; ++i) {
      temporary_ = join({path_, ".tmp", i});
      file_.reset(std::fopen(temporary_.c_str(), "wbx"));
      if (!file_ && errno != EEXIST) break;
    }
    if (!file_) fail("create", temporary_, errno);
  }

  replacement_file(const replacement_file&) = delete;
  replacement_file& operator=(const replacement_file&) = delete;

  ~replacement_file() {
    if (temporary_.empty()) return;
    file_.reset();
    std::remove(temporary_.c_str());
  }

  /// Appends `bytes`; throws tl::error with the path and the system's reason.
  void write(array_view<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail("write", path_, errno);
  }

  /// Puts the file in the place of `path`, with its bytes on the disk first; throws tl::error with the path
  /// and the system's reason, and then `path` is as it was.
  [[gnu::cold]] void commit() {
    if (!platform::sync_to_disk(file_.get())) fail("write", path_, errno);
    if (std::fclose(file_.release()) != 0) fail("write", path_, errno);
    if (const int code = platform::replace_file(temporary_, path_)) fail("replace", path_, code);
    temporary_.clear();
    platform::sync_folder_of(path_);
  }

 private:
  [[noreturn]] static void fail(const char* action, const std::string& path, int code) {
    throw error({"cannot ", action, " ", path, ": ", platform::message_of(code)});
  }

  std::string path_;
  std::string temporary_;
  platform::file_handle file_;
};

/// Makes `pieces`, one after the other, the contents of the file at `path`: after a failure (tl::error with
/// the path and the system's reason) or a crash, the file that was there is still there, unchanged.
[[gnu::cold]] inline void write_file_atomically(const std::string& path,
                                                array_view<const array_view<const std::byte>> pieces) {
  replacement_file file(path);
  for (const array_view<const std::byte> piece : pieces) file.write(piece);
  file.commit();
}

}  // namespace tapeless::io
