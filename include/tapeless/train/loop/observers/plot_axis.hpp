// SPDX-License-Identifier: BSL-1.0
// An axis of a plot: its limits, its scale, and numbers at sensible places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

/// With that many digits behind a point, whatever the locale. Pre-condition: |x| 10^decimals < 2^63.
TAPELESS_COLD inline std::string fixed_text(double x, int decimals) {
  const std::int64_t scaled = std::llround(std::abs(x) * std::pow(10.0, decimals));
  std::string digits = join({scaled});
  if (decimals > 0) {
    const auto n = static_cast<std::size_t>(decimals);
    if (digits.size() <= n) digits.insert(0, n + 1 - digits.size(), '0');
    digits.insert(digits.size() - n, 1, '.');
  }
  return join({x < 0 && scaled != 0 ? "\u2212" : "", digits});
}

/// 10 to that power, as it is written.
TAPELESS_COLD inline std::string power_text(int exponent) {
  constexpr const char* raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                    "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (const char digit : join({std::abs(exponent)})) text += raised[digit - '0'];
  return text;
}

/// 3 times 10 to that power.
TAPELESS_COLD inline std::string power_of_ten(int times, int exponent) {
  if (exponent == 0) return join({times});
  return times == 1 ? power_text(exponent) : join({times, "\u00b7", power_text(exponent)});
}

/// A number with so many digits behind the point; a large or small one with a power of ten.
TAPELESS_COLD inline std::string scaled_text(double x, int decimals, int significant) {
  const double size = std::abs(x);
  if (size == 0) return "0";
  if (size < 1e6 && size >= 1e-4) return fixed_text(x, std::clamp(decimals, 0, 8));
  const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  const double half = std::pow(10.0, -(exponent / 2)), other = std::pow(10.0, -(exponent - exponent / 2));
  const std::string mantissa = fixed_text(x * half * other, significant - 1);
  const std::string one = fixed_text(x < 0 ? -1 : 1, significant - 1);
  if (mantissa == one && significant == 1) return join({x < 0 ? "\u2212" : "", power_text(exponent)});
  return join({mantissa, "\u00b7", power_text(exponent)});
}

/// A number with three digits, as it stands beside the end of a curve.
TAPELESS_COLD inline std::string three_digits(double x) {
  const double size = std::abs(x);
  const int exponent = size > 0 ? static_cast<int>(std::floor(std::log10(size) + 1e-9)) : 0;
  return scaled_text(x, 2 - exponent, 3);
}

}  // namespace detail

/// The scale of a plot's measurements: whichever shows more, or one.
enum class plot_scale : std::uint8_t { fitting, linear, logarithmic };

namespace detail {

struct plot_tick {
  double value = 0;
  std::string label;
};

/// 1, 2 or 5 times a power of ten: the smallest that is not below x.
TAPELESS_COLD inline double nice_step(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= x * (1 - 1e-9)) return step * power;
  return 10 * power;
}

/// An axis from `low` to `high`, which are different finite numbers, above 0 where it is logarithmic. It and
/// the other parts of plots are templates, so that programs without a plot compile nothing of them.
template <class Number>
struct plot_axis_of {
  Number low = 0, high = 1;
  bool is_logarithmic = false;

  /// 0 at the beginning, 1 at the end.
  double place(double x) const {
    if (!is_logarithmic) return (x - low) / (high - low);
    if (x <= 0) return -1;
    return (std::log(x) - std::log(low)) / (std::log(high) - std::log(low));  // a quotient could overflow
  }

  /// At most so many numbers, at least two where there is room.
  TAPELESS_COLD std::vector<plot_tick> ticks(int most) const {
    return is_logarithmic ? logarithmic_ticks(most) : linear_ticks(most, 0);
  }
  /// The same with whole numbers; the first one stands there, too.
  TAPELESS_COLD std::vector<plot_tick> whole_ticks(int most) const {
    const double first = std::ceil(low);
    std::vector<plot_tick> all = linear_ticks(most, 1);
    if (all.empty() || all[0].value > first) {
      const double step = all.size() > 1 ? all[1].value - all[0].value : 0;
      if (all.empty() || all[0].value - first >= 0.5 * step)
        all.insert(all.begin(), {first, fixed_text(first, 0)});
    }
    return all;
  }

 private:
  TAPELESS_COLD std::vector<plot_tick> linear_ticks(int most, double smallest_step) const {
    std::vector<plot_tick> all;
    const double step = std::max(nice_step((high - low) / std::max(most, 1)), smallest_step);
    const int decimals = static_cast<int>(std::max(0.0, -std::floor(std::log10(step) + 1e-9)));
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) {
      const double value = i == 0 ? 0 : i * step;
      const double digits =
          value == 0 ? 1 : std::floor(std::log10(std::abs(value)) + 1e-9) - std::log10(step);
      all.push_back(
          {value, scaled_text(value, decimals, 1 + std::clamp(static_cast<int>(digits + 0.5), 0, 8))});
    }
    return all;
  }

  // Powers of ten, as many as there is room for; of few, 2 and 5 times them, too.
  TAPELESS_COLD std::vector<plot_tick> logarithmic_ticks(int most) const {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    std::vector<plot_tick> all;
    const int every = std::max(1, (last - first + most) / std::max(most, 1));
    const double decades = std::log10(high) - std::log10(low);
    const bool has_powers = low < 1e-4 || high >= 1e6;  // all or none
    for (int k = first - 1; k <= last; k += every == 1 || k >= first ? every : 1)
      for (const int m : {1, 2, 5}) {
        if (m > 1 && decades * (m == 2 ? 3 : 2) > most) continue;
        const double value = m * std::pow(10.0, k);
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
          all.push_back({value, has_powers ? power_of_ten(m, k) : scaled_text(value, -k, 1)});
      }
    return all;
  }
};

using plot_axis = plot_axis_of<double>;

/// The axis that shows all of these numbers, which are finite, and those of `beside` as far as they are not
/// much farther away. A fitting one is logarithmic where all numbers are above 0 and a linear one would show
/// half of them in its lowest tenth. A logarithmic one does not show numbers that are not above 0.
template <class Number = double>
TAPELESS_COLD plot_axis_of<Number> axis_of(std::vector<Number> numbers, const std::vector<Number>& beside,
                                           plot_scale scale) {
  plot_axis_of<Number> axis;
  if (scale == plot_scale::logarithmic) std::erase_if(numbers, [](double x) { return x <= 0; });
  if (numbers.empty()) return axis;
  std::make_heap(numbers.begin(), numbers.end());
  std::sort_heap(numbers.begin(), numbers.end());
  const double least = numbers.front(), most = numbers.back(), middle = numbers[(numbers.size() - 1) / 2];
  const bool is_share = least >= 0 && most <= 1;
  const bool lies_low = least > 0 && most / least >= 10 && middle - least < 0.1 * (most - least);
  axis.is_logarithmic = scale == plot_scale::logarithmic || (scale == plot_scale::fitting && lies_low);
  // how far `beside` may stretch the axis; a few points are nothing without their errors
  const double room = numbers.size() <= 4   ? 1e300
                      : axis.is_logarithmic ? 0.2 * std::log(most / least)
                                            : 0.2 * (most - least);
  axis.low = least;
  axis.high = most;
  for (const double x : beside) {
    if (axis.is_logarithmic) {
      if (x > 0) axis.low = std::min(axis.low, std::max(x, least * std::exp(-room)));
      axis.high = std::max(axis.high, std::min(x, most * std::exp(room)));
    } else {
      axis.low = std::min(axis.low, std::max(x, least - room));
      axis.high = std::max(axis.high, std::min(x, most + room));
    }
  }
  if (axis.is_logarithmic) {
    const double margin = most > least ? std::pow(axis.high / axis.low, 0.05) : 2;
    axis.low = std::max(axis.low / margin, std::numeric_limits<double>::denorm_min());
    axis.high = std::min(axis.high * margin, std::numeric_limits<double>::max());
    return axis;
  }
  double margin = 0.05 * (axis.high - axis.low);
  if (!(margin > 1e-9 * std::max(std::abs(least), std::abs(most))))  // all the same
    margin = most == 0 ? 1 : 0.1 * std::abs(most);
  axis.low = least >= 0 ? std::max(axis.low - margin, 0.0) : axis.low - margin;
  axis.high += margin;
  if (is_share) axis.high = std::min(axis.high, 1.0);
  return axis;
}

}  // namespace detail

}  // namespace tapeless
