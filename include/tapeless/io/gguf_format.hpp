// SPDX-License-Identifier: BSL-1.0
// GGUF's numbers for types, and the values under its keys (ggml, docs/gguf.md, version 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tapeless/graph/core/element.hpp>

namespace tapeless::io {

/// A value under a key: a number, a truth value, a text, or a list of such. Its type is that of the file.
using gguf_value =
    std::variant<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, float,
                 bool, std::string, std::uint64_t, std::int64_t, double, std::vector<std::uint8_t>,
                 std::vector<std::int8_t>, std::vector<std::uint16_t>, std::vector<std::int16_t>,
                 std::vector<std::uint32_t>, std::vector<std::int32_t>, std::vector<float>, std::vector<bool>,
                 std::vector<std::string>, std::vector<std::uint64_t>, std::vector<std::int64_t>,
                 std::vector<double>>;

/// Values by their keys, such as "general.name".
using gguf_metadata = std::map<std::string, gguf_value>;

namespace detail {

inline constexpr std::uint32_t gguf_version = 3, gguf_alignment = 32, gguf_most_axes = 4, gguf_most_name = 63;
inline constexpr std::string_view gguf_alignment_key = "general.alignment",
                                  gguf_architecture_key = "general.architecture";

// A scalar's alternative in gguf_value and its number in the file are the same but for these.
inline constexpr std::uint32_t gguf_string = 8, gguf_array = 9, gguf_scalars = 12;

/// The number of the alternative's type in the file: an array is one of its elements' type.
constexpr std::uint32_t gguf_type_of(std::size_t alternative) {
  const auto scalar = static_cast<std::uint32_t>(alternative % gguf_scalars);
  return scalar <= gguf_string ? scalar : scalar + 1;
}

/// The number that GGUF gives to tensors of this type; nothing where it has none.
constexpr std::optional<std::uint32_t> gguf_tensor_type(element type) {
  switch (type) {
    case element::f32:
      return 0;
    case element::f16:
      return 1;
    case element::i8:
      return 24;
    case element::i16:
      return 25;
    case element::i32:
      return 26;
    case element::i64:
      return 27;
    case element::f64:
      return 28;
    case element::bf16:
      return 30;
    case element::u8:
    case element::u32:
    case element::boolean:
    case element::number:
      return std::nullopt;
  }
  return std::nullopt;
}

constexpr std::optional<element> element_of_gguf(std::uint32_t number) {
  for (const element type : {element::f32, element::f16, element::i8, element::i16, element::i32,
                             element::i64, element::f64, element::bf16})
    if (gguf_tensor_type(type) == number) return type;
  return std::nullopt;
}

/// What the numbers stand for; empty where that is not known.
constexpr std::string_view gguf_tensor_type_name(std::uint32_t number) {
  constexpr std::string_view names[] = {
      "F32",   "F16",    "Q4_0",  "Q4_1", "Q4_2", "Q4_3",    "Q5_0",   "Q5_1",    "Q8_0",  "Q8_1",   "Q2_K",
      "Q3_K",  "Q4_K",   "Q5_K",  "Q6_K", "Q8_K", "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S",
      "IQ2_S", "IQ4_XS", "I8",    "I16",  "I32",  "I64",     "F64",    "IQ1_M",   "BF16",  "",       "",
      "",      "TQ1_0",  "TQ2_0", "",     "",     "",        "MXFP4",  "NVFP4",   "Q1_0"};
  return number < std::size(names) ? names[number] : "";
}

/// The next multiple of the alignment of what is written, and of what is read into memory.
template <class T>
constexpr T gguf_aligned(T size) {
  return (size + gguf_alignment - 1) / gguf_alignment * gguf_alignment;
}

}  // namespace detail

}  // namespace tapeless::io
