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
/// Precondition: each of these, and each of the image's extents with its padding, is at most most_items.
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
        positions_(c.positions),
        x_sample_(c.in * image_.elements()),
        y_sample_(c.out * positions_.elements()) {
    for (int s = 0; s < 2; ++s) {
      stride_[s] = divisor(c.stride[s]);
      dilation_[s] = static_cast<std::uint32_t>(c.dilation[s]);
      padding_[s] = static_cast<std::uint32_t>(c.padding[s]);
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

  /// Which element of which plane the depth, and the columns, have at a place. One past the end is of no use,
  /// but no mistake.
  constexpr plane_element of_depth(std::uint32_t k) const {
    return (Part == convolution_part::weight ? positions_ : kernel_).element(k);
  }
  constexpr plane_element of_columns(std::uint32_t column) const {
    return (Part == convolution_part::y   ? positions_
            : Part == convolution_part::x ? image_
                                          : kernel_)
        .element(column);
  }

  template <class T>
  constexpr T left(std::uint32_t group, std::uint32_t row, const plane_element& k) const {
    if constexpr (Part == convolution_part::y)
      return at<T>(weight_, of_weight(group, row, k.plane, k.inside));
    else if constexpr (Part == convolution_part::x)
      return at<T>(weight_, of_weight(group, k.plane, row, k.inside));
    else
      return at<T>(y_, of_y(group, row, k));
  }
  template <class T>
  constexpr T right(std::uint32_t group, const plane_element& k, const plane_element& column) const {
    if constexpr (Part == convolution_part::y)
      return seen<T>(group, k, column);
    else if constexpr (Part == convolution_part::x)
      return spread<T>(group, k, column);
    else
      return seen<T>(group, column, k);
  }
  template <class T>
  constexpr void store(std::uint32_t group, std::uint32_t row, std::uint32_t column, T number) const {
    const plane_element e = of_columns(column);
    if constexpr (Part == convolution_part::y)
      at<T>(y_, of_y(group, row, e)) = number;
    else if constexpr (Part == convolution_part::x)
      at<T>(x_, of_x(group, row, e)) = number;
    else
      at<T>(weight_, of_weight(group, row, e.plane, e.inside)) = number;
  }

 private:
  std::byte *x_, *weight_, *y_;
  std::uint32_t groups_, batch_, in_, out_;  // channels of a group
  planes image_, kernel_, positions_;
  std::int64_t x_sample_, y_sample_;  // elements of all channels
  divisor stride_[2];
  std::uint32_t dilation_[2] = {}, padding_[2] = {};

  template <class T>
  static constexpr T& at(std::byte* data, std::int64_t i) {
    return static_cast<T*>(static_cast<void*>(data))[i];
  }
  // Where an element of a sample's channel is.
  constexpr std::int64_t of_x(std::uint32_t group, std::uint32_t channel, const plane_element& e) const {
    return e.plane * x_sample_ + std::int64_t{group * in_ + channel} * image_.elements() + e.inside;
  }
  constexpr std::int64_t of_y(std::uint32_t group, std::uint32_t channel, const plane_element& e) const {
    return e.plane * y_sample_ + std::int64_t{group * out_ + channel} * positions_.elements() + e.inside;
  }
  constexpr std::int64_t of_weight(std::uint32_t group, std::uint32_t out, std::uint32_t in,
                                   std::uint32_t inside) const {
    return (std::int64_t{group * out_ + out} * in_ + in) * kernel_.elements() + inside;
  }

  // What the kernel's element sees of its plane of x from a position: zero outside. Places before the image
  // are large numbers here.
  template <class T>
  constexpr T seen(std::uint32_t group, const plane_element& kernel, const plane_element& position) const {
    const std::uint32_t row = position.row * stride_[0].value() + kernel.row * dilation_[0] - padding_[0];
    const std::uint32_t column =
        position.column * stride_[1].value() + kernel.column * dilation_[1] - padding_[1];
    if (row >= image_.rows() || column >= image_.columns()) return T(0);
    return at<T>(x_, of_x(group, kernel.plane, {position.plane, row * image_.columns() + column, 0, 0}));
  }

  // What y's plane has where the kernel's element sees the image's: zero where it does from no position.
  template <class T>
  constexpr T spread(std::uint32_t group, const plane_element& kernel, const plane_element& image) const {
    const std::uint32_t down = image.row + padding_[0] - kernel.row * dilation_[0];
    const std::uint32_t across = image.column + padding_[1] - kernel.column * dilation_[1];
    if (down > most_items || across > most_items) return T(0);
    const std::uint32_t row = stride_[0].quotient(down), column = stride_[1].quotient(across);
    if (row * stride_[0].value() != down || column * stride_[1].value() != across ||
        row >= positions_.rows() || column >= positions_.columns())
      return T(0);
    return at<T>(y_, of_y(group, kernel.plane, {image.plane, row * positions_.columns() + column, 0, 0}));
  }
};

}  // namespace tapeless::thrust_kernels
