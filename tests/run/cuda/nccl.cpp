// SPDX-License-Identifier: BSL-1.0
// Ranks with a GPU each, whose gradients NCCL adds up: threads stand for processes, and both GPUs and NCCL
// are not there.
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "ranks_on_gpus.hpp"

namespace {

using test::adam, test::devices, test::on, test::on_gpus, test::own_samples, test::trained, test::weights_of;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto model = test::small_net<7>;

constexpr auto normed = [] {
  auto x = tl::input<"x", double, batch, 3>;
  auto y = tl::input<"y", double, batch, 1>;
  auto h = tl::batch_norm<"bn">(tl::linear<"fc1", 9>(x));
  return tl::mse_loss(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc3", 8>(h))), y);
};

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
  CHECK(test::difference(a, b) < 1e-9);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("ranks with a GPU each train as one process does on whole batches, whoever has more samples") {
  const auto when = GENERATE(fake_cuda::order::never, fake_cuda::order::at_once, fake_cuda::order::random);
  const std::int64_t steps = when == fake_cuda::order::never ? 50 : 9;
  tl::trainer alone{model, test::clipped_adam(), tl::cpu{}};
  const trained expected = test::fitted(alone, steps);
  for (const int ranks : {1, 2, 3, 4}) {
    test::gpu gpu(devices(ranks, when, 3));
    std::vector<trained> all(static_cast<std::size_t>(ranks));
    on_gpus(ranks, [&](tl::nccl& gpus) {
      tl::trainer net{model, tl::data_parallel(gpus, test::clipped_adam()), on(gpus),
                      static_cast<std::uint64_t>(gpus.world().rank())};
      all[static_cast<std::size_t>(gpus.world().rank())] = test::fitted(net, steps);
    });
    for (const trained& t : all) {
      check_close(t.weights, expected.weights);
      check_close(t.losses, expected.losses);
      check_close(t.errors, expected.errors);
      CHECK(t.weights == all[0].weights);
    }
  }
}

TEST_CASE("one process is a communicator of one, without MPI") {
  test::gpu gpu;
  tl::trainer alone{model, test::clipped_adam(), tl::cuda{}};
  const trained expected = test::fitted(alone);
  tl::nccl gpus;
  CHECK(gpus.world().size() == 1);
  tl::trainer net{model, tl::data_parallel(gpus, test::clipped_adam()), on(gpus)};
  check_close(test::fitted(net).weights, expected.weights);
  CHECK(gpu.calls("ncclAllReduce") > 0);
}

TEST_CASE("running statistics are averaged as those that MPI carries are, in buckets of any size") {
  std::vector<double> expected;
  test::on_ranks(3, [&](tl::process_group& world) {
    tl::trainer net{normed, tl::data_parallel(world, adam()), tl::cpu{}};
    const own_samples own(world.rank() + 1);
    for (int i = 0; i < 6; ++i) net.step("x"_t = own.x, "y"_t = own.y);
    if (world.rank() == 0) expected = weights_of(net);
  });
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{300}, std::int64_t{1} << 30}) {
    test::gpu gpu(devices(3));
    on_gpus(3, [&](tl::nccl& gpus) {
      tl::trainer net{normed, tl::data_parallel(gpus, adam(), {.bucket_bytes = bytes}), on(gpus)};
      const own_samples own(gpus.world().rank() + 1);
      for (int i = 0; i < 6; ++i) net.step("x"_t = own.x, "y"_t = own.y);
      const auto weights = weights_of(net);
      for (std::size_t i = 0; i < weights.size(); ++i) test::check(std::abs(weights[i] - expected[i]) < 1e-9);
    });
  }
}

TEST_CASE("sums are part of the step's graph, beside the backward pass, and captured together once") {
  test::gpu gpu(devices(2));
  on_gpus(2, [&](tl::nccl& gpus) {
    tl::trainer net{normed, tl::data_parallel(gpus, adam(), {.bucket_bytes = 1}), on(gpus)};
    const own_samples own(gpus.world().rank());
    const auto steps = [&](int count) {
      for (int i = 0; i < count; ++i) net.step("x"_t = own.x, "y"_t = own.y);
      gpus.world().meet("steps");
    };
    steps(3);
    const int captures = gpu.calls("cudaGraphInstantiate"), calls = gpu.calls("ncclAllReduce");
    gpus.world().meet("counted");
    steps(5);
    test::check(gpu.calls("cudaGraphInstantiate") == captures);
    test::check(gpu.calls("ncclAllReduce") == calls);
    gpus.world().meet("compared");
  });
}

TEST_CASE("a bucket travels behind its last gradient, on a stream of its own, while others are computed") {
  test::gpu gpu;
  tl::nccl gpus;
  tl::trainer net{normed, tl::data_parallel(gpus, adam(), {.bucket_bytes = 1}), on(gpus)};
  const own_samples own(3);
  net.step("x"_t = own.x, "y"_t = own.y);
  const fake_cuda::graph& step = gpu.last_branched();
  CHECK(step.branches == 2);
  std::vector<std::size_t> kernels, sums;
  for (std::size_t i = 0; i < step.steps.size(); ++i) {
    const std::string what = step.steps[i].what.what;
    if (what == "ncclAllReduce") {
      CHECK(step.steps[i].branch == 1);
      sums.push_back(i);
    } else if (what == "a kernel") {
      CHECK(step.steps[i].branch == 0);
      kernels.push_back(i);
    }
  }
  REQUIRE(sums.size() == net.parameter_descriptions().size());
  CHECK(sums.front() < kernels.back());
  CHECK(sums[2] < kernels.back());
  CHECK(sums.back() > kernels.back());
}

TEST_CASE("gradients of several steps travel once; those that were accumulated, before their update") {
  tl::trainer alone{model, tl::accumulate(3, adam()), tl::cpu{}};
  tl::trainer by_hand{model, adam(), tl::cpu{}};
  const own_samples all = own_samples::of_ranks(3);
  for (int i = 0; i < 6; ++i) {
    alone.step("x"_t = all.x, "y"_t = all.y);
    by_hand.accumulate(0.5, "x"_t = all.x, "y"_t = all.y);
    if (i % 2 == 1) by_hand.apply();
  }
  const std::vector<double> expected = weights_of(alone), expected_by_hand = weights_of(by_hand);
  test::gpu gpu(devices(3));
  on_gpus(3, [&](tl::nccl& gpus) {
    tl::trainer net{model, tl::data_parallel(gpus, tl::accumulate(3, adam())), on(gpus)};
    tl::trainer other{model, tl::data_parallel(gpus, adam()), on(gpus)};
    const own_samples own(gpus.world().rank());
    for (int i = 0; i < 6; ++i) {
      net.step("x"_t = own.x, "y"_t = own.y);
      other.accumulate(0.5, "x"_t = own.x, "y"_t = own.y);
      if (i % 2 == 1) other.apply();
    }
    test::check(net.steps() == 2);
    const auto weights = weights_of(net), weights_by_hand = weights_of(other);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      test::check(std::abs(weights[i] - expected[i]) < 1e-9);
      test::check(std::abs(weights_by_hand[i] - expected_by_hand[i]) < 1e-9);
    }
  });
}

TEST_CASE("a rank on another device, with another rule or other buckets is refused") {
  test::gpu gpu(devices(3));
  const auto other_device = [](tl::nccl& gpus) {
    tl::trainer net{model, tl::data_parallel(gpus, adam()), tl::cuda{.device = 2}};
  };
  CHECK_THROWS_WITH(on_gpus(2, other_device),
                    test::contains("the trainer is on device 2, but this rank of tl::nccl on device 0: write "
                                   "tl::cuda{.device = gpus.device()}"));
  const auto other_buckets = [](tl::nccl& gpus) {
    tl::trainer net{model, tl::data_parallel(gpus, adam(), {.bucket_bytes = 100 + gpus.world().rank()}),
                    on(gpus)};
  };
  CHECK_THROWS_WITH(on_gpus(2, other_buckets),
                    test::contains("rank 0 has gradients that travel by NCCL in buckets of 100 bytes, and "
                                   "rank 1 has gradients that travel by NCCL in buckets of 101 bytes"));
  const auto no_device = [](tl::process_group& world) { tl::nccl gpus(world, 2 + world.rank()); };
  CHECK_THROWS_WITH(test::on_ranks(2, no_device),
                    test::contains("rank 1 has failed in nccl: tapeless: cuda: device 3 was asked for"));
}

TEST_CASE("what an input is refused for throws on all ranks, which go on") {
  test::gpu gpu(devices(3));
  on_gpus(3, [](tl::nccl& gpus) {
    tl::trainer net{model, tl::data_parallel(gpus, adam(), {.bucket_bytes = 64}), on(gpus)};
    own_samples own(gpus.world().rank());
    net.step("x"_t = own.x, "y"_t = own.y);
    const auto before = weights_of(net);
    const bool is_wrong = gpus.world().rank() == 1;
    if (is_wrong) own.y.push_back(0);
    const std::string said = test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); });
    test::check(has(said, is_wrong ? "input \"y\"" : "rank 1 has failed in a step: tapeless: input"));
    test::check(weights_of(net) == before);
    test::check(net.steps() == 1);
    if (is_wrong) own.y.pop_back();
    net.step("x"_t = own.x, "y"_t = own.y);
    test::check(net.steps() == 2);
    test::check(!gpus.is_aborted());
  });
}

TEST_CASE("a rank that cannot start its graph, or is gone, ends what others have started") {
  const auto steps = [](tl::nccl& gpus, auto fail) {
    tl::trainer net{model, tl::data_parallel(gpus, adam(), {.seconds_to_wait = 0}), on(gpus)};
    const own_samples own(gpus.world().rank());
    net.step("x"_t = own.x, "y"_t = own.y);
    const auto before = weights_of(net);
    gpus.world().meet("before");
    if (gpus.world().rank() == 1) fail();
    gpus.world().meet("behind");
    const std::string said = test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); });
    test::check(weights_of(net) == before);
    return said;
  };
  SECTION("a call of NCCL fails") {
    test::gpu gpu(devices(2));
    on_gpus(2, [&](tl::nccl& gpus) {
      const std::string said = steps(gpus, [&] { gpu.fail("ncclAllReduce", 1, ncclSystemError); });
      test::check(has(said, "nccl: ncclAllReduce failed: unhandled system error (what NCCL says)"));
      test::check(fake_nccl::groups == 0);  // what the thread calls next stands alone
      test::check(gpus.is_aborted());
      tl::trainer net{model, tl::data_parallel(gpus.world(), adam()), on(gpus)};  // by the CPU
      const own_samples own(gpus.world().rank());
      net.step("x"_t = own.x, "y"_t = own.y);
    });
  }
  SECTION("a graph cannot be launched") {
    test::gpu gpu(devices(2));
    on_gpus(2, [&](tl::nccl& gpus) {
      const std::string said = steps(gpus, [&] { gpu.fail("cudaGraphLaunch", 1, cudaErrorLaunchFailure); });
      test::check(has(said, "cuda: cudaGraphLaunch failed: unspecified launch failure"));
      test::check(gpus.is_aborted());
    });
  }
  SECTION("NCCL finds that a rank is gone") {
    test::gpu gpu(devices(2));
    on_gpus(2, [&](tl::nccl& gpus) {
      const std::string said = steps(gpus, [&] {
        gpu.fail("cudaEventQuery", 1, cudaErrorNotReady);
        gpu.fail("ncclCommGetAsyncError", 1, ncclRemoteError);
      });
      const bool finds = has(said, "nccl: a sum over the ranks failed: remote process exited");
      test::check(finds || has(said, "has waited for the others"));  // the one that is left behind
      test::check(gpus.world().any([&](int) { return finds; }));
    });
  }
  SECTION("a rank does not come") {
    test::gpu gpu(devices(2));
    on_gpus(2, [&](tl::nccl& gpus) {
      const std::string said = steps(gpus, [&] { gpu.fail("cudaEventQuery", 1, cudaErrorNotReady); });
      test::check(
          has(said, "has waited for the others for 0.000000 seconds: one of them does not do its part"));
    });
  }
}

TEST_CASE("an aborted communicator says so, and two ranks on one device are refused") {
  test::gpu gpu(devices(2));
  tl::nccl gpus;
  {
    tl::trainer net{model, tl::data_parallel(gpus, adam()), on(gpus)};
    const own_samples own(0);
    net.step("x"_t = own.x, "y"_t = own.y);
    gpus.abort();
    CHECK_THROWS_AS(net.step("x"_t = own.x, "y"_t = own.y), tl::nccl_error);
    CHECK_THROWS_WITH(net.step("x"_t = own.x, "y"_t = own.y),
                      test::contains("the communicator has been aborted: go on from the last checkpoint"));
  }
  CHECK_THROWS_WITH(test::on_ranks(
                        2, [](tl::process_group& world) { tl::nccl both(world, 0); }, 1),
                    test::contains("ncclCommInitRank failed: invalid usage"));
}
