// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/io/npz.hpp>

#include "input_file.hpp"

namespace io = tapeless::io;

namespace {

// Writes the CRC of what lies there as that of each stored member: one that fits would not be found by
// chance.
void mend(std::string& file) {
  const auto number = [&](std::size_t at, int bytes) {
    std::uint64_t n = 0;
    for (int i = 0; i < bytes; ++i)
      n |= std::uint64_t{static_cast<unsigned char>(file[at + static_cast<std::size_t>(i)])} << 8 * i;
    return static_cast<std::size_t>(n);
  };
  const std::string_view mark = "PK\1\2";
  for (std::size_t at = file.find(mark); at != std::string::npos && file.size() - at >= 46;
       at = file.find(mark, at + 1)) {
    const std::size_t length = number(at + 20, 4), offset = number(at + 42, 4);
    if (offset > file.size() || file.size() - offset < 30) continue;
    const std::size_t begin = offset + 30 + number(offset + 26, 2) + number(offset + 28, 2);
    if (begin > file.size() || file.size() - begin < length) continue;
    const std::uint32_t crc = io::crc32({reinterpret_cast<const std::byte*>(file.data() + begin), length});
    for (std::size_t i = 0; i < 4; ++i) file[at + 16 + i] = static_cast<char>(crc >> 8 * i & 0xff);
  }
}

}  // namespace

// What can be read can be written, and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  if (size % 4 != 0) mend(file);
  const std::string path = fuzz::input_file("file", file.data(), file.size());
  fuzz::accepts([&] {
    const io::npz read = io::npz::read(path);
    std::size_t sum = 0;
    for (const io::tensor_entry& tensor : read) sum += tensor.bytes.size();
    fuzz::require(sum <= 4 * 1032 * size);
    std::vector<io::tensor_entry> entries(read.begin(), read.end());
    std::erase_if(entries, [](const io::tensor_entry& tensor) { return !tensor.foreign.empty(); });
    io::write_npz(path, entries);
    const io::npz again = io::npz::read(path);
    fuzz::require(again.size() == entries.size());
    for (const io::tensor_entry& tensor : entries) {
      const io::tensor_entry* other = again.find(tensor.name);
      fuzz::require(
          other != nullptr && other->type == tensor.type && other->shape == tensor.shape &&
          std::equal(tensor.bytes.begin(), tensor.bytes.end(), other->bytes.begin(), other->bytes.end()));
    }
  });
  return 0;
}
