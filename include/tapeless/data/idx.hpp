// SPDX-License-Identifier: BSL-1.0
// IDX, the format of the MNIST files: a magic number, extents, bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/gzip.hpp>

namespace tapeless::data {

/// The contents of an IDX file of bytes, in row-major order.
struct idx_array {
  std::vector<std::int64_t> shape;
  std::vector<unsigned char> values;
};

namespace detail {

// A big-endian number of 32 bits.
[[gnu::cold]] inline std::uint32_t read_idx_number(io::byte_source& source) {
  std::byte bytes[4] = {};
  const std::size_t count = source.read(bytes);
  if (count < sizeof bytes) throw error({source.path(), ": truncated, ends within the IDX header"});
  std::uint32_t number = 0;
  for (const std::byte byte : bytes) number = number << 8 | std::to_integer<std::uint32_t>(byte);
  return number;
}

[[gnu::cold]] inline std::string idx_kind(std::uint32_t magic) {
  const std::uint32_t type = magic >> 8, rank = magic & 0xff;
  if (type == 0x08) return join({"IDX bytes of rank ", rank, " (magic number ", magic, ")"});
  const bool other_type = type == 0x09 || (type >= 0x0b && type <= 0x0e);
  return join({other_type ? "IDX elements of another type" : "no IDX file", " (magic number ", magic, ")"});
}

}  // namespace detail

/// Reads the IDX file of bytes (type 0x08) with `rank` axes at `path`, or decompressed from `path + ".gz"`:
/// rank 3 for MNIST's images, 1 for its labels. Throws tl::error with the file, what was expected and what
/// was found if it is missing, empty, truncated, too long, of another kind or another rank.
[[gnu::cold]] inline idx_array read_idx(const std::string& path, int rank) {
  io::byte_source source(path);
  const std::uint32_t magic = detail::read_idx_number(source);
  const std::uint32_t expected_magic = 0x0800 + static_cast<std::uint32_t>(rank);
  if (magic != expected_magic) {
    throw error({source.path(), ": expected ", detail::idx_kind(expected_magic), ", found ",
                 detail::idx_kind(magic)});
  }
  idx_array result;
  for (int axis = 0; axis < rank; ++axis) result.shape.push_back(detail::read_idx_number(source));
  const std::optional<std::int64_t> size = io::checked_product(result.shape);
  if (!size || *size == 0) {
    throw error({source.path(), ": expected positive extents with a product below 2^63, found ",
                 io::shape_text(result.shape)});
  }
  const auto expected = static_cast<std::uint64_t>(*size);
  result.values = source.read_up_to<unsigned char>(expected + 1);  // one more shows that the file goes on
  if (result.values.size() == expected) return result;
  const bool truncated = result.values.size() < expected;
  throw error({source.path(), ": ", truncated ? "truncated" : "too long", ", expected ", expected,
               " bytes for shape ", io::shape_text(result.shape), ", found ",
               truncated ? text_piece(result.values.size()) : "more"});
}

}  // namespace tapeless::data
