// SPDX-License-Identifier: BSL-1.0
// The files inside of a ZIP file, stored or deflated, one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/crc32.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/utf8.hpp>
#include <tapeless/io/zip_directory.hpp>
#include <tapeless/io/zlib.hpp>

namespace tapeless::io {

namespace detail {

/// A member's bytes as they come out, checked by their CRC at the end.
class zip_stream : public byte_stream {
 protected:
  zip_stream(std::string name, file_reader& file, const zip_member& member)
      : byte_stream(std::move(name), member.size), file_(file), member_(member) {}

  file_reader& file_;
  const zip_member& member_;

  void check_crc() const {
    if (crc_ != member_.crc)
      throw_error({name(), " is corrupt: its CRC is ", crc_, ", expected ", member_.crc});
  }
  void add_to_crc(array_view<const std::byte> bytes) { crc_ = crc32(bytes, crc_); }

 private:
  std::uint32_t crc_ = 0;
};

class stored_zip_stream final : public zip_stream {
 public:
  stored_zip_stream(std::string name, file_reader& file, const zip_member& member)
      : zip_stream(std::move(name), file, member) {}

 private:
  void read_some(array_view<std::byte> out) override {
    file_.read_exactly(out);
    add_to_crc(out);
  }
  void check_end() override { check_crc(); }
};

#if defined(TAPELESS_ZLIB_LINKED) || defined(TAPELESS_ZLIB_LOADED)

class deflated_zip_stream final : public zip_stream {
 public:
  TAPELESS_COLD deflated_zip_stream(std::string own_name, file_reader& file, const zip_member& member)
      : zip_stream(std::move(own_name), file, member),
        left_in_file_(member.compressed),
        input_(static_cast<std::size_t>(std::min<std::uint64_t>(member.compressed, 1 << 16))) {
    if (zlib().init == nullptr)
      throw_error({"cannot decompress ", name(),
                   ": this machine has no zlib (install it, or save the file uncompressed: numpy.savez)"});
    constexpr int without_header = -MAX_WBITS;
    if (const int code = zlib().init(&zlib_, without_header, ZLIB_VERSION, static_cast<int>(sizeof zlib_));
        code != Z_OK)
      fail(code);
  }
  ~deflated_zip_stream() override { zlib().end(&zlib_); }

 private:
  void read_some(array_view<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      const std::size_t count = inflate(out.subspan(done));
      if (count == 0 && at_end_)
        throw_error({name(), " is corrupt: its data ends ", left() - done, " bytes too early"});
      done += count;
    }
    add_to_crc(out);
  }

  // The mark of the end may be yet to come, but no byte.
  void check_end() override {
    std::byte more[1];
    while (!at_end_)
      if (inflate(more) != 0) throw_error({name(), " is corrupt: its data goes on after the end"});
    check_crc();
  }

  std::size_t inflate(array_view<std::byte> out) {
    if (at_end_) return 0;
    if (zlib_.avail_in == 0 && left_in_file_ > 0) refill();
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    const auto room = static_cast<uInt>(std::min(out.size(), most));
    zlib_.next_out = reinterpret_cast<Bytef*>(out.data());
    zlib_.avail_out = room;
    const int code = zlib().inflate(&zlib_, Z_NO_FLUSH);
    at_end_ = code == Z_STREAM_END;
    // Not before: zlib may have taken all of its input, and still have bytes to give.
    if (code == Z_BUF_ERROR) throw_error({name(), " is corrupt: its deflated data is truncated"});
    if (code != Z_OK && !at_end_) fail(code);
    return room - zlib_.avail_out;
  }

  void refill() {
    input_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(input_.size(), left_in_file_)));
    file_.read_exactly({reinterpret_cast<std::byte*>(input_.data()), input_.size()});
    left_in_file_ -= input_.size();
    zlib_.next_in = input_.data();
    zlib_.avail_in = static_cast<uInt>(input_.size());
  }

  [[noreturn]] TAPELESS_COLD void fail(int code) const {
    const std::string reason = code == Z_MEM_ERROR ? "there is not enough memory"
                               : zlib_.msg         ? zlib_.msg
                                                   : join({"zlib error ", code});
    throw_error({name(), " is corrupt: ", reason});
  }

  std::uint64_t left_in_file_;
  std::vector<unsigned char> input_;
  z_stream zlib_{};
  bool at_end_ = false;
};

#else

/// Stands where zlib was not found when the program was built: refuses every member.
class deflated_zip_stream final : public zip_stream {
 public:
  TAPELESS_COLD deflated_zip_stream(std::string own_name, file_reader& file, const zip_member& member)
      : zip_stream(std::move(own_name), file, member) {
    throw_error(
        {"cannot decompress ", name(),
         ": built without zlib (compile where zlib.h is, link it and define TAPELESS_HAS_ZLIB, or save "
         "the file uncompressed: numpy.savez)"});
  }

 private:
  void read_some(array_view<std::byte>) override {}
};

#endif

}  // namespace detail

/// A ZIP file, open for reading.
class zip_reader {
 public:
  /// Opens `path` and reads its directory; throws tl::error as file_reader and read_zip_directory do.
  TAPELESS_COLD explicit zip_reader(const std::string& path)
      : file_(path), directory_(read_zip_directory(file_)) {}

  zip_reader(const zip_reader&) = delete;  // streams refer to it
  zip_reader& operator=(const zip_reader&) = delete;

  const std::string& path() const { return file_.path(); }
  const std::vector<zip_member>& members() const { return directory_.members; }

  /// The bytes of a member, which must be one of members(), as long as no other is opened. Throws tl::error
  /// with the member's name if its own header does not fit the directory; reading it does so where its data
  /// is corrupt. A CRC that differs is known after the last byte.
  TAPELESS_COLD sole_owner<byte_stream> open(const zip_member& member) {
    const std::string name = join({file_.path(), ": \"", shown(member.name), "\""});
    file_.seek(member.offset);
    std::uint64_t header = 0;
    {
      file_section from(name, file_, detail::zip_local_bytes);
      if (read_little<std::uint32_t>(from) != detail::zip_local)
        throw_error({name, ": byte ", member.offset, " is not where a member begins"});
      std::byte passed[22];
      from.read_exactly(passed);
      header = read_little<std::uint16_t>(from);
      header += read_little<std::uint16_t>(from);
    }
    const std::uint64_t begin = member.offset + detail::zip_local_bytes + header;
    if (begin > directory_.begin || member.compressed > directory_.begin - begin)
      throw_error({name, ": its ", member.compressed, " bytes from byte ", begin,
                   " on do not lie before the directory at byte ", directory_.begin});
    file_.seek(begin);
    if (member.deflated) return sole_owner<byte_stream>(new detail::deflated_zip_stream(name, file_, member));
    return sole_owner<byte_stream>(new detail::stored_zip_stream(name, file_, member));
  }

 private:
  file_reader file_;
  zip_directory directory_;
};

}  // namespace tapeless::io
