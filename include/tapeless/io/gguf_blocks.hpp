// SPDX-License-Identifier: BSL-1.0
// The block formats of quantized tensors in GGUF files, and how they become floats (ggml, ggml-common.h).
//
// So many elements of a row are one block: whole numbers of a few bits each, and numbers that they are
// multiplied by. In comments, f16, u8, i8 and f32 are numbers, [n] says how many, and uN[n] are n numbers of
// N bits that share bytes; q is an element's own number, s its scale, x what it stands for. Each product
// before a sum has at most 24 bits: it is exact, so that x is the same whether or not a compiler fuses the
// two.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/half.hpp>

namespace tapeless::io::detail {

// Number `i` of numbers of so many bits. Each byte holds some, the first one in its lowest bits, whose places
// are `Run` apart: number 0 and number Run share byte 0. Where Run is 1 they are simply in a row.
template <int Bits, int Run>
constexpr int packed(const std::uint8_t* bytes, int i) {
  constexpr int shared = 8 / Bits;
  return bytes[i / (shared * Run) * Run + i % Run] >> i / Run % shared * Bits & ((1 << Bits) - 1);
}

constexpr float half_at(const std::uint8_t* b) {
  return std::bit_cast<f16>(static_cast<std::uint16_t>(b[0] | b[1] << 8));
}
constexpr int signed_at(const std::uint8_t* b) { return static_cast<std::int8_t>(*b); }
constexpr float scaled(float by, int q) { return by * static_cast<float>(q); }

// Blocks of 32.

// f16 d, u4[32]: x = d (q - 8).
inline void widen_q4_0(const std::uint8_t* b, float* x) {
  const float d = half_at(b);
  for (int i = 0; i < 32; ++i) x[i] = scaled(d, packed<4, 16>(b + 2, i) - 8);
}

// f16 d, f16 m, u4[32]: x = d q + m.
inline void widen_q4_1(const std::uint8_t* b, float* x) {
  const float d = half_at(b), m = half_at(b + 2);
  for (int i = 0; i < 32; ++i) x[i] = scaled(d, packed<4, 16>(b + 4, i)) + m;
}

// f16 d, u1[32] the highest bit of each q, u4[32] the others: x = d (q - 16).
inline void widen_q5_0(const std::uint8_t* b, float* x) {
  const float d = half_at(b);
  for (int i = 0; i < 32; ++i) {
    const int q = packed<4, 16>(b + 6, i) | packed<1, 1>(b + 2, i) << 4;
    x[i] = scaled(d, q - 16);
  }
}

// f16 d, f16 m, u1[32] the highest bit of each q, u4[32] the others: x = d q + m.
inline void widen_q5_1(const std::uint8_t* b, float* x) {
  const float d = half_at(b), m = half_at(b + 2);
  for (int i = 0; i < 32; ++i) {
    const int q = packed<4, 16>(b + 8, i) | packed<1, 1>(b + 4, i) << 4;
    x[i] = scaled(d, q) + m;
  }
}

// f16 d, i8[32]: x = d q.
inline void widen_q8_0(const std::uint8_t* b, float* x) {
  const float d = half_at(b);
  for (int i = 0; i < 32; ++i) x[i] = scaled(d, signed_at(b + 2 + i));
}

// Blocks of 256, in groups of 16 or 32 with a scale each.

// u4[32] a scale and a minimum for each 16, u2[256], f16 d, f16 m: x = d s q - m minimum.
inline void widen_q2_k(const std::uint8_t* b, float* x) {
  const float d = half_at(b + 80), m = half_at(b + 82);
  for (int i = 0; i < 256; ++i) {
    const int pair = b[i / 16];
    x[i] = scaled(scaled(d, pair & 15), packed<2, 32>(b + 16, i)) - scaled(m, pair >> 4);
  }
}

// u1[256] the highest bit of each q, u2[256] the others, u4[16] the low bits of a scale for each 16, u2[16]
// the high ones, f16 d: x = d (s - 32) (q - 4).
inline void widen_q3_k(const std::uint8_t* b, float* x) {
  const float d = half_at(b + 108);
  for (int i = 0; i < 256; ++i) {
    const int s = packed<4, 8>(b + 96, i / 16) | packed<2, 4>(b + 104, i / 16) << 4;
    const int q = packed<2, 32>(b + 32, i) | packed<1, 32>(b, i) << 2;
    x[i] = scaled(scaled(d, s - 32), q - 4);
  }
}

// 8 scales and 8 minima of 6 bits, for each 32 elements, in 12 bytes: scales 0 to 3 and minima 0 to 3 are the
// low 6 bits of bytes 0 to 7, whose high 2 bits are those of the other scales and minima; the low 4 bits of
// these share bytes 8 to 11.
constexpr int six_bits(const std::uint8_t* b, int group, int is_minimum) {
  if (group < 4) return b[group + 4 * is_minimum] & 63;
  return (b[group + 4] >> 4 * is_minimum & 15) | b[group - 4 + 4 * is_minimum] >> 6 << 4;
}

// f16 d, f16 m, 12 bytes of scales and minima, u4[256]: x = d s q - m minimum.
inline void widen_q4_k(const std::uint8_t* b, float* x) {
  for (int group = 0; group < 8; ++group) {
    const float by = scaled(half_at(b), six_bits(b + 4, group, 0));
    const float minimum = scaled(half_at(b + 2), six_bits(b + 4, group, 1));
    for (int i = 32 * group; i < 32 * group + 32; ++i) x[i] = scaled(by, packed<4, 32>(b + 16, i)) - minimum;
  }
}

// f16 d, f16 m, 12 bytes of scales and minima, u1[256] the highest bit of each q, u4[256] the others:
// x = d s q - m minimum.
inline void widen_q5_k(const std::uint8_t* b, float* x) {
  for (int group = 0; group < 8; ++group) {
    const float by = scaled(half_at(b), six_bits(b + 4, group, 0));
    const float minimum = scaled(half_at(b + 2), six_bits(b + 4, group, 1));
    for (int i = 32 * group; i < 32 * group + 32; ++i)
      x[i] = scaled(by, packed<4, 32>(b + 48, i) | packed<1, 32>(b + 16, i) << 4) - minimum;
  }
}

// u4[256] the low bits of each q, u2[256] the high ones, i8[16] a scale for each 16, f16 d: x = d s (q - 32).
inline void widen_q6_k(const std::uint8_t* b, float* x) {
  const float d = half_at(b + 208);
  for (int i = 0; i < 256; ++i) {
    const int q = packed<4, 64>(b, i) | packed<2, 32>(b + 128, i) << 4;
    x[i] = scaled(scaled(d, signed_at(b + 192 + i / 16)), q - 32);
  }
}

// f32 d, i8[256], and the sums of these by 16, which are not needed: x = d q.
inline void widen_q8_k(const std::uint8_t* b, float* x) {
  float d;
  std::memcpy(&d, b, sizeof d);
  for (int i = 0; i < 256; ++i) x[i] = scaled(d, signed_at(b + 4 + i));
}

// Of formats whose q is one of 16 numbers that are closer to one another around 0.
inline constexpr std::int8_t unequal_steps[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                1,    13,   25,  38,  53,  69,  89,  113};

// f16 d, u4[32]: x = d steps[q].
inline void widen_iq4_nl(const std::uint8_t* b, float* x) {
  const float d = half_at(b);
  for (int i = 0; i < 32; ++i) x[i] = scaled(d, unequal_steps[packed<4, 16>(b + 2, i)]);
}

// f16 d, u2[8] the high bits of a scale for each 32, u4[8] the low ones, u4[256]: x = d (s - 32) steps[q].
inline void widen_iq4_xs(const std::uint8_t* b, float* x) {
  const float d = half_at(b);
  for (int i = 0; i < 256; ++i) {
    const int s = packed<4, 1>(b + 4, i / 32) | packed<2, 1>(b + 2, i / 32) << 4;
    x[i] = scaled(scaled(d, s - 32), unequal_steps[packed<4, 16>(b + 8, i)]);
  }
}

/// A format that is read: its number in the file, the elements and bytes of a block, and what makes floats of
/// one.
struct gguf_block_format {
  std::uint32_t number;
  std::uint32_t elements, bytes;
  void (*widen)(const std::uint8_t* block, float* elements);
};

inline constexpr gguf_block_format gguf_block_formats[] = {
    {2, 32, 18, widen_q4_0},      {3, 32, 20, widen_q4_1},    {6, 32, 22, widen_q5_0},
    {7, 32, 24, widen_q5_1},      {8, 32, 34, widen_q8_0},    {10, 256, 84, widen_q2_k},
    {11, 256, 110, widen_q3_k},   {12, 256, 144, widen_q4_k}, {13, 256, 176, widen_q5_k},
    {14, 256, 210, widen_q6_k},   {15, 256, 292, widen_q8_k}, {20, 32, 18, widen_iq4_nl},
    {23, 256, 136, widen_iq4_xs},
};
inline constexpr std::size_t gguf_longest_block = [] {
  std::size_t longest = 0;
  for (const gguf_block_format& format : gguf_block_formats)
    if (format.bytes > longest) longest = format.bytes;
  return longest;
}();

/// The format of that number; null where it is none that is read.
constexpr const gguf_block_format* gguf_blocks_of(std::uint32_t number) {
  for (const gguf_block_format& format : gguf_block_formats)
    if (format.number == number) return &format;
  return nullptr;
}

/// Fills `memory` with the floats of blocks that lie at its end. From front to back: the floats of a block
/// never reach the blocks behind it, as they are longer than it is.
/// Pre-condition: `memory` is aligned for floats, and as long as those of a whole number of blocks.
inline void widen_in_place(const gguf_block_format& format, array_view<std::byte> memory) {
  const std::size_t floats = format.elements * sizeof(float), count = memory.size() / floats;
  std::uint8_t block[gguf_longest_block];
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(block, memory.data() + memory.size() - (count - i) * format.bytes, format.bytes);
    format.widen(block, reinterpret_cast<float*>(memory.data() + i * floats));
  }
}

}  // namespace tapeless::io::detail
