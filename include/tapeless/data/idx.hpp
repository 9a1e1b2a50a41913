// SPDX-License-Identifier: BSL-1.0
// IDX, the format of the MNIST files: a magic number, extents, bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/gzip.hpp>

namespace tapeless::data {

namespace detail {

// A big-endian number of 32 bits.
TAPELESS_COLD inline std::uint32_t read_idx_number(io::byte_source& source) {
  std::byte bytes[4] = {};
  const std::size_t count = source.read(bytes);
  if (count < sizeof bytes) throw_error({source.path(), ": truncated, ends within the IDX header"});
  std::uint32_t number = 0;
  for (const std::byte byte : bytes) number = number << 8 | std::to_integer<std::uint32_t>(byte);
  return number;
}

TAPELESS_COLD inline std::string idx_kind(std::uint32_t magic) {
  const std::uint32_t type = magic >> 8, rank = magic & 0xff;
  if (type == 0x08) return join({"IDX bytes of rank ", rank, " (magic number ", magic, ")"});
  const bool other_type = type == 0x09 || (type >= 0x0b && type <= 0x0e);
  return join({other_type ? "IDX elements of another type" : "no IDX file", " (magic number ", magic, ")"});
}

TAPELESS_COLD inline std::vector<std::int64_t> read_idx_shape(io::byte_source& source, int rank) {
  const std::uint32_t magic = read_idx_number(source);
  const std::uint32_t expected_magic = 0x0800 + static_cast<std::uint32_t>(rank);
  if (magic != expected_magic) {
    throw_error({source.path(), ": expected ", idx_kind(expected_magic), ", found ", idx_kind(magic)});
  }
  std::vector<std::int64_t> shape;
  for (int axis = 0; axis < rank; ++axis) shape.push_back(read_idx_number(source));
  return shape;
}

}  // namespace detail

/// An IDX file of bytes (type 0x08) whose header has been read, and whose values come block by block: what is
/// made of them takes memory only as they come, whatever the header says.
class idx_file {
 public:
  /// Opens `path` or, if there is no such file, `path + ".gz"`, and reads the header. Throws tl::error with
  /// the file, what was expected and what was found, if the file
  ///   is missing, empty or of another kind
  ///   has other than `rank` axes
  ///   has more values than such a file can hold
  TAPELESS_WARM idx_file(const std::string& path, int rank)
      : source_(path), shape_(detail::read_idx_shape(source_, rank)) {
    const maybe<std::int64_t> size = io::checked_product(shape_);
    if (!size || *size == 0) {
      throw_error({source_.path(), ": expected positive extents with a product below 2^63, found ",
                   io::shape_text(shape_)});
    }
    size_ = static_cast<std::uint64_t>(*size);
    if (size_ > source_.most()) fail("truncated", join({"at most ", source_.most()}));
  }

  /// The name of the file that is read: with ".gz" where that one was found.
  const std::string& path() const { return source_.path(); }

  /// As the header has it.
  const std::vector<std::int64_t>& shape() const { return shape_; }

  /// How many values there are without doubt: all, or of a compressed file as many as bytes.
  std::size_t certain_size() const {
    return static_cast<std::size_t>(std::min(size_, source_.bytes_in_file()));
  }

  /// The next values in row-major order, until the next call; none at the end. Throws tl::error if the file
  /// ends before, goes on afterwards, or is corrupt.
  TAPELESS_WARM array_view<const unsigned char> next() { return read_block(); }

 private:
  TAPELESS_COLD array_view<const unsigned char> read_block() {
    constexpr std::uint64_t most = std::uint64_t{1} << 16;
    const std::uint64_t left = size_ - done_;
    block_.resize(
        static_cast<std::size_t>(std::min(left + 1, most)));  // one more shows that the file goes on
    const std::size_t count = source_.read({reinterpret_cast<std::byte*>(block_.data()), block_.size()});
    if (count > left) fail("too long", "more");
    done_ += count;
    if (count < block_.size() && done_ < size_) fail("truncated", join({done_}));
    return {block_.data(), count};
  }

  [[noreturn]] TAPELESS_COLD void fail(const char* problem, const std::string& found) const {
    throw_error({source_.path(), ": ", problem, ", expected ", size_, " bytes for shape ",
                 io::shape_text(shape_), ", found ", found});
  }

  io::byte_source source_;
  std::vector<std::int64_t> shape_;
  std::uint64_t size_ = 0, done_ = 0;
  std::vector<unsigned char> block_;
};

/// The contents of an IDX file of bytes, in row-major order.
struct idx_array {
  std::vector<std::int64_t> shape;
  std::vector<unsigned char> values;
};

/// Reads the IDX file of bytes with `rank` axes at `path`, or decompressed from `path + ".gz"`. Throws
/// tl::error with the file, what was expected and what was found. The file may be missing, empty, truncated,
/// too long, of another kind or another rank, or memory may be short.
template <class = compiled_once>
TAPELESS_WARM idx_array read_idx(const std::string& path, int rank) {
  return io::with_memory_for(path, [&] {
    idx_file file(path, rank);
    idx_array result{file.shape(), {}};
    result.values.reserve(file.certain_size());
    for (auto block = file.next(); !block.empty(); block = file.next())
      result.values.insert(result.values.end(), block.begin(), block.end());
    return result;
  });
}

}  // namespace tapeless::data
