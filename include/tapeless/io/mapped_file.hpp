// SPDX-License-Identifier: BSL-1.0
// A file's bytes in memory without being read: the system brings in what is looked at.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::io {

/// All bytes of a file, for reading. They stay as long as this object, also when the file is deleted or
/// replaced; one that is cut short meanwhile ends the program where its lost part is read. Where the system
/// has no such thing, the file is read.
class mapped_file {
 public:
  /// Maps the file at `path`; throws tl::error as file_reader does.
  TAPELESS_WARM explicit mapped_file(const std::string& path) {
#if defined(__unix__) || defined(__APPLE__)
    std::uint64_t size = 0;
    const platform::file_handle file = platform::open_to_read(path, size);
    platform::require_size(size, path);
    size_ = static_cast<std::size_t>(size);
    void* bytes = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, ::fileno(file.get()), 0);
    if (bytes == MAP_FAILED) platform::fail("map", path, errno);
    bytes_ = static_cast<const std::byte*>(bytes);
#else
    read_ = read_file(path);
    bytes_ = read_.data();
    size_ = read_.size();
#endif
  }
  ~mapped_file() {
#if defined(__unix__) || defined(__APPLE__)
    ::munmap(const_cast<std::byte*>(bytes_), size_);
#endif
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  const std::byte* data() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  const std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
#if !defined(__unix__) && !defined(__APPLE__)
  std::vector<std::byte> read_;
#endif
};

}  // namespace tapeless::io
