// SPDX-License-Identifier: BSL-1.0
// A program that neither defines a macro nor links zlib reads a .gz file, the argument; 2 where it does not
// look for it.
#include <tapeless/io/gzip.hpp>

#include <cstddef>
#include <string_view>

int main(int count, char** arguments) {
#if defined(TAPELESS_ZLIB_LOADED)
  if (count < 2) return 1;
  tapeless::io::byte_source source(arguments[1]);
  char text[100];
  const std::size_t size = source.read({reinterpret_cast<std::byte*>(text), sizeof text});
  return std::string_view(text, size) == "plain text" ? 0 : 1;
#else
  static_cast<void>(count), static_cast<void>(arguments);
  return 2;
#endif
}
