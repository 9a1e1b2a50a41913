// SPDX-License-Identifier: BSL-1.0
// Gradients by NCCL itself. Compiled and linked where there is no GPU. Where there is one, a communicator of
// one trains as a trainer without it does; where there are more, so do as many ranks, each a thread with a
// device of its own, with whole and with divided states.
#include <tapeless/nccl.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "cluster/difference.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", double, batch, 3>;
  auto y = tl::input<"y", double, batch, 1>;
  auto h = tl::tanh(tl::linear<"fc1", 70>(x));
  return tl::mse_loss(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc3", 60>(h))), y);
};

auto rule() { return tl::adam({.learning_rate = 1e-2}); }

struct samples {
  std::vector<double> x, y;
};
samples samples_of(std::size_t first, std::size_t end) {
  samples s;
  for (std::size_t i = first; i < end; ++i) {
    for (int k = 1; k <= 3; ++k) s.x.push_back(std::sin(0.37 * static_cast<double>(i) * k));
    s.y.push_back(s.x[s.x.size() - 1] * s.x[s.x.size() - 2]);
  }
  return s;
}

template <class Net>
std::vector<double> trained(Net& net, const samples& own) {
  for (int step = 0; step < 50; ++step) net.step("x"_t = own.x, "y"_t = own.y);
  std::vector<double> weights;
  for (const double w : net.template parameter<"fc1.weight">()) weights.push_back(w);
  for (const double w : net.template parameter<"fc3.weight">()) weights.push_back(w);
  return weights;
}

constexpr std::size_t rows = 24;
bool is_right = true;

void report(int ranks, const char* states, double from_one, double apart) {
  const bool is_close = from_one < 1e-9 && apart == 0;
  is_right = is_right && is_close;
  std::printf("%d ranks, %s states: %.3g from one process after 50 steps, %.3g apart: %s\n", ranks, states,
              from_one, apart, is_close ? "right" : "WRONG");
}

// Ranks with a device each, whose shares of the samples differ.
template <class Rule>
void train_on(int ranks, const char* states, const Rule& its_rule, const std::vector<double>& expected) {
  std::vector<std::vector<double>> weights(static_cast<std::size_t>(ranks));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::nccl gpus(world);
    tl::trainer net{model, tl::data_parallel(gpus, its_rule, {.bucket_bytes = 1000, .seconds_to_wait = 20}),
                    tl::cuda{.device = gpus.device()}};
    const auto share = [&](int r) {
      return rows * static_cast<std::size_t>(r * r) / static_cast<std::size_t>(ranks * ranks);
    };
    weights[static_cast<std::size_t>(world.rank())] =
        trained(net, samples_of(share(world.rank()), share(world.rank() + 1)));
  });
  double apart = 0;
  for (const auto& w : weights) apart = std::max(apart, test::difference(w, weights[0]));
  report(ranks, states, test::difference(weights[0], expected), apart);
}

}  // namespace

int main() try {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
  tl::trainer alone{model, rule(), tl::cuda{}};  // says why where there is none
  const std::vector<double> expected = trained(alone, samples_of(0, rows));
  {
    tl::nccl gpus;
    tl::trainer net{model, tl::data_parallel(gpus, rule(), {.bucket_bytes = 1000}), tl::cuda{}};
    report(1, "whole", test::difference(trained(net, samples_of(0, rows)), expected), 0);
  }
  for (int ranks = 2; ranks <= std::min(devices, 4); ++ranks) {
    train_on(ranks, "whole", rule(), expected);
    train_on(ranks, "divided", tl::sharded_states(rule()), expected);
  }
  return is_right ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
