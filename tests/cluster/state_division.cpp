// SPDX-License-Identifier: BSL-1.0
// What the constant plan says of the memory of a rank, whole and with divided states.
#include <tapeless/bytes.hpp>
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 64>;
  auto h =
      tl::tanh(tl::linear<"fc3", 64>(tl::tanh(tl::linear<"fc2", 64>(tl::tanh(tl::linear<"fc1", 64>(x))))));
  return tl::mean(tl::square(tl::linear<"fc4", 64>(h)));
};
auto adam() { return tl::adam({.learning_rate = 1e-2f}); }

using whole = decltype(tl::trainer{model, tl::data_parallel(std::declval<tl::process_group&>(), adam())});
using divided = decltype(tl::trainer{
    model, tl::data_parallel(std::declval<tl::process_group&>(), tl::sharded_states(adam()))});

constexpr std::int64_t parameters = 4 * (64 * 64 + 64) * 4;
constexpr auto all = whole::plan("batch"_t = 32);
constexpr auto first = divided::plan_of_rank(0, 4, "batch"_t = 32);

static_assert(all.parameters == parameters && all.optimizer == 2 * parameters);
static_assert(all.gradients >= parameters);  // they wait for the sums
static_assert(divided::plan("batch"_t = 32) == all && whole::plan_of_rank(0, 4, "batch"_t = 32) == all);
static_assert(first.optimizer == all.optimizer / 4);
static_assert(first.peak == all.peak - all.optimizer * 3 / 4);
static_assert(first.parameters == all.parameters && first.gradients == all.gradients);

constexpr std::int64_t optimizer_of_all_ranks = [] {
  std::int64_t bytes = 0;
  for (int r = 0; r < 3; ++r) bytes += divided::plan_of_rank(r, 3, "batch"_t = 32).optimizer;
  return bytes;
}();
static_assert(optimizer_of_all_ranks == all.optimizer);

constexpr auto with_nothing_last = [] {
  auto fc = tl::linear<"fc", 4>(tl::input<"x", float, tl::dyn<"batch">, 3>);
  return tl::mean(tl::square(fc)) + tl::sum(tl::square(tl::param<"z", float, 0>));
};

}  // namespace

TEST_CASE("A last parameter without elements is the last rank's") {
  test::on_ranks(2, [](tl::process_group& world) {
    tl::trainer net{with_nothing_last, tl::data_parallel(world, tl::sharded_states(adam()))};
    tl::detail::for_each_owner(net.parameter_descriptions(), 2,
                               [](std::size_t, int owner) { test::check(owner < 2); });
    const std::vector<float> x(6, 0.5f);
    net.step("x"_t = x);
    net.collect_states("the test");
    test::check(net.steps() == 1);
  });
}

TEST_CASE("The bytes of a checkpoint have all ranks' states") {
  test::on_ranks(3, [](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(adam()))};
    const std::vector<float> x(3 * 64, 0.5f);
    net.step("x"_t = x);
    const std::vector<std::byte> bytes = tl::save_checkpoint_bytes(net);
    std::vector<std::byte> of_rank_0 = bytes;
    world.broadcast(of_rank_0);
    test::check(bytes == of_rank_0);
    tl::trainer alone{model, adam()};
    tl::load_checkpoint_bytes(alone, bytes);
    test::check(alone.template state<"adam.mu", "fc1.weight">()[0] != 0 &&
                alone.template state<"adam.mu", "fc4.weight">()[0] != 0);
  });
}

TEST_CASE("A rank that reads a checkpoint of divided states alone is told so") {
  const std::vector<float> x(64, 0.5f);
  tl::trainer alone{model, adam()};
  alone.step("x"_t = x);
  const std::vector<std::byte> bytes = tl::save_checkpoint_bytes(alone);
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(adam()))};
    tl::load_checkpoint_bytes(net, bytes);
    test::check(net.steps() == 1);
    const std::string said = test::sentence_of([&] {
      if (world.rank() == 0) tl::load_checkpoint_bytes(net, bytes);
      net.step("x"_t = x);
    });
    test::check(said.find("rank 0 is at load_checkpoint, rank 1 at a step") != std::string::npos);
  });
}

TEST_CASE("A rank has the states that the constant plan says, and no more") {
  test::on_ranks(3, [](tl::process_group& world) {
    const auto planned = divided::plan_of_rank(world.rank(), 3, "batch"_t = 32);
    const auto check = [&](auto net) {
      test::check(net.state_bytes() == planned.optimizer);
      test::check(net.state_bytes() < all.optimizer / 2);
      bool is_here = true;
      try {
        net.template state<"adam.mu", "fc4.weight">();
      } catch (const tl::error&) {
        is_here = false;
      }
      test::check(is_here == (world.rank() == 2));
    };
    const auto rule = tl::data_parallel(world, tl::sharded_states(adam()));
    check(tl::trainer{model, rule});
    check(tl::trainer{model, tl::accumulate(2, rule)});
  });
}
