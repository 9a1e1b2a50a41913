// SPDX-License-Identifier: BSL-1.0
// The guide of loops: fit, and what a loop of one's own is written with.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <boost/hana/adapt_struct.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"hidden", 8>(x)));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

std::vector<float> points(int count) {  // in the square from -1 to 1
  std::vector<float> x;
  for (int i = 0; i < count; ++i) {
    x.push_back(std::sin(12.9898f * i));
    x.push_back(std::sin(78.233f * i));
  }
  return x;
}

std::vector<std::int32_t> inside(const std::vector<float>& x) {  // a circle
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < x.size(); i += 2) y.push_back(x[i] * x[i] + x[i + 1] * x[i + 1] < 0.6f);
  return y;
}

bool ready_made() {
  const auto x = points(512);
  tl::data::dataset data;
  data.add("x", {2}, x).add("y", {}, inside(x));  // columns are named like the inputs

  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  tl::accuracy<"logits", "y"> accuracy;
  auto history =
      tl::fit(net, data, {.epochs = 100, .batch = 32, .validation_split = 0.1, .seed = 1}, accuracy);
  return history.back().validation["accuracy"].mean > 0.85;
}

constexpr auto weighted_model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto w = tl::input<"w", float, batch>;
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"hidden", 8>(x)));
  return tl::outputs(tl::cross_entropy(logits, y, tl::sample_weights(w)), tl::named<"logits">(logits));
};

bool with_sample_weights() {
  const auto x = points(512);
  auto y = inside(x);
  std::vector<float> trust(512, 1.0f);
  for (std::size_t i = 0; i < 512; i += 3) y[i] = 1, trust[i] = 0.05f;  // somebody has guessed every third
  tl::data::dataset data;
  data.add("x", {2}, x).add("y", {}, y).add("w", {}, trust);

  tl::trainer net{weighted_model, tl::adam({.learning_rate = 1e-2f})};
  auto accuracy = tl::weighted<"w">(tl::accuracy<"logits", "y">());
  tl::fit(net, data, {.epochs = 100, .seed = 1}, accuracy);
  return accuracy.get().mean > 0.9;
}

constexpr auto masked_model = [] {  // several targets, some not known
  auto x = tl::input<"x", float, batch, 2>;
  auto t = tl::input<"t", float, batch, 3>;  // any number, NaN too, where it is not known
  auto k = tl::input<"k", float, batch, 3>;  // 1 where it is known, else 0
  auto y = tl::linear<"out", 3>(tl::tanh(tl::linear<"hidden", 16>(x)));
  return tl::outputs(tl::mse_loss(y, t, tl::sample_weights(k)), tl::named<"y">(y));
};

bool with_masked_targets() {
  const auto x = points(512);
  std::vector<float> t, k;
  for (std::size_t i = 0; i < 512; ++i) {
    const float a = x[2 * i], b = x[2 * i + 1];
    const float measured[] = {a, b, i % 4 == 0 ? a * b : NAN};  // the third of every fourth sample alone
    t.insert(t.end(), std::begin(measured), std::end(measured));
  }
  for (float each : t) k.push_back(std::isnan(each) ? 0.0f : 1.0f);
  tl::data::dataset data;
  data.add("x", {2}, x).add("t", {3}, t).add("k", {3}, k);

  tl::trainer net{masked_model, tl::adam({.learning_rate = 1e-2f})};
  auto history = tl::fit(net, data, {.epochs = 100, .seed = 1});
  return history.back().train["loss"].mean < 0.02;
}

constexpr auto balanced_model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto w = tl::stop_gradient(tl::param<"class_weights", float, 2>(tl::fill(1)));  // no rule changes it
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"hidden", 8>(x)));
  return tl::outputs(tl::cross_entropy(logits, y, w), tl::named<"logits">(logits));
};

bool with_class_weights() {
  const auto x = points(512);
  auto y = inside(x);
  for (std::size_t i = 0; i < 512; ++i)
    if (i % 3 != 0) y[i] = 0;  // of what is inside, a third is known: 40 samples of 512
  tl::data::dataset data;
  data.add("x", {2}, x).add("y", {}, y);

  tl::trainer net{balanced_model, tl::adamw({.learning_rate = 1e-2f})};
  const auto rare = static_cast<float>(std::count(y.begin(), y.end(), 1));
  net.parameter<"class_weights">()[0] = 512 / (2 * (512 - rare));
  net.parameter<"class_weights">()[1] = 512 / (2 * rare);
  tl::recall<"logits", "y"> recall({.of_class = 1});
  tl::fit(net, data, {.epochs = 100, .seed = 1}, recall);
  return recall.get().mean > 0.7 && net.parameter<"class_weights">()[1] == 512 / (2 * rare);
}

bool with_callbacks() {
  const auto x = points(512);
  tl::data::dataset data;
  data.add("x", {2}, x).add("y", {}, inside(x));

  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  tl::accuracy<"logits", "y"> accuracy;
  tl::early_stopping patience({.watch = "accuracy", .patience = 20, .restore_best = true});
  auto history = tl::fit(net, data, {.epochs = 200, .batch = 32, .validation_split = 0.2}, accuracy, patience,
                         tl::save_best("best.safetensors", {.watch = "accuracy"}),
                         tl::checkpoint("last.safetensors", {.every_seconds = 30, .resume = true}),
                         tl::stop_on_nonfinite{},
                         [](const tl::fit_progress& p) { return p.seconds < 300; });  // false stops
  return history[static_cast<std::size_t>(patience.best_epoch())].validation["accuracy"].mean ==
         patience.best();
}

bool by_hand() {
  const auto x = points(256), held_back = points(64);
  const auto y = inside(x), right = inside(held_back);
  const std::string path = "by_hand.safetensors";

  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  tl::early_stopping patience({.patience = 20});
  tl::kept_weights best;
  const auto name_all = [&](tl::fit_state& s) {  // what is named comes back by its name
    s.begin_part("patience"), patience.state(s);
    s.begin_part("best"), best.state(s);
  };
  if (std::ifstream(path)) {
    tl::fit_state kept;
    tl::load_checkpoint(net, path, kept);
    name_all(kept);
  }
  tl::interruption ctrl_c;
  ctrl_c.listen();
  while (net.steps() < 2000 && !patience.is_over() && !ctrl_c.is_requested()) {
    const float loss = net.step("x"_t = x, "y"_t = y).loss();
    if (!std::isfinite(loss)) throw tl::error("the loss of step " + std::to_string(net.steps()));
    if (net.steps() % 10 != 0) continue;
    patience.add(net.evaluate("x"_t = held_back, "y"_t = right).loss());
    if (patience.is_best()) best.keep(net);
    tl::fit_state kept;
    name_all(kept);
    tl::save_checkpoint(net, path, kept);
  }
  best.put_back(net);
  return net.evaluate("x"_t = held_back, "y"_t = right).loss() == static_cast<float>(patience.best());
}

bool of_our_own() {
  const auto x = points(256), held_back = points(64);
  const auto y = inside(x), right = inside(held_back);

  auto rule = tl::sgd({.learning_rate = 0.5f, .momentum = 0.9f});
  tl::trainer net{model, rule, tl::cpu{.threads = 2}, 7};  // two threads, the seed 7
  float best = INFINITY;
  int patience = 20;
  for (int step = 0; step < 2000 && patience > 0; ++step) {
    net.step("x"_t = x, "y"_t = y);
    if (step == 300) net.set<"learning_rate">(0.1f);
    if (step % 10 != 0) continue;
    const float loss = net.evaluate("x"_t = held_back, "y"_t = right).loss();  // changes nothing
    patience = loss < best ? 20 : patience - 1;
    best = std::fmin(best, loss);
  }
  return best < 0.3f;
}

bool in_two_halves() {
  const auto x = points(256);
  const auto y = inside(x);
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};

  net.gradients("x"_t = x, "y"_t = y);                // forward and backward
  for (float& g : net.gradient<"out.bias">()) g = 0;  // look at them, change them
  for (auto& gradient : net.all_gradients())          // in the order of net.parameters(), with their names
    for (float& g : gradient) g = std::fmax(-1.0f, std::fmin(g, 1.0f));
  net.apply();  // one update

  for (int part = 0; part < 4; ++part) net.accumulate(0.25, "x"_t = x, "y"_t = y);  // weight 1/4 each
  net.apply();
  return net.steps() == 2 && net.parameter<"out.bias">()[0] != 0;
}

struct labelled_points {
  std::vector<float> x;
  std::vector<std::int32_t> y;
};
BOOST_HANA_ADAPT_STRUCT(labelled_points, x, y);

bool with_a_struct() {
  const auto x = points(256);
  const labelled_points all{x, inside(x)};
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  const float first = net.step(all).loss();
  for (int step = 1; step < 200; ++step) net.step(all);
  return net.evaluate(all).loss() < first;
}

constexpr auto weights_of_their_own = [] {  // block0.weight, block1.weight and block2.weight, each [2, 2]
  auto x = tl::input<"x", float, batch, 2>;
  return tl::named<"y">(
      tl::repeat<3>(x, []<int I>(auto h) { return tl::tanh(tl::linear<tl::name{"block"} + I, 2>(h)); }));
};

constexpr auto stacked_weights = [] {  // block.weight is [3, 2, 2]
  auto x = tl::input<"x", float, batch, 2>;
  return tl::named<"y">(tl::scan<3>(x, [](auto h) { return tl::tanh(tl::linear<"block", 2>(h)); }));
};

constexpr auto shared_weights = [] {  // block.weight is [2, 2]
  auto x = tl::input<"x", float, batch, 2>;
  auto step = [](auto h, auto) { return tl::tanh(tl::linear<"block", 2>(h)); };
  return tl::named<"y">(tl::scan(step, x, tl::iota<std::int32_t, 3>()));
};

bool in_a_model() {
  tl::function own{weights_of_their_own};
  tl::function stacked{stacked_weights};
  tl::function shared{shared_weights};
  return own.parameter<"block2.weight">().size() == 4 && stacked.parameter<"block.weight">().size() == 12 &&
         shared.parameter<"block.weight">().size() == 4;
}

int main() {
  int failures = 0;
  for (bool (*part)() : {ready_made, with_sample_weights, with_masked_targets, with_class_weights,
                         with_callbacks, of_our_own, by_hand, in_two_halves, with_a_struct, in_a_model})
    failures += part() ? 0 : 1;
  return failures;
}
