// SPDX-License-Identifier: BSL-1.0
// Gradients travel in buckets, as soon as they are there, or as bf16: to the same bits everywhere.
#include <cmath>
#include <utility>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

using test::adam;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto normed_in_float = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto y = tl::input<"y", float, batch, 1>;
  auto h = tl::batch_norm<"bn">(tl::linear<"fc1", 70>(x));
  return tl::mse_loss(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc3", 60>(h))), y);
};

struct float_run {
  std::vector<float> weights;
  std::int64_t received = 0;
};

/// Some steps of three ranks by the rule, whose gradients travel in this way.
template <class Rule, class Timing = tl::deferred_updates_t>
float_run float_steps(const Rule& rule, const tl::data_parallel_options& options, int ranks = 3,
                      int steps = 4, Timing timing = {}) {
  std::vector<float_run> all(static_cast<std::size_t>(ranks));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{normed_in_float, tl::data_parallel(world, rule, options), tl::cpu{}, timing};
    std::vector<float> x, y;
    for (int i = 0; i < 6 + 3 * world.rank(); ++i)
      x.push_back(std::sin(0.7f * static_cast<float>(i * (world.rank() + 1))));
    y.assign(x.size() / 3, 0.3f);
    float_run& own = all[static_cast<std::size_t>(world.rank())];
    const std::int64_t before = world.received();
    for (int i = 0; i < steps; ++i) net.step("x"_t = x, "y"_t = y);
    own.received = world.received() - before;
    for (std::size_t i = 0; i < net.parameter_data().size(); ++i) {
      const auto* first = reinterpret_cast<const float*>(net.parameter_data()[i]);
      own.weights.insert(own.weights.end(), first, first + net.parameter_descriptions()[i].count);
    }
  });
  for (const float_run& r : all) CHECK(r.weights == all[0].weights);
  return all[0];
}

}  // namespace

TEST_CASE("A bucket travels as soon as its gradients are there, those of the last layer first") {
  constexpr auto deep = [] {
    auto x = tl::input<"x", double, batch, 3>;
    auto y = tl::input<"y", double, batch, 1>;
    auto h = tl::tanh(tl::linear<"fc2", 6>(tl::tanh(tl::linear<"fc1", 5>(x))));
    return tl::mse_loss(tl::linear<"fc3", 1>(h), y);
  };
  using net_type = decltype(tl::trainer{deep, tl::data_parallel(std::declval<tl::process_group&>(), adam())});
  const auto& plan = tl::checked_plan_of<net_type::step_program>();
  const auto after = tl::detail::commands_of_gradients(plan, 6);
  for (int i = 0; i + 2 < after.size(); ++i) CHECK(after[i] > after[i + 2]);
  CHECK(after[0] == plan.commands.size() - 1);

  test::on_ranks(3, [&](tl::process_group& world) {
    tl::detail::gradient_exchange exchange(world, {.bucket_bytes = 300}, {});
    std::vector<double> numbers(72), none(72);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = std::ldexp(1.0, world.rank()) + static_cast<double>(i);
    std::vector<tl::parameter_description> parameters(3);
    std::vector<std::byte*> gradients, values;
    for (std::size_t i = 0; i < 3; ++i) {
      parameters[i].type = tl::element::f64;
      parameters[i].count = 24;
      gradients.push_back(reinterpret_cast<std::byte*>(numbers.data() + 24 * i));
      values.push_back(reinterpret_cast<std::byte*>(none.data() + 24 * i));
    }
    const std::vector<std::size_t> there{5, 2, 1};  // the last two travel together
    const std::int64_t before = world.received();
    for (int round = 0; round < 2; ++round) {
      const std::int64_t begun = world.received() - before;
      exchange.open(gradients, values, parameters, there, 1.0);
      exchange.after(1);
      test::check(world.received() - before == begun);
      exchange.after(3);
      test::check(world.received() - before > begun);
      exchange.finish();
      for (std::size_t i = 0; i < numbers.size(); ++i)
        test::check(numbers[i] ==
                    (round == 0 ? 7 + 3.0 * static_cast<double>(i) : 21 + 9.0 * static_cast<double>(i)));
    }
  });
}

TEST_CASE("Buckets of all sizes give the same bits, divided states and norms of all gradients too") {
  constexpr std::int64_t all = std::int64_t{1} << 40;
  const auto clipped =
      tl::chain(tl::clip_by_global_norm(0.5), tl::scale_by_adam(), tl::scale_by_learning_rate(1e-2));
  const float_run at_the_end = float_steps(adam(), {.bucket_bytes = all});
  const float_run clipped_at_the_end = float_steps(clipped, {.bucket_bytes = all});
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{1000}, std::int64_t{10'000}}) {
    CHECK(float_steps(adam(), {.bucket_bytes = bytes}).weights == at_the_end.weights);
    CHECK(float_steps(tl::sharded_states(adam()), {.bucket_bytes = bytes}).weights == at_the_end.weights);
    CHECK(float_steps(clipped, {.bucket_bytes = bytes}).weights == clipped_at_the_end.weights);
  }
}

TEST_CASE("Under eager updates parameters change as their sums come, the last ones first, to the same bits") {
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{1000}}) {
    const tl::data_parallel_options small{.bucket_bytes = bytes};
    CHECK(float_steps(adam(), small, 3, 4, tl::eager_updates).weights == float_steps(adam(), small).weights);
    CHECK(float_steps(tl::sharded_states(adam()), small, 3, 4, tl::eager_updates).weights ==
          float_steps(adam(), small).weights);
  }
  using net_type =
      decltype(tl::trainer{normed_in_float, tl::data_parallel(std::declval<tl::process_group&>(), adam()),
                           tl::cpu{}, tl::eager_updates});
  const auto& plan = tl::checked_plan_of<net_type::apply_program>();
  std::vector<std::size_t> updated;  // by parameter: the command behind which it has changed
  for (std::size_t s = 0; s < plan.commands.size(); ++s)
    tl::detail::for_each_write(plan, plan.commands[s], [&](int node) {
      const tl::placement& p = plan.place[static_cast<std::size_t>(node)];
      const auto i = static_cast<std::size_t>(p.index);
      if (p.kind != tl::storage::parameter) return;
      if (updated.size() <= i) updated.resize(i + 1);
      updated[i] = s;
    });
  REQUIRE(updated.size() >= 6);
  CHECK(updated[0] == plan.commands.size() - 1);
  CHECK(updated[1] < updated[0]);
  CHECK(updated[updated.size() - 1] < updated[1]);
}

TEST_CASE("As bf16, gradients have half the bytes, and the same bits everywhere and each time") {
  constexpr auto as_bf16 = tl::gradient_compression::bf16;
  const auto sgd = tl::sgd({.learning_rate = 1.0});
  const float_run whole = float_steps(sgd, {}, 3, 1),
                  rounded = float_steps(sgd, {.compression = as_bf16}, 3, 1);
  CHECK(whole.weights != rounded.weights);
  // a step by 1 times the gradient: the difference is that of the sums, which are not far above 4
  REQUIRE(whole.weights.size() == rounded.weights.size());
  for (std::size_t i = 0; i < whole.weights.size(); ++i)
    CHECK(std::abs(whole.weights[i] - rounded.weights[i]) < 8 * 0x1p-8f);
  CHECK(static_cast<double>(rounded.received) < 0.55 * static_cast<double>(whole.received));
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{3000}})
    CHECK(float_steps(sgd, {.bucket_bytes = bytes, .compression = as_bf16}, 3, 1).weights == rounded.weights);
  CHECK(float_steps(tl::sharded_states(sgd), {.compression = as_bf16}, 3, 1).weights == rounded.weights);
  CHECK(float_steps(adam(), {.compression = as_bf16}, 1).weights == float_steps(adam(), {}, 1).weights);

  test::on_ranks(
      2, [](tl::process_group& world) {  // by hand: to nearest, ties to even, and added up in float
        tl::detail::gradient_exchange exchange(world, {.compression = as_bf16}, {});
        const bool first = world.rank() == 0;
        std::vector<float> sent{first ? 1 + 0x1p-8f : 0.0f, first ? 1 + 0x3p-8f : 0.0f,
                                first ? 1.0f : 0x1p-8f, first ? 1 + 0x1p-7f : 0x1p-8f,
                                first ? INFINITY : 1.0f};
        const std::vector<float> expected{1, 1 + 0x1p-6f, 1, 1 + 0x1p-6f, INFINITY};
        std::vector<float> travels(16), statistic(16);
        std::copy(sent.begin(), sent.end(), travels.begin());
        statistic[0] = first ? 1.0001f : 3.0001f;
        travels.resize(32);
        std::vector<tl::parameter_description> described(2);
        described[0].count = 5;
        described[1].count = 1;
        described[1].is_buffer = true;
        const std::vector<std::byte*> gradients{reinterpret_cast<std::byte*>(travels.data()),
                                                reinterpret_cast<std::byte*>(travels.data() + 16)};
        const std::vector<std::byte*> values{nullptr, reinterpret_cast<std::byte*>(statistic.data())};
        exchange.open(gradients, values, described, {}, first ? 0.75 : 0.25);
        exchange.finish();
        for (std::size_t i = 0; i < expected.size(); ++i) test::check(travels[i] == expected[i]);
        test::check(statistic[0] == 0.75f * 1.0001f + 0.25f * 3.0001f);  // as it is
      });
}
