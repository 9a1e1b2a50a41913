// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/idx.hpp>

#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::input_file("file", data, size);
  for (const int rank : {1, 3}) {
    fuzz::accepts([&] {
      const tapeless::data::idx_array array = tapeless::data::read_idx(path, rank);
      fuzz::require(array.values.size() + 4 + 4 * array.shape.size() == size);
    });
  }
  return 0;
}
