// SPDX-License-Identifier: BSL-1.0
// Convolutions one product after the other, as cuDNN's descriptors describe them.
#pragma once

#include "descriptors.hpp"
#include "products.hpp"

namespace fake_cuda {

struct convolution_problem {
  cudnnBackendDescriptorType_t computes;
  tensor x = {}, weight = {}, y = {};
  numbers_of_2 stride = {}, dilation = {}, padding = {};
  cudnnDataType_t added_in = CUDNN_DATA_FLOAT;

  const tensor& target() const {
    return computes == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR         ? y
           : computes == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR ? x
                                                                                      : weight;
  }
  /// Whether all elements are in memory and contiguous: others are not computed here.
  bool is_known() const {
    return std::ranges::all_of(std::array{&x, &weight, &y}, [](const tensor* t) {
      return t->is_contiguous() && !t->is_virtual && !t->is_number;
    });
  }
  /// Whether the extents follow from each other.
  bool fits() const {
    for (std::size_t s = 0; s < 2; ++s) {
      const std::int64_t span = dilation[s] * (weight.extents[2 + s] - 1) + 1;
      if (y.extents[2 + s] != (x.extents[2 + s] + 2 * padding[s] - span) / stride[s] + 1) return false;
    }
    return x.extents[0] == y.extents[0] && weight.extents[0] == y.extents[1] &&
           x.extents[1] % weight.extents[1] == 0 && x.type == weight.type && x.type == y.type &&
           added_in == (x.type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
  }

  template <class T, class Sum>
  void run(std::byte* x_data, std::byte* weight_data, std::byte* y_data, bool in_tf32) const {
    T* const xs = reinterpret_cast<T*>(x_data);
    T* const weights = reinterpret_cast<T*>(weight_data);
    T* const ys = reinterpret_cast<T*>(y_data);
    T* const targets = &target() == &x ? xs : &target() == &y ? ys : weights;
    std::vector<Sum> sums(static_cast<std::size_t>(target().count()));
    const auto read = [&](T element) {
      if constexpr (std::is_same_v<T, float>)
        return in_tf32 ? as_tf32(element) : element;
      else
        return static_cast<Sum>(element);
    };
    for_each_product([&](std::int64_t a, std::int64_t b, std::int64_t c) {
      if (targets == ys) sums[static_cast<std::size_t>(c)] += read(xs[a]) * read(weights[b]);
      if (targets == xs) sums[static_cast<std::size_t>(a)] += read(weights[b]) * read(ys[c]);
      if (targets == weights) sums[static_cast<std::size_t>(b)] += read(xs[a]) * read(ys[c]);
    });
    for (std::size_t i = 0; i < sums.size(); ++i) targets[i] = static_cast<T>(sums[i]);
  }

 private:
  /// Calls f with the places of x's element, the weight's and y's.
  template <class F>
  void for_each_product(F f) const {
    const auto &image = x.extents, &kernel = weight.extents, &result = y.extents;
    const std::int64_t out = kernel[0] / (image[1] / kernel[1]);  // of a group
    for (std::int64_t n = 0; n < result[0]; ++n)
      for (std::int64_t o = 0; o < result[1]; ++o)
        for (std::int64_t i = 0; i < kernel[1]; ++i)
          for (std::int64_t k = 0; k < kernel[2] * kernel[3]; ++k)
            for (std::int64_t p = 0; p < result[2] * result[3]; ++p) {
              const std::int64_t row = p / result[3] * stride[0] + k / kernel[3] * dilation[0] - padding[0];
              const std::int64_t column =
                  p % result[3] * stride[1] + k % kernel[3] * dilation[1] - padding[1];
              if (row < 0 || row >= image[2] || column < 0 || column >= image[3]) continue;
              f(x.at(n, o / out * kernel[1] + i, row, column), weight.at(o, i, 0, k), y.at(n, o, 0, p));
            }
  }
};

/// What the windows of a convolution can be.
inline cudnnStatus_t check_windows(const descriptor& d) {
  return d.one<std::int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS) == 2 &&
                 d.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS) ==
                     d.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS) &&
                 d.one<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE) == CUDNN_CROSS_CORRELATION
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_NOT_SUPPORTED;
}

/// What an operation computes whose attributes begin at `first`: alpha, beta, windows, weight, x, y.
inline cudnnStatus_t set_convolution(descriptor& d, int first) {
  const int alpha = first, beta = first + 1;
  const descriptor& w = d.other(first + 2);
  const auto operand = [&](int name) { return *d.other(name).as_tensor(); };
  const convolution_problem p{.computes = d.type,
                              .x = operand(first + 4),
                              .weight = operand(first + 3),
                              .y = operand(first + 5),
                              .stride = w.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
                              .dilation = w.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_DILATIONS),
                              .padding = w.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS),
                              .added_in = w.one<cudnnDataType_t>(CUDNN_ATTR_CONVOLUTION_COMP_TYPE)};
  const bool doubles = p.added_in == CUDNN_DATA_DOUBLE;
  if (doubles ? d.one<double>(alpha) != 1 || d.one<double>(beta) != 0
              : d.one<float>(alpha) != 1 || d.one<float>(beta) != 0)
    return CUDNN_STATUS_NOT_SUPPORTED;
  if (!p.is_known()) return CUDNN_STATUS_NOT_SUPPORTED;
  if (!p.fits()) return CUDNN_STATUS_BAD_PARAM;
  const auto run = [p](std::byte* const* data, bool in_tf32) {
    with_element(p.x.type,
                 [&]<class T, class Sum>(T, Sum) { p.run<T, Sum>(data[0], data[1], data[2], in_tf32); });
  };
  d.computes = problem{"a convolution", {p.x, p.weight, p.y}, run};
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace fake_cuda
