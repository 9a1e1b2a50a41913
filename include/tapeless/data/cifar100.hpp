// SPDX-License-Identifier: BSL-1.0
// CIFAR-100 in its binary version: 32x32 colour images in a hundred classes, which are five each of twenty.
#pragma once

#include <string>

#include <tapeless/data/cifar_records.hpp>
#include <tapeless/data/train_and_test.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

/// The images in `folder`, which holds train.bin and test.bin, or cifar-100-binary with these: columns
/// "image", std::uint8_t [3, 32, 32] (red, green, blue; row by row), "label", std::int32_t scalars from 0 to
/// 99, and "coarse_label", from 0 to 19. Throws tl::error with the file, what was expected and what was
/// found, or where memory is short (Krizhevsky, 2009).
inline train_and_test cifar100(const std::string& folder) {
  return io::with_memory_for(folder, [&]() -> train_and_test {
    const std::string place = detail::cifar_folder(folder, "cifar-100-binary", "train.bin");
    return {detail::read_cifar_files(place, {"train.bin"}, {{"coarse_label", 20}, {"label", 100}}),
            detail::read_cifar_files(place, {"test.bin"}, {{"coarse_label", 20}, {"label", 100}})};
  });
}

}  // namespace tapeless::data
