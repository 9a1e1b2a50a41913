// SPDX-License-Identifier: BSL-1.0
// Images that are read from their files when a batch needs them: for more than fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/data/batch.hpp>
#include <tapeless/data/column_description.hpp>
#include <tapeless/data/image_folder.hpp>
#include <tapeless/graph/core/element.hpp>

namespace tapeless::data {

/// A source of the images in files: columns "image", T [shape], and "label", std::int32_t scalars.
/// `read(path, pixels)` fills a std::span<T> of as many elements as the shape has, when the sample is needed,
/// on the thread that reads ahead. What it throws is thrown where the batch is needed.
template <element_type T, class Read>
  requires(!std::is_same_v<T, bool> && std::is_invocable_v<Read&, const std::string&, std::span<T>>)
class image_stream {
 public:
  image_stream(labelled_files files, std::vector<std::int64_t> shape, Read read)
      : files_(std::move(files)), shape_(std::move(shape)), read_(std::move(read)) {}

  std::int64_t size() const { return static_cast<std::int64_t>(files_.paths.size()); }
  std::vector<column_description> columns() const {
    return {column_of<T>("image", shape_), column_of<std::int32_t>("label")};
  }
  void read(std::int64_t i, sample& s) {
    const auto number = static_cast<std::size_t>(i);
    if (s.has("image")) {
      const auto pixels = s.template get<T>("image");
      read_(files_.paths[number], std::span<T>(pixels.data(), pixels.size()));
    }
    if (s.has("label")) s.template get<std::int32_t>("label")[0] = files_.labels[number];
  }

 private:
  labelled_files files_;
  std::vector<std::int64_t> shape_;
  Read read_;
};

/// The images of those files, as fit takes them:
///   fit(net, stream_images<float>(list_files("pets"), {3, 64, 64}, read), {.epochs = 10})
template <element_type T, class Read>
image_stream<T, Read> stream_images(labelled_files files, std::vector<std::int64_t> shape, Read read) {
  return {std::move(files), std::move(shape), std::move(read)};
}

}  // namespace tapeless::data
