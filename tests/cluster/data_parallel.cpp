// SPDX-License-Identifier: BSL-1.0
// data_parallel: as many ranks as one likes train as one process does.
#include <cmath>
#include <map>
#include <mutex>
#include <string>
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

using test::adam, test::own_samples, test::trained, test::weights_of;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto model = test::small_net<7>;

std::vector<trained> on(int ranks) {
  std::vector<trained> all(static_cast<std::size_t>(ranks));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, test::clipped_adam()), tl::cpu{},
                    static_cast<std::uint64_t>(world.rank())};
    trained& own = all[static_cast<std::size_t>(world.rank())];
    const std::int64_t before = world.received();
    own = test::fitted(net);
    own.received = world.received() - before;
  });
  return all;
}

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
  CHECK(test::difference(a, b) < 1e-6);
}

// What a batch has of an output without an axis for samples.
struct mean_size {
  static constexpr std::string_view label = "size";
  void clear() { size = 0; }
  void add(const auto& result, const auto&) { size = result.template get<"mean">().size(); }
  tl::measurement get() const { return {static_cast<double>(size)}; }
  std::size_t size = 0;
};

}  // namespace

TEST_CASE("Ranks train as one process does on whole batches, whoever has more samples") {
  tl::trainer alone{model, test::clipped_adam()};
  const trained expected = test::fitted(alone);
  for (const int ranks : {1, 2, 3, 4}) {
    const std::vector<trained> all = on(ranks), again = on(ranks);
    if (ranks == 1) CHECK(all[0].weights == expected.weights);
    for (const trained& t : all) {
      check_close(t.weights, expected.weights);
      check_close(t.losses, expected.losses);
      check_close(t.validation, expected.validation);
      check_close(t.errors, expected.errors);
      CHECK(t.weights == all[0].weights);  // the same bits
      CHECK(t.losses == all[0].losses);
      CHECK(t.errors == all[0].errors);
    }
    CHECK(all[0].weights == again[0].weights);
    CHECK(all[0].losses == again[0].losses);
  }
}

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
  check_close(weights_of(alone), divided);
}

TEST_CASE("Gradients of several steps travel once") {
  std::vector<double> weights;
  std::int64_t received = 0, expected = 0;
  test::on_ranks(4, [&](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, tl::accumulate(3, adam()))};
    const own_samples own(world.rank());
    const std::int64_t before = world.received();
    for (int i = 0; i < 12; ++i) net.step("x"_t = own.x, "y"_t = own.y);
    if (world.rank() != 0) return;
    test::check(net.steps() == 4);
    weights = weights_of(net);
    received = world.received() - before;
    for (const auto& g : net.gradient_descriptions()) expected += (g.bytes() + 63) / 64 * 64 * 4 * 3 / 2;
  });
  test::check(std::abs(received - expected) <= 4 * 3 * 64);  // parts are whole blocks of 64 bytes
  tl::trainer alone{model, tl::accumulate(3, adam())};
  const own_samples all = own_samples::of_ranks(4);
  for (int i = 0; i < 12; ++i) alone.step("x"_t = all.x, "y"_t = all.y);
  check_close(weights_of(alone), weights);
}

TEST_CASE("A rank with another rule or other shapes is refused by name") {
  const auto other_rule = [](tl::process_group& world) {
    if (world.rank() == 0) tl::trainer net{model, tl::data_parallel(world, test::clipped_adam())};
    if (world.rank() == 1) tl::trainer net{model, tl::data_parallel(world, adam())};
  };
  const auto other_shape = [](tl::process_group& world) {
    if (world.rank() == 0) tl::trainer net{model, tl::data_parallel(world, adam())};
    if (world.rank() == 1) tl::trainer net{test::small_net<8>, tl::data_parallel(world, adam())};
  };
  for (const int rank : {0, 1}) {
    CHECK_THROWS_WITH(test::on_ranks(2, other_rule, rank),
                      Catch::Contains("rank 0 has the rule chain(clip_by_global_norm"));
    CHECK_THROWS_WITH(
        test::on_ranks(2, other_shape, rank),
        Catch::Contains("\"fc1.weight\", double[7, 3], and rank 1 has") && Catch::Contains("[8, 3]"));
  }
}

TEST_CASE("A rank whose gradients travel in another way is refused; so are buckets without bytes") {
  const auto other_buckets = [](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, adam(), {.bucket_bytes = 100 + world.rank()})};
  };
  CHECK_THROWS_WITH(
      test::on_ranks(2, other_buckets),
      Catch::Contains("rank 0 has gradients that travel in buckets of 100 bytes, and rank 1 has"));
  const auto empty_buckets = [](tl::process_group& world) {
    tl::data_parallel(world, adam(), {.bucket_bytes = 0});
  };
  CHECK_THROWS_WITH(test::on_ranks(1, empty_buckets),
                    Catch::Contains("data_parallel: bucket_bytes is 0; it must be 1 or more"));
}

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

TEST_CASE("What fails on one rank fails on all, which go on") {
  test::on_ranks(3, [](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, adam(), {.bucket_bytes = 64})};
    own_samples own(world.rank());
    net.step("x"_t = own.x, "y"_t = own.y);
    const auto before = weights_of(net);
    if (world.rank() == 1) own.y.push_back(0);
    const std::string said = test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); });
    test::check(
        said.find(world.rank() == 1 ? "input \"y\"" : "rank 1 has failed in a step: tapeless: input") !=
        std::string::npos);
    test::check(weights_of(net) == before);
    test::check(net.steps() == 1);
    if (world.rank() == 1) own.y.pop_back();
    net.step("x"_t = own.x, "y"_t = own.y);
    test::check(world.all([&](int) { return net.steps() == 2; }));
    test::check(!world.is_broken());
  });
  test::on_ranks(2, [](tl::process_group& world) {
    const std::string said = test::sentence_of([&] {
      if (world.rank() == 0) world.sum(1);
      if (world.rank() == 1) world.any([](int) { return true; });
    });
    test::check(said.find("rank 0 is at world.gather or world.sum (4), rank 1 at world.any; all ranks must "
                          "make the same calls") != std::string::npos);
    test::check(world.is_broken());
  });
}

TEST_CASE("Ranks that do not do the same are told so in the words of their calls") {
  const auto check = [](const char* expected, const auto& body) {
    test::on_ranks(2, [&](tl::process_group& world) {
      tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(adam()))};
      const own_samples own(world.rank());
      net.step("x"_t = own.x, "y"_t = own.y);
      const std::string said = test::sentence_of([&] {
        body(net, world.rank());
        net.step("x"_t = own.x, "y"_t = own.y);
      });
      test::check(said.find(expected) != std::string::npos);
    });
  };
  check("rank 0 is at save_checkpoint (1), rank 1 at a step (2)", [](auto& net, int rank) {
    if (rank == 0) tl::save_checkpoint(net, "of_one_rank.safetensors");
  });
  check("rank 0 is at the start of fit, or net.synchronize(), rank 1 at a step (2)", [](auto& net, int rank) {
    if (rank == 0) net.synchronize();
  });
  check("rank 0 is at the validation of fit (5), rank 1 at the decision whether fit goes on",
        [](auto& net, int rank) {
          const auto data = test::samples(20);
          tl::fit_options o{.batch = 5};
          if (rank == 0) o.validation = data;
          tl::fit(net, data, o);
        });
  check("rank 0 is at a step (6), rank 1 at a batch of fit (6)",
        [](auto& net, int rank) { tl::fit(net, test::samples(20), {.epochs = 1 + rank, .batch = 5}); });
}

namespace {

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

TEST_CASE("In 16 bits, with running statistics: the same everywhere") {
  constexpr auto normed = [] {
    auto x = tl::input<"x", float, batch, 3>;
    auto y = tl::input<"y", float, batch, 1>;
    return tl::mse_loss(tl::linear<"fc2", 1>(tl::batch_norm<"bn">(tl::linear<"fc1", 7>(x))), y);
  };
  test::on_ranks(3, [&](tl::process_group& world) {
    tl::trainer net{
        normed, tl::data_parallel(world, tl::sharded_states(tl::mixed_precision<tl::bf16>(tl::adam({}))))};
    std::vector<float> x, y;
    for (int i = 0; i < 6 + 3 * world.rank(); ++i)
      x.push_back(0.1f * static_cast<float>(i * (world.rank() + 1)));
    y.assign(x.size() / 3, 1.0f);
    for (int i = 0; i < 5; ++i) net.step("x"_t = x, "y"_t = y);
    for (std::size_t i = 0; i < net.parameter_data().size(); ++i) {
      std::uint64_t hash = 0;
      for (std::int64_t k = 0; k < net.parameter_descriptions()[i].bytes(); ++k)
        hash = hash * 31 + static_cast<std::uint64_t>(net.parameter_data()[i][k]);
      for (const std::uint64_t other : world.gather(hash)) test::check(other == hash);
    }
    test::check(net.parameter<"bn.running_mean">()[0] != 0);
  });
}

TEST_CASE(
    "Batches in parts, dropout, and a rule whose updates have products: divided or not, the same bits") {
  constexpr auto dropping = [] {
    auto x = tl::input<"x", float, batch, 3>;
    auto y = tl::input<"y", float, batch, 1>;
    return tl::mse_loss(tl::linear<"fc2", 1>(tl::dropout<0.2>(tl::tanh(tl::linear<"fc1", 7>(x)))), y);
  };
  test::on_ranks(3, [&](tl::process_group& world) {
    std::vector<float> x(60);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
    tl::data::dataset data;
    data.add("x", {3}, x).add("y", {1}, std::vector<float>(20, 1.0f));
    const tl::fit_in_parts_options in_parts{.epochs = 3, .batch = 9, .physical_batch = 2};
    const auto muon = tl::partition(tl::for_parameters(tl::matrices, tl::muon({})), tl::adamw({}));

    tl::trainer net{dropping, tl::data_parallel(world, muon)};
    const double loss = tl::fit(net, data, in_parts).back().train["loss"].mean;
    for (const double other : world.gather(loss)) test::check(other == loss);
    const float weight = net.parameter<"fc1.weight">()[3];
    for (const float other : world.gather(weight)) test::check(other == weight);
    test::check(net.steps() == 9);

    tl::trainer divided{dropping, tl::data_parallel(world, tl::sharded_states(muon))};
    test::check(tl::fit(divided, data, in_parts).back().train["loss"].mean == loss);
    test::check(divided.parameter<"fc1.weight">()[3] == weight);
  });
}

TEST_CASE("A rule that draws gives all ranks the same weights, also where some have fewer parts of a batch") {
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::data::dataset data;
    data.add("x", {3}, std::vector<float>(30, 1.0f)).add("y", {1}, std::vector<float>(10, 1.0f));
    constexpr auto line = [] {
      return tl::mse_loss(tl::linear<"fc", 1>(tl::input<"x", float, batch, 3>),
                          tl::input<"y", float, batch, 1>);
    };
    const auto noisy = tl::chain(tl::add_noise({.eta = 0.1, .gamma = 0}), tl::sgd({.learning_rate = 0.1f}));
    tl::trainer net{line, tl::data_parallel(world, noisy)};
    tl::fit(net, data, {.epochs = 2, .batch = 5, .physical_batch = 2});
    const float weight = net.parameter<"fc.weight">()[0];
    for (const float other : world.gather(weight)) test::check(other == weight);
  });
}

TEST_CASE(
    "An output without an axis for samples is averaged, also where ranks have as many samples as it "
    "elements") {
  constexpr auto with_mean = [] {
    auto x = tl::input<"x", float, batch, 3>;
    auto y = tl::input<"y", float, batch, 1>;
    return tl::outputs(tl::mse_loss(tl::linear<"fc", 1>(x), y), tl::named<"mean">(tl::mean<0>(x)));
  };
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::data::dataset data;
    data.add("x", {3}, std::vector<float>(18, 1.0f)).add("y", {1}, std::vector<float>(6, 1.0f));
    tl::trainer net{with_mean, tl::data_parallel(world, tl::sgd({.learning_rate = 0.1f}))};
    const auto history = tl::fit(net, data, {.epochs = 1, .batch = 6}, mean_size{});
    test::check(history.back().train["size"].mean == 3);
  });
}
