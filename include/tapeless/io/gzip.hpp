// SPDX-License-Identifier: BSL-1.0
// Reading a file as it is or, from a name that ends in ".gz", decompressed on the way.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(TAPELESS_HAS_ZLIB)
#include <zlib.h>
#endif

#include <tapeless/error.hpp>
#include <tapeless/graph/array_view.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::io {

#if defined(TAPELESS_HAS_ZLIB)

/// The decompressed bytes of a gzip file, in order.
class gzip_reader {
 public:
  /// Takes the file, at its beginning; throws tl::error if zlib does not start.
  explicit gzip_reader(file_reader file) : file_(std::move(file)), input_(std::size_t{1} << 16) {
    constexpr int gzip_format = 16 + MAX_WBITS;
    if (inflateInit2(&zlib_, gzip_format) != Z_OK)
      throw error({"cannot read ", file_.path(), ": zlib failed"});
  }

  // zlib keeps a pointer to its own state.
  gzip_reader(const gzip_reader&) = delete;
  gzip_reader& operator=(const gzip_reader&) = delete;

  ~gzip_reader() { inflateEnd(&zlib_); }

  /// Fills `out` and returns how many bytes came, fewer only at the end; throws tl::error that names the file
  /// when it is corrupt or truncated.
  std::size_t read(array_view<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && !at_end_) done += inflate_into(out.subspan(done));
    return done;
  }

 private:
  std::size_t inflate_into(array_view<std::byte> out) {
    if (zlib_.avail_in == 0 && !refill()) throw error({file_.path(), ": the gzip data is truncated"});
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    const auto room = static_cast<uInt>(std::min(out.size(), most));
    zlib_.next_out = reinterpret_cast<Bytef*>(out.data());
    zlib_.avail_out = room;
    const int code = inflate(&zlib_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      start_next_member();
    } else if (code != Z_OK) {
      const std::string reason = zlib_.msg ? zlib_.msg : join({"zlib error ", code});
      throw error({file_.path(), ": the gzip data is corrupt: ", reason});
    }
    return room - zlib_.avail_out;
  }

  // A gzip file is a sequence of such streams; most hold one.
  void start_next_member() {
    at_end_ = zlib_.avail_in == 0 && !refill();
    if (!at_end_) inflateReset(&zlib_);
  }

  bool refill() {
    const std::size_t count = file_.read({reinterpret_cast<std::byte*>(input_.data()), input_.size()});
    zlib_.next_in = input_.data();
    zlib_.avail_in = static_cast<uInt>(count);
    return count != 0;
  }

  file_reader file_;
  std::vector<unsigned char> input_;
  z_stream zlib_{};
  bool at_end_ = false;
};

#else

/// Stands where zlib was not found when the program was built: refuses every file.
class gzip_reader {
 public:
  /// Throws tl::error that names the file and says what to do.
  explicit gzip_reader(const file_reader& file) {
    throw error({"cannot decompress ", file.path(),
                 ": built without zlib (link it and define TAPELESS_HAS_ZLIB, or decompress the file)"});
  }

  std::size_t read(array_view<std::byte>) { return 0; }
};

#endif

/// The bytes of a file in order, decompressed if its name ends in ".gz".
class byte_source {
 public:
  /// Opens `path` or, if there is no such file, `path + ".gz"`; throws tl::error as file_reader does, or if
  /// neither exists.
  [[gnu::cold]] explicit byte_source(const std::string& path)
      : path_(is_missing(path) ? join({path, ".gz"}) : path) {
    if (path_ != path && is_missing(path_)) {
      throw error({"cannot open ", path, " or ", path_, ": ", platform::message_of(ENOENT)});
    }
    file_reader file(path_);
    if (std::string_view(path_).ends_with(".gz")) {
      compressed_ = std::make_unique<gzip_reader>(std::move(file));
    } else {
      plain_ = std::make_unique<file_reader>(std::move(file));
    }
  }

  /// The name of the file that is read: with ".gz" where that one was found.
  const std::string& path() const { return path_; }

  /// Fills `out` and returns how many bytes came, fewer only at the end; throws tl::error that names the file
  /// when it cannot be read, is corrupt or truncated.
  std::size_t read(array_view<std::byte> out) { return plain_ ? plain_->read(out) : compressed_->read(out); }

  /// The next bytes up to the end, `limit` at most; memory grows only with what comes, so that neither a
  /// wrong length nor a file made to decompress into terabytes can exhaust it. Throws as read().
  template <class Byte = std::byte>
    requires(sizeof(Byte) == 1)
  std::vector<Byte> read_up_to(std::uint64_t limit) {
    constexpr std::uint64_t block = std::uint64_t{1} << 20;
    std::vector<Byte> bytes;
    if (plain_) bytes.reserve(static_cast<std::size_t>(std::min(limit, plain_->size())));
    while (bytes.size() < limit) {
      const std::size_t before = bytes.size();
      bytes.resize(before + static_cast<std::size_t>(std::min(limit - before, block)));
      const std::size_t count =
          read({reinterpret_cast<std::byte*>(bytes.data() + before), bytes.size() - before});
      if (before + count == bytes.size()) continue;
      bytes.resize(before + count);
      break;
    }
    return bytes;
  }

 private:
  [[gnu::cold]] static bool is_missing(const std::string& path) {
    const platform::file_handle file(std::fopen(path.c_str(), "rb"));
    return !file && errno == ENOENT;
  }

  std::string path_;
  std::unique_ptr<file_reader> plain_;
  std::unique_ptr<gzip_reader> compressed_;
};

}  // namespace tapeless::io
