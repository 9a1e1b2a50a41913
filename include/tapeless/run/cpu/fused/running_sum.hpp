// SPDX-License-Identifier: BSL-1.0
// Prefix sums of a few lines at a time. Long lines lose little, and a number costs one addition, as in the
// plain loop.
#pragma once

#include <type_traits>

#include <tapeless/ops/base/integer_arithmetic.hpp>

namespace tapeless::cpu_kernels {

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
  using held = std::conditional_t<std::is_same_v<T, float>, double, tapeless::detail::wrapping_type<T>>;
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

}  // namespace tapeless::cpu_kernels
