// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <tapeless/io/sharded_safetensors.hpp>

#include "input_file.hpp"

namespace io = tapeless::io;

// An input is an index. Whatever file it names is in its folder, or below.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::input_file("index", data, size);
  fuzz::accepts([&] {
    for (const auto& [name, shard] : io::detail::read_shard_index(path)) {
      const std::string between = "/" + shard + "/";
      fuzz::require(!shard.empty() && shard[0] != '/' && between.find("/../") == std::string::npos);
    }
  });
  return 0;
}
