// SPDX-License-Identifier: BSL-1.0
// MNIST, and whatever comes in the same four files: 28x28 grey images in ten classes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tapeless/data/idx.hpp>
#include <tapeless/data/train_and_test.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

namespace detail {

template <class = compiled_once>
TAPELESS_COLD std::vector<float> mnist_images(idx_file& file) {
  std::vector<float> pixels;
  pixels.reserve(file.certain_size());
  for (auto block = file.next(); !block.empty(); block = file.next())
    for (const unsigned char value : block) pixels.push_back(static_cast<float>(value) / 255.0f);
  return pixels;
}

template <class = compiled_once>
TAPELESS_COLD std::vector<std::int32_t> mnist_labels(idx_file& file) {
  std::vector<std::int32_t> labels;
  labels.reserve(file.certain_size());
  for (auto block = file.next(); !block.empty(); block = file.next()) {
    for (const unsigned char value : block) {
      if (value > 9)
        throw_error({file.path(), ": expected labels from 0 to 9, found ", value, " at ", labels.size()});
      labels.push_back(value);
    }
  }
  return labels;
}

// Both headers are looked at before anything is unpacked.
template <class = compiled_once>
TAPELESS_COLD dataset read_mnist_part(const std::string& prefix) {
  idx_file images(join({prefix, "-images-idx3-ubyte"}), 3);
  if (images.shape()[1] != 28 || images.shape()[2] != 28) {
    throw_error(
        {images.path(), ": expected images of 28 x 28, found shape ", io::shape_text(images.shape())});
  }
  idx_file labels(join({prefix, "-labels-idx1-ubyte"}), 1);
  if (const std::int64_t count = images.shape()[0]; labels.shape()[0] != count) {
    throw_error({labels.path(), ": expected ", count, " labels, as many as images in ", images.path(),
                 ", found ", labels.shape()[0]});
  }
  dataset result;
  result.add("image", {1, 28, 28}, mnist_images(images)).add("label", {}, mnist_labels(labels));
  return result;
}

}  // namespace detail

/// The digits in `folder`, which holds the four canonical files, plain or as ".gz": columns "image", float
/// [1, 28, 28] from 0 (background) to 1, and "label", std::int32_t scalars from 0 to 9. Throws tl::error with
/// the file, what was expected and what was found, or where memory is short.
template <class = compiled_once>
TAPELESS_WARM train_and_test mnist(const std::string& folder) {
  return io::with_memory_for(folder, [&]() -> train_and_test {
    return {detail::read_mnist_part(join({folder, "/train"})),
            detail::read_mnist_part(join({folder, "/t10k"}))};
  });
}

}  // namespace tapeless::data
