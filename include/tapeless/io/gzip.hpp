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
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/platform.hpp>
#include <tapeless/io/zlib.hpp>

namespace tapeless::io {

#if defined(TAPELESS_ZLIB_LINKED) || defined(TAPELESS_ZLIB_LOADED)

/// The decompressed bytes of a gzip file, in order: of all its members, one after the other. Zeros after the
/// last one, with which tapes are filled up, are passed over, as gzip does.
class gzip_reader {
 public:
  /// Takes the file, at its beginning; throws tl::error if zlib is not there or does not start.
  TAPELESS_COLD explicit gzip_reader(file_reader file)
      : file_(std::move(file)), input_(std::size_t{1} << 16) {
    constexpr int gzip_format = 16 + MAX_WBITS;
    if (zlib().init == nullptr)
      throw_error({"cannot decompress ", file_.path(),
                   ": this machine has no zlib (install it, or decompress the file)"});
    if (const int code = zlib().init(&zlib_, gzip_format, ZLIB_VERSION, static_cast<int>(sizeof zlib_));
        code != Z_OK)
      fail("cannot be decompressed", code);
  }

  // zlib keeps a pointer to its own state.
  gzip_reader(const gzip_reader&) = delete;
  gzip_reader& operator=(const gzip_reader&) = delete;

  ~gzip_reader() { zlib().end(&zlib_); }

  /// Fills `out` and returns how many bytes came, fewer only at the end; throws tl::error that names the file
  /// when it is corrupt or truncated.
  TAPELESS_SELDOM std::size_t read(array_view<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && !at_end_) done += inflate_into(out.subspan(done));
    return done;
  }

 private:
  std::size_t inflate_into(array_view<std::byte> out) {
    if (zlib_.avail_in == 0 && !refill()) throw_error({file_.path(), ": the gzip data is truncated"});
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    const auto room = static_cast<uInt>(std::min(out.size(), most));
    zlib_.next_out = reinterpret_cast<Bytef*>(out.data());
    zlib_.avail_out = room;
    const int code = zlib().inflate(&zlib_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      start_next_member();
    } else if (code != Z_OK) {
      fail("is corrupt", code);
    }
    return room - zlib_.avail_out;
  }

  [[noreturn]] TAPELESS_COLD void fail(const char* problem, int code) const {
    const std::string reason = code == Z_MEM_ERROR ? "there is not enough memory"
                               : zlib_.msg         ? zlib_.msg
                                                   : join({"zlib error ", code});
    throw_error({file_.path(), ": the gzip data ", problem, ": ", reason});
  }

  // A gzip file is a sequence of such streams; most hold one.
  TAPELESS_COLD void start_next_member() {
    if (zlib_.avail_in == 0 && !refill()) {
      at_end_ = true;
    } else if (*zlib_.next_in != 0) {
      zlib().reset(&zlib_);
    } else {
      pass_over_zeros();
    }
  }

  TAPELESS_SELDOM void pass_over_zeros() {
    do {
      for (; zlib_.avail_in > 0; --zlib_.avail_in)
        if (*zlib_.next_in++ != 0)
          throw_error({file_.path(), ": something follows the zeros after the gzip data"});
    } while (refill());
    at_end_ = true;
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
    throw_error(
        {"cannot decompress ", file.path(),
         ": built without zlib (compile where zlib.h is, link it and define TAPELESS_HAS_ZLIB, or decompress "
         "the file)"});
  }

  std::size_t read(array_view<std::byte>) { return 0; }
};

#endif

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
