// SPDX-License-Identifier: BSL-1.0
// Several losses of one model, each with parameters and a rule of its own: what a step computes and changes.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "parameters.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "train/trainer/gan.hpp"

namespace {

using namespace test;

template <class From, class To, tl::name... Names>
void copy_all(From& from, To& to) {
  const auto copy = [](auto source, auto target) { std::copy(source.begin(), source.end(), target.begin()); };
  (copy(from.template parameter<Names>(), to.template parameter<Names>()), ...);
}
template <class From, class To>
void copy_generator(From& from, To& to) {
  copy_all<From, To, "generator.hidden.weight", "generator.hidden.bias", "generator.out.weight",
           "generator.out.bias">(from, to);
}
template <class From, class To>
void copy_discriminator(From& from, To& to) {
  copy_all<From, To, "discriminator.hidden.weight", "discriminator.hidden.bias", "discriminator.out.weight",
           "discriminator.out.bias">(from, to);
}

template <class... Timing>
void check_gan(auto policy, Timing... timing) {
  tl::trainer net{gan, gan_rule(), policy, timing...};
  // the same as two trainers, each with a copy of what the other one trains
  tl::trainer discriminator{discriminator_alone, for_discriminator(), policy, timing...};
  tl::trainer generator{generator_alone,
                        tl::partition(tl::for_parameters(tl::names_like<"generator.*">, for_generator())),
                        policy, timing...};
  copy_discriminator(net, discriminator);
  copy_discriminator(net, generator);
  copy_generator(net, generator);
  samples from;
  for (int round = 0; round < 30; ++round) {
    for (int k = 0; k < 2; ++k) {  // two of the one for each of the other
      const auto real = from.real(8), noise = from.noise(8);
      const std::vector<double> fake =
          test::elements(generator.predict("noise"_t = noise).template get<"fake">());
      const double expected = discriminator.step("real"_t = real, "fake"_t = fake).loss();
      CHECK(net.template step<"discriminator">("real"_t = real, "noise"_t = noise).loss() == expected);
    }
    copy_discriminator(discriminator, generator);
    const auto noise = from.noise(8);
    const double expected = generator.step("noise"_t = noise).loss();
    CHECK(net.template step<"generator">("noise"_t = noise).loss() == expected);
  }
  CHECK(net.steps() == 90);
  CHECK(net.template steps<"discriminator">() == 60);
  CHECK(net.template steps<"generator">() == 30);
  const auto same = [&](auto mine, auto theirs) { CHECK(test::elements(mine) == test::elements(theirs)); };
  same(net.template parameter<"generator.hidden.weight">(),
       generator.template parameter<"generator.hidden.weight">());
  same(net.template parameter<"generator.out.bias">(), generator.template parameter<"generator.out.bias">());
  same(net.template parameter<"discriminator.hidden.weight">(),
       discriminator.template parameter<"discriminator.hidden.weight">());
  same(net.template parameter<"discriminator.out.bias">(),
       discriminator.template parameter<"discriminator.out.bias">());
  same(net.template state<"generator", "adam.nu", "generator.out.weight">(),
       generator.template state<"adam.nu", "generator.out.weight">());
}

}  // namespace

TEST_CASE("a GAN is the same bit for bit as two trainers with copied parameters") {
  test::on_each_policy([]<class Policy>() { check_gan(Policy{}); });
}
TEST_CASE("a GAN with eager updates is, too") { check_gan(tl::default_policy{}, tl::eager_updates); }

TEST_CASE("a step computes what its own loss needs, and no gradient of other parameters") {
  constexpr auto products = []<class GraphBuilder>(std::type_identity<GraphBuilder>) {
    int count = 0;
    for (const tl::node& n : tl::constant_graph_of<GraphBuilder>.nodes)
      count += n.op->kind == tl::family::product ? 1 : 0;
    return count;
  };
  using discriminator = decltype(tl::trainer{discriminator_alone, for_discriminator()})::step_program;
  using objectives = std::remove_cvref_t<decltype(gan_rule().objectives())>;
  using one = tl::ready<tl::objective_graph_builder<decltype(gan), std::tuple_element_t<0, objectives>>>;
  constexpr int alone = products(std::type_identity<discriminator>());
  STATIC_REQUIRE(products(std::type_identity<one>()) == alone + 2);  // the generator's two layers, forward
}

namespace {

constexpr auto named_on_the_way = [] {
  auto state = tl::input<"state", double, batch, 4>;
  auto reward = tl::input<"reward", double, batch>;
  auto value = tl::reshape<batch>(tl::linear<"critic", 1>(tl::tanh(tl::linear<"trunk", 3>(state))));
  auto td = reward - value;
  auto critic = tl::mean(tl::square(td));
  auto actor = tl::mean(tl::square(tl::linear<"actor", 2>(state)));
  return tl::outputs(tl::named<"critic">(critic), tl::named<"td">(td), tl::named<"value">(value),
                     tl::named<"actor">(actor), tl::named<"both">(critic + actor),
                     tl::named<"error">(tl::abs(td)));
};

}  // namespace

TEST_CASE("a step shows the named outputs that its loss is computed from, before the update") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{named_on_the_way,
                    tl::in_turn(tl::objective<"critic">(tl::names_like<"critic.*">, tl::adam({})),
                                tl::objective<"both">(tl::names_like<"*">, tl::sgd({.learning_rate = 0.1f}))),
                    Policy{}};
    test::numbers random{3};
    const auto state = random.vector<double>(4 * 5), reward = random.vector<double>(5);
    for (int k = 0; k < 3; ++k) {
      const auto before = net.evaluate("state"_t = state, "reward"_t = reward);
      const auto td = test::elements(before.template get<"td">()),
                 value = test::elements(before.template get<"value">()),
                 critic = test::elements(before.template get<"critic">()),
                 actor = test::elements(before.template get<"actor">());
      const auto first = net.template step<"critic">("state"_t = state, "reward"_t = reward);
      CHECK(test::elements(first.template get<"td">()) == td);
      CHECK(test::elements(first.template get<"value">()) == value);
      CHECK(test::elements(first.template get<"critic">()) == critic);
      CHECK(first.loss() == critic[0]);
      const auto second = net.template step<"both">("state"_t = state, "reward"_t = reward);
      CHECK(test::elements(second.template get<"actor">()) == actor);
      CHECK(second.template get<"critic">()[0] < critic[0]);
      CHECK(second.loss() == second.template get<"critic">()[0] + actor[0]);
    }
  });
}

TEST_CASE("outputs on the way to the loss are only stored, others are left out") {
  constexpr auto alone = [] {
    auto td = tl::input<"reward", double, batch> -
              tl::reshape<batch>(tl::linear<"critic", 1>(
                  tl::tanh(tl::linear<"trunk", 3>(tl::input<"state", double, batch, 4>))));
    return tl::outputs(tl::named<"critic">(tl::mean(tl::square(td))));
  };
  using rule =
      std::remove_cvref_t<decltype(tl::objective<"critic">(tl::names_like<"critic.*">, tl::adam({})))>;
  using shown = tl::ready<tl::objective_graph_builder<decltype(named_on_the_way), rule>>;
  using hidden = tl::ready<tl::objective_graph_builder<std::remove_const_t<decltype(alone)>, rule>>;
  STATIC_REQUIRE(tl::constant_graph_of<shown>.nodes.size() == tl::constant_graph_of<hidden>.nodes.size());
  STATIC_REQUIRE(tl::constant_graph_of<shown>.outputs.size() == 4);
}

TEST_CASE("hyperparameters of one objective, or of all") {
  tl::trainer net{gan, gan_rule()};
  CHECK(net.get<"discriminator.learning_rate">() == 0.01);
  net.set<"generator.learning_rate">([](std::int64_t step) { return 0.5 + static_cast<double>(step); });
  samples from;
  net.step<"discriminator">("real"_t = from.real(4), "noise"_t = from.noise(4));
  CHECK(net.get<"generator.learning_rate">() == 0.5);  // a schedule goes by its own objective's steps
  net.step<"generator">("noise"_t = from.noise(4));
  CHECK(net.get<"generator.learning_rate">() == 1.5);
  CHECK_THROWS_WITH(net.get<"learning_rate">(), test::contains("there is not one number of that name"));
  CHECK_THROWS_WITH(net.set<"beta1">(1), test::contains("\"beta1\" is 1; it must be"));
  CHECK(net.get<"discriminator.beta1">() == 0.5);
  net.set<"learning_rate">(0.25);
  CHECK(net.get<"learning_rate">() == 0.25);
}

TEST_CASE("a hyperparameter whose name gets too long with the objective's has that of its group alone") {
  constexpr auto model = [] {
    auto g = tl::param<"generator.w", float, 3>;
    auto d = tl::param<"discriminator.encoder.layers.0.attention.weight", float, 3>;
    return tl::outputs(tl::named<"generator">(tl::sum(g)), tl::named<"discriminator">(tl::sum(d)));
  };
  const auto layers = tl::names_like<"discriminator.encoder.layers.*.attention.weight">;
  tl::trainer net{model, tl::in_turn(tl::objective<"generator">(tl::names_like<"generator.*">, tl::sgd({})),
                                     tl::objective<"discriminator">(
                                         tl::names_like<"discriminator.*">,
                                         tl::partition(tl::for_parameters(layers, tl::adamw({})),
                                                       tl::sgd({.learning_rate = 0.5}))))};
  net.set<"discriminator.encoder.layers.*.attention.weight.learning_rate">(0.25);
  CHECK(net.get<"discriminator.encoder.layers.*.attention.weight.learning_rate">() == 0.25);
  CHECK(net.get<"encoder.layers.*.attention.weight.learning_rate">() == 0.25);
  CHECK(net.get<"discriminator.rest.learning_rate">() == 0.5);
  net.set<"discriminator.learning_rate">(1);
  CHECK(net.get<"discriminator.learning_rate">() == 1);
  net.step<"discriminator">();
}

TEST_CASE("parameters of one objective are frozen and thawed") {
  const auto freezable_rule = [] {
    return tl::in_turn(
        tl::objective<"discriminator">(tl::names_like<"discriminator.*">, for_discriminator()),
        tl::objective<"generator">(tl::names_like<"generator.*">, tl::freezable(for_generator())));
  };
  tl::trainer net{gan, freezable_rule()}, other{gan, freezable_rule()};
  samples from;
  const auto step = [&](auto& one) {
    samples again = from;
    one.template step<"generator">("noise"_t = again.noise(8));
  };
  const auto hidden = [](auto& one) {
    return test::elements(one.template parameter<"generator.hidden.weight">());
  };
  const auto out = [](auto& one) { return test::elements(one.template parameter<"generator.out.weight">()); };
  const auto mu = [](auto& one) {
    return test::elements(one.template state<"generator", "adam.mu", "generator.hidden.weight">());
  };
  step(net), step(other);
  CHECK(hidden(net) == hidden(other));
  const auto hidden_before = hidden(net), out_before = out(net), mu_before = mu(net);
  net.freeze<"generator", "generator.hidden.*">();
  step(net), step(other);
  CHECK(hidden(net) == hidden_before);
  CHECK(mu(net) == mu_before);
  CHECK(out(net) == out(other));
  CHECK(out(net) != out_before);
  net.thaw<"generator", "generator.hidden.*">();
  step(net);
  CHECK(hidden(net) != hidden_before);
}

TEST_CASE("a step that throws changes nothing, and trainers move") {
  tl::trainer net{gan, gan_rule()};
  samples from;
  const auto before = all_parameters(net);
  CHECK_THROWS_AS(net.step<"generator">("noise"_t = std::vector<double>()), tl::error);
  CHECK(all_parameters(net) == before);
  CHECK(net.steps<"generator">() == 0);
  std::vector<decltype(net)> nets;
  nets.push_back(std::move(net));
  nets.emplace_back(gan, gan_rule(), tl::default_policy{}, 1);
  const auto noise = from.noise(4);
  nets[0].step<"generator">("noise"_t = noise);
  CHECK(nets[0].steps<"generator">() == 1);
  CHECK(all_parameters(nets[0]) != before);
  CHECK(nets[0].predict("noise"_t = noise).get<"fake">().size() == 8);
  CHECK_THROWS_WITH(net.step<"generator">("noise"_t = noise),
                    "tapeless: this trainer has been moved to another place: use it there");
}

TEST_CASE("random expressions draw anew in each call, and steps draw the same with and without them") {
  constexpr auto noisy = [] {
    auto fake = generate(tl::normal<"noise", double, 4, 3>());
    return tl::outputs(tl::named<"discriminator">(loss_of_judge(tl::input<"real", double, 4, 2>, fake)),
                       tl::named<"generator">(tl::mean(tl::softplus(-judge(fake)))), tl::named<"fake">(fake));
  };
  tl::trainer net{noisy, gan_rule(), tl::default_policy{}, 3},
      quiet{noisy, gan_rule(), tl::default_policy{}, 3};
  samples from;
  const auto real = from.real(4);
  const auto fake = [&] { return test::elements(net.predict().get<"fake">()); };
  const auto first = fake();
  CHECK(fake() != first);
  const auto loss = [&] { return net.evaluate("real"_t = real).get<"generator">()[0]; };
  const double once = loss();
  CHECK(loss() != once);
  for (int i = 0; i < 3; ++i) {
    fake();
    CHECK(net.step<"generator">().loss() == quiet.step<"generator">().loss());
    CHECK(net.step<"discriminator">("real"_t = real).loss() ==
          quiet.step<"discriminator">("real"_t = real).loss());
  }
  CHECK(all_parameters(net) == all_parameters(quiet));
}
