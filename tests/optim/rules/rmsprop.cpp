// SPDX-License-Identifier: BSL-1.0
// rmsprop against PyTorch's: momentum, centered.
#include "optim/reference.hpp"

TEST_CASE("rmsprop follows the reference") {
  const auto file = reference::read("optim-adaptive.safetensors");
  if (!file) return;
  int cases = 0;
  for (const auto& [name, text] : file->metadata()) {
    if (name[0] == '_') continue;
    const tl::io::json about = reference::metadata(*file, name);
    if (about["op"].as<std::string>() != "rmsprop") continue;
    const auto hyper = [&](std::string_view key) { return about["hyper"][key].number(); };
    const double rate = hyper("lr"), decay = hyper("alpha"), epsilon = hyper("eps");
    const double weights = hyper("weight_decay"), momentum = hyper("momentum");
    const bool centered = about["hyper"]["centered"].as<bool>();
    if (momentum == 0 && !centered) {
      reference::follow<12, 5>(*file, name, tl::rmsprop({rate, decay, epsilon, weights}));
    } else if (!centered) {
      reference::follow<12, 5>(*file, name,
                               tl::rmsprop({.learning_rate = rate,
                                            .decay = decay,
                                            .epsilon = epsilon,
                                            .weight_decay = weights,
                                            .momentum = momentum}));
    } else if (momentum == 0) {
      reference::follow<12, 5>(*file, name,
                               tl::rmsprop({.learning_rate = rate,
                                            .decay = decay,
                                            .epsilon = epsilon,
                                            .weight_decay = weights,
                                            .centered = true}));
    } else {
      reference::follow<12, 5>(*file, name,
                               tl::rmsprop({.learning_rate = rate,
                                            .decay = decay,
                                            .epsilon = epsilon,
                                            .weight_decay = weights,
                                            .momentum = momentum,
                                            .centered = true}));
    }
    ++cases;
  }
  CHECK(cases == 6);
}
