// SPDX-License-Identifier: BSL-1.0
#include <string_view>

#include "../io/json_reader.hpp"
#include "input_file.hpp"

// What the reader takes the scanner takes; the other way round only names that occur twice are in the way.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool read = fuzz::accepts([&] { test::read_json(text, "text"); });
  const bool scanned = fuzz::accepts([&] {
    tapeless::io::json_scanner from(text, "text");
    from.skip();
    from.end();
  });
  fuzz::require(scanned || !read);
  return 0;
}
