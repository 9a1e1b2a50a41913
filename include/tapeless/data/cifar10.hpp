// SPDX-License-Identifier: BSL-1.0
// CIFAR-10 in its binary version: 32x32 colour images in ten classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/split.hpp>
#include <tapeless/error.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

namespace detail {

inline constexpr std::size_t cifar10_pixels = 3 * 32 * 32;
inline constexpr std::size_t cifar10_record = 1 + cifar10_pixels;  // the label comes first

/// Appends the images and labels of one file.
inline void read_cifar10_file(const std::string& path, std::vector<std::uint8_t>& images,
                              std::vector<std::int32_t>& labels) {
  const std::uint64_t size = io::file_reader(path).size();
  if (const std::uint64_t rest = size % cifar10_record; rest != 0) {
    throw error({path, ": expected records of ", cifar10_record,
                 " bytes, a label and 3 x 32 x 32 pixels, found ", size, " bytes: ", size / cifar10_record,
                 " records and ", rest, " bytes of another"});
  }
  const std::vector<std::byte> bytes = io::read_file(path);
  for (std::size_t at = 0; at < bytes.size(); at += cifar10_record) {
    const auto label = std::to_integer<std::int32_t>(bytes[at]);
    if (label > 9) {
      throw error({path, ": expected labels from 0 to 9, found ", label, " in record ", at / cifar10_record});
    }
    labels.push_back(label);
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(bytes.data()) + at + 1;
    images.insert(images.end(), pixels, pixels + cifar10_pixels);
  }
}

inline dataset read_cifar10_files(const std::string& folder, std::initializer_list<std::string_view> names) {
  std::vector<std::uint8_t> images;
  std::vector<std::int32_t> labels;
  for (const std::string_view name : names) read_cifar10_file(join({folder, "/", name}), images, labels);
  dataset result;
  result.add("image", {3, 32, 32}, std::move(images)).add("label", {}, std::move(labels));
  return result;
}

// Without <filesystem>, whose header costs every program that trains.
inline bool is_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file != nullptr) std::fclose(file);
  return file != nullptr;
}

}  // namespace detail

/// The images in `folder`, which holds data_batch_1.bin to data_batch_5.bin and test_batch.bin, or
/// cifar-10-batches-bin with these: columns "image", std::uint8_t [3, 32, 32] (red, green, blue; row by row),
/// and "label", std::int32_t scalars from 0 to 9. Throws tl::error with the file, what was expected and what
/// was found (Krizhevsky, 2009).
inline split cifar10(const std::string& folder) {
  const std::string unpacked = join({folder, "/cifar-10-batches-bin"});
  const std::string& place = detail::is_file(join({unpacked, "/test_batch.bin"})) ? unpacked : folder;
  return {detail::read_cifar10_files(place, {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                             "data_batch_4.bin", "data_batch_5.bin"}),
          detail::read_cifar10_files(place, {"test_batch.bin"})};
}

}  // namespace tapeless::data
