// SPDX-License-Identifier: BSL-1.0
// A program that includes no header of the library: learns one of two classes, keeps the weights, and uses
// them again.
#include <cstdint>
#include <vector>

import tapeless;

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"hidden", 8>(x)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};
constexpr auto spectrum = [] {  // an operation that tapeless.hpp does not have
  return tl::outputs(tl::named<"spectrum">(tl::rfft(tl::input<"signal", float, 4>)));
};

int main(int, char** arguments) {
  constexpr float x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  constexpr std::int32_t label[4] = {0, 1, 1, 0};
  tl::data::dataset all;
  all.add("x", {2}, std::vector<float>{0, 0, 0, 1, 1, 0, 1, 1});
  all.add("label", {}, std::vector<std::int32_t>{0, 1, 1, 0});

  tl::trainer net{model, tl::adam({.learning_rate = 0.05f})};
  tl::fit(net, all, {.epochs = 200, .batch = 4}, tl::accuracy<"logits", "label">{});
  tl::save(net, arguments[1]);
  tl::function classify{model, tl::weights(arguments[1])};
  const auto logits = classify("x"_t = x, "label"_t = label).get<"logits">();
  for (int i = 0; i < 4; ++i)
    if ((logits[2 * i + 1] > logits[2 * i]) != (label[i] == 1)) return 1;

  constexpr float signal[4] = {1, 0, 0, 0};
  return tl::function{spectrum}("signal"_t = signal).get<"spectrum">()[0] == 1 ? 0 : 1;
}
