// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <string>
#include <vector>

#include <tapeless/io/gguf.hpp>

#include "input_file.hpp"

namespace io = tapeless::io;

namespace {

// As bytes: NaN is another number than itself.
std::string header_of(const io::gguf& file) {
  io::gguf_metadata metadata = file.metadata();
  metadata.erase("general.alignment");
  metadata.try_emplace("general.architecture", "tapeless");
  return io::detail::gguf_header_writer("file").write(file.entries(), metadata);
}

}  // namespace

// What can be read can be written, and read again, unless a name is too long or a type is not read. Blocks
// are written as the floats that they become.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::input_file("file", data, size);
  fuzz::accepts([&] {
    const io::gguf read = io::gguf::read(path);
    io::gguf_metadata metadata = read.metadata();
    metadata.erase("general.alignment");
    io::write_gguf(path, read.entries(), metadata);
    const io::gguf again = io::gguf::read(path);
    fuzz::require(header_of(again) == header_of(read));
    for (const io::tensor_entry& tensor : read) {
      const io::tensor_entry* other = again.find(tensor.name);
      fuzz::require(other != nullptr && std::equal(tensor.bytes.begin(), tensor.bytes.end(),
                                                   other->bytes.begin(), other->bytes.end()));
    }
  });
  return 0;
}
