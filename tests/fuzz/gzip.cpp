// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/idx.hpp>
#include <tapeless/io/gzip.hpp>

#include "input_file.hpp"

// The file's bytes, and the same as a compressed IDX file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::input_file("file.gz", data, size);
  fuzz::accepts([&] {
    tapeless::io::byte_source source(path);
    std::byte block[999];
    std::uint64_t all = 0;
    while (const std::size_t count = source.read(block)) all += count;
    fuzz::require(all <= source.most());
  });
  fuzz::accepts([&] { tapeless::data::read_idx(path, 1); });
  return 0;
}
