// SPDX-License-Identifier: BSL-1.0
// MNIST, and whatever comes in the same four files: 28x28 grey images in ten classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/data/idx.hpp>
#include <tapeless/data/split.hpp>
#include <tapeless/error.hpp>
#include <tapeless/io/extents.hpp>

namespace tapeless::data {

namespace detail {

inline std::vector<float> read_mnist_images(const std::string& path) {
  const idx_array images = read_idx(path, 3);
  if (images.shape[1] != 28 || images.shape[2] != 28) {
    throw error({path, ": expected images of 28 x 28, found shape ", io::shape_text(images.shape)});
  }
  std::vector<float> pixels(images.values.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(images.values[i]) / 255.0f;
  return pixels;
}

[[gnu::cold]] inline std::vector<std::int32_t> read_mnist_labels(const std::string& path) {
  const idx_array labels = read_idx(path, 1);
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    if (labels.values[i] <= 9) continue;
    throw error({path, ": expected labels from 0 to 9, found ", labels.values[i], " at ", i});
  }
  std::vector<std::int32_t> values(labels.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = labels.values[i];
  return values;
}

[[gnu::cold]] inline dataset read_mnist_part(const std::string& prefix) {
  const std::string images_path = join({prefix, "-images-idx3-ubyte"});
  const std::string labels_path = join({prefix, "-labels-idx1-ubyte"});
  std::vector<float> images = read_mnist_images(images_path);
  std::vector<std::int32_t> labels = read_mnist_labels(labels_path);
  if (const std::size_t count = images.size() / (28 * 28); labels.size() != count) {
    throw error({labels_path, ": expected ", count, " labels, as many as images in ", images_path, ", found ",
                 labels.size()});
  }
  dataset result;
  result.add("image", {1, 28, 28}, std::move(images)).add("label", {}, std::move(labels));
  return result;
}

}  // namespace detail

/// The digits in `folder`, which holds the four canonical files, plain or as ".gz": columns "image", float
/// [1, 28, 28] from 0 (background) to 1, and "label", std::int32_t scalars from 0 to 9. Throws tl::error with
/// the file, what was expected and what was found.
[[gnu::cold]] inline split mnist(const std::string& folder) {
  return {detail::read_mnist_part(join({folder, "/train"})),
          detail::read_mnist_part(join({folder, "/t10k"}))};
}

}  // namespace tapeless::data
