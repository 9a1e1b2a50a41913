// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/cifar10.hpp>

#include "input_file.hpp"

// An input says how many records there are, and what is repeated in them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t record = 3073;
  if (size < 3) return 0;
  std::string file(data[0] % 3 * record + data[1] % 2, '\0');
  for (std::size_t i = 0; i < file.size(); ++i) file[i] = static_cast<char>(data[2 + i % (size - 2)]);
  const std::string path = fuzz::input_file("data_batch_1.bin", file.data(), file.size());
  fuzz::accepts([&] {
    std::vector<std::uint8_t> images;
    std::vector<std::int32_t> labels;
    tapeless::data::detail::read_cifar10_file(path, images, labels);
    fuzz::require(labels.size() * record == file.size() && images.size() + labels.size() == file.size());
  });
  return 0;
}
