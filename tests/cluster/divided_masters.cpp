// SPDX-License-Identifier: BSL-1.0
// Float copies that ranks have divided among them go from model to model as those of one process do.
#include <cmath>
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/thread_group.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 4>;
  return tl::mean(tl::square(tl::linear<"b", 1>(tl::tanh(tl::linear<"a", 4>(x))) - 1_c));
};
auto rule() { return tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 0.01f})); }

/// As they are.
template <class Net>
std::vector<float> parameters_in(Net& net) {
  std::vector<float> weights;
  for (const auto& p : net.parameters())
    for (const auto w : p) weights.push_back(static_cast<float>(w));
  return weights;
}

/// As float, or the float copies where there are some.
template <class Net>
std::vector<float> masters_of(Net& net) {
  tl::trainer all{model, tl::sgd({})};
  tl::copy_parameters(net, all);
  return parameters_in(all);
}

}  // namespace

TEST_CASE("What is copied from divided float copies, or moved to them, is what the undivided ones give") {
  std::vector<float> x;
  for (int i = 0; i < 16; ++i) x.push_back(std::sin(static_cast<float>(i * i)));
  tl::trainer alone{model, rule(), tl::cpu{}, 5}, target{model, rule(), tl::cpu{}, 6};
  for (int i = 0; i < 3; ++i) alone.step("x"_t = x), target.step("x"_t = x);
  const auto expected = masters_of(alone);
  tl::soft_update(alone, target, 0.25);
  const auto expected_target = masters_of(target), rounded_target = parameters_in(target);
  test::on_ranks(2, [&](tl::process_group& world) {
    const auto divided = [&] { return tl::data_parallel(world, tl::sharded_states(rule())); };
    tl::trainer net{model, divided(), tl::cpu{}, 5}, other{model, divided(), tl::cpu{}, 6};
    for (int i = 0; i < 3; ++i) net.step("x"_t = x), other.step("x"_t = x);
    tl::trainer whole{model, tl::sgd({})}, by_name{model, tl::sgd({})};
    tl::soft_update(net, whole, 1);
    tl::soft_update(net, other, 0.25);
    test::check(parameters_in(other) == rounded_target);
    test::check(masters_of(net) == expected);
    test::check(masters_of(whole) == expected);
    test::check(masters_of(other) == expected_target);
    tl::soft_update(net, by_name, 1, {.allow_unexpected = true});  // goes another way
    test::check(masters_of(by_name) == expected);
  });
}

TEST_CASE("A rank that copies divided float copies alone is told so") {
  test::on_ranks(2, [](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(rule()))};
    const std::string said = test::sentence_of([&] {
      if (world.rank() == 0) masters_of(net);
      net.step("x"_t = std::vector<float>(4, 1.0f));
    });
    test::check(said.find("rank 0 is at copy_parameters, rank 1 at a step") != std::string::npos);
  });
}

TEST_CASE("The best weights have all divided float copies, also in a fit that goes on from a checkpoint") {
  const test::temporary_folder folder;
  const std::string path = folder.path("fit.safetensors");
  const std::vector<float> x(32, 0.5f);
  tl::data::dataset data;
  data.add("x", {4}, x);
  const auto fit = [&](auto& net, int epochs) {
    tl::early_stopping best({.restore_best = true});
    tl::fit(net, data, {.epochs = epochs, .batch = 4}, best, tl::checkpoint(path, {.resume = true}));
  };
  const auto frozen = tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.0f}));
  tl::trainer fresh{model, frozen, tl::cpu{}, 5};
  const auto expected = masters_of(fresh);
  for (const int epochs : {2, 3})
    test::on_ranks(2, [&](tl::process_group& world) {
      tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(frozen)), tl::cpu{}, 5};
      fit(net, epochs);
      test::check(masters_of(net) == expected);
    });
  tl::trainer alone{model, frozen, tl::cpu{}, 5};
  fit(alone, 4);
  CHECK(masters_of(alone) == expected);
}
