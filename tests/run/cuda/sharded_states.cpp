// SPDX-License-Identifier: BSL-1.0
// Divided states on GPUs: launches leave out what belongs to other ranks, sums go to who needs them, and
// parameters come from who has updated them. Threads stand for processes; GPUs and NCCL are not there.
#include <cmath>
#include <string>
#include <vector>

#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "ranks_on_gpus.hpp"

namespace {

using test::adam, test::devices, test::on, test::on_gpus, test::own_samples, test::trained, test::weights_of;

constexpr auto model = test::small_net<7>;

template <class Ranks, class Rule, class Policy>
std::vector<double> steps(Ranks& ranks, const tl::process_group& world, const Rule& rule,
                          const Policy& policy) {
  tl::trainer net{test::deep_net, tl::data_parallel(ranks, rule), policy};
  const own_samples own(world.rank() + 2);
  for (int i = 0; i < 5; ++i) net.step("x"_t = own.x, "y"_t = own.y);
  return weights_of(net);
}

template <class Rule>
void check_on_host(const Rule& rule) {
  for (const int ranks : {2, 3, 5})
    test::on_ranks(ranks, [&](tl::process_group& world) {
      const auto whole = steps(world, world, rule, tl::thrust_host{});
      const auto divided = steps(world, world, tl::sharded_states(rule), tl::thrust_host{});
      test::check(divided == whole);
    });
}

}  // namespace

TEST_CASE("launches of several parameters' updates leave out those of other ranks") {
  check_on_host(adam());
  check_on_host(tl::adafactor({}));
  check_on_host(tl::lamb({}));
}

TEST_CASE("with divided states, ranks with a GPU each have the bits of whole ones, in a part of the memory") {
  const auto when = GENERATE(fake_cuda::order::never, fake_cuda::order::at_once, fake_cuda::order::random);
  for (const int ranks : {1, 2, 3}) {
    test::gpu gpu(devices(ranks, when));
    on_gpus(ranks, [&](tl::nccl& gpus) {
      const auto whole = steps(gpus, gpus.world(), adam(), on(gpus));
      test::check(steps(gpus, gpus.world(), tl::sharded_states(adam()), on(gpus)) == whole);
      tl::trainer net{test::deep_net, tl::data_parallel(gpus, tl::sharded_states(adam())), on(gpus)};
      std::int64_t all = 0;
      for (const auto& s : net.state_descriptions()) all += s.bytes();
      const double here = static_cast<double>(net.state_bytes());
      test::check(gpus.world().size() == 1 || here < 0.8 * static_cast<double>(all));
      const auto parts = gpus.world().gather(here);
      double sum = 0;
      for (const double part : parts) sum += part;
      test::check(sum == static_cast<double>(all));
    });
    CHECK(gpu.calls("ncclReduce") > 0);
    CHECK((gpu.calls("ncclBroadcast") > 0) == (ranks > 1));
  }
}

TEST_CASE(
    "divided states train as one process does, by buckets of any size and where all gradients are needed") {
  tl::trainer alone{model, test::clipped_adam(), tl::cpu{}};
  const trained expected = test::fitted(alone, 20);
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{1} << 30}) {
    test::gpu gpu(devices(3));
    on_gpus(3, [&](tl::nccl& gpus) {
      tl::trainer net{
          model, tl::data_parallel(gpus, tl::sharded_states(test::clipped_adam()), {.bucket_bytes = bytes}),
          on(gpus)};
      const trained t = test::fitted(net, 20);
      test::check(test::difference(t.weights, expected.weights) < 1e-9);
      test::check(test::difference(t.losses, expected.losses) < 1e-9);
    });
    CHECK(gpu.calls("ncclReduce") == 0);
  }
}

TEST_CASE("updated parameters travel in a graph that ranks have captured together once") {
  test::gpu gpu(devices(2));
  on_gpus(2, [&](tl::nccl& gpus) {
    tl::trainer net{test::deep_net, tl::data_parallel(gpus, tl::sharded_states(adam()), {.bucket_bytes = 1}),
                    on(gpus)};
    const own_samples own(gpus.world().rank());
    const auto run = [&](int count) {
      for (int i = 0; i < count; ++i) net.step("x"_t = own.x, "y"_t = own.y);
      gpus.world().meet("steps");
    };
    run(3);
    const int captures = gpu.calls("cudaGraphInstantiate"), calls = gpu.calls("ncclBroadcast");
    gpus.world().meet("counted");
    run(4);
    test::check(gpu.calls("cudaGraphInstantiate") == captures);
    test::check(gpu.calls("ncclBroadcast") == calls);
    gpus.world().meet("compared");
  });
}

TEST_CASE("a checkpoint of divided states goes on where it was") {
  const std::string path = "sharded_on_gpus.safetensors";
  std::vector<double> weights;
  test::gpu gpu(devices(3));
  on_gpus(3, [&](tl::nccl& gpus) {
    tl::trainer net{model, tl::data_parallel(gpus, tl::sharded_states(adam())), on(gpus)};
    const own_samples own(gpus.world().rank());
    for (int i = 0; i < 4; ++i) net.step("x"_t = own.x, "y"_t = own.y);
    tl::save_checkpoint(net, path);
    for (int i = 0; i < 4; ++i) net.step("x"_t = own.x, "y"_t = own.y);
    const auto expected = weights_of(net);
    tl::trainer again{model, tl::data_parallel(gpus, tl::sharded_states(adam())), on(gpus)};
    tl::load_checkpoint(again, path);
    for (int i = 0; i < 4; ++i) again.step("x"_t = own.x, "y"_t = own.y);
    test::check(weights_of(again) == expected);
    gpus.world().meet("compared");
  });
}

TEST_CASE("a rank that cannot give its parameters ends what others have started") {
  test::gpu gpu(devices(2));
  on_gpus(2, [&](tl::nccl& gpus) {
    tl::trainer net{model, tl::data_parallel(gpus, tl::sharded_states(adam()), {.seconds_to_wait = 0}),
                    on(gpus)};
    const own_samples own(gpus.world().rank());
    if (gpus.world().rank() == 1) gpu.fail("ncclBroadcast", 1, ncclSystemError);
    gpus.world().meet("before");
    const std::string said = test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); });
    test::check(said.find("nccl: ncclBroadcast failed: unhandled system error") != std::string::npos);
    test::check(gpus.is_aborted());
    test::check(test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); }).find("aborted") !=
                std::string::npos);
  });
}
