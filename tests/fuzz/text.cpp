// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/text_windows.hpp>

#include "input_file.hpp"

// The first byte is the context.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string path = fuzz::input_file("text", data + 1, size - 1);
  fuzz::accepts([&] {
    const auto set = tapeless::data::text_windows(path, data[0]);
    const std::int64_t last = set.size() - 1;
    fuzz::require(set.size() + data[0] + 1 == static_cast<std::int64_t>(size));
    fuzz::require(set.column("next").sample<std::int32_t>(last)[data[0] - 1u] == data[size - 1]);
  });
  return 0;
}
