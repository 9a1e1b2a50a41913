// SPDX-License-Identifier: BSL-1.0
// Handwritten digits, by several processes.
//
// Problem   That of 04_mnist, on a machine with more cores, or on more machines.
// Idea      Each process has the whole data set and the whole network. It computes the gradient of its share
//           of each batch; all add these up and make the same step. Adam's moments are divided among them.
// Formula   g = sum over ranks r of n_r / n g_r,   where rank r has n_r of the batch's n samples
// Here      tl::mpi, data_parallel, sharded_states; fit as ever. Any number of processes comes to the same
//           weights but for the last bits: the sum of their squares is printed.
// Usage     mpirun -n 2 cluster [FOLDER]     with the four files of MNIST, plain or .gz; without, on digits
//           that the program draws. Without mpirun it is one of one.
// Try       mpirun -n 3; a checkpoint(path, {.resume = true}) behind the progress bar, and kill one of them.
#include <tapeless/mpi.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdio>

#include "digits/digits.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 128>(tl::flatten(image)));
  auto logits = tl::linear<"fc2", 10>(hidden);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

int main(int argc, char** argv) try {
  tl::mpi world(argc, argv);
  const bool real = argc > 1;
  const auto [train, test] = real ? tl::data::mnist(argv[1])
                                  : tl::data::train_and_test{digits::draw(10'000, 1), digits::draw(2'000, 2)};

  auto rule = tl::sharded_states(tl::adamw({.learning_rate = 2e-3, .weight_decay = 1e-2}));
  tl::trainer net{model, tl::data_parallel(world, rule), tl::cpu{}, 1};
  tl::accuracy<"logits", "label"> accuracy;
  const auto history = tl::fit(net, train, {.epochs = 4, .batch = 100, .validation = test, .seed = 1},
                               accuracy, tl::progress_bar{});
  tl::save(net, "cluster.safetensors");  // rank 0 does

  const auto right = history.back().validation["accuracy"];
  const double moments = world.sum(static_cast<double>(net.state_bytes()));
  double squares = 0;
  for (const float w : net.parameter<"fc1.weight">()) squares += w * w;
  if (world.rank() == 0)
    std::printf(
        "%d ranks: %.2f+-%.2f %% are read right; squares of weights %.3f; rank 0 has %.0f of %.0f bytes of "
        "moments\n",
        world.size(), 100 * right.mean, 100 * right.uncertainty, squares,
        static_cast<double>(net.state_bytes()), moments);
  return right.mean > (real ? 0.96 : 0.9) ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
