// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <string>

#include <tapeless/io/npy.hpp>

#include "input_file.hpp"

namespace io = tapeless::io;

// What can be read can be written, and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::input_file("file", data, size);
  fuzz::accepts([&] {
    const io::npy_array read = io::read_npy(path);
    fuzz::require(read.bytes.size() <= 4 * size);  // int8 becomes std::int32_t
    io::write_npy(path, read);
    const io::npy_array again = io::read_npy(path);
    fuzz::require(again.type == read.type && again.shape == read.shape &&
                  std::equal(again.bytes.begin(), again.bytes.end(), read.bytes.begin(), read.bytes.end()));
  });
  return 0;
}
