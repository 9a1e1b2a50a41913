// SPDX-License-Identifier: BSL-1.0
// Gradients that travel from GPU to GPU as bf16: threads stand for processes, and both GPUs and NCCL are not
// there.
#include <cmath>
#include <string>
#include <vector>

#include "cluster/check.hpp"
#include "ranks_on_gpus.hpp"

namespace {

using test::devices, test::on, test::on_gpus;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto as_bf16 = tl::gradient_compression::bf16;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto y = tl::input<"y", float, batch, 1>;
  auto h = tl::tanh(tl::linear<"fc1", 70>(x));
  return tl::mse_loss(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc3", 21>(h))), y);
};
constexpr auto normed = [] {
  auto x = tl::input<"x", double, batch, 3>;
  auto y = tl::input<"y", double, batch, 1>;
  auto h = tl::batch_norm<"bn">(tl::linear<"fc1", 9>(x));
  return tl::mse_loss(tl::linear<"fc2", 1>(tl::tanh(h)), y);
};

auto adam() { return tl::adam({.learning_rate = 1e-2}); }

/// What some steps with samples of the rank's own leave of the parameters.
template <class T, class Model, class Ranks, class Rule, class Options>
std::vector<T> steps(Model its_model, Ranks& ranks, int rank, const Rule& rule, const Options& options,
                     const tl::cuda& policy) {
  tl::trainer net{its_model, tl::data_parallel(ranks, rule, options), policy};
  std::vector<T> x, y;
  for (int i = 0; i < 6 + 3 * rank; ++i) x.push_back(static_cast<T>(std::sin(0.7 * i * (rank + 1))));
  y.assign(x.size() / 3, static_cast<T>(0.3));
  for (int i = 0; i < 3; ++i) net.step("x"_t = x, "y"_t = y);
  std::vector<T> weights;
  for (std::size_t i = 0; i < net.parameter_data().size(); ++i) {
    const auto* first = reinterpret_cast<const T*>(net.parameter_data()[i]);
    weights.insert(weights.end(), first, first + net.parameter_descriptions()[i].count);
  }
  return weights;
}

}  // namespace

TEST_CASE("numbers are rounded to nearest, ties to even, added up in float in the order of ranks") {
  constexpr auto sum_on = [](int rank) {
    // Three ranks, two numbers of each: 1 and 2^-8 are 1 + 2^-8 in float, and 2^-8 more is no tie.
    tl::bf16 brought[6] = {tl::bf16(1),      tl::bf16(3),      tl::bf16(0x1p-8),
                           tl::bf16(0x1p-8), tl::bf16(0x1p-8), tl::bf16(-3)};
    tl::bf16 own[2] = {brought[2 * rank], brought[2 * rank + 1]};
    brought[2 * rank] = brought[2 * rank + 1] = tl::bf16(100);  // is not read
    const tl::detail::ordered_sum_kernel add{brought, own, 2, rank, 3};
    add(0);
    add(1);
    return float(own[0]) == 1 + 0x1p-7f && float(own[1]) == 0x1p-8f;
  };
  static_assert(sum_on(0) && sum_on(1) && sum_on(2));
  constexpr auto rounded = [](float x) {
    tl::bf16 to{};
    tl::detail::rounding_kernel<float>{&x, &to}(0);
    double back = 0;
    tl::detail::widening_kernel<double>{&to, &back}(0);
    return back;
  };
  static_assert(rounded(1 + 0x1p-8f) == 1 && rounded(1 + 0x3p-8f) == 1 + 0x1p-6);
}

TEST_CASE("ranks add up parts of one size, or what each owns") {
  tl::detail::rounded_numbers all;
  all.numbers = {{.at = nullptr, .count = 70}, {.at = nullptr, .count = 1}};
  all.divide(3);
  CHECK(all.at == std::vector<std::int64_t>{0, 96});
  CHECK(all.begin == std::vector<std::int64_t>{0, 64, 128, 192});
  CHECK(all.room(1) == 192 + 3 * 64);
  tl::detail::rounded_numbers owned;
  owned.numbers = {{.at = nullptr, .count = 70, .owner = 1}, {.at = nullptr, .count = 5, .owner = 1}};
  owned.divide(3);
  CHECK(owned.begin == std::vector<std::int64_t>{0, 0, 128, 128});
  CHECK(owned.room(1) == 128 + 3 * 128);
  CHECK(owned.room(2) == 128);
}

TEST_CASE("as bf16, sums of GPUs have the bits of those that MPI carries, with buckets of any size") {
  const auto when = GENERATE(fake_cuda::order::never, fake_cuda::order::random);
  for (const int ranks : {1, 2, 3, 4}) {
    test::gpu gpu(devices(ranks, when));
    on_gpus(ranks, [&](tl::nccl& gpus) {
      const int rank = gpus.world().rank();
      const tl::cuda policy = on(gpus);
      const tl::data_parallel_options by_mpi{.compression = as_bf16};
      const auto expected = steps<float>(model, gpus.world(), rank, adam(), by_mpi, policy);
      const auto of_doubles = steps<double>(normed, gpus.world(), rank, adam(), by_mpi, policy);
      for (const std::int64_t bytes : {1, 600}) {
        const tl::nccl_options options{.bucket_bytes = bytes, .compression = as_bf16};
        test::check(steps<float>(model, gpus, rank, adam(), options, policy) == expected);
        test::check(steps<float>(model, gpus, rank, tl::sharded_states(adam()), options, policy) == expected);
        const auto others = steps<double>(normed, gpus, rank, adam(), options, policy);
        for (std::size_t i = 0; i < others.size(); ++i)  // running statistics travel as they are
          test::check(std::abs(others[i] - of_doubles[i]) < 1e-12);
      }
      const auto whole = steps<float>(model, gpus, rank, adam(), tl::nccl_options{}, policy);
      test::check((whole == expected) == (ranks == 1));  // one process alone rounds nothing
    });
    CHECK((gpu.calls("ncclSend") > 0) == (ranks > 1));
  }
}

TEST_CASE("gradients are rounded and added up on the stream of their own, in the step's graph") {
  test::gpu gpu(devices(2));
  on_gpus(2, [&](tl::nccl& gpus) {
    tl::trainer net{model, tl::data_parallel(gpus, adam(), {.bucket_bytes = 1, .compression = as_bf16}),
                    on(gpus)};
    const std::vector<float> x(3, 0.5f), y(1, 1.0f);
    const auto run = [&](int count) {
      for (int i = 0; i < count; ++i) net.step("x"_t = x, "y"_t = y);
      gpus.world().meet("steps");
    };
    run(2);
    if (gpus.world().rank() == 0) {
      const fake_cuda::graph& step = gpu.last_branched();
      std::vector<std::string> travelling;
      std::size_t last = 0, first_sent = 0;
      for (std::size_t i = 0; i < step.steps.size(); ++i) {
        const std::string what = step.steps[i].what.what;
        if (step.steps[i].branch == 1 && what.find("event") == std::string::npos) travelling.push_back(what);
        if (step.steps[i].branch == 0 && what == "a kernel") last = i;
        if (first_sent == 0 && what == "ncclSend") first_sent = i;
      }
      std::vector<std::string> expected;
      for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i)
        for (const char* what : {"a kernel", "ncclSend", "a kernel", "ncclAllGather", "a kernel"})
          expected.push_back(what);
      test::check(travelling == expected);
      test::check(first_sent < last);  // beside the backward pass
      test::check(gpu.calls("ncclAllReduce") == 0);
    }
    gpus.world().meet("looked at");
    const int captures = gpu.calls("cudaGraphInstantiate"), calls = gpu.calls("ncclSend");
    gpus.world().meet("counted");
    run(3);
    test::check(gpu.calls("cudaGraphInstantiate") == captures);
    test::check(gpu.calls("ncclSend") == calls);
    gpus.world().meet("compared");
  });
}

TEST_CASE("a rank that rounds, and one that does not, are refused") {
  test::gpu gpu(devices(2));
  const auto other = [](tl::nccl& gpus) {
    const auto compression = gpus.world().rank() == 0 ? as_bf16 : tl::gradient_compression::none;
    tl::trainer net{model, tl::data_parallel(gpus, adam(), {.compression = compression}), on(gpus)};
  };
  CHECK_THROWS_WITH(on_gpus(2, other), test::contains("bytes, as bf16, and rank 1 has gradients"));
}
