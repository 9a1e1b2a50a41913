// SPDX-License-Identifier: BSL-1.0
// The guide of metrics and logs: what a fit measures, and where it goes.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto h = tl::tanh(tl::linear<"fc2", 32>(tl::tanh(tl::linear<"fc1", 32>(x))));
  auto logits = tl::linear<"fc3", 3>(h);
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

tl::data::dataset three_spirals() {
  std::vector<float> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 900; ++i) {
    const float r = (1 + i / 3) / 300.0f, angle = 5 * r + 2.0944f * (i % 3) + 0.15f * std::sin(78.233f * i);
    x.push_back(r * std::cos(angle));
    x.push_back(r * std::sin(angle));
    y.push_back(i % 3);
  }
  tl::data::dataset data;
  data.add("x", {2}, x).add("y", {}, y);
  return data;
}

int main() {
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-2f})};

  tl::accuracy<"logits", "y"> accuracy;
  tl::f1_score<"logits", "y"> f1;
  tl::confusion_matrix<"logits", "y"> confusion({.classes = {"red", "green", "blue"}});
  auto confident = tl::metric<"confident", "logits">([](std::span<const float> row) {
    return std::max({row[0], row[1], row[2]}) > 3 + std::min({row[0], row[1], row[2]});
  });

  const tl::fit_options options{.epochs = 30, .batch = 30, .validation_split = 0.2, .seed = 1};
  auto history = tl::fit(net, three_spirals(), options, accuracy, f1, confusion, confident,
                         tl::csv_log("log.csv"), tl::json_log("log.jsonl"), tl::tensorboard("events"),
                         tl::plot("curves.svg", {.title = "Three spirals"}));

  std::puts(tl::table(history).c_str());
  std::puts(confusion.table().c_str());
  for (const tl::measurement& m : f1.per_class()) std::printf("%.3f+-%.3f ", m.mean, m.uncertainty);

  const bool learned = history.back().validation["accuracy"].mean > 0.9;
  return learned && confusion.classes() == 3 && confident.get().mean > 0.5 ? 0 : 1;
}
