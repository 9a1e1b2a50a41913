// SPDX-License-Identifier: BSL-1.0
// Convolutions that start by letting their input through.
#pragma once

#include <tapeless/graph/core/name.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace speedrun {

template <tapeless::name Weight, class Net>
void start_one_as_identity(Net& net) {
  constexpr std::size_t area = 9, middle = 4;
  const auto weight = net.template parameter<Weight>();
  const auto out = static_cast<std::size_t>(weight.shape()[0]),
             in = static_cast<std::size_t>(weight.shape()[1]);
  std::vector<float> values(weight.begin(), weight.end());
  const std::size_t filters = std::min(out, in);
  std::fill_n(values.begin(), filters * in * area, 0.0f);
  for (std::size_t i = 0; i < filters; ++i) values[(i * in + i) * area + middle] = 1;
  net.template assign<Weight>(values);
}

/// In each of the weights [out, in, 3, 3] of these names, filter i < in becomes the one that passes channel i
/// on as it is; where there are more filters than channels, the others stay random (Zagoruyko and Komodakis,
/// 2017).
template <tapeless::name... Weights, class Net>
void start_as_identity(Net& net) {
  (start_one_as_identity<Weights>(net), ...);
}

}  // namespace speedrun
