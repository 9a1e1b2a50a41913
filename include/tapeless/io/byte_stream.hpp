// SPDX-License-Identifier: BSL-1.0
// Bytes of a known number that come in order: a file's, or those of a file inside of another.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::io {

class byte_stream {
 public:
  byte_stream(const byte_stream&) = delete;
  byte_stream& operator=(const byte_stream&) = delete;
  virtual ~byte_stream() = default;

  /// Where they come from, as messages say it.
  const std::string& name() const { return name_; }

  /// How many bytes are yet to come.
  std::uint64_t left() const { return left_; }

  /// Fills `out` with the next bytes; throws tl::error that names the stream where it has not so many, or
  /// where they cannot be read.
  void read_exactly(array_view<std::byte> out) {
    if (out.size() > left_)
      throw_error({name_, " ends too early: expected ", out.size(), " more bytes, found ", left_});
    read_some(out);
    left_ -= out.size();
    if (left_ == 0) check_end();
  }
  /// Passes over so many bytes; throws as read_exactly does.
  void skip(std::uint64_t count) {
    std::byte passed[256];
    while (count > 0) {
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(count, sizeof passed));
      read_exactly({passed, now});
      count -= now;
    }
  }

 protected:
  byte_stream(std::string name, std::uint64_t size) : name_(std::move(name)), left_(size) {}

 private:
  virtual void read_some(array_view<std::byte> out) = 0;
  virtual void check_end() {}  // after the last byte

  std::string name_;
  std::uint64_t left_;
};

/// The next bytes as a number, the lowest byte first; throws tl::error as read_exactly does.
template <std::unsigned_integral T>
T read_little(byte_stream& from) {
  std::byte bytes[sizeof(T)] = {};
  from.read_exactly(bytes);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) number |= std::to_integer<std::uint64_t>(bytes[i]) << 8 * i;
  return static_cast<T>(number);
}

/// Appends the bytes of a number, the lowest one first.
template <class T>
  requires std::is_arithmetic_v<T>
void append_little(std::string& to, T number) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(number);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  to.append(bytes.data(), bytes.size());
}

/// The next bytes as a text; memory is taken for it only where the stream has so many.
inline std::string read_text(byte_stream& from, std::uint64_t length) {
  std::string text(static_cast<std::size_t>(std::min(length, from.left())), '\0');
  from.read_exactly({reinterpret_cast<std::byte*>(text.data()), text.size()});
  if (text.size() < length)
    throw_error({from.name(), " ends too early: expected ", length - text.size(), " more bytes, found 0"});
  return text;
}

/// A whole file.
class file_stream final : public byte_stream {
 public:
  /// Opens `path`; throws tl::error as file_reader does.
  explicit file_stream(const std::string& path) : file_stream(file_reader(path)) {}

 private:
  explicit file_stream(file_reader file) : byte_stream(file.path(), file.size()), file_(std::move(file)) {}
  void read_some(array_view<std::byte> out) override { file_.read_exactly(out); }

  file_reader file_;
};

/// So many bytes of a file, from where it stands.
class file_section final : public byte_stream {
 public:
  /// Pre-condition: the file has them, outlives this, and is read by nobody else meanwhile.
  file_section(std::string name, file_reader& file, std::uint64_t size)
      : byte_stream(std::move(name), size), file_(file) {}

 private:
  void read_some(array_view<std::byte> out) override { file_.read_exactly(out); }

  file_reader& file_;
};

}  // namespace tapeless::io
