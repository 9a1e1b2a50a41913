// SPDX-License-Identifier: BSL-1.0
// Bytes in memory that are read as a file's are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::io {

/// Goes through bytes that are somebody else's, from the first one on.
class bytes_reader {
 public:
  explicit bytes_reader(array_view<const std::byte> bytes) : bytes_(bytes) {}

  /// What errors say instead of a file's name.
  const std::string& path() const { return path_; }
  std::uint64_t size() const { return bytes_.size(); }

  /// Fills `out` with the next bytes; throws tl::error where there are not as many.
  TAPELESS_COLD void read_exactly(array_view<std::byte> out) {
    const std::size_t left = bytes_.size() - next_;
    if (left < out.size())
      throw_error({path_, " end too early: expected ", out.size(), " more bytes, found ", left});
    std::copy_n(bytes_.data() + next_, out.size(), out.data());
    next_ += out.size();
  }

 private:
  array_view<const std::byte> bytes_;
  std::size_t next_ = 0;
  std::string path_ = "the bytes";
};

}  // namespace tapeless::io
