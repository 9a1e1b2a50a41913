// SPDX-License-Identifier: BSL-1.0
// For fuzzers of what reads files: an input as a file, and errors that are expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include <tapeless/error.hpp>

namespace fuzz {

/// A folder for this process's inputs, removed at its end.
class folder {
 public:
  folder() {
    const char* base = std::getenv("TMPDIR");
    const bool has_memory = ::access("/dev/shm", W_OK) == 0;  // files on a disk take a hundred times as long
    path_ = std::string(has_memory ? "/dev/shm" : base != nullptr ? base : "/tmp") + "/tapeless-fuzz-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    std::remove(file_.c_str());
    ::rmdir(path_.c_str());
  }

  /// Writes the bytes to a file of that name, and returns its path.
  const std::string& write(const char* name, const void* bytes, std::size_t size) {
    file_ = path_ + "/" + name;
    std::FILE* file = std::fopen(file_.c_str(), "wb");
    if (file == nullptr || std::fwrite(bytes, 1, size, file) != size || std::fclose(file) != 0) std::abort();
    return file_;
  }

 private:
  std::string path_, file_;
};

/// The path of a file with these bytes; each program has one name.
inline const std::string& input_file(const char* name, const void* bytes, std::size_t size) {
  static folder inputs;
  return inputs.write(name, bytes, size);
}

/// Whether `read` has read the input, and not refused it by tl::error; whatever else it throws ends the
/// program.
template <class Read>
bool accepts(Read read) {
  try {
    read();
    return true;
  } catch (const tapeless::error&) {
    return false;
  }
}

/// Ends the program where what must hold does not.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace fuzz
