// SPDX-License-Identifier: BSL-1.0
// How prefix scans on the CPU go from one element to the next, in tables and in straight-line code. Prefix
// sums are of a few lines at a time: long lines lose little, and a number costs one addition, as in the plain
// loop.
#pragma once

#include <type_traits>

#include <tapeless/graph/core/operation.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/scalar.hpp>

namespace tapeless {

/// Float is added up in double; integers wrap.
template <class T, int Lines = 1>
class running_sums {
 public:
  explicit running_sums(int lines) {
    for (int i = 0; i < lines; ++i) sums_[i] = held(0);
  }
  T add(int line, T x) {
    sums_[line] = static_cast<held>(sums_[line] + static_cast<held>(x));
    return static_cast<T>(sums_[line]);
  }
  /// After a number of each of the first so many lines.
  void next(int) {}

 private:
  using held = std::conditional_t<std::is_same_v<T, float>, double, detail::wrapping_type<T>>;
  held sums_[Lines];
};

/// Double is added up in blocks, and those in blocks: n numbers lose as much as about the cube root of n
/// would.
template <int Lines>
class running_sums<double, Lines> {
 public:
  explicit running_sums(int lines) {
    for (int i = 0; i < lines; ++i) levels_[0][i] = levels_[1][i] = levels_[2][i] = before_[i] = 0;
  }
  double add(int line, double x) {
    levels_[0][line] += x;
    return before_[line] + levels_[0][line];
  }
  void next(int lines) {
    if (++iterations_ < block) return;
    iterations_ = 0;
    const bool is_whole = ++blocks_ == block;
    if (is_whole) blocks_ = 0;
    for (int i = 0; i < lines; ++i) {
      levels_[1][i] += levels_[0][i];
      levels_[0][i] = 0;
      if (is_whole) {
        levels_[2][i] += levels_[1][i];
        levels_[1][i] = 0;
      }
      before_[i] = levels_[2][i] + levels_[1][i];
    }
  }

 private:
  static constexpr int block = 256;
  double levels_[3][Lines], before_[Lines];
  int iterations_ = 0, blocks_ = 0;
};

/// target(.., i, ..) = source(.., 0, ..) ... source(.., i, ..). Float is multiplied in double;
/// integers wrap.
template <class T>
struct cumprod_step {
  using held = std::conditional_t<std::is_same_v<T, float>, double, detail::wrapping_type<T>>;
  static held next(held before, T x, T) { return static_cast<held>(before * static_cast<held>(x)); }
};
/// target(.., i, ..) = the larger of source(.., i, ..) and target(.., i - 1, ..).
template <class T>
struct cummax_step {
  using held = T;
  static held next(held before, T x, T) { return larger(before, x); }
};
/// target(.., i, ..) = source(.., i, ..) + factor target(.., i - 1, ..).
template <class T>
struct recurrence_step {
  using held = std::conditional_t<std::is_same_v<T, float>, double, T>;
  static held next(held before, T x, T factor) { return static_cast<held>(x + factor * before); }
};
template <prefix_scan_kind Kind, class T>
using prefix_step = std::conditional_t<
    Kind == prefix_scan_kind::product, cumprod_step<T>,
    std::conditional_t<Kind == prefix_scan_kind::largest, cummax_step<T>, recurrence_step<T>>>;

}  // namespace tapeless
