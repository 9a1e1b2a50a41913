// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/cifar_records.hpp>

#include "input_file.hpp"

namespace cifar = tapeless::data::detail;

namespace {

void read(const std::string& path, std::size_t size, std::vector<cifar::cifar_labels> labels) {
  fuzz::accepts([&] {
    std::vector<std::uint8_t> images;
    cifar::read_cifar_file(path, images, labels);
    const std::size_t count = labels[0].values.size();
    fuzz::require(count * (labels.size() + 3072) == size && images.size() == 3072 * count);
  });
}

}  // namespace

// An input says how many records there are, of CIFAR-10 or CIFAR-100, and what is repeated in them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::size_t record = data[1] & 2 ? 3074 : 3073;
  std::string file(data[0] % 3 * record + data[1] % 2, '\0');
  for (std::size_t i = 0; i < file.size(); ++i) file[i] = static_cast<char>(data[2 + i % (size - 2)]);
  const std::string path = fuzz::input_file("data_batch_1.bin", file.data(), file.size());
  read(path, file.size(), {{"label", 10}});
  read(path, file.size(), {{"coarse_label", 20}, {"label", 100}});
  return 0;
}
