// SPDX-License-Identifier: BSL-1.0
// The records of CIFAR's binary files: labels, a byte each, then 32x32 pixels in three planes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/dataset.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::data::detail {

/// A label of each record.
struct cifar_labels {
  std::string_view name;
  int classes = 10;
  std::vector<std::int32_t> values = {};
};

inline constexpr std::size_t cifar_pixels = 3 * 32 * 32;

/// Appends the images and labels of one file.
TAPELESS_COLD inline void read_cifar_file(const std::string& path, std::vector<std::uint8_t>& images,
                                          array_view<cifar_labels> labels) {
  io::file_reader file(path);
  const std::size_t bytes = labels.size() + cifar_pixels;
  const auto size = static_cast<std::size_t>(file.size()), count = size / bytes;
  if (const std::size_t rest = size % bytes; rest != 0) {
    throw_error({path, ": expected records of ", bytes, " bytes, ",
                 labels.size() == 1 ? "a label" : "two labels", " and 3 x 32 x 32 pixels, found ", size,
                 " bytes: ", count, " records and ", rest, " bytes of another"});
  }
  for (cifar_labels& label : labels) label.values.reserve(label.values.size() + count);
  images.reserve(images.size() + count * cifar_pixels);
  std::vector<std::uint8_t> record(bytes);
  for (std::size_t i = 0; i < count; ++i) {
    file.read_exactly({reinterpret_cast<std::byte*>(record.data()), record.size()});
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (record[k] >= labels[k].classes)
        throw_error({path, ": expected labels from 0 to ", labels[k].classes - 1, ", found ", record[k],
                     " in record ", i});
      labels[k].values.push_back(record[k]);
    }
    images.insert(images.end(), record.begin() + static_cast<std::ptrdiff_t>(labels.size()), record.end());
  }
}

/// The files in a folder, one after the other: a column "image", std::uint8_t [3, 32, 32], and the labels'.
TAPELESS_COLD inline dataset read_cifar_files(const std::string& folder,
                                              std::initializer_list<std::string_view> files,
                                              std::vector<cifar_labels> labels) {
  std::vector<std::uint8_t> images;
  for (const std::string_view& file : files) read_cifar_file(join({folder, "/", file}), images, labels);
  dataset result;
  result.add("image", {3, 32, 32}, std::move(images));
  for (cifar_labels& label : labels) result.add(std::string(label.name), {}, std::move(label.values));
  return result;
}

/// `folder`, or the one in it that unpacking makes, where `file` is in that.
TAPELESS_COLD inline std::string cifar_folder(const std::string& folder, std::string_view inside,
                                              std::string_view file) {
  std::string unpacked = join({folder, "/", inside});
  return io::platform::is_missing(join({unpacked, "/", file})) ? folder : unpacked;
}

}  // namespace tapeless::data::detail
