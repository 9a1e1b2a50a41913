// SPDX-License-Identifier: BSL-1.0
// Tensors as the bytes of a safetensors file, whose header is a constant; a model's parameters are those that
// tl::save writes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/io/json_escape.hpp>
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
  constexpr void put_escaped(std::string_view all) {
    io::put_json_escaped(all, [this](char c) { put(c); });
  }
  constexpr void put(std::int64_t number) {
    if (number >= 10) put(number / 10);
    put(static_cast<char>('0' + number % 10));
  }
};

/// A tensor of a file, and where it is: so many bytes behind the begin of one of some memories.
struct bare_tensor {
  const name* label = nullptr;
  const name* parameter = nullptr;  // whose state it is: that name stands behind the label
  element type = element::f32;
  array_view<const std::int64_t> shape;
  std::int64_t bytes = 0;
  int memory = 0;
  std::int64_t offset = 0;
};
constexpr bare_tensor bare_tensor_of(const parameter_description& p, std::int64_t offset) {
  return {p.label, nullptr, p.type, p.extents(), p.bytes(), 0, offset};
}

/// The tensors' numbers in the order of the file, as io::write_safetensors has it: larger elements first.
template <std::size_t N>
constexpr std::array<std::size_t, N> order_in_bare_file(const std::array<bare_tensor, N>& all) {
  std::array<std::size_t, N> order{};
  std::size_t next = 0;
  for (const std::size_t size : {8u, 4u, 2u, 1u})
    for (std::size_t i = 0; i < N; ++i)
      if (size_of(all[i].type) == size) order[next++] = i;
  return order;
}

/// The text of a safetensors header, padded so that tensors begin at multiples of 8.
template <std::size_t N>
constexpr std::size_t write_bare_header(const std::array<bare_tensor, N>& all, std::string_view metadata,
                                        char* to) {
  character_writer w{to};
  std::int64_t offset = 0;
  w.put('{');
  w.put(metadata);
  for (const std::size_t i : order_in_bare_file(all)) {
    const bare_tensor& t = all[i];
    if (w.count > 1) w.put(',');
    w.put('"');
    w.put_escaped(t.label->view());
    if (t.parameter != nullptr) {
      w.put('.');
      w.put_escaped(t.parameter->view());
    }
    w.put("\":{\"dtype\":\"");
    w.put(io::dtype_of(t.type));
    w.put("\",\"shape\":[");
    for (std::size_t d = 0; d < t.shape.size(); ++d) {
      if (d > 0) w.put(", ");
      w.put(t.shape[d]);
    }
    w.put("],\"data_offsets\":[");
    w.put(offset);
    w.put(',');
    w.put(offset += t.bytes);
    w.put("]}");
  }
  w.put('}');
  while (w.count % 8 != 0) w.put(' ');
  return w.count;
}

/// Tensors as a safetensors file: those of Content::tensors, behind the text Content::metadata.
template <class Content>
struct bare_file {
  static constexpr auto tensors = Content::tensors;

  /// The file's first bytes: how long the header is, and the header.
  static constexpr auto header = [] {
    constexpr std::size_t size = write_bare_header(tensors, Content::metadata, nullptr);
    std::array<char, 8 + size> all{};
    for (std::size_t i = 0; i < 8; ++i) all[i] = static_cast<char>(std::uint64_t{size} >> (8 * i) & 0xff);
    write_bare_header(tensors, Content::metadata, all.data() + 8);
    return all;
  }();

  /// Where each tensor is from the file's first byte on, and behind them how many bytes there are.
  static constexpr auto offsets_in_file = [] {
    std::array<std::int64_t, tensors.size() + 1> from_begin{};
    std::int64_t end = static_cast<std::int64_t>(header.size());
    for (const std::size_t i : order_in_bare_file(tensors)) {
      from_begin[i] = end;
      end += tensors[i].bytes;
    }
    from_begin[tensors.size()] = end;
    return from_begin;
  }();
  static constexpr auto bytes = static_cast<std::size_t>(offsets_in_file[tensors.size()]);

  /// Whether these bytes begin with the file.
  static bool begins(const void* from, std::size_t size) {
    if (size < bytes) return false;
    const auto* here = static_cast<const std::byte*>(from);
    for (char c : header)
      if (*here++ != static_cast<std::byte>(c)) return false;
    return true;
  }

  /// Returns how many bytes were written: all of them, or none where there is less room.
  static long save(const std::byte* const* memories, void* to, std::size_t room) {
    if (room < bytes) return 0;
    auto* here = static_cast<std::byte*>(to);
    for (char c : header) *here++ = static_cast<std::byte>(c);
    for (const piece& p : pieces)
      for (std::int64_t k = 0; k < p.bytes; ++k) *here++ = memories[p.memory][p.offset + k];
    return static_cast<long>(bytes);
  }

  /// Returns false, and changes nothing, where the file is another one.
  static bool load(const void* from, std::size_t size, std::byte* const* memories) {
    if (!begins(from, size)) return false;
    const auto* here = static_cast<const std::byte*>(from) + header.size();
    for (const piece& p : pieces)
      for (std::int64_t k = 0; k < p.bytes; ++k) memories[p.memory][p.offset + k] = *here++;
    return true;
  }

 private:
  // What a program has of the tensors, in the order of the file.
  struct piece {
    int memory = 0;
    std::int64_t offset = 0, bytes = 0;
  };
  static constexpr auto pieces = [] {
    std::array<piece, tensors.size()> all{};
    std::size_t next = 0;
    for (const std::size_t i : order_in_bare_file(tensors))
      all[next++] = {tensors[i].memory, tensors[i].offset, tensors[i].bytes};
    return all;
  }();
};

/// A model's parameters, one behind the other, as the content of a file.
template <class Model>
struct bare_parameter_tensors {
  static constexpr const auto& descriptions = parameters_of_model<Model>;
  static constexpr auto offsets = bare_kernels::detail::lay_out_tensors(descriptions);
  static constexpr auto tensors = [] {
    std::array<bare_tensor, descriptions.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = bare_tensor_of(descriptions[i], offsets[i]);
    return all;
  }();
  static constexpr std::string_view metadata{};
};

}  // namespace tapeless::detail
