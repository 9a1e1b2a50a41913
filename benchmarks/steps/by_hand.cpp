// SPDX-License-Identifier: BSL-1.0
// The steps by hand that benchmarks/compare.py measures: "784-500-10/32/by_hand". Compiled with -ffast-math
// in a program of its own, so that no function is shared with the library's.
//
//   steps_by_hand FOLDER [--benchmark_...]     FOLDER is what steps --write has written
#include <cstdio>
#include <memory>
#include <tapeless/io/safetensors.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>

#include "../hand_written_conv_net.hpp"
#include "../hand_written_lstm.hpp"
#include "../hand_written_mlp.hpp"
#include "run_row.hpp"

namespace {

using by_hand::Dynamic;
using tapeless::io::safetensors;

/// What a row starts from.
struct files {
  std::shared_ptr<const safetensors> parameters, inputs;

  files(const std::string& folder, const std::string& row)
      : parameters(
            std::make_shared<safetensors>(safetensors::read(steps::file_of(folder, row, "parameters")))),
        inputs(std::make_shared<safetensors>(safetensors::read(steps::file_of(folder, row, "inputs")))) {}

  std::span<const float> parameter(const char* name) const { return (*parameters)[name].as<float>(); }
  std::span<const float> numbers(const char* name) const { return (*inputs)[name].as<float>(); }
  std::span<const std::int32_t> labels() const { return (*inputs)["labels"].as<std::int32_t>(); }
};

void copy(std::span<const float> from, float* to) { std::copy(from.begin(), from.end(), to); }

// Eigen has better products where it knows that there is one row.
template <int Batch>
steps::step classifier(const files& f, int size) {
  auto net = std::make_shared<by_hand::classifier<Batch>>(size, by_hand::adamw_options{});
  copy(f.parameter("fc1.weight"), net->fc1.weight.value.data());
  copy(f.parameter("fc1.bias"), net->fc1.bias.value.data());
  copy(f.parameter("fc2.weight"), net->fc2.weight.value.data());
  copy(f.parameter("fc2.bias"), net->fc2.bias.value.data());
  return [net, f, x = f.numbers("x"), y = f.labels()] { return net->step(x, y); };
}

steps::step conv_net(const files& f, int size) {
  auto net = std::make_shared<by_hand::conv_net>(size);
  net->set({f.parameter("c1.weight"), f.parameter("c1.bias"), f.parameter("c2.weight"),
            f.parameter("c2.bias"), f.parameter("fc.weight"), f.parameter("fc.bias")});
  return [net, f, x = f.numbers("x"), y = f.labels()] { return net->step(x, y); };
}

template <int Batch>
steps::step lstm(const files& f) {
  auto net = std::make_shared<by_hand::lstm<Batch>>();
  net->set(f.parameter("l.weight_ih_l0"), f.parameter("l.weight_hh_l0"), f.parameter("l.bias_ih_l0"),
           f.parameter("l.bias_hh_l0"), f.parameter("o.weight"), f.parameter("o.bias"));
  return [net, f, x = f.numbers("x"), y = f.numbers("y")] { return net->step(x, y); };
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: steps_by_hand FOLDER [--benchmark_...]\n", stderr);
    return 1;
  }
  const std::string folder = argv[1];
  argv[1] = argv[0];
  ++argv;
  --argc;
  const auto add = [&](const std::string& row, auto begin) {
    steps::measure(row + "/by_hand", [=] { return begin(files(folder, row)); });
  };
  for (int size : {1, 32, 128, 500})
    add("784-500-10/" + std::to_string(size),
        [size](const files& f) { return size == 1 ? classifier<1>(f, size) : classifier<Dynamic>(f, size); });
  add("lstm/1", lstm<1>);
  add("lstm/32", lstm<32>);
  for (int size : {1, 32, 500})
    add("conv-net/" + std::to_string(size), [size](const files& f) { return conv_net(f, size); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
