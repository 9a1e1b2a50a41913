// SPDX-License-Identifier: BSL-1.0
// Ranks with a GPU each under eager updates: each parameter changes as soon as the sum of its gradients has
// come. Threads stand for processes; GPUs and NCCL are not there.
#include <cmath>
#include <string>
#include <vector>

#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "ranks_on_gpus.hpp"

namespace {

using test::adam, test::devices, test::on, test::on_gpus, test::own_samples, test::weights_of;

/// Parameters after some steps, of several ways to make them.
template <class Rule, class Timing>
std::vector<double> steps(tl::nccl& gpus, const Rule& rule, const tl::nccl_options& options, Timing timing) {
  tl::trainer net{test::deep_net, tl::data_parallel(gpus, rule, options), on(gpus), timing};
  const own_samples own(gpus.world().rank() + 2);
  for (int i = 0; i < 4; ++i) net.step("x"_t = own.x, "y"_t = own.y);
  net.accumulate(0.5, "x"_t = own.x, "y"_t = own.y);
  net.accumulate(0.25, "x"_t = own.x, "y"_t = own.y);
  net.apply();
  net.step("x"_t = own.x, "y"_t = own.y);
  return weights_of(net);
}

}  // namespace

TEST_CASE("under eager updates, ranks with a GPU each have the bits of updates at the end") {
  const auto when = GENERATE(fake_cuda::order::never, fake_cuda::order::random);
  for (const int ranks : {1, 2, 3}) {
    test::gpu gpu(devices(ranks, when));
    on_gpus(ranks, [&](tl::nccl& gpus) {
      const auto check = [&](const auto& rule, const tl::nccl_options& options) {
        test::check(steps(gpus, rule, options, tl::eager_updates) ==
                    steps(gpus, rule, options, tl::deferred_updates));
      };
      check(adam(), {.bucket_bytes = 1});
      check(adam(), {.bucket_bytes = 700});
      check(tl::sharded_states(adam()), {.bucket_bytes = 1});
      check(adam(), {.bucket_bytes = 700, .compression = tl::gradient_compression::bf16});
    });
  }
}

TEST_CASE("what fit does is the same, with ranks that have no samples, and with accumulated gradients") {
  test::gpu gpu(devices(3));
  on_gpus(3, [](tl::nccl& gpus) {
    const auto check = [&](const auto& rule) {
      tl::trainer eager{test::small_net<7>, tl::data_parallel(gpus, rule, {.bucket_bytes = 1}), on(gpus),
                        tl::eager_updates};
      tl::trainer deferred{test::small_net<7>, tl::data_parallel(gpus, rule, {.bucket_bytes = 1}), on(gpus)};
      const test::trained a = test::fitted(eager, 9), b = test::fitted(deferred, 9);
      test::check(a.weights == b.weights);
      test::check(a.losses == b.losses);
      test::check(eager.steps() == deferred.steps());
    };
    check(adam());
    check(tl::accumulate(3, adam()));
  });
}

TEST_CASE("updates stand in the step's graph, each behind its own sums alone") {
  test::gpu gpu;
  tl::nccl gpus;
  tl::trainer net{test::small_net<7>, tl::data_parallel(gpus, adam(), {.bucket_bytes = 1}), on(gpus),
                  tl::eager_updates};
  const own_samples own(3);
  net.step("x"_t = own.x, "y"_t = own.y);
  const fake_cuda::graph& step = gpu.last_branched();
  // By what waits in the trainer's stream: how many sums it waits for, and how many kernels follow it.
  std::vector<int> sums, kernels;
  for (const fake_cuda::graph::step& s : step.steps) {
    const std::string what = s.what.what;
    if (s.branch != 0) continue;
    if (s.behind != fake_cuda::graph::nothing) {
      int before = 0;
      for (std::size_t i = 0; i < s.behind; ++i)
        before += step.steps[i].what.what == std::string("ncclAllReduce") ? 1 : 0;
      sums.push_back(before);
      kernels.push_back(0);
    } else if (what == "a kernel" && !kernels.empty()) {
      ++kernels.back();
    }
  }
  CHECK(sums == std::vector<int>{1, 2, 3, 4, 4});  // the last one is the graph's end
  for (std::size_t i = 0; i < 4; ++i) CHECK(kernels[i] > 0);
  CHECK(net.steps() == 1);
  const int captures = gpu.calls("cudaGraphInstantiate"), launches = gpu.calls("cudaGraphLaunch");
  net.step("x"_t = own.x, "y"_t = own.y);
  net.step("x"_t = own.x, "y"_t = own.y);
  net.step("x"_t = own.x, "y"_t = own.y);
  CHECK(gpu.calls("cudaGraphInstantiate") == captures + 1);  // each of two graphs once
  CHECK(gpu.calls("cudaGraphLaunch") == launches + 3);       // a step is one graph
}

TEST_CASE("what an input is refused for throws before anything changes") {
  test::gpu gpu(devices(2));
  on_gpus(2, [](tl::nccl& gpus) {
    tl::trainer net{test::small_net<7>, tl::data_parallel(gpus, adam()), on(gpus), tl::eager_updates};
    own_samples own(gpus.world().rank());
    net.step("x"_t = own.x, "y"_t = own.y);
    const auto before = weights_of(net);
    if (gpus.world().rank() == 1) own.y.push_back(0);
    test::check(test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); }) != "");
    test::check(weights_of(net) == before);
    test::check(net.steps() == 1);
    if (gpus.world().rank() == 1) own.y.pop_back();
    net.step("x"_t = own.x, "y"_t = own.y);
    test::check(weights_of(net) != before);
    test::check(net.steps() == 2);
  });
}

TEST_CASE("a rank that cannot start its graph ends the updates of others that wait for its sums") {
  test::gpu gpu(devices(2));
  on_gpus(2, [&](tl::nccl& gpus) {
    tl::trainer net{test::small_net<7>, tl::data_parallel(gpus, adam(), {.seconds_to_wait = 0}), on(gpus),
                    tl::eager_updates};
    const own_samples own(gpus.world().rank());
    net.step("x"_t = own.x, "y"_t = own.y);
    gpus.world().meet("before");
    if (gpus.world().rank() == 1) gpu.fail("cudaGraphLaunch", 1, cudaErrorLaunchFailure);
    gpus.world().meet("behind");
    const std::string said = test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); });
    test::check(said.find("cudaGraphLaunch failed: unspecified launch failure") != std::string::npos);
    test::check(gpus.is_aborted());
    test::check(net.steps() == 1);
  });
}
