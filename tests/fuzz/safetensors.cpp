// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <tapeless/io/safetensors.hpp>

#include "input_file.hpp"

namespace io = tapeless::io;

// An input is a header's text, behind which the bytes follow that its last character counts: a length that
// fits would hardly be found by chance. One that begins with a zero is a file as it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  if (size > 0 && data[0] != 0) {
    const std::uint64_t length = size;
    std::string begin(sizeof length, '\0');
    std::memcpy(begin.data(), &length, sizeof length);
    file = begin + file + std::string(data[size - 1] % 16 * 4u, '\1');
  }
  const std::string path = fuzz::input_file("file", file.data(), file.size());
  fuzz::accepts([&] {
    const io::safetensors read = io::safetensors::read(path);
    std::vector<io::tensor_entry> entries(read.begin(), read.end());
    std::erase_if(entries, [](const io::tensor_entry& tensor) { return !tensor.foreign.empty(); });
    io::write_safetensors(path, entries, read.metadata());  // what can be read can be written, and read again
    const io::safetensors again = io::safetensors::read(path);
    fuzz::require(again.size() == entries.size() && again.metadata() == read.metadata());
    for (const io::tensor_entry& tensor : entries) {
      const io::tensor_entry* other = again.find(tensor.name);
      fuzz::require(
          other != nullptr && other->type == tensor.type && other->shape == tensor.shape &&
          std::equal(tensor.bytes.begin(), tensor.bytes.end(), other->bytes.begin(), other->bytes.end()));
    }
  });
  return 0;
}
