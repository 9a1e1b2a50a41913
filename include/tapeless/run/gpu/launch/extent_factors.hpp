// SPDX-License-Identifier: BSL-1.0
// Extents as products, so that it can be told which loops have the same iterations though one is several
// others merged.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/run/gpu/launch/launch_tables.hpp>

namespace tapeless::thrust_kernels {

/// A literal times extents that are known at run time, of which none is a product.
struct extent_factors {
  static constexpr int most = 8;

  std::int64_t literal = 1;
  int count = 0;
  std::int64_t others[most] = {};  // sorted
  bool fits = true;                // else there are more: equal to nothing

  friend constexpr bool operator==(const extent_factors& a, const extent_factors& b) {
    return a.fits && b.fits && a.literal == b.literal && a.count == b.count &&
           std::equal(a.others, a.others + a.count, b.others);
  }
  constexpr bool is_literal() const { return fits && count == 0; }

  constexpr void multiply(const extent_factors& by) {
    literal *= by.literal;
    fits = fits && by.fits;
    for (int k = 0; k < by.count; ++k) multiply_by_other(by.others[k]);
  }
  /// Whether it is a multiple, which then is divided.
  constexpr bool divide(const extent_factors& by) {
    if (!fits || !by.fits || by.literal == 0 || literal % by.literal != 0 || by.count > count) return false;
    extent_factors result{.literal = literal / by.literal};
    int k = 0;
    for (int i = 0; i < count; ++i) {
      if (k < by.count && others[i] == by.others[k]) {
        ++k;
      } else {
        result.others[result.count++] = others[i];
      }
    }
    if (k < by.count) return false;
    *this = result;
    return true;
  }

 private:
  friend constexpr extent_factors factors_of(const launch_tables& t, std::int64_t extent);

  constexpr void multiply_by_other(std::int64_t extent) {
    if (count == most) {
      fits = false;
      return;
    }
    int k = count++;
    for (; k > 0 && others[k - 1] > extent; --k) others[k] = others[k - 1];
    others[k] = extent;
  }
};

/// Those of an extent as a plan's tables number it.
constexpr extent_factors factors_of(const launch_tables& t, std::int64_t extent) {
  extent_factors f;
  if (extent >= 0) {
    f.literal = extent;
  } else if (const derived_extent& e = t.extents[-1 - extent]; e.kind == extent_kind::product) {
    f = factors_of(t, e.left);
    f.multiply(factors_of(t, e.right));
  } else {
    f.multiply_by_other(extent);
  }
  return f;
}

}  // namespace tapeless::thrust_kernels
