// SPDX-License-Identifier: BSL-1.0
// kaiming_normal(), xavier_uniform(): how a parameter starts, by how many numbers meet in it.
#pragma once

#include <cstdint>

#include <tapeless/expr/param.hpp>
#include <tapeless/graph/core/newton_square_root.hpp>

namespace tapeless {

/// A distribution whose width is `scale` by the root of a weight's fans: of the numbers that each output is a
/// sum of, and, where `with_fan_out` says so, of the outputs that each input goes to. Of a weight
/// [out, in, kernel...] these are in * kernel... and out * kernel....
struct fan_initializer {
  bool is_uniform = false;
  double scale = 1;
  bool with_fan_out = false;

  /// For a weight with these fans: a bound where it is uniform, otherwise a standard deviation.
  constexpr initializer of(std::int64_t in, std::int64_t out) const {
    const std::int64_t fans = with_fan_out ? in + out : in;
    const double width = fans == 0 ? 0 : scale / detail::square_root(static_cast<double>(fans));
    return is_uniform ? uniform(width) : normal(width);
  }
};

/// Uniform in +-gain sqrt(6 / (in + out)) (Glorot and Bengio, 2010): torch.nn.init.xavier_uniform_.
constexpr fan_initializer xavier_uniform(double gain = 1) {
  return {true, gain * detail::square_root(6), true};
}
/// Normal with the deviation gain sqrt(2 / (in + out)) (Glorot and Bengio, 2010):
/// torch.nn.init.xavier_normal_.
constexpr fan_initializer xavier_normal(double gain = 1) {
  return {false, gain * detail::square_root(2), true};
}
/// Uniform in +-gain sqrt(3 / in) (He et al., 2015): torch.nn.init.kaiming_uniform_. The gain, sqrt(2), is
/// relu's; PyTorch's own layers start with sqrt(1 / 3).
constexpr fan_initializer kaiming_uniform(double gain = detail::square_root(2)) {
  return {true, gain * detail::square_root(3)};
}
/// Normal with the deviation gain / sqrt(in) (He et al., 2015): torch.nn.init.kaiming_normal_. The gain,
/// sqrt(2), is relu's; with 1 it is LeCun's.
constexpr fan_initializer kaiming_normal(double gain = detail::square_root(2)) { return {false, gain}; }

}  // namespace tapeless
