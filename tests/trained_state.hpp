// SPDX-License-Identifier: BSL-1.0
// All that a trainer goes on from, as bytes that can be compared.
#pragma once

#include <string>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace test {

/// Parameters, the rule's states, gradients that wait, and the place in the steps and random numbers.
template <class Net>
std::string state_of(Net& net) {
  const tapeless::trainer_state state = net.position();
  static_assert(sizeof state == 8 * sizeof(double));  // its members alone: what is between them has no value
  std::string all(reinterpret_cast<const char*>(&state), sizeof state);
  const auto add = [&](const auto& descriptions, tapeless::array_view<std::byte* const> data) {
    for (std::size_t i = 0; i < data.size(); ++i)
      all.append(reinterpret_cast<const char*>(data[i]), static_cast<std::size_t>(descriptions[i].bytes()));
  };
  add(net.parameter_descriptions(), net.parameter_data());
  add(net.state_descriptions(), net.state_data());
  add(net.gradient_descriptions(), net.collected_gradients());
  return all;
}

/// The bytes of a view's elements, or of a number.
template <class View>
std::string bytes_of_elements(const View& view) {
  if constexpr (requires { view.size(); }) {
    return {reinterpret_cast<const char*>(view.data()), view.size() * sizeof(*view.data())};
  } else {
    return {reinterpret_cast<const char*>(&view), sizeof view};
  }
}

}  // namespace test
