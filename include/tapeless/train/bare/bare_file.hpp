// SPDX-License-Identifier: BSL-1.0
// Parameters as the bytes of a safetensors file, whose header is a constant: those that tl::save writes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tapeless/io/safetensors_dtype.hpp>
#include <tapeless/run/bare/bare_memory.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Puts characters one after the other, or counts them where there is nowhere to put them.
struct character_writer {
  char* to = nullptr;
  std::size_t count = 0;

  constexpr void put(char c) {
    if (to != nullptr) to[count] = c;
    ++count;
  }
  constexpr void put(std::string_view all) {
    for (char c : all) put(c);
  }
  constexpr void put(std::int64_t number) {
    if (number >= 10) put(number / 10);
    put(static_cast<char>('0' + number % 10));
  }
};

/// The parameters' numbers in the order of the file, as io::write_safetensors has it: larger elements first.
template <class Model>
constexpr auto make_bare_order() {
  constexpr const auto& all = parameters_of_model<Model>;
  std::array<std::size_t, all.size()> order{};
  std::size_t next = 0;
  for (const std::size_t size : {8u, 4u, 2u, 1u})
    for (std::size_t i = 0; i < all.size(); ++i)
      if (size_of(all[i].type) == size) order[next++] = i;
  return order;
}
template <class Model>
inline constexpr auto bare_order_of = make_bare_order<Model>();

/// The text of a safetensors header, padded so that tensors begin at multiples of 8.
template <class Model>
constexpr std::size_t write_bare_header(char* to) {
  character_writer w{to};
  std::int64_t offset = 0;
  w.put('{');
  for (const std::size_t i : bare_order_of<Model>) {
    const parameter_description& p = parameters_of_model<Model>[i];
    if (i != bare_order_of<Model>[0]) w.put(',');
    w.put('"');
    w.put(p.label->view());
    w.put("\":{\"dtype\":\"");
    w.put(io::dtype_of(p.type));
    w.put("\",\"shape\":[");
    for (int d = 0; d < p.rank; ++d) {
      if (d > 0) w.put(", ");
      w.put(p.shape[static_cast<std::size_t>(d)]);
    }
    w.put("],\"data_offsets\":[");
    w.put(offset);
    w.put(',');
    w.put(offset += p.bytes());
    w.put("]}");
  }
  w.put('}');
  while (w.count % 8 != 0) w.put(' ');
  return w.count;
}

template <class Model>
constexpr auto make_bare_header() {
  constexpr std::size_t size = write_bare_header<Model>(nullptr);
  std::array<char, 8 + size> header{};
  for (std::size_t i = 0; i < 8; ++i) header[i] = static_cast<char>(std::uint64_t{size} >> (8 * i) & 0xff);
  write_bare_header<Model>(header.data() + 8);
  return header;
}
template <class Model>
inline constexpr auto bare_header_of = make_bare_header<Model>();

/// A model's parameters as a safetensors file.
template <class Model>
struct bare_file {
  static constexpr const auto& all = parameters_of_model<Model>;
  static constexpr auto offsets = bare_kernels::detail::lay_out_tensors(all);
  static constexpr std::size_t header = bare_header_of<Model>.size();
  static constexpr std::size_t bytes = [] {
    std::int64_t sum = 0;
    for (const parameter_description& p : all) sum += p.bytes();
    return header + static_cast<std::size_t>(sum);
  }();

  /// Where each parameter is from the file's first byte on.
  static constexpr auto offsets_in_file = [] {
    std::array<std::int64_t, all.size() + 1> from_begin{};
    std::int64_t end = static_cast<std::int64_t>(header);
    for (const std::size_t i : bare_order_of<Model>) {
      from_begin[i] = end;
      end += all[i].bytes();
    }
    from_begin[all.size()] = end;
    return from_begin;
  }();

  /// Whether these bytes begin with the file.
  static bool begins(const void* from, std::size_t size) {
    if (size < bytes) return false;
    const auto* here = static_cast<const std::byte*>(from);
    for (char c : bare_header_of<Model>)
      if (*here++ != static_cast<std::byte>(c)) return false;
    return true;
  }

  static long save(const std::byte* parameters, void* to, std::size_t room) {
    if (room < bytes) return 0;
    auto* here = static_cast<std::byte*>(to);
    for (char c : bare_header_of<Model>) *here++ = static_cast<std::byte>(c);
    for (const std::size_t i : bare_order_of<Model>)
      for (std::int64_t k = 0; k < all[i].bytes(); ++k) *here++ = parameters[offsets[i] + k];
    return static_cast<long>(bytes);
  }

  static bool load(const void* from, std::size_t size, std::byte* parameters) {
    if (!begins(from, size)) return false;
    const auto* here = static_cast<const std::byte*>(from) + header;
    for (const std::size_t i : bare_order_of<Model>)
      for (std::int64_t k = 0; k < all[i].bytes(); ++k) parameters[offsets[i] + k] = *here++;
    return true;
  }
};

}  // namespace tapeless::detail
