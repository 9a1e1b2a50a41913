// SPDX-License-Identifier: BSL-1.0
// A model in a header, as two sources share it: `inline`, so that its type, which is a lambda's, is the same
// in both.
#pragma once

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

inline constexpr auto batch = tl::dyn<"batch">;

inline constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto logits = tl::linear<"fc2", 2>(tl::tanh(tl::linear<"fc1", 16>(x)));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

/// A class of the user's with a trainer in it, which would warn where the model had no linkage.
class learner {
 public:
  float step();
  /// Whether functions with the trained weights, from a file and shared, see what the trainer sees.
  bool is_seen_by_functions();

 private:
  tl::trainer<decltype(model), decltype(tl::adam({}))> net_{model, tl::adam({.learning_rate = 1e-2f})};
};
