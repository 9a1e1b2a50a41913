// SPDX-License-Identifier: BSL-1.0
// A ZIP file of stored members, with sizes of 64 bits where they are needed.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/crc32.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/zip_directory.hpp>

namespace tapeless::io {

/// A new ZIP file that takes the place of the one at `path` at commit(), and disappears if that never comes.
/// The same members give the same bytes: all have the date with which the format's calendar begins.
class zip_writer {
 public:
  /// Throws tl::error as replacement_file does. With `always_64_bits`, small members have large sizes, too.
  TAPELESS_COLD explicit zip_writer(const std::string& path, bool always_64_bits = false)
      : file_(path), always_64_bits_(always_64_bits) {}

  /// Writes a member made of pieces. Pre-condition: the name differs from all others, and has fewer than
  /// 65,536 bytes. Throws tl::error with the system's reason.
  TAPELESS_COLD void add(std::string name, array_view<const array_view<const std::byte>> pieces) {
    zip_member member{.name = std::move(name), .offset = written_};
    for (const array_view<const std::byte>& piece : pieces) {
      member.size += piece.size();
      member.crc = crc32(piece, member.crc);
    }
    member.compressed = member.size;
    std::string header, extra;
    const bool large = is_large(member.size);
    if (large) {
      little<std::uint16_t>(extra, {1, 16});
      little<std::uint64_t>(extra, {member.size, member.compressed});
    }
    little<std::uint32_t>(header, {detail::zip_local});
    add_common(header, member, large, large, extra.size());
    write(header);
    write(member.name);
    write(extra);
    for (const array_view<const std::byte>& piece : pieces) write(piece);
    members_.push_back(std::move(member));
  }

  /// Writes the directory, and puts the file in the place of `path`; throws tl::error as replacement_file
  /// does.
  TAPELESS_COLD void commit() {
    const std::uint64_t begin = written_;
    for (const zip_member& member : members_) write_entry(member);
    write_end(begin, written_ - begin);
    file_.commit();
  }

 private:
  replacement_file file_;
  bool always_64_bits_;
  std::uint64_t written_ = 0;
  std::vector<zip_member> members_;

  bool is_large(std::uint64_t number) const { return always_64_bits_ || number >= detail::zip_large; }

  static std::uint32_t field(std::uint64_t number, bool elsewhere) {
    return static_cast<std::uint32_t>(elsewhere ? detail::zip_large : number);
  }

  template <std::unsigned_integral T>
  static void little(std::string& to, std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t number : numbers) append_little(to, static_cast<T>(number));
  }

  // The fields that a member's own header and its entry in the directory share.
  static void add_common(std::string& to, const zip_member& member, bool uses_64_bits, bool large,
                         std::size_t extra) {
    const bool is_ascii = std::all_of(member.name.begin(), member.name.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    constexpr std::uint64_t utf8 = 1 << 11, first_day = 1 << 5 | 1;  // the first of January, 1980
    little<std::uint16_t>(to, {uses_64_bits ? 45u : 20u, is_ascii ? 0 : utf8, 0, 0, first_day});
    little<std::uint32_t>(to, {member.crc, field(member.compressed, large), field(member.size, large)});
    little<std::uint16_t>(to, {member.name.size(), extra});
  }

  void write_entry(const zip_member& member) {
    const bool large = is_large(member.size), far = is_large(member.offset);
    std::string entry, extra;
    if (large || far) little<std::uint16_t>(extra, {1, (large ? 16u : 0u) + (far ? 8u : 0u)});
    if (large) little<std::uint64_t>(extra, {member.size, member.compressed});
    if (far) little<std::uint64_t>(extra, {member.offset});
    little<std::uint32_t>(entry, {detail::zip_central});
    little<std::uint16_t>(entry, {large || far ? 45u : 20u});  // what wrote it
    add_common(entry, member, large || far, large, extra.size());
    little<std::uint16_t>(entry, {0, 0, 0});
    little<std::uint32_t>(entry, {0, field(member.offset, far)});
    write(entry);
    write(member.name);
    write(extra);
  }

  void write_end(std::uint64_t begin, std::uint64_t size) {
    const std::uint64_t count = members_.size();
    const bool many = always_64_bits_ || count >= 0xffff;
    std::string end;
    if (many || is_large(begin) || is_large(size)) {
      const std::uint64_t place = written_;
      little<std::uint32_t>(end, {detail::zip64_end});
      little<std::uint64_t>(end, {detail::zip64_end_bytes - 12});
      little<std::uint16_t>(end, {45, 45});
      little<std::uint32_t>(end, {0, 0});
      little<std::uint64_t>(end, {count, count, size, begin});
      little<std::uint32_t>(end, {detail::zip64_locator, 0});
      little<std::uint64_t>(end, {place});
      little<std::uint32_t>(end, {1});
    }
    little<std::uint32_t>(end, {detail::zip_end});
    little<std::uint16_t>(end, {0, 0, many ? 0xffffu : count, many ? 0xffffu : count});
    little<std::uint32_t>(end, {field(size, is_large(size)), field(begin, is_large(begin))});
    little<std::uint16_t>(end, {0});
    write(end);
  }

  void write(std::string_view text) { write({reinterpret_cast<const std::byte*>(text.data()), text.size()}); }
  void write(array_view<const std::byte> bytes) {
    file_.write(bytes);
    written_ += bytes.size();
  }
};

}  // namespace tapeless::io
