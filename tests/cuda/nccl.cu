// SPDX-License-Identifier: BSL-1.0
// Gradients by NCCL itself. Compiled and linked where there is no GPU. Where there is one, a communicator of
// one trains as a trainer without it does; where there are more, so do as many ranks, each a thread with a
// device of its own, with whole and with divided states, at the end and eagerly, and with sums of bf16, whose
// bits are those that the CPU adds up.
#include <tapeless/nccl.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <type_traits>
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

void report(int ranks, const char* what, double from_expected, double apart) {
  const bool is_close = from_expected < 1e-9 && apart == 0;
  is_right = is_right && is_close;
  std::printf("%d ranks, %s: %.3g from what is expected after 50 steps, %.3g apart: %s\n", ranks, what,
              from_expected, apart, is_close ? "right" : "WRONG");
}

constexpr tl::nccl_options small_buckets{.bucket_bytes = 1000, .seconds_to_wait = 20};
constexpr tl::nccl_options as_bf16{
    .bucket_bytes = 1000, .compression = tl::gradient_compression::bf16, .seconds_to_wait = 20};

// Weights of ranks with a device each, whose shares of the samples differ.
template <class Make>
std::vector<std::vector<double>> weights_on(int ranks, const Make& make) {
  std::vector<std::vector<double>> weights(static_cast<std::size_t>(ranks));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::nccl gpus(world);
    auto net = make(gpus);
    const auto share = [&](int r) {
      return rows * static_cast<std::size_t>(r * r) / static_cast<std::size_t>(ranks * ranks);
    };
    weights[static_cast<std::size_t>(world.rank())] =
        trained(*net, samples_of(share(world.rank()), share(world.rank() + 1)));
  });
  return weights;
}

template <class Rule, class Timing = tl::deferred_updates_t>
void train_on(int ranks, const char* what, const Rule& its_rule, const std::vector<double>& expected,
              const tl::nccl_options& options = small_buckets, Timing timing = {}) {
  const auto weights = weights_on(ranks, [&](tl::nccl& gpus) {
    const auto in_parallel = tl::data_parallel(gpus, its_rule, options);
    using net = tl::trainer<decltype(model), std::remove_const_t<decltype(in_parallel)>, tl::cuda, Timing>;
    return std::make_unique<net>(model, in_parallel, tl::cuda{.device = gpus.device()}, timing);
  });
  double apart = 0;
  for (const auto& w : weights) apart = std::max(apart, test::difference(w, weights[0]));
  report(ranks, what, test::difference(weights[0], expected), apart);
}

// What the CPU makes of the same gradients, rounded to bf16.
std::vector<double> rounded_by_cpu(int ranks) {
  const tl::data_parallel_options rounded{.compression = tl::gradient_compression::bf16};
  return weights_on(ranks, [&](tl::nccl& gpus) {
    const auto in_parallel = tl::data_parallel(gpus.world(), rule(), rounded);
    using net = tl::trainer<decltype(model), std::remove_const_t<decltype(in_parallel)>, tl::cuda>;
    return std::make_unique<net>(model, in_parallel, tl::cuda{.device = gpus.device()});
  })[0];
}

// How far numbers that one device rounds and adds up alone are from those that the CPU rounds.
double rounding_apart(tl::nccl& gpus) {
  std::vector<float> numbers, back(1000);
  for (int i = 0; i < 1000; ++i) numbers.push_back(std::exp2(static_cast<float>(i % 61 - 30)) * std::sin(i));
  const std::size_t bytes = numbers.size() * sizeof(float);
  const tl::cuda_kernels::on_device here(gpus.device());
  const auto there = tl::cuda_kernels::device_memory(static_cast<std::int64_t>(bytes), "numbers");
  const auto stream = tl::cuda_kernels::make_stream();
  tl::detail::rounded_numbers all;
  all.numbers = {{.at = static_cast<std::byte*>(there.get()), .count = 1000}};
  all.divide(1);
  tl::detail::device_rounded_sum sum;
  sum.reserve(all.room(0));
  cudaMemcpyAsync(there.get(), numbers.data(), bytes, cudaMemcpyHostToDevice, stream.get());
  sum.add_up(all, gpus, stream.get());
  cudaMemcpyAsync(back.data(), there.get(), bytes, cudaMemcpyDeviceToHost, stream.get());
  cudaStreamSynchronize(stream.get());
  double apart = 0;
  for (std::size_t i = 0; i < back.size(); ++i)
    apart =
        std::max(apart, static_cast<double>(std::abs(back[i] - static_cast<float>(tl::bf16(numbers[i])))));
  return apart;
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
    report(1, "whole states", test::difference(trained(net, samples_of(0, rows)), expected), 0);
    tl::trainer eager{model, tl::data_parallel(gpus, rule(), {.bucket_bytes = 1000}), tl::cuda{},
                      tl::eager_updates};
    report(1, "eager updates", test::difference(trained(eager, samples_of(0, rows)), expected), 0);
    report(1, "rounded numbers", rounding_apart(gpus), 0);
  }
  for (int ranks = 2; ranks <= std::min(devices, 4); ++ranks) {
    train_on(ranks, "whole states", rule(), expected);
    train_on(ranks, "divided states", tl::sharded_states(rule()), expected);
    train_on(ranks, "eager updates", rule(), expected, small_buckets, tl::eager_updates);
    const std::vector<double> rounded = rounded_by_cpu(ranks);
    train_on(ranks, "sums of bf16", rule(), rounded, as_bf16);
    train_on(ranks, "sums of bf16, divided states", tl::sharded_states(rule()), rounded, as_bf16);
  }
  return is_right ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
