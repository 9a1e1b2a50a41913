// SPDX-License-Identifier: BSL-1.0
// From the images of a pooling to its positions.
#pragma once

#include <cstddef>

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/run/bare/bare_pooling_windows.hpp>

namespace tapeless::bare_kernels {

/// Forward, and back of the gradient: what each position gets from the elements that its window sees.
template <auto Shape, class Arithmetic>
struct bare_pooled_positions : bare_pooling_windows<Shape, Arithmetic> {
  using base = bare_pooling_windows<Shape, Arithmetic>;
  using base::p, base::down, base::across, base::image, base::positions;
  using typename base::number, typename base::stored;
  template <int Width>
  using values = typename base::template values<Width>;

  /// A plane's y of x: the largest element or the mean of a window; or of x, y, v: the sum of v, or the
  /// count, where x is y.
  static void run(const stored* const* source, std::ptrdiff_t plane, stored* y) {
    constexpr std::ptrdiff_t first = across.first_position(0), end = across.end_position(across.kernel - 1);
    constexpr int width = base::width_for(end - first);
    for (std::ptrdiff_t row = 0; row < down.positions; ++row)
      if constexpr (width == 1) {
        for (std::ptrdiff_t column = 0; column < across.positions; ++column)
          to_position<1>(source, plane, row, column, y);
      } else {  // the last vector ends where the row's whole windows do, and computes some of them again
        for (std::ptrdiff_t column = 0; column < first; ++column)
          to_position<1>(source, plane, row, column, y);
        for (std::ptrdiff_t column = first; column < end; column += width)
          to_position<width>(source, plane, row, column < end - width ? column : end - width, y);
        for (std::ptrdiff_t column = end; column < across.positions; ++column)
          to_position<1>(source, plane, row, column, y);
      }
  }

 private:
  template <int Width>
  [[gnu::always_inline]] static void to_position(const stored* const* source, std::ptrdiff_t plane,
                                                 std::ptrdiff_t row, std::ptrdiff_t column, stored* y) {
    const std::ptrdiff_t here = row * across.positions + column;
    values<Width> result = base::template everywhere<Width>(
        p.computes == pooling_kind::largest ? max_reduction_operation::template identity<number> : number(0));
    [[maybe_unused]] values<Width> largest;
    if constexpr (p.computes == pooling_kind::tied)
      largest = base::template read<Width>(source[1] + plane * positions + here);
    for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
      const std::ptrdiff_t i = down.element(row, k);
      if (i < 0 || i >= down.image) {
        base::template add_padding<Width>(result);
        continue;
      }
      const std::ptrdiff_t begin_of_window = plane * image + i * across.image + across.element(column, 0);
      // g++ does not find names of using-declarations in here
      const auto see = [&](auto tap) TAPELESS_INLINED {
        const auto x = base::template seen<Width>(source[0], begin_of_window, tap);
        if constexpr (base::p.computes == pooling_kind::largest) {
          result = static_cast<values<Width>>(max_reduction_operation::combine(result, x));
        } else if constexpr (base::p.computes == pooling_kind::mean) {
          result = base::in_tiles && k == 0 && tap == 0 ? x : static_cast<values<Width>>(result + x);
        } else {
          auto v = base::template everywhere<Width>(number(1));
          if constexpr (base::p.sources > 2) v = base::template seen<Width>(source[2], begin_of_window, tap);
          const auto tied = base::template only_where<Width>(x == largest, v);
          result = base::in_tiles && k == 0 && tap == 0 ? tied : static_cast<values<Width>>(result + tied);
        }
      };
      if constexpr (Width > 1) {
        detail::unrolled<static_cast<int>(across.kernel)>(see);
      } else {
        for (std::ptrdiff_t l = 0; l < across.kernel; ++l)
          if (across.element(column, l) >= 0 && across.element(column, l) < across.image) {
            see(l);
          } else {
            base::template add_padding<Width>(result);
          }
      }
    }
    if constexpr (p.computes == pooling_kind::mean)
      result = static_cast<values<Width>>(result / base::template counts<Width>(row, column));
    base::template put<Width>(y + here, result);
  }
};

}  // namespace tapeless::bare_kernels
