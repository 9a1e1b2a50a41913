// SPDX-License-Identifier: BSL-1.0
// The second source with the model, and with all headers that a program may include.
#include "model.hpp"

#include <cstdint>
#include <tapeless/bare.hpp>
#include <tapeless/gguf.hpp>
#include <tapeless/numpy.hpp>
#include <tapeless/onnx.hpp>
#include <tapeless/operations.hpp>
#include <vector>

float learner::step() {
  const std::vector<float> x{0, 0, 0, 1, 1, 0, 1, 1};
  const std::vector<std::int32_t> y{0, 1, 1, 0};
  return net_.step("x"_t = x, "y"_t = y).loss();
}

bool learner::is_seen_by_functions() {
  const std::vector<float> x{0, 1};
  const std::vector<std::int32_t> y{1};
  tl::save(net_, "model_in_header.safetensors");
  const tl::function from_file{model, tl::weights("model_in_header.safetensors")};
  const tl::function shared{model, tl::weights(net_)};
  const float logit = net_.predict("x"_t = x).get<"logits">()[0];
  return from_file("x"_t = x, "y"_t = y).get<"logits">()[0] == logit &&
         shared("x"_t = x, "y"_t = y).get<"logits">()[0] == logit;
}
