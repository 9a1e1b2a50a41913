// SPDX-License-Identifier: BSL-1.0
// rmsprop against PyTorch's: momentum, centered.
#include "optim/reference.hpp"

TEST_CASE("rmsprop follows the reference") {
  const auto file = reference::read("optim-adaptive.safetensors");
  if (!file) return;
  const auto rmsprop = [](const std::string& op) { return op == "rmsprop"; };
  reference::for_each_case(*file, rmsprop, [&](auto& name, auto&, const test::json& stored) {
    const auto hyper = [&](std::string_view key) { return stored[key].number(); };
    const double rate = hyper("lr"), decay = hyper("alpha"), epsilon = hyper("eps");
    const double weights = hyper("weight_decay"), momentum = hyper("momentum");
    const bool centered = stored["centered"].as<bool>();
    if (momentum == 0 && !centered) {
      reference::follow(*file, name, tl::rmsprop({rate, decay, epsilon, weights}));
    } else if (!centered) {
      reference::follow(*file, name,
                        tl::rmsprop({.learning_rate = rate,
                                     .decay = decay,
                                     .epsilon = epsilon,
                                     .weight_decay = weights,
                                     .momentum = momentum}));
    } else if (momentum == 0) {
      reference::follow(*file, name,
                        tl::rmsprop({.learning_rate = rate,
                                     .decay = decay,
                                     .epsilon = epsilon,
                                     .weight_decay = weights,
                                     .centered = true}));
    } else {
      reference::follow(*file, name,
                        tl::rmsprop({.learning_rate = rate,
                                     .decay = decay,
                                     .epsilon = epsilon,
                                     .weight_decay = weights,
                                     .momentum = momentum,
                                     .centered = true}));
    }
  });
}
