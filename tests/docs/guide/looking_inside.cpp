// SPDX-License-Identifier: BSL-1.0
// The guide of looking inside: it quotes what this program prints.
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/inspect.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", float, batch, 1>;
  auto out = tl::linear<"out", 1>(tl::tanh(tl::linear<"hidden", 8>(x)));
  return tl::outputs(tl::mse_loss(out, y), tl::named<"out">(out));
};

const std::vector<float> points{0.1f, 0.2f, -1, 0.5f, 2, 1, 0, -0.3f}, heights{0.3f, -0.5f, 3, -0.3f};

bool a_step_as_a_picture() {
  tl::trainer net{model, tl::sgd({.learning_rate = 1e-2f})};
  std::ofstream file("step.dot");  // dot -Tsvg step.dot -o step.svg
  file << tl::to_dot(net, {.whole_plan = true});
  return file.good();
}

bool gradients_are_right() {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  const auto worst = tl::check_gradients(net, "x"_t = points, "y"_t = heights);
  if (worst.error > 1e-2) std::printf("%s\n", worst.table().c_str());  // the worst element of each parameter
  return worst.error < 1e-2;
}

bool where_the_time_goes() {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  const tl::step_profile p = tl::profile(net, {.steps = 100}, "x"_t = points, "y"_t = heights);
  std::fprintf(stderr, "%s\n", p.table().c_str());
  p.save_trace("step.json");  // for ui.perfetto.dev or chrome://tracing
  return p.kernels.size() == p.trace.size();
}

bool how_training_goes() {
  tl::data::dataset data;
  data.add("x", {2}, points).add("y", {1}, heights);
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  tl::statistics seen({.every = 10});
  tl::profiler timed;
  tl::fit(net, data, {.epochs = 20, .batch = 2}, seen, timed);
  std::fprintf(stderr, "%s\n", seen.table().c_str());                 // after the last step that it looked at
  std::fprintf(stderr, "%s\n", timed.profiles()[0].table().c_str());  // of the first batch
  return seen.samples().size() == 4 && seen.samples()[3].parameters[0].update_to_weight < 0.1;
}

int main() {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  std::printf("%s\n", tl::summary(net).c_str());
  std::printf("%s", tl::explain(net, "batch"_t = 16).c_str());
  int failures = 0;
  for (bool (*part)() : {a_step_as_a_picture, gradients_are_right, where_the_time_goes, how_training_goes})
    failures += part() ? 0 : 1;
  return failures;
}
