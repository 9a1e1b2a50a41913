// SPDX-License-Identifier: BSL-1.0
// CIFAR-10 in its binary version: 32x32 colour images in ten classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/train_and_test.hpp>
#include <tapeless/error.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::data {

namespace detail {

inline constexpr std::size_t cifar10_pixels = 3 * 32 * 32;
inline constexpr std::size_t cifar10_record = 1 + cifar10_pixels;  // the label comes first

/// Appends the images and labels of one file.
inline void read_cifar10_file(const std::string& path, std::vector<std::uint8_t>& images,
                              std::vector<std::int32_t>& labels) {
  io::file_reader file(path);
  const auto size = static_cast<std::size_t>(file.size()), count = size / cifar10_record;
  if (const std::size_t rest = size % cifar10_record; rest != 0) {
    throw_error({path, ": expected records of ", cifar10_record,
                 " bytes, a label and 3 x 32 x 32 pixels, found ", size, " bytes: ", count, " records and ",
                 rest, " bytes of another"});
  }
  labels.reserve(labels.size() + count);
  images.reserve(images.size() + count * cifar10_pixels);
  std::vector<std::uint8_t> record(cifar10_record);
  for (std::size_t i = 0; i < count; ++i) {
    file.read_exactly({reinterpret_cast<std::byte*>(record.data()), record.size()});
    if (record[0] > 9)
      throw_error({path, ": expected labels from 0 to 9, found ", record[0], " in record ", i});
    labels.push_back(record[0]);
    images.insert(images.end(), record.begin() + 1, record.end());
  }
}

inline dataset read_cifar10_files(const std::string& folder, std::initializer_list<std::string_view> names) {
  std::vector<std::uint8_t> images;
  std::vector<std::int32_t> labels;
  for (const std::string_view& name : names) read_cifar10_file(join({folder, "/", name}), images, labels);
  dataset result;
  result.add("image", {3, 32, 32}, std::move(images)).add("label", {}, std::move(labels));
  return result;
}

}  // namespace detail

/// The images in `folder`, which holds data_batch_1.bin to data_batch_5.bin and test_batch.bin, or
/// cifar-10-batches-bin with these: columns "image", std::uint8_t [3, 32, 32] (red, green, blue; row by row),
/// and "label", std::int32_t scalars from 0 to 9. Throws tl::error with the file, what was expected and what
/// was found, or where memory is short (Krizhevsky, 2009).
inline train_and_test cifar10(const std::string& folder) {
  return io::with_memory_for(folder, [&]() -> train_and_test {
    const std::string unpacked = join({folder, "/cifar-10-batches-bin"});
    const std::string& place =
        io::platform::is_missing(join({unpacked, "/test_batch.bin"})) ? folder : unpacked;
    return {detail::read_cifar10_files(place, {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                               "data_batch_4.bin", "data_batch_5.bin"}),
            detail::read_cifar10_files(place, {"test_batch.bin"})};
  });
}

}  // namespace tapeless::data
