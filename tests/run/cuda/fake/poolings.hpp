// SPDX-License-Identifier: BSL-1.0
// Pools one element after the other, as cuDNN's descriptors of resampling describe them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "descriptors.hpp"

namespace fake_cuda {

struct pooling_problem {
  bool is_gradient;
  cudnnResampleMode_t mode;
  bool nan_is_largest;  // or it is never
  tensor x, y;          // the image, and what is at the windows' positions
  numbers_of_2 window, stride, before, behind;

  /// Whether the extents follow from each other.
  bool fits() const {
    for (std::size_t s = 0; s < 2; ++s)
      if (y.extents[2 + s] != (x.extents[2 + s] + before[s] + behind[s] - window[s]) / stride[s] + 1)
        return false;
    return x.extents[0] == y.extents[0] && x.extents[1] == y.extents[1] && x.type == y.type;
  }

  template <class T>
  void run(std::byte* x_data, std::byte* y_data) const {
    T* const xs = reinterpret_cast<T*>(x_data);
    T* const ys = reinterpret_cast<T*>(y_data);
    const bool is_max = mode == CUDNN_RESAMPLE_MAXPOOL;
    std::vector<float> counts(static_cast<std::size_t>(y.count()));
    for_each_element([&](std::size_t, std::size_t position) { ++counts[position]; });
    if (mode == CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING)
      std::ranges::fill(counts, static_cast<float>(window[0] * window[1]));
    std::vector<float> results(static_cast<std::size_t>((is_gradient ? x : y).count()),
                               is_max ? -std::numeric_limits<float>::infinity() : 0.0f);
    for_each_element([&](std::size_t element, std::size_t position) {
      if (is_gradient) {
        results[element] += static_cast<float>(ys[position]) / counts[position];
      } else if (is_max) {
        results[position] = larger(results[position], static_cast<float>(xs[element]));
      } else {
        results[position] += static_cast<float>(xs[element]) / counts[position];
      }
    });
    std::ranges::transform(results, is_gradient ? xs : ys, [](float r) { return static_cast<T>(r); });
  }

 private:
  float larger(float a, float b) const {
    const bool any_nan = std::isnan(a) || std::isnan(b);
    return any_nan && nan_is_largest ? NAN : std::fmax(a, b);
  }

  /// Calls f with the places of x's element and of y's for each element of the image in each window.
  template <class F>
  void for_each_element(F f) const {
    for (std::int64_t plane = 0; plane < x.extents[0] * x.extents[1]; ++plane)
      for (std::int64_t p = 0; p < y.extents[2] * y.extents[3]; ++p)
        for (std::int64_t k = 0; k < window[0] * window[1]; ++k) {
          const std::int64_t row = p / y.extents[3] * stride[0] + k / window[1] - before[0];
          const std::int64_t column = p % y.extents[3] * stride[1] + k % window[1] - before[1];
          if (row < 0 || row >= x.extents[2] || column < 0 || column >= x.extents[3]) continue;
          f(static_cast<std::size_t>(x.at(0, plane, row, column)),
            static_cast<std::size_t>(y.at(0, plane, 0, p)));
        }
  }
};

/// What resampling can be.
inline cudnnStatus_t check_resampling(const descriptor& d) {
  const auto mode = d.one<cudnnResampleMode_t>(CUDNN_ATTR_RESAMPLE_MODE);
  const auto padding = d.one<cudnnPaddingMode_t>(CUDNN_ATTR_RESAMPLE_PADDING_MODE);
  const bool is_max = mode == CUDNN_RESAMPLE_MAXPOOL;
  const bool is_mean =
      mode == CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING || mode == CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING;
  return ((is_max && padding == CUDNN_NEG_INF_PAD) || (is_mean && padding == CUDNN_ZERO_PAD)) &&
                 d.one<std::int64_t>(CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS) == 2 &&
                 d.one<cudnnDataType_t>(CUDNN_ATTR_RESAMPLE_COMP_TYPE) == CUDNN_DATA_FLOAT
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_NOT_SUPPORTED;
}

/// What an operation computes that has the image, what is at the windows' positions, and the resampling as
/// these attributes. Gradients of largest elements there are none here, nor in the library without the
/// elements.
inline cudnnStatus_t set_pooling(descriptor& d, int image, int positions, int resampling) {
  const descriptor& r = d.other(resampling);
  constexpr int nan = CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION;
  const pooling_problem p{
      .is_gradient = d.type == CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR,
      .mode = r.one<cudnnResampleMode_t>(CUDNN_ATTR_RESAMPLE_MODE),
      .nan_is_largest = r.has(nan) && r.one<cudnnNanPropagation_t>(nan) == CUDNN_PROPAGATE_NAN,
      .x = *d.other(image).as_tensor(),
      .y = *d.other(positions).as_tensor(),
      .window = r.one<numbers_of_2>(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS),
      .stride = r.one<numbers_of_2>(CUDNN_ATTR_RESAMPLE_STRIDES),
      .before = r.one<numbers_of_2>(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS),
      .behind = r.one<numbers_of_2>(CUDNN_ATTR_RESAMPLE_POST_PADDINGS)};
  if (!p.fits()) return CUDNN_STATUS_BAD_PARAM;
  if (p.x.type == CUDNN_DATA_DOUBLE || (p.is_gradient && p.mode == CUDNN_RESAMPLE_MAXPOOL))
    return CUDNN_STATUS_NOT_SUPPORTED;
  const auto run = [p](std::byte* const* data, bool) {
    with_element(p.x.type, [&]<class T, class Sum>(T, Sum) { p.run<T>(data[0], data[1]); });
  };
  d.computes = problem{"a pool", &pool_engines, {p.x, p.y}, run};
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace fake_cuda
