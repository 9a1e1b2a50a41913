// SPDX-License-Identifier: BSL-1.0
// Reading a file as it is or, from a name that ends in ".gz", decompressed on the way.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/inflater.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::io {

/// The decompressed bytes of a gzip file, in order: of all its members, one after the other. Zeros after the
/// last one, with which tapes are filled up, are passed over, as gzip does.
class gzip_reader {
 public:
  /// Takes the file, at its beginning; throws tl::error if zlib is not there or does not start.
  TAPELESS_COLD explicit gzip_reader(file_reader file)
      : file_(std::move(file)),
        data_(file_.path(), file_, file_.size(), deflate_format::gzip, "decompress the file") {}

  /// Fills `out` and returns how many bytes came, fewer only at the end; throws tl::error that names the file
  /// when it is corrupt or truncated.
  TAPELESS_SELDOM std::size_t read(array_view<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && !at_end_) {
      done += data_.read(out.subspan(done));
      if (data_.at_end()) start_next_member();
    }
    return done;
  }

 private:
  // A gzip file is a sequence of such streams; most hold one.
  TAPELESS_COLD void start_next_member() {
    if (data_.peek() > 0) return data_.start_again();
    while (data_.peek() == 0) data_.skip();
    if (data_.peek() > 0) throw_error({file_.path(), ": something follows the zeros after the gzip data"});
    at_end_ = true;
  }

  file_reader file_;
  inflater data_;
  bool at_end_ = false;
};

/// The bytes of a file in order, decompressed if its name ends in ".gz".
class byte_source {
 public:
  /// Opens `path` or, if there is no such file, `path + ".gz"`; throws tl::error as file_reader does, or if
  /// neither exists.
  TAPELESS_COLD explicit byte_source(const std::string& path)
      : path_(platform::is_missing(path) ? join({path, ".gz"}) : path) {
    if (path_ != path && platform::is_missing(path_)) {
      throw_error({"cannot open ", path, " or ", path_, ": ", platform::message_of(ENOENT)});
    }
    file_reader file(path_);
    size_ = file.size();
    if (std::string_view(path_).ends_with(".gz")) {
      compressed_.reset(new gzip_reader(std::move(file)));
    } else {
      plain_.reset(new file_reader(std::move(file)));
    }
  }

  /// The name of the file that is read: with ".gz" where that one was found.
  const std::string& path() const { return path_; }

  /// Fills `out` and returns how many bytes came, fewer only at the end; throws tl::error that names the file
  /// when it cannot be read, is corrupt or truncated.
  std::size_t read(array_view<std::byte> out) { return plain_ ? plain_->read(out) : compressed_->read(out); }

  /// No more bytes than this can come: the file's or, decompressed, 1,032 times as many, which is the most
  /// that the format allows.
  std::uint64_t most() const {
    constexpr std::uint64_t factor = 1032, largest = std::numeric_limits<std::int64_t>::max();
    return plain_ ? size_ : std::min(size_, largest / factor) * factor;
  }

  /// Bytes of the file as it lies there.
  std::uint64_t bytes_in_file() const { return size_; }

 private:
  std::string path_;
  sole_owner<file_reader> plain_;
  sole_owner<gzip_reader> compressed_;
  std::uint64_t size_ = 0;
};

}  // namespace tapeless::io
