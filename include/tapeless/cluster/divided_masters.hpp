// SPDX-License-Identifier: BSL-1.0
// Float copies of parameters (mixed_precision), each of which is on one rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/program/parameter_description.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>

namespace tapeless::detail {

/// The number of the state that is parameter i's float copy; -1 where it has none.
constexpr int master_among(array_view<const state_description> states, std::size_t i) {
  for (std::size_t k = 0; k < states.size(); ++k)
    if (states[k].label == &interned<master_label> && states[k].of == static_cast<int>(i))
      return static_cast<int>(k);
  return -1;
}

/// The parameters may be another rank's, but float copies have stayed where they are: those from which the
/// parameters have not been rounded become the parameters.
template <class Net>
TAPELESS_COLD void let_masters_follow(Net& net) {
  std::vector<std::byte> rounded;
  for (std::size_t i = 0; i < net.parameter_data().size(); ++i) {
    std::byte* const master = net.master_data(i);
    if (master == nullptr) continue;
    const parameter_description& p = net.parameter_descriptions()[i];
    const auto size = static_cast<std::int64_t>(size_of(p.type));
    rounded.resize(static_cast<std::size_t>(p.bytes()));
    convert_elements(element::f32, master, p.type, rounded.data(), p.count);
    for (std::int64_t k = 0; k < p.count; ++k) {
      const std::byte* const is = net.parameter_data()[i] + k * size;
      if (std::memcmp(is, rounded.data() + k * size, static_cast<std::size_t>(size)) != 0)
        convert_elements(p.type, is, element::f32, master + k * std::int64_t{4}, 1);
    }
  }
}

}  // namespace tapeless::detail
