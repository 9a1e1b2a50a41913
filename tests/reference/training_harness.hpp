// SPDX-License-Identifier: BSL-1.0
// Trains a generated network on the stored batches and compares what becomes of its parameters.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reference/harness.hpp"

#include <tapeless/optim/rules/adam.hpp>

namespace reference {

/// Calls f with each parameter and its number, which is that of the stored one: both stand in the model's
/// order.
template <class Net, class F>
void for_each_parameter(Net& net, F f) {
  int number = 0;
  net.parameters().for_each([&](const auto& p) {
    INFO("parameter " << p.name());
    f(std::to_string(number++), p);
  });
}

/// The losses are as close as a relative 1e-5, and the weights as 2e-5: where a gradient is nearly 0, Adam's
/// step shows its rounding.
template <class Net>
void compare_step(Net& net, const tensors& stored, std::size_t step, float loss) {
  const float expected = stored["losses"].as<float>()[step];
  CHECK(std::abs(loss - expected) <= 1e-5f * std::abs(expected));
  for_each_parameter(net, [&](const std::string& number, auto found) {
    const auto after = stored["after" + std::to_string(step + 1) + "_param" + number].template as<float>();
    REQUIRE(found.size() == after.size());
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double error = std::abs(double(found[i]) - double(after[i]));
      if (!(error <= largest)) largest = error;  // NaN stays
    }
    CHECK(largest <= 2e-5);
  });
}

/// Starts from the parameters that are stored for the case and takes its steps.
template <class Model, class Rule>
void check_training(Model model, Rule rule, const char* path, const char* name) {
  const tensors stored(path, name);
  tl::trainer net{model, std::move(rule)};
  for_each_parameter(net, [&](const std::string& number, auto to) {
    const auto from = stored["param" + number].template as<float>();
    REQUIRE(to.size() == from.size());
    std::copy(from.begin(), from.end(), to.begin());
  });

  const auto pixels = stored["x"].as<unsigned char>();
  const auto labels = stored["target"].as<std::int64_t>();
  const auto steps = static_cast<std::size_t>(stored["x"].shape.at(0));
  REQUIRE(steps >= 1);
  const std::size_t rows = labels.size() / steps, size = pixels.size() / steps;
  std::vector<float> image(size);
  for (std::size_t step = 0; step < steps; ++step) {
    INFO("step " << step + 1);
    for (std::size_t i = 0; i < size; ++i) image[i] = static_cast<float>(pixels[step * size + i]) / 255.0f;
    const float loss = net.step("image"_t = image, "label"_t = labels.subspan(step * rows, rows)).loss();
    compare_step(net, stored, step, loss);
  }
}

}  // namespace reference
