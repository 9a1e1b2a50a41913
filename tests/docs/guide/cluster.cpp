// SPDX-License-Identifier: BSL-1.0
// The guide of several processes: mpirun -n 2 ./cluster, or ./cluster.
#include <tapeless/mpi.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"in", 16>(x)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

int main(int argc, char** argv) try {
  tl::mpi world(argc, argv);
  tl::trainer net{model, tl::data_parallel(world, tl::adamw({.learning_rate = 1e-2f}))};

  std::vector<float> x;
  std::vector<std::int32_t> label;
  for (int i = 0; i < 1000; ++i) {
    const float a = static_cast<float>(i % 37) / 37 - 0.5f, b = static_cast<float>(i % 41) / 41 - 0.5f;
    x.insert(x.end(), {a, b});
    label.push_back(a * b > 0 ? 1 : 0);
  }
  tl::data::dataset data;
  data.add("x", {2}, x).add("label", {}, label);

  tl::accuracy<"logits", "label"> accuracy;
  tl::fit(net, data, {.epochs = 30, .batch = 50, .validation_split = 0.1}, accuracy, tl::progress_bar{},
          tl::checkpoint("cluster.safetensors", {.every_epochs = 10, .resume = true}));

  const bool is_good = tl::evaluate(net, data, accuracy)["accuracy"].mean > 0.9;
  if (world.rank() == 0) std::printf("%d ranks, learned: %d\n", world.size(), is_good ? 1 : 0);

  const std::size_t mine = 100 + 10 * static_cast<std::size_t>(world.rank());  // samples of this rank's own
  for (int step = 0; step < 10; ++step)
    net.step("x"_t = std::span(x).first(2 * mine), "label"_t = std::span(label).first(mine));
  if (world.rank() == 0) std::printf("the loss of all ranks is below 1: %d\n", net.mean_loss() < 1 ? 1 : 0);

  tl::trainer divided{model,
                      tl::data_parallel(world, tl::sharded_states(tl::adamw({.learning_rate = 1e-2f})))};
  const double all = world.sum(static_cast<double>(divided.state_bytes()));
  if (world.rank() == 0) std::printf("all ranks have states of %.0f bytes\n", all);

  tl::trainer compressed{model, tl::data_parallel(world, tl::adamw({.learning_rate = 1e-2f}),
                                                  {.compression = tl::gradient_compression::bf16})};
  compressed.step("x"_t = std::span(x).first(2 * mine), "label"_t = std::span(label).first(mine));
  return is_good ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
