// SPDX-License-Identifier: BSL-1.0
// The files inside of a ZIP file, stored or deflated, one at a time.
#pragma once

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
#include <tapeless/io/inflater.hpp>
#include <tapeless/io/utf8.hpp>
#include <tapeless/io/zip_directory.hpp>

namespace tapeless::io {

namespace detail {

/// A member's bytes as they come out, checked by their CRC at the end.
class zip_stream : public byte_stream {
 protected:
  zip_stream(std::string name, const zip_member& member)
      : byte_stream(std::move(name), member.size), member_(member) {}

  void check_crc() const {
    if (crc_ != member_.crc)
      throw_error({name(), " is corrupt: its CRC is ", crc_, ", expected ", member_.crc});
  }
  void add_to_crc(array_view<const std::byte> bytes) { crc_ = crc32(bytes, crc_); }

 private:
  const zip_member& member_;
  std::uint32_t crc_ = 0;
};

class stored_zip_stream final : public zip_stream {
 public:
  stored_zip_stream(std::string name, file_reader& file, const zip_member& member)
      : zip_stream(std::move(name), member), file_(file) {}

 private:
  file_reader& file_;

  void read_some(array_view<std::byte> out) override {
    file_.read_exactly(out);
    add_to_crc(out);
  }
  void check_end() override { check_crc(); }
};

class deflated_zip_stream final : public zip_stream {
 public:
  TAPELESS_COLD deflated_zip_stream(std::string own_name, file_reader& file, const zip_member& member)
      : zip_stream(std::move(own_name), member),
        data_(name(), file, member.compressed, deflate_format::raw,
              "save the file uncompressed: numpy.savez") {}

 private:
  inflater data_;

  void read_some(array_view<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      const std::size_t count = data_.read(out.subspan(done));
      if (count == 0 && data_.at_end())
        throw_error({name(), " is corrupt: its data ends ", left() - done, " bytes too early"});
      done += count;
    }
    add_to_crc(out);
  }

  // The mark of the end may be yet to come, but no byte.
  void check_end() override {
    std::byte more[1];
    while (!data_.at_end())
      if (data_.read(more) != 0) throw_error({name(), " is corrupt: its data goes on after the end"});
    check_crc();
  }
};

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
