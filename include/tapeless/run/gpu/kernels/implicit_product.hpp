// SPDX-License-Identifier: BSL-1.0
// A convolution, or one of its transposes, seen as a product of matrices whose elements are looked up where
// images have them, so that windows are never copied.
#pragma once

#include <tapeless/plan/families/planned_convolution.hpp>
#include <tapeless/run/gpu/kernels/planes.hpp>

namespace tapeless::thrust_kernels {

/// One product for each group, of left [rows, depth] and right [depth, columns]:
///   Part       rows           depth                  columns
///   y          out / groups   in / groups * kernel   batch * positions
///   x          in / groups    out / groups * kernel  batch * image
///   weight     out / groups   batch * positions      in / groups * kernel
/// Precondition: each of these is at most most_items.
template <convolution_part Part>
class implicit_product {
 public:
  constexpr explicit implicit_product(const convolution_arguments& c)
      : x_(c.x),
        weight_(c.weight),
        y_(c.y),
        groups_(static_cast<std::uint32_t>(c.groups)),
        batch_(static_cast<std::uint32_t>(c.batch)),
        in_(static_cast<std::uint32_t>(c.in / c.groups)),
        out_(static_cast<std::uint32_t>(c.out / c.groups)),
        image_(c.image),
        kernel_(c.kernel),
        positions_(c.positions) {
    for (int s = 0; s < 2; ++s) {
      stride_[s] = divisor(c.stride[s]);
      dilation_[s] = c.dilation[s];
      padding_[s] = c.padding[s];
    }
  }

  constexpr std::uint32_t groups() const { return groups_; }
  constexpr std::uint32_t rows() const { return Part == convolution_part::x ? in_ : out_; }
  constexpr std::uint32_t columns() const {
    return Part == convolution_part::y   ? batch_ * positions_.elements()
           : Part == convolution_part::x ? batch_ * image_.elements()
                                         : in_ * kernel_.elements();
  }
  constexpr std::uint32_t depth() const {
    return Part == convolution_part::y   ? in_ * kernel_.elements()
           : Part == convolution_part::x ? out_ * kernel_.elements()
                                         : batch_ * positions_.elements();
  }

  template <class T>
  constexpr T left(std::uint32_t group, std::uint32_t row, std::uint32_t k) const {
    if constexpr (Part == convolution_part::y)
      return at<T>(weight_, filter(group, row) + k);
    else if constexpr (Part == convolution_part::x)
      return transposed_filter<T>(group, row, kernel_.element(k));
    else
      return at<T>(y_, of_y(group, row, positions_.element(k)));
  }
  template <class T>
  constexpr T right(std::uint32_t group, std::uint32_t k, std::uint32_t column) const {
    if constexpr (Part == convolution_part::y)
      return seen<T>(group, kernel_.element(k), positions_.element(column));
    else if constexpr (Part == convolution_part::x)
      return spread<T>(group, kernel_.element(k), image_.element(column));
    else
      return seen<T>(group, kernel_.element(column), positions_.element(k));
  }
  template <class T>
  constexpr void store(std::uint32_t group, std::uint32_t row, std::uint32_t column, T number) const {
    if constexpr (Part == convolution_part::y)
      at<T>(y_, of_y(group, row, positions_.element(column))) = number;
    else if constexpr (Part == convolution_part::x)
      at<T>(x_, of_x(group, row, image_.element(column))) = number;
    else
      at<T>(weight_, filter(group, row) + column) = number;
  }

 private:
  std::byte *x_, *weight_, *y_;
  std::uint32_t groups_, batch_, in_, out_;  // channels of a group
  planes image_, kernel_, positions_;
  divisor stride_[2];
  std::int64_t dilation_[2] = {}, padding_[2] = {};

  template <class T>
  static constexpr T& at(std::byte* data, std::int64_t i) {
    return static_cast<T*>(static_cast<void*>(data))[i];
  }
  // Where the channel of a sample begins, and an element of it is.
  constexpr std::int64_t of_x(std::uint32_t group, std::uint32_t channel, const plane_element& e) const {
    return (std::int64_t{e.plane} * groups_ * in_ + group * in_ + channel) * image_.elements() + e.inside;
  }
  constexpr std::int64_t of_y(std::uint32_t group, std::uint32_t channel, const plane_element& e) const {
    return (std::int64_t{e.plane} * groups_ * out_ + group * out_ + channel) * positions_.elements() +
           e.inside;
  }
  constexpr std::int64_t filter(std::uint32_t group, std::uint32_t out) const {
    return std::int64_t{group * out_ + out} * in_ * kernel_.elements();
  }
  template <class T>
  constexpr T transposed_filter(std::uint32_t group, std::uint32_t in, const plane_element& kernel) const {
    return at<T>(weight_, filter(group, kernel.plane) + in * kernel_.elements() + kernel.inside);
  }

  // What the kernel's element sees of its plane of x from a position: zero outside.
  template <class T>
  constexpr T seen(std::uint32_t group, const plane_element& kernel, const plane_element& position) const {
    const std::int64_t row =
        std::int64_t{position.row} * stride_[0].value() + kernel.row * dilation_[0] - padding_[0];
    const std::int64_t column =
        std::int64_t{position.column} * stride_[1].value() + kernel.column * dilation_[1] - padding_[1];
    if (row < 0 || row >= image_.rows() || column < 0 || column >= image_.columns()) return T(0);
    const std::int64_t sample_and_channel =
        std::int64_t{position.plane} * groups_ * in_ + group * in_ + kernel.plane;
    return at<T>(x_, (sample_and_channel * image_.rows() + row) * image_.columns() + column);
  }

  // What y's plane has where the kernel's element sees the image's: zero where it does from no position.
  template <class T>
  constexpr T spread(std::uint32_t group, const plane_element& kernel, const plane_element& image) const {
    const std::int64_t down = image.row + padding_[0] - kernel.row * dilation_[0];
    const std::int64_t across = image.column + padding_[1] - kernel.column * dilation_[1];
    if (down < 0 || across < 0) return T(0);
    const auto i = static_cast<std::uint32_t>(down), j = static_cast<std::uint32_t>(across);
    const std::uint32_t row = stride_[0].quotient(i), column = stride_[1].quotient(j);
    if (row * stride_[0].value() != i || column * stride_[1].value() != j || row >= positions_.rows() ||
        column >= positions_.columns())
      return T(0);
    const std::int64_t sample_and_channel =
        std::int64_t{image.plane} * groups_ * out_ + group * out_ + kernel.plane;
    return at<T>(y_, (sample_and_channel * positions_.rows() + row) * positions_.columns() + column);
  }
};

}  // namespace tapeless::thrust_kernels
