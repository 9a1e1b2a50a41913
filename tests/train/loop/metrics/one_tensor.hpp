// SPDX-License-Identifier: BSL-1.0
// For tests of metrics: results and batches with one tensor.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/train/binding/tensor_view.hpp>

namespace test {

/// A result or a batch that has this tensor by any name.
template <class T>
struct one_tensor {
  std::vector<T> elements;
  std::vector<std::int64_t> shape;
  template <tapeless::name>
  auto get() const {
    return tapeless::tensor_view<const T>(elements.data(), shape);
  }
};

/// Rows from `begin` on, of elements that stand in rows of the given shape.
template <class T>
one_tensor<T> rows_of(const std::vector<T>& all, std::int64_t begin, std::int64_t count,
                      std::vector<std::int64_t> row_shape = {}) {
  std::int64_t width = 1;
  for (const std::int64_t extent : row_shape) width *= extent;
  row_shape.insert(row_shape.begin(), count);
  return {{all.begin() + begin * width, all.begin() + (begin + count) * width}, std::move(row_shape)};
}

/// Adds rows of scores and labels to a metric, in batches of that size.
template <class Metric, class T, class U>
void add_in_batches(Metric& metric, const std::vector<T>& scores, std::vector<std::int64_t> row_shape,
                    const std::vector<U>& labels, std::vector<std::int64_t> label_shape, std::int64_t batch) {
  std::int64_t width = 1;
  for (const std::int64_t extent : label_shape) width *= extent;
  const auto rows = static_cast<std::int64_t>(labels.size()) / width;
  for (std::int64_t i = 0; i < rows; i += batch) {
    const std::int64_t count = i + batch < rows ? batch : rows - i;
    metric.add(rows_of(scores, i, count, row_shape), rows_of(labels, i, count, label_shape));
  }
}

}  // namespace test
