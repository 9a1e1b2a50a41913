// SPDX-License-Identifier: BSL-1.0
// 14  Transfer learning: a trained network is asked something new, with few examples.
//
// Problem   A network can read digits. Now the question is whether a digit is even, and there are only few
//           examples with an answer: 100, or 1000.
// Idea      Keep what it knows and change little: the last layer alone, or a correction of low rank beside
//           each weight (LoRA; Hu et al., 2022).
// Formula   y = W x + b + B A x     with W [out, in] as it was, A [4, in], B [out, 4]; B = 0 at first
// Here      The first network goes into a safetensors file, which knows nothing of corrections. The new one
//           loads a part of it by name, and trains what is not frozen. Which parameters are frozen is said at
//           run time: one trainer serves all four ways.
// Result    What this question needs is in the last layer's features already: the head alone is best. LoRA
//           comes as far as all weights do, with a twentieth of the parameters.
// Usage     14_lora [FOLDER]     with the files of MNIST; without, on digits that the program draws itself
// Try       10000 examples: from when on is it better to begin from scratch? rank 1, rank 16; another
// question.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "common/svg.hpp"
#include "digits/digits.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int rank = 4;

// A layer with a correction of low rank.
template <tl::name Name, int In, int Out>
constexpr auto corrected(tl::expression auto x) {
  auto a = tl::param<Name + ".lora_a", float, rank, In>(tl::normal(0.05));
  auto b = tl::param<Name + ".lora_b", float, Out, rank>;  // zeros
  return tl::linear<Name, Out>(x) + tl::linear(tl::linear(x, a), b);
}

constexpr auto model = [] {
  auto image = tl::flatten(tl::input<"image", float, batch, 1, 28, 28>);
  auto label = tl::input<"label", std::int32_t, batch>;
  auto h = tl::relu(corrected<"fc2", 128, 128>(tl::relu(corrected<"fc1", 784, 128>(image))));
  auto logits = tl::linear<"head", 10>(h);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

struct digits_seen {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
  std::size_t size() const { return labels.size(); }
};

digits_seen take(const tl::data::dataset& from, std::int64_t first, std::int64_t count) {
  const auto* const images = reinterpret_cast<const float*>(from.column("image").storage.get());
  const auto* const labels = reinterpret_cast<const std::int32_t*>(from.column("label").storage.get());
  return {{images + 784 * first, images + 784 * (first + count)}, {labels + first, labels + first + count}};
}

// The new question: 1 for even digits, 0 for odd ones.
digits_seen even_or_odd(digits_seen from) {
  for (std::int32_t& label : from.labels) label = 1 - label % 2;
  return from;
}

auto make_net() {
  return tl::trainer{model, tl::freezable(tl::adam({.learning_rate = 2e-3f})), tl::cpu{.threads = 2}, 1};
}
using network = decltype(make_net());

void train(network& net, const digits_seen& on, int steps) {
  const std::size_t size = std::min<std::size_t>(100, on.size());
  for (int step = 0; step < steps; ++step) {
    const std::size_t from = static_cast<std::size_t>(step) * size % (on.size() - size + 1);
    net.step("image"_t = std::span(on.images).subspan(784 * from, 784 * size),
             "label"_t = std::span(on.labels).subspan(from, size));
  }
}

double accuracy(network& net, const digits_seen& on) {
  const auto logits = net.predict("image"_t = on.images).get<"logits">();
  int right = 0;
  for (std::size_t i = 0; i < on.size(); ++i)
    right += std::max_element(&logits[10 * i], &logits[10 * i] + 10) - &logits[10 * i] == on.labels[i];
  return right / static_cast<double>(on.size());
}

int main(int argc, char** argv) try {
  const bool real = argc > 1;
  const auto all = real ? tl::data::mnist(argv[1])
                        : tl::data::train_and_test{digits::draw(13'000, 1), digits::draw(3'000, 2)};
  const digits_seen digits_known = take(all.train, 0, 12'000), test = take(all.test, 0, 3'000);
  const digits_seen examples[] = {even_or_odd(take(all.train, 12'000, 100)),
                                  even_or_odd(take(all.train, 12'000, 1000))};
  const digits_seen other = even_or_odd(test);

  {
    network net = make_net();
    net.freeze<"*.lora_?">();
    train(net, digits_known, 1200);
    std::printf("the first network reads %.1f %% of the digits\n", 100 * accuracy(net, test));
    tl::save(net, "digits.safetensors");
  }

  struct way {
    const char* name;
    bool loads, everything, corrections;
    double accuracy[2] = {};  // by 100 and by 1000 examples
  };
  way ways[] = {{"from scratch", false, true, false},
                {"all weights, from the file", true, true, false},
                {"the head alone", true, false, false},
                {"LoRA and the head", true, false, true}};
  std::puts("way                          parameters trained   100 examples   1000 examples");
  for (way& w : ways) {
    for (const int k : {0, 1}) {
      network net = make_net();
      if (w.loads) tl::load(net, "digits.safetensors", {.only = {"fc?.weight", "fc?.bias"}});
      if (!w.everything) net.freeze<"fc?.weight">(), net.freeze<"fc?.bias">();
      if (!w.corrections) net.freeze<"*.lora_?">();
      train(net, examples[k], 300);
      w.accuracy[k] = accuracy(net, other);
    }
    const int trained = 1290 + (w.everything ? 784 * 128 + 128 + 128 * 128 + 128 : 0) +
                        (w.corrections ? rank * (784 + 128 + 128 + 128) : 0);
    std::printf("%-28s       %6d           %.1f %%         %.1f %%\n", w.name, trained, 100 * w.accuracy[0],
                100 * w.accuracy[1]);
  }
  svg::axes plot({.title = "even or odd? right answers, %",
                  .x_label = "thin: by 100 examples, thick: by 1000",
                  .x = {40, 100},
                  .y = {-0.6, 3.6},
                  .ticks = false,
                  .width = 460,
                  .height = 160});
  double row = 3;
  for (const way& w : ways) {
    const auto bar = [&](double to, double middle, double half) {
      plot.box({40, to}, {middle - half, middle + half},
               {.color = w.corrections ? svg::orange : svg::blue, .opacity = 0.35});
      plot.text(to - 2, middle, std::to_string(to).substr(0, 4));
    };
    bar(100 * w.accuracy[0], row + 0.28, 0.12);
    bar(100 * w.accuracy[1], row - 0.12, 0.24);
    plot.text(52, row - 0.12, w.name);
    --row;
  }
  svg::write("14_lora.svg", {plot});
  const auto right = [&](int way, int k) { return ways[way].accuracy[k]; };
  return right(2, 0) > right(0, 0) && right(3, 1) > right(0, 1) ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
