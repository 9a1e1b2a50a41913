// SPDX-License-Identifier: BSL-1.0
// Deflate's data in a file, decompressed by zlib as it is asked for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/zlib.hpp>

namespace tapeless::io {

/// What stands around the data: a header and a checksum, or nothing, as in ZIP files.
enum class deflate_format : std::uint8_t { gzip, raw };

#if defined(TAPELESS_ZLIB_LINKED) || defined(TAPELESS_ZLIB_LOADED)

/// So many bytes of a file, from where it stands, decompressed.
class inflater {
 public:
  /// The file outlives this, and is read by nobody else meanwhile. Errors say `name`, and what to do
  /// `instead` of having zlib; throws tl::error if it is not there or does not start.
  TAPELESS_COLD inflater(std::string name, file_reader& file, std::uint64_t size, deflate_format format,
                         std::string_view instead)
      : name_(std::move(name)),
        file_(file),
        left_in_file_(size),
        input_(static_cast<std::size_t>(std::min<std::uint64_t>(size, 1 << 16))) {
    if (zlib().init == nullptr)
      throw_error({"cannot decompress ", name_, ": this machine has no zlib (install it, or ", instead, ")"});
    const int window = format == deflate_format::gzip ? 16 + MAX_WBITS : -MAX_WBITS;
    if (const int code = zlib().init(&zlib_, window, ZLIB_VERSION, static_cast<int>(sizeof zlib_));
        code != Z_OK)
      fail(code);
  }

  // zlib keeps a pointer to its own state.
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;

  ~inflater() { zlib().end(&zlib_); }

  /// Whether the compressed data has ended; the file may go on.
  bool at_end() const { return at_end_; }

  /// Fills a part of `out`, which is not empty, and returns how many bytes came: none at the end, and perhaps
  /// before. Throws tl::error where the data is corrupt or truncated.
  std::size_t read(array_view<std::byte> out) {
    if (at_end_) return 0;
    if (zlib_.avail_in == 0) refill();
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    const auto room = static_cast<uInt>(std::min(out.size(), most));
    zlib_.next_out = reinterpret_cast<Bytef*>(out.data());
    zlib_.avail_out = room;
    const int code = zlib().inflate(&zlib_, Z_NO_FLUSH);
    at_end_ = code == Z_STREAM_END;
    // Not before: zlib may have taken all of its input, and still have bytes to give.
    if (code == Z_BUF_ERROR) throw_error({name_, " is corrupt: its deflated data is truncated"});
    if (code != Z_OK && !at_end_) fail(code);
    return room - zlib_.avail_out;
  }

  /// The byte of the file that is next, -1 where there is none.
  int peek() {
    if (zlib_.avail_in == 0) refill();
    return zlib_.avail_in == 0 ? -1 : *zlib_.next_in;
  }
  /// Passes over it. Pre-condition: peek() != -1.
  void skip() {
    ++zlib_.next_in;
    --zlib_.avail_in;
  }
  /// Other compressed data begins at the next byte.
  void start_again() {
    zlib().reset(&zlib_);
    at_end_ = false;
  }

 private:
  void refill() {
    input_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(input_.size(), left_in_file_)));
    file_.read_exactly({reinterpret_cast<std::byte*>(input_.data()), input_.size()});
    left_in_file_ -= input_.size();
    zlib_.next_in = input_.data();
    zlib_.avail_in = static_cast<uInt>(input_.size());
  }

  [[noreturn]] TAPELESS_COLD void fail(int code) const {
    if (code == Z_MEM_ERROR) throw_error({"cannot decompress ", name_, ": there is not enough memory"});
    throw_error({name_, " is corrupt: ", zlib_.msg ? zlib_.msg : join({"zlib error ", code})});
  }

  std::string name_;
  file_reader& file_;
  std::uint64_t left_in_file_;
  std::vector<unsigned char> input_;
  z_stream zlib_{};
  bool at_end_ = false;
};

#else

/// Stands where zlib was not found when the program was built: refuses everything.
class inflater {
 public:
  /// Throws tl::error that says what to do.
  TAPELESS_COLD inflater(std::string_view name, file_reader&, std::uint64_t, deflate_format,
                         std::string_view instead) {
    throw_error({"cannot decompress ", name,
                 ": built without zlib (compile where zlib.h is, link it and define TAPELESS_HAS_ZLIB, or ",
                 instead, ")"});
  }

  bool at_end() const { return true; }
  std::size_t read(array_view<std::byte>) { return 0; }
  int peek() { return -1; }
  void skip() {}
  void start_again() {}
};

#endif

}  // namespace tapeless::io
