// SPDX-License-Identifier: BSL-1.0
// CIFAR-10 in its binary version: 32x32 colour images in ten classes.
#pragma once

#include <string>

#include <tapeless/data/cifar_records.hpp>
#include <tapeless/data/train_and_test.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

/// The images in `folder`, which holds data_batch_1.bin to data_batch_5.bin and test_batch.bin, or
/// cifar-10-batches-bin with these: columns "image", std::uint8_t [3, 32, 32] (red, green, blue; row by row),
/// and "label", std::int32_t scalars from 0 to 9. Throws tl::error with the file, what was expected and what
/// was found, or where memory is short (Krizhevsky, 2009).
inline train_and_test cifar10(const std::string& folder) {
  return io::with_memory_for(folder, [&]() -> train_and_test {
    const std::string place = detail::cifar_folder(folder, "cifar-10-batches-bin", "test_batch.bin");
    return {detail::read_cifar_files(place,
                                     {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                      "data_batch_4.bin", "data_batch_5.bin"},
                                     {{"label", 10}}),
            detail::read_cifar_files(place, {"test_batch.bin"}, {{"label", 10}})};
  });
}

}  // namespace tapeless::data
