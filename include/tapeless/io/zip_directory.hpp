// SPDX-License-Identifier: BSL-1.0
// What is in a ZIP file: the directory at its end, checked against the file (PKWARE, APPNOTE 6.3.10).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// A file inside of a ZIP file.
struct zip_member {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t compressed = 0;  ///< bytes as they lie there
  std::uint64_t size = 0;        ///< bytes as they come out
  std::uint64_t offset = 0;      ///< where its own header begins
};

/// The members of a ZIP file, in its own order.
struct zip_directory {
  std::vector<zip_member> members;
  std::uint64_t begin = 0;  ///< where the directory begins, and the members end
};

namespace detail {

inline constexpr std::uint32_t zip_local = 0x04034b50, zip_central = 0x02014b50, zip_end = 0x06054b50,
                               zip64_locator = 0x07064b50, zip64_end = 0x06064b50;
inline constexpr std::uint64_t zip_local_bytes = 30, zip_central_bytes = 46, zip_end_bytes = 22,
                               zip64_locator_bytes = 20, zip64_end_bytes = 56;
inline constexpr std::uint64_t zip_large = 0xffffffff;  // the number is in a field of 64 bits
inline constexpr std::uint64_t most_inflated = 1032;    // of one byte, by deflate

/// Reads the directory of a file.
class zip_directory_reader {
 public:
  explicit zip_directory_reader(file_reader& file) : file_(file) {}

  TAPELESS_COLD zip_directory read() {
    find_end();
    const std::uint64_t most = (end_ - directory_.begin) / zip_central_bytes;
    if (count_ > most)
      fail({"the directory has room for ", most, " members, but the file says that there are ", count_});
    file_.seek(directory_.begin);
    file_section from(join({file_.path(), ": directory"}), file_, end_ - directory_.begin);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count_; ++i) {
      directory_.members.push_back(read_member(from));
      sum += directory_.members.back().compressed;  // below 2^63: see check
      if (sum > directory_.begin) fail({"its members would overlap"});
    }
    if (from.left() > 0) fail({from.left(), " bytes in the directory after its last member"});
    if (const auto twice = repeated_name(directory_.members))
      fail({"the name \"", shown(*twice), "\" occurs twice"});
    return std::move(directory_);
  }

 private:
  file_reader& file_;
  zip_directory directory_;
  std::uint64_t end_ = 0, count_ = 0;

  [[noreturn]] TAPELESS_COLD void fail(std::initializer_list<text_piece> problem) const {
    throw_error({file_.path(), ": ", join(problem)});
  }

  // The last record: a comment of any length may follow it, so it is searched for from the end.
  void find_end() {
    const std::uint64_t size = file_.size(), most = std::min<std::uint64_t>(size, zip_end_bytes + 0xffff);
    file_.seek(size - most);
    std::string tail(static_cast<std::size_t>(most), '\0');
    file_.read_exactly({reinterpret_cast<std::byte*>(tail.data()), tail.size()});
    for (std::size_t at = tail.size(); at >= zip_end_bytes; --at) {
      const std::string_view here = std::string_view(tail).substr(at - zip_end_bytes);
      const std::size_t comment =
          static_cast<unsigned char>(here[20]) + 256u * static_cast<unsigned char>(here[21]);
      if (!here.starts_with("PK\5\6") || comment != here.size() - zip_end_bytes) continue;
      read_end(size - here.size());
      return;
    }
    fail({"expected a ZIP file, as NPZ files are, but it has no directory at its end"});
  }

  void read_end(std::uint64_t place) {
    file_.seek(place);
    file_section from(file_.path(), file_, zip_end_bytes);
    from.skip(4);
    const bool one_disk = (read_little<std::uint32_t>(from) == 0);
    const std::uint64_t here = read_little<std::uint16_t>(from);
    count_ = read_little<std::uint16_t>(from);
    const std::uint64_t size = read_little<std::uint32_t>(from), begin = read_little<std::uint32_t>(from);
    // Some write numbers of 64 bits where 32 suffice, torch.save among them.
    if (place >= zip64_locator_bytes && is_zip64(place - zip64_locator_bytes)) return;
    if (!one_disk || here != count_) fail({"it is one part of several"});
    set_place(begin, size, place);
  }

  // Whether there is a record for numbers of 64 bits; where there is, it is read.
  bool is_zip64(std::uint64_t place) {
    file_.seek(place);
    file_section locator(file_.path(), file_, zip64_locator_bytes);
    if (read_little<std::uint32_t>(locator) != zip64_locator) return false;
    locator.skip(4);
    const auto end = read_little<std::uint64_t>(locator);
    if (place < zip64_end_bytes || end > place - zip64_end_bytes)
      fail({"its directory's end for 64 bits would be at byte ", end, " of ", file_.size()});
    file_.seek(end);
    file_section from(file_.path(), file_, zip64_end_bytes);
    if (read_little<std::uint32_t>(from) != zip64_end)
      fail({"byte ", end, " is not where its directory ends"});
    from.skip(20);
    const auto here = read_little<std::uint64_t>(from);
    count_ = read_little<std::uint64_t>(from);
    if (here != count_) fail({"it is one part of several"});
    const auto size = read_little<std::uint64_t>(from), begin = read_little<std::uint64_t>(from);
    set_place(begin, size, end);
    return true;
  }

  void set_place(std::uint64_t begin, std::uint64_t size, std::uint64_t end) {
    if (begin > end || size != end - begin)
      fail({"expected a directory of ", size, " bytes from byte ", begin, " on, but it ends at byte ", end});
    directory_.begin = begin;
    end_ = end;
  }

  zip_member read_member(byte_stream& from) {
    if (read_little<std::uint32_t>(from) != zip_central)
      fail({"member ", directory_.members.size(), " of the directory does not begin as one"});
    zip_member m;
    from.skip(4);
    const auto flags = read_little<std::uint16_t>(from), method = read_little<std::uint16_t>(from);
    from.skip(4);
    m.crc = read_little<std::uint32_t>(from);
    m.compressed = read_little<std::uint32_t>(from);
    m.size = read_little<std::uint32_t>(from);
    const std::size_t name = read_little<std::uint16_t>(from), extra = read_little<std::uint16_t>(from),
                      comment = read_little<std::uint16_t>(from);
    from.skip(8);
    m.offset = read_little<std::uint32_t>(from);
    m.name = read_text(from, name);
    read_extra(from, extra, m);
    from.skip(comment);
    m.deflated = method == 8;
    check(m, flags, method);
    return m;
  }

  // Fields that the member's own have no room for.
  void read_extra(byte_stream& from, std::size_t length, zip_member& m) {
    while (length >= 4) {
      const auto kind = read_little<std::uint16_t>(from);
      std::size_t size = read_little<std::uint16_t>(from);
      length -= 4;
      if (size > length)
        fail({"member \"", shown(m.name), "\": a field of ", size, " bytes in the last ", length});
      length -= size;
      if (kind == 1)
        for (std::uint64_t* number : {&m.size, &m.compressed, &m.offset})
          if (*number == zip_large && size >= 8) {
            *number = read_little<std::uint64_t>(from);
            size -= 8;
          }
      from.skip(size);
    }
    from.skip(length);
  }

  void check(const zip_member& m, unsigned flags, unsigned method) const {
    const auto wrong = [&](std::initializer_list<text_piece> problem) {
      fail({"member \"", shown(m.name), "\": ", join(problem)});
    };
    if (flags & 1) wrong({"it is encrypted"});
    if (method != 0 && method != 8)
      wrong({"it is compressed by method ", method, "; expected 0 (stored) or 8 (deflated)"});
    const std::uint64_t room = directory_.begin;
    if (m.offset > room || room - m.offset < zip_local_bytes ||
        m.compressed > room - m.offset - zip_local_bytes)
      wrong({"its ", m.compressed, " bytes from byte ", m.offset,
             " on do not lie before the directory at byte ", room});
    if (m.deflated ? m.size / most_inflated > m.compressed : m.size != m.compressed)
      wrong({m.compressed, " bytes cannot become ", m.size});
  }
};

}  // namespace detail

/// The directory of a ZIP file; throws tl::error with the file, what was expected and what was found. Sizes
/// of 64 bits are known; parts of an archive, encryption and methods other than store and deflate are
/// refused.
TAPELESS_COLD inline zip_directory read_zip_directory(file_reader& file) {
  return detail::zip_directory_reader(file).read();
}

}  // namespace tapeless::io
