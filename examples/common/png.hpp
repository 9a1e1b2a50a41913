// SPDX-License-Identifier: BSL-1.0
// Grey pictures as PNG: 16 shades, not compressed, which is small enough for a sheet of digits.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace png {

namespace detail {

inline void put32(std::string& to, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(v >> shift & 255);
}

/// The cyclic redundancy check of PNG and zlib (ISO 3309).
inline std::uint32_t crc(std::string_view bytes) {
  std::uint32_t c = 0xffffffff;
  for (const char byte : bytes) {
    c ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320 ^ (c >> 1) : c >> 1;
  }
  return ~c;
}

inline void put_chunk(std::string& to, std::string_view kind, const std::string& content) {
  put32(to, static_cast<std::uint32_t>(content.size()));
  const std::string both = std::string(kind) + content;
  to += both;
  put32(to, crc(both));
}

/// A zlib stream of stored blocks (RFC 1950, RFC 1951).
inline std::string stored(std::string_view bytes) {
  std::string to = "\x78\x01";
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t length = std::min<std::size_t>(bytes.size() - begin, 65535);
    to += static_cast<char>(begin + length == bytes.size() ? 1 : 0);
    for (const std::size_t n : {length, ~length}) {
      to += static_cast<char>(n & 255);
      to += static_cast<char>(n >> 8 & 255);
    }
    to += bytes.substr(begin, length);
    begin += length;
  }
  put32(to, b << 16 | a);
  return to;
}

}  // namespace detail

/// A sheet of equal pictures in rows and columns, a pixel between them.
class sheet {
 public:
  sheet(int columns, int rows, int width, int height)
      : columns_(columns),
        width_(width),
        height_(height),
        all_width_(columns * (width + 1) - 1),
        all_height_(rows * (height + 1) - 1),
        shades_(static_cast<std::size_t>(all_width_ * all_height_), 0.5f) {}

  /// Picture number i, row by row from the upper left: `pixels` from 0 (black) to 1 (white).
  void set(int i, const float* pixels) {
    const int left = i % columns_ * (width_ + 1), top = i / columns_ * (height_ + 1);
    for (int y = 0; y < height_; ++y)
      std::copy_n(pixels + y * width_, width_,
                  &shades_[static_cast<std::size_t>((top + y) * all_width_ + left)]);
  }

  bool write(const std::string& path) const {
    std::string lines;
    for (int y = 0; y < all_height_; ++y) {
      lines += '\0';  // this line is not filtered
      for (int x = 0; x < all_width_; x += 2) lines += static_cast<char>(shade(x, y) << 4 | shade(x + 1, y));
    }
    std::string header;
    detail::put32(header, static_cast<std::uint32_t>(all_width_));
    detail::put32(header, static_cast<std::uint32_t>(all_height_));
    header += {4, 0, 0, 0, 0};  // bits for each pixel, grey, and the only methods there are
    std::string all = "\x89PNG\r\n\x1a\n";
    detail::put_chunk(all, "IHDR", header);
    detail::put_chunk(all, "IDAT", detail::stored(lines));
    detail::put_chunk(all, "IEND", "");
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool whole = std::fwrite(all.data(), 1, all.size(), file) == all.size();
    return std::fclose(file) == 0 && whole;
  }

 private:
  int columns_, width_, height_, all_width_, all_height_;
  std::vector<float> shades_;

  int shade(int x, int y) const {
    if (x >= all_width_) return 0;
    const float v = shades_[static_cast<std::size_t>(y * all_width_ + x)];
    return static_cast<int>(std::lround(15 * std::clamp(v, 0.0f, 1.0f)));
  }
};

}  // namespace png
