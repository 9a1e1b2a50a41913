// SPDX-License-Identifier: BSL-1.0
// Poolings: a thread for each element of the result goes through its window, or through the windows that hold
// it. So these are never copied, and sums are in a fixed order.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/error.hpp>
#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/gpu/kernels/planes.hpp>

namespace tapeless::thrust_kernels {

/// Some rows or columns.
struct run_of {
  std::int32_t begin, end;
  constexpr std::int32_t size() const { return end - begin; }
};

/// Where windows are along an axis.
class axis_windows {
 public:
  /// Precondition: image + 2 * padding is at most most_items, and at least the kernel's extent.
  constexpr axis_windows(std::int64_t image, std::int64_t kernel, std::int64_t positions, std::int64_t stride,
                         std::int64_t padding)
      : image_(static_cast<std::int32_t>(image)),
        kernel_(static_cast<std::int32_t>(kernel)),
        positions_(static_cast<std::int32_t>(positions)),
        padding_(static_cast<std::int32_t>(padding)),
        stride_(stride) {}

  /// The image's elements in the window at a position.
  constexpr run_of elements(std::uint32_t position) const {
    const std::int32_t begin = static_cast<std::int32_t>(position * stride_.value()) - padding_;
    return {std::max(begin, 0), std::min(begin + kernel_, image_)};
  }
  /// The positions of the windows that hold an element.
  constexpr run_of positions(std::uint32_t element) const {
    const std::int32_t place = static_cast<std::int32_t>(element) + padding_, before = place - kernel_;
    const std::int32_t begin = before < 0 ? 0 : first_behind(before);
    return {begin, std::min(first_behind(place), positions_)};
  }

 private:
  std::int32_t image_, kernel_, positions_, padding_;
  divisor stride_;

  // The first window that begins behind a place of the padded image.
  constexpr std::int32_t first_behind(std::int32_t place) const {
    return static_cast<std::int32_t>(stride_.quotient(static_cast<std::uint32_t>(place))) + 1;
  }
};

/// Computes one element of a pooling's result.
template <class T, pooling_kind Computes>
class pool_element {
  using number = computed_as<element_of<T>>;
  static constexpr bool to_image = gives_image(Computes);

 public:
  constexpr explicit pool_element(const pooling_arguments& c)
      : image_(c.image),
        positions_(c.positions),
        down_(c.image[0], c.kernel[0], c.positions[0], c.stride[0], c.padding[0]),
        across_(c.image[1], c.kernel[1], c.positions[1], c.stride[1], c.padding[1]),
        elements_(c.counts_padding ? static_cast<std::int32_t>(c.kernel[0] * c.kernel[1]) : 0),
        target_(static_cast<T*>(static_cast<void*>(c.target))) {
    for (int k = 0; k < c.sources; ++k)
      source_[k] = static_cast<const T*>(static_cast<const void*>(c.source[k]));
  }

  constexpr std::int64_t elements_of_plane() const { return target_planes().elements(); }
  /// The same for later planes.
  constexpr pool_element from(std::int64_t plane) const {
    pool_element later = *this;
    later.first_plane_ = plane;
    return later;
  }

  constexpr void operator()(std::uint32_t item) const {
    const plane_element e = target_planes().element(item);
    const std::int64_t plane = first_plane_ + e.plane;
    const std::int64_t at = plane * target_planes().elements() + e.inside;
    if constexpr (to_image) {
      target_[at] = static_cast<T>(sum_of_windows(e, plane * positions_.elements(), at));
    } else {
      target_[at] = static_cast<T>(of_window(e, plane * image_.elements(), at));
    }
  }

 private:
  planes image_, positions_;
  axis_windows down_, across_;
  std::int32_t elements_;  // of a window; 0: as many as are inside the image
  const T* source_[3] = {};
  T* target_;
  std::int64_t first_plane_ = 0;

  constexpr const planes& target_planes() const { return to_image ? image_ : positions_; }
  constexpr number read(int source, std::int64_t at) const {
    return static_cast<number>(source_[source][at]);
  }
  constexpr number count(run_of rows, run_of columns) const {
    return static_cast<number>(elements_ != 0 ? elements_ : rows.size() * columns.size());
  }

  // What is seen from position `at`; `first` is the image's first element.
  constexpr number of_window(const plane_element& e, std::int64_t first, std::int64_t at) const {
    const run_of rows = down_.elements(e.row), columns = across_.elements(e.column);
    number result = Computes == pooling_kind::largest ? max_reduction_operation::identity<number> : number(0);
    for (std::int32_t i = rows.begin; i < rows.end; ++i)
      for (std::int32_t j = columns.begin; j < columns.end; ++j) {
        const std::int64_t seen = first + std::int64_t{i} * image_.columns() + j;
        if constexpr (Computes == pooling_kind::largest) {
          result = max_reduction_operation::combine(result, read(0, seen));
        } else if constexpr (Computes == pooling_kind::mean) {
          result += read(0, seen);
        } else {
          static_assert(Computes == pooling_kind::tied);
          if (read(0, seen) == read(1, at)) result += source_[2] != nullptr ? read(2, seen) : number(1);
        }
      }
    return Computes == pooling_kind::mean ? result / count(rows, columns) : result;
  }

  // What the image's element `at` gets of the windows that hold it; `first` is their first position.
  constexpr number sum_of_windows(const plane_element& e, std::int64_t first, std::int64_t at) const {
    const run_of rows = down_.positions(e.row), columns = across_.positions(e.column);
    number result(0);
    for (std::int32_t i = rows.begin; i < rows.end; ++i)
      for (std::int32_t j = columns.begin; j < columns.end; ++j) {
        const std::int64_t position = first + std::int64_t{i} * positions_.columns() + j;
        if constexpr (Computes == pooling_kind::shared) {
          if (read(0, at) == read(1, position)) result += read(2, position);
        } else {
          static_assert(Computes == pooling_kind::spread);
          result += read(0, position) / count(down_.elements(static_cast<std::uint32_t>(i)),
                                              across_.elements(static_cast<std::uint32_t>(j)));
        }
      }
    return result;
  }
};

/// Computes a pooling on an executor.
template <class T, pooling_kind Computes, class Executor>
void pool_by_elements(const pooling_arguments& c, Executor& executor) {
  const std::int64_t image = c.image[0] * c.image[1], positions = c.positions[0] * c.positions[1];
  for (int s = 0; s < 2; ++s)
    if (c.image[s] + 2 * c.padding[s] > most_items || image > most_items || positions > most_items)
      throw_error({"a pool of an image of ", c.image[0], " by ", c.image[1],
                   " elements is more than a launch takes, ", most_items});
  const std::int64_t planes = c.batch * c.channels;
  if (planes == 0 || image == 0) return;
  const pool_element<T, Computes> kernel(c);
  const std::int64_t at_once = most_items / kernel.elements_of_plane();
  for (std::int64_t first = 0; first < planes; first += at_once)
    executor.for_each(std::min(at_once, planes - first) * kernel.elements_of_plane(), kernel.from(first));
}

template <pooling_key Key, class Executor>
constexpr auto kernel_for() {
  return &pool_by_elements<storage_of<Key.type>, Key.computes, Executor>;
}

}  // namespace tapeless::thrust_kernels
