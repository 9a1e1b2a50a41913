// SPDX-License-Identifier: BSL-1.0
// States of a rule that are divided among ranks.
#include <tapeless/cluster/dividing_trainer.hpp>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

using test::adam, test::own_samples, test::weights_of;

constexpr auto model = test::small_net<7>;

}  // namespace

TEST_CASE(
    "Divided states give the same bits, in a part of the memory, and files are those of the rule alone") {
  const std::string path = "sharded.safetensors";
  std::vector<double> whole, divided;
  std::int64_t bytes = 0, all_bytes = 0, received = 0, gradients = 0;
  double loss = 0;
  std::mutex mutex;
  test::on_ranks(4, [&](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, adam())};
    tl::trainer parts{model, tl::data_parallel(world, tl::sharded_states(adam()))};
    const own_samples own(world.rank());
    for (int i = 0; i < 10; ++i) net.step("x"_t = own.x, "y"_t = own.y);
    const std::int64_t before = world.received();
    for (int i = 0; i < 10; ++i) parts.step("x"_t = own.x, "y"_t = own.y);
    const std::lock_guard lock(mutex);
    bytes += parts.state_bytes();
    all_bytes = net.state_bytes();
    received += world.received() - before;
    loss = parts.mean_loss();
    test::check(parts.state_bytes() < net.state_bytes());
    whole = weights_of(net);
    divided = weights_of(parts);
    test::check(whole == divided);
    test::check(net.mean_loss() == loss);
    for (const auto& g : net.gradient_descriptions()) gradients += (g.bytes() + 63) / 64 * 64;
  });
  test::check(bytes == all_bytes);
  test::check(received * 4 == 10 * 2 * 3 * gradients);  // 2 (n - 1) / n of the gradients for each of n ranks
  test::on_ranks(3, [&](tl::process_group& world) {
    tl::trainer parts{model, tl::data_parallel(world, tl::sharded_states(adam()))};
    const own_samples own(world.rank());
    for (int i = 0; i < 10; ++i) parts.step("x"_t = own.x, "y"_t = own.y);
    tl::save_checkpoint(parts, path);
    for (int i = 0; i < 10; ++i) parts.step("x"_t = own.x, "y"_t = own.y);
    if (world.rank() == 0) divided = weights_of(parts);
  });
  test::on_ranks(3, [&](tl::process_group& world) {
    tl::trainer parts{model, tl::data_parallel(world, tl::sharded_states(adam()))};
    tl::load_checkpoint(parts, path);
    const own_samples own(world.rank());
    for (int i = 0; i < 10; ++i) parts.step("x"_t = own.x, "y"_t = own.y);
    test::check(weights_of(parts) == divided);
  });
  tl::trainer alone{model, adam()};
  tl::load_checkpoint(alone, path);
  test::check(alone.steps() == 10);
  const own_samples three = own_samples::of_ranks(3);
  for (int i = 0; i < 10; ++i) alone.step("x"_t = three.x, "y"_t = three.y);
  CHECK(test::difference(weights_of(alone), divided) < 1e-6);
}
