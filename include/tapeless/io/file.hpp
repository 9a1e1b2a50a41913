// SPDX-License-Identifier: BSL-1.0
// Files as bytes: read whole, or replaced whole so that a crash leaves the old one.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/platform.hpp>
#include <tapeless/io/temporary_file.hpp>

namespace tapeless::io {

/// A regular file that is not empty, open for reading from its beginning.
class file_reader {
 public:
  /// Opens `path`; throws tl::error if it is missing, unreadable, empty, no regular file (a directory, a
  /// pipe, a device: it never waits for one), or larger than what this program can address.
  TAPELESS_WARM explicit file_reader(std::string path)
      : path_(std::move(path)), file_(platform::open_to_read(path_, size_)) {
    platform::require_size(size_, path_);
  }

  /// The name it was opened by.
  const std::string& path() const { return path_; }

  /// Bytes in the whole file.
  std::uint64_t size() const { return size_; }

  /// The next byte is the one with this number; throws tl::error when the system fails to go there.
  TAPELESS_COLD void seek(std::uint64_t offset) {
    errno = 0;
    if (!platform::seek(file_.get(), offset)) platform::fail("read", path_, errno);
  }

  /// Fills `out` with the next bytes and returns how many came, fewer only at the end of the file; throws
  /// tl::error when the system fails to read.
  std::size_t read(array_view<std::byte> out) {
    errno = 0;
    const std::size_t count = std::fread(out.data(), 1, out.size(), file_.get());
    if (std::ferror(file_.get())) throw_error({"cannot read ", path_, ": ", platform::message_of(errno)});
    return count;
  }

  /// Fills `out` with the next bytes; throws tl::error when the file ends before.
  void read_exactly(array_view<std::byte> out) {
    const std::size_t count = read(out);
    if (count == out.size()) return;
    throw_error({path_, " ends too early: expected ", out.size(), " more bytes, found ", count});
  }

 private:
  std::string path_;
  std::uint64_t size_ = 0;
  platform::file_handle file_;
};

/// What `read` returns; where it does not get the memory that it asks for, which is for what is in the file
/// at `path`, that is a tl::error.
template <class Read>
auto with_memory_for(std::string_view path, Read read) {
  return with_memory_or({path, ": there is not enough memory for what it holds"}, read);
}

/// All bytes of the file at `path`; throws tl::error as file_reader does, or where memory is short.
TAPELESS_WARM inline std::vector<std::byte> read_file(const std::string& path) {
  return with_memory_for(path, [&] {
    file_reader file(path);
    std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
    file.read_exactly({bytes.data(), bytes.size()});
    return bytes;
  });
}

/// A new file beside `path` that takes its place at commit(), and disappears if that never comes.
class replacement_file {
 public:
  /// Creates the file in the folder of `path`, or of what that is a symbolic link to. Throws tl::error with
  /// the system's reason, or if something is there that is no regular file or may not be written.
  TAPELESS_WARM explicit replacement_file(const std::string& path) : temporary_(path) {}

  /// Appends `bytes`; throws tl::error with the path and the system's reason.
  void write(array_view<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), temporary_.file()) != bytes.size())
      platform::fail("write", temporary_.target(), errno);
  }

  /// Puts the file in the place of `path`: its bytes are on the disk first, and it has the mode of the file
  /// that was there. Throws tl::error with the path and the system's reason; `path` is then as it was, unless
  /// the error says that the folder cannot be synced: the new file is there.
  TAPELESS_WARM void commit() { temporary_.replace(); }

 private:
  platform::temporary_file temporary_;
};

/// Makes `pieces`, one after the other, the contents of the file at `path`: after a failure (tl::error with
/// the path and the system's reason) or a crash, the file that was there is still there, unchanged. A
/// symbolic link stays one, and what it leads to is replaced; another hard link keeps the contents from
/// before.
TAPELESS_WARM inline void write_file_atomically(const std::string& path,
                                                array_view<const array_view<const std::byte>> pieces) {
  replacement_file file(path);
  for (const array_view<const std::byte>& piece : pieces) file.write(piece);
  file.commit();
}

}  // namespace tapeless::io
