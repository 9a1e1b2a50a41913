// SPDX-License-Identifier: BSL-1.0
// Several losses of one model, each with parameters and a rule of its own: a GAN, an actor and its critic.
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "trained_state.hpp"

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto generate = [](auto z) {
  return tl::linear<"generator.out", 2>(tl::tanh(tl::linear<"generator.hidden", 16>(z)));
};
constexpr auto judge = [](auto x) {
  return tl::linear<"discriminator.out", 1>(tl::leaky_relu(tl::linear<"discriminator.hidden", 16>(x)));
};
constexpr auto loss_of_judge = [](auto real, auto fake) {
  return tl::mean(tl::softplus(-judge(real))) + tl::mean(tl::softplus(judge(fake)));
};

constexpr auto gan = [] {
  auto real = tl::input<"real", double, batch, 2>;
  auto fake = generate(tl::input<"noise", double, batch, 3>);
  return tl::outputs(tl::named<"discriminator">(loss_of_judge(real, fake)),
                     tl::named<"generator">(tl::mean(tl::softplus(-judge(fake)))), tl::named<"fake">(fake));
};

constexpr auto discriminator_alone = [] {
  return loss_of_judge(tl::input<"real", double, batch, 2>, tl::input<"fake", double, batch, 2>);
};
constexpr auto generator_alone = [] {
  auto fake = generate(tl::input<"noise", double, batch, 3>);
  return tl::outputs(tl::mean(tl::softplus(-judge(fake))), tl::named<"fake">(fake));
};

auto for_discriminator() { return tl::adam({.learning_rate = 0.01, .beta1 = 0.5}); }
auto for_generator() { return tl::adam({.learning_rate = 0.02}); }
auto gan_rule() {
  return tl::in_turn(tl::objective<"discriminator">(tl::names_like<"discriminator.*">, for_discriminator()),
                     tl::objective<"generator">(tl::names_like<"generator.*">, for_generator()));
}

/// Points of a circle, and noise.
struct samples {
  test::numbers random{5};
  std::vector<double> real(int n) {
    std::vector<double> points;
    for (double angle : random.vector<double>(static_cast<std::size_t>(n))) {
      points.push_back(std::cos(3 * angle));
      points.push_back(std::sin(3 * angle));
    }
    return points;
  }
  std::vector<double> noise(int n) { return random.vector<double>(static_cast<std::size_t>(3 * n)); }
};

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

template <class Net>
std::vector<double> all_parameters(Net& net) {
  std::vector<double> all;
  for (const auto& p : net.parameters()) all.insert(all.end(), p.begin(), p.end());
  return all;
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

// An actor and its critic share a trunk, which the critic trains; a policy gradient with the critic as
// baseline.
constexpr auto actor_critic = [] {
  auto state = tl::input<"state", double, batch, 4>;
  auto action = tl::input<"action", std::int32_t, batch>;
  auto reward = tl::input<"reward", double, batch>;
  auto trunk = tl::tanh(tl::batch_norm<"critic.norm">(tl::linear<"critic.trunk", 8>(state)));
  auto value = tl::reshape<batch>(tl::linear<"critic.value", 1>(trunk));
  auto logits = tl::linear<"actor.policy", 2>(tl::batch_norm<"actor.norm">(trunk));
  auto advantage = tl::stop_gradient(reward - value);
  auto chosen = tl::sum<1>(tl::one_hot<2, double>(action) * tl::log_softmax(logits));
  return tl::outputs(tl::named<"critic">(tl::mean(tl::square(reward - value))),
                     tl::named<"actor">(-tl::mean(advantage * chosen)), tl::named<"logits">(logits));
};
auto actor_critic_rule() {
  return tl::in_turn(
      tl::objective<"critic">(tl::names_like<"critic.*">, tl::sgd({.learning_rate = 0.02, .momentum = 0.9})),
      tl::objective<"actor">(tl::names_like<"actor.*">, tl::adamw({.learning_rate = 0.05})));
}

/// The action that pays is the sign of the first coordinate.
struct bandit {
  test::numbers random{11};
  std::vector<double> state, reward;
  std::vector<std::int32_t> action;
  template <class Net>
  void play(Net& net) {
    state = random.vector<double>(4 * 16);
    const auto logits = net.predict("state"_t = state).template get<"logits">();
    action.clear();
    reward.clear();
    for (std::size_t i = 0; i < 16; ++i) {
      const double p = 1 / (1 + std::exp(logits[2 * i] - logits[2 * i + 1]));
      action.push_back(random.vector<double>(1)[0] < 2 * p - 1 ? 1 : 0);
      reward.push_back(action.back() == (state[4 * i] > 0) ? 1 : 0);
    }
  }
  template <class Net>
  double round(Net& net) {
    play(net);
    net.template step<"critic">("state"_t = state, "reward"_t = reward);
    net.template step<"actor">("state"_t = state, "action"_t = action, "reward"_t = reward);
    double mean = 0;
    for (double r : reward) mean += r / 16;
    return mean;
  }
};

}  // namespace

TEST_CASE("an actor and its critic learn by two rules") {
  tl::trainer net{actor_critic, actor_critic_rule(), tl::default_policy{}, 3};
  bandit game;
  double first = 0, last = 0;
  for (int i = 0; i < 20; ++i) first += game.round(net) / 20;
  for (int i = 0; i < 1000; ++i) game.round(net);
  for (int i = 0; i < 20; ++i) last += game.round(net) / 20;
  CHECK(first < 0.75);
  CHECK(last > 0.85);
  CHECK(net.plan<"actor">("batch"_t = 16).optimizer == net.plan<"critic">("batch"_t = 16).optimizer);
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
  STATIC_REQUIRE(tl::constant_graph_of<shown>.nodes.size() ==
                 tl::constant_graph_of<hidden>.nodes.size() + 1);  // the copy of a view, "value"
  STATIC_REQUIRE(tl::constant_graph_of<shown>.outputs.size() == 4);
}

TEST_CASE("running statistics change in the steps whose loss needs them") {
  tl::trainer net{actor_critic, actor_critic_rule(), tl::default_policy{}, 3};
  bandit game;
  game.play(net);
  const auto statistics = [&] {
    return std::pair{test::elements(net.parameter<"critic.norm.running_mean">()),
                     test::elements(net.parameter<"actor.norm.running_mean">())};
  };
  const auto at_first = statistics();
  net.step<"critic">("state"_t = game.state, "reward"_t = game.reward);
  const auto then = statistics();
  CHECK(then.first != at_first.first);
  CHECK(then.second == at_first.second);
  net.step<"actor">("state"_t = game.state, "reward"_t = game.reward, "action"_t = game.action);
  CHECK(statistics().first != then.first);
  CHECK(statistics().second != then.second);
}

namespace {

// A judge with batch norm that looks at what is real, at what is made, and, for the maker, at that again; a
// picture beside them.
template <tl::batch_norm_options Options>
constexpr auto normed_judge =
    [](auto x) { return tl::linear<"judge.out", 1>(tl::relu(tl::batch_norm<"judge.norm", Options>(x))); };
template <tl::batch_norm_options Options>
constexpr auto gan_with_norms = [] {
  auto real = tl::input<"real", double, batch, 2>;
  auto maker = [](auto noise) {
    return tl::linear<"maker.out", 2>(tl::batch_norm<"maker.norm", Options>(noise));
  };
  auto made = maker(tl::input<"noise", double, batch, 2>);
  auto of_judge = tl::mean(tl::softplus(-normed_judge<Options>(real))) +
                  tl::mean(tl::softplus(normed_judge<Options>(tl::stop_gradient(made))));
  auto of_maker = tl::mean(tl::softplus(-normed_judge<Options>(made)));
  return tl::outputs(tl::named<"judge">(of_judge), tl::named<"maker">(of_maker),
                     tl::named<"picture">(maker(10_c + tl::input<"noise", double, batch, 2>)));
};

// The mean of each column, and its unbiased variance.
struct moments {
  std::vector<double> mean, variance;

  explicit moments(const std::vector<double>& x) : mean(2), variance(2) {
    const double n = static_cast<double>(x.size() / 2);
    for (std::size_t i = 0; i < x.size(); ++i) mean[i % 2] += x[i] / n;
    for (std::size_t i = 0; i < x.size(); ++i)
      variance[i % 2] += (x[i] - mean[i % 2]) * (x[i] - mean[i % 2]) / (n - 1);
  }
};

}  // namespace

TEMPLATE_TEST_CASE_SIG("a step moves running statistics by the applications that its loss needs", "",
                       ((bool Cumulative), Cumulative), false, true) {
  constexpr tl::batch_norm_options options{.cumulative = Cumulative};
  tl::trainer net{
      gan_with_norms<options>,
      tl::in_turn(tl::objective<"judge">(tl::names_like<"judge.*">, tl::sgd({.learning_rate = 0})),
                  tl::objective<"maker">(tl::names_like<"maker.*">, tl::sgd({.learning_rate = 0})))};
  const std::vector<double> real{10, 20, 30, 41, 50, 63}, noise{1, 0, 2, 1, 6, 2};
  const moments of_real(real), of_noise(noise);
  // With a learning rate of 0 what is made is the same in all steps: the maker's weights times what is
  // normalized.
  const auto made = [&] {
    std::vector<double> all(6);
    const auto weight = net.template parameter<"maker.out.weight">(),
               bias = net.template parameter<"maker.out.bias">();
    for (std::size_t i = 0; i < 6; ++i) {
      all[i] = bias[i % 2];
      for (std::size_t k = 0; k < 2; ++k) {
        const double biased = of_noise.variance[k] * 2 / 3;
        all[i] +=
            weight[2 * (i % 2) + k] * (noise[2 * (i / 2) + k] - of_noise.mean[k]) / std::sqrt(biased + 1e-5);
      }
    }
    return all;
  }();
  const moments of_made(made);
  std::vector<double> judge_mean(2), maker_mean(2), judge_variance(2, 1.0);
  double seen_by_judge = 0, seen_by_maker = 0;
  const auto follow = [](std::vector<double>& running, const std::vector<double>& now, double seen) {
    const double share = Cumulative ? 1 / seen : 0.1;
    for (std::size_t k = 0; k < 2; ++k) running[k] += share * (now[k] - running[k]);
  };
  const auto judged = [&](const moments& m) {
    ++seen_by_judge;
    follow(judge_mean, m.mean, seen_by_judge);
    follow(judge_variance, m.variance, seen_by_judge);
  };
  const auto check = [&] {
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(net.template parameter<"judge.norm.running_mean">()[k] ==
            test::Approx(judge_mean[k]).epsilon(1e-12));
      CHECK(net.template parameter<"judge.norm.running_var">()[k] ==
            test::Approx(judge_variance[k]).epsilon(1e-12));
      CHECK(net.template parameter<"maker.norm.running_mean">()[k] ==
            test::Approx(maker_mean[k]).epsilon(1e-12));
    }
    if constexpr (Cumulative) {
      CHECK(static_cast<double>(net.template parameter<"judge.norm.num_batches_tracked">()[0]) ==
            seen_by_judge);
      CHECK(static_cast<double>(net.template parameter<"maker.norm.num_batches_tracked">()[0]) ==
            seen_by_maker);
    }
  };
  for (int round = 0; round < 3; ++round) {
    net.template step<"judge">("real"_t = real, "noise"_t = noise);
    judged(of_made);
    judged(of_real);
    follow(maker_mean, of_noise.mean, ++seen_by_maker);
    check();
    net.template step<"maker">("noise"_t = noise);
    judged(of_made);
    follow(maker_mean, of_noise.mean, ++seen_by_maker);
    check();
  }
}

TEST_CASE("averages of an objective's rule stand in for its parameters, and for no others") {
  tl::trainer net{
      actor_critic,
      tl::in_turn(tl::objective<"critic">(tl::names_like<"critic.*">, tl::sgd({.learning_rate = 0.02})),
                  tl::objective<"actor">(tl::names_like<"actor.*">,
                                         tl::average(tl::adamw({.learning_rate = 0.05}), {.decay = 0.75}))),
      tl::default_policy{}, 3};
  bandit game;
  const auto weights = [&] {
    return std::pair{test::elements(net.parameter<"actor.policy.weight">()),
                     test::elements(net.parameter<"critic.trunk.weight">())};
  };
  {
    const auto started = weights();
    const auto averages = net.averaged_weights();  // of no step yet
    CHECK(weights() == started);
  }
  std::vector<double> average;
  for (int i = 0; i < 5; ++i) {
    game.round(net);
    const std::vector<double> now = weights().first;
    if (average.empty()) average = now;
    for (std::size_t k = 0; k < now.size(); ++k) average[k] = 0.75 * average[k] + 0.25 * now[k];
  }
  const auto own = weights();
  {
    const auto averages = net.averaged_weights();
    const auto used = weights();
    for (std::size_t k = 0; k < average.size(); ++k)
      CHECK(used.first[k] == test::Approx(average[k]).epsilon(1e-12));
    CHECK(used.second == own.second);
    CHECK_THROWS_WITH(net.step<"critic">("state"_t = game.state, "reward"_t = game.reward),
                      test::contains("averaged_weights() stand in for the parameters"));
    CHECK_THROWS_AS(tl::save_checkpoint(net, "nowhere"), tl::error);
  }
  CHECK(weights() == own);
  game.round(net);
  CHECK(weights() != own);
}

TEST_CASE("a checkpoint goes on bit for bit, and weights alone can be loaded") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors"), weights = folder.path("weights.safetensors");
  tl::trainer first{actor_critic, actor_critic_rule(), tl::default_policy{}, 3};
  bandit game;
  for (int i = 0; i < 3; ++i) game.round(first);
  first.step<"critic">("state"_t = game.state, "reward"_t = game.reward);
  first.set<"actor.learning_rate">(0.01);
  tl::save_checkpoint(first, path);
  tl::save(first, weights);
  const auto file = tl::io::safetensors::read(path);
  CHECK(file.find("actor.adam.mu.actor.policy.weight") != nullptr);
  CHECK(file["critic.steps"].as<std::int64_t>()[0] == 4);

  tl::trainer second{actor_critic, actor_critic_rule(), tl::default_policy{}, 8};
  tl::load_checkpoint(second, path);
  CHECK(second.steps() == 7);
  CHECK(second.steps<"actor">() == 3);
  CHECK(second.get<"actor.learning_rate">() == 0.01);
  bandit same = game;
  for (int i = 0; i < 3; ++i) CHECK(game.round(first) == same.round(second));
  CHECK(all_parameters(first) == all_parameters(second));

  tl::trainer third{actor_critic, actor_critic_rule(), tl::default_policy{}, 9};
  tl::load(third, weights);
  CHECK(third.steps() == 0);
  CHECK(test::elements(third.parameter<"critic.value.bias">()) !=
        test::elements(second.parameter<"critic.value.bias">()));
  tl::trainer other{actor_critic,
                    tl::in_turn(tl::objective<"critic">(tl::names_like<"critic.*">,
                                                        tl::sgd({.learning_rate = 0.02, .momentum = 0.9})),
                                tl::objective<"actor">(tl::names_like<"actor.policy.*">, tl::adamw({})))};
  CHECK_THROWS_WITH(tl::load_checkpoint(other, path), test::contains("another rule, in_turn(critic("));
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

TEST_CASE("training by several losses goes on from a snapshot bit for bit") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{gan, gan_rule(), Policy{}, 3}, other{gan, gan_rule(), Policy{}, 8};
    const auto go_on = [](auto& one) {
      samples from;
      for (int i = 0; i < 3; ++i) {
        one.template step<"discriminator">("real"_t = from.real(4), "noise"_t = from.noise(4));
        if (i > 0) one.template step<"generator">("noise"_t = from.noise(4));
      }
      return test::state_of(one);
    };
    go_on(net);
    net.template set<"generator.learning_rate">(0.125);
    const auto s = tl::snapshot(net);
    CHECK(s.steps() == 5);
    const std::string expected = go_on(net);
    net.template set<"learning_rate">(0.5);
    tl::restore(net, s);
    CHECK(net.template steps<"generator">() == 2);
    CHECK(net.template get<"generator.learning_rate">() == 0.125);
    CHECK(net.template get<"discriminator.learning_rate">() == 0.01);
    CHECK(go_on(net) == expected);
    tl::restore(other, s);
    CHECK(go_on(other) == expected);
  });
}

TEST_CASE("functions share the weights of a trainer with several losses") {
  constexpr auto generator = [] { return tl::named<"fake">(generate(tl::input<"noise", double, batch, 3>)); };
  test::on_each_policy([&]<class Policy>() {
    tl::trainer net{gan, gan_rule(), Policy{}, 3};
    const tl::function f{generator, tl::weights(net)};
    samples from;
    const auto noise = from.noise(4), real = from.real(4);
    const auto fake = [&](auto& one) {
      return test::elements(one.predict("noise"_t = noise).template get<"fake">());
    };
    const auto computed = [&] { return test::elements(f("noise"_t = noise).template get<"fake">()); };
    const auto before = computed();
    CHECK(before == fake(net));
    net.template step<"discriminator">("real"_t = real, "noise"_t = noise);
    CHECK(computed() == before);
    net.template step<"generator">("noise"_t = noise);
    CHECK(computed() != before);
    CHECK(computed() == fake(net));
    auto moved = std::move(net);
    moved.template step<"generator">("noise"_t = noise);
    CHECK(computed() == fake(moved));
  });
}

TEST_CASE("no step is taken while a function reads the weights") {
  tl::trainer net{gan, gan_rule()};
  const auto shared = net.shared_weights();
  samples from;
  const auto noise = from.noise(4);
  {
    const auto reading = shared->guard.read();
    CHECK_THROWS_WITH(net.step<"generator">("noise"_t = noise),
                      test::contains("while a function on its weights is called or saved in another thread"));
    CHECK(net.steps() == 0);
  }
  net.step<"generator">("noise"_t = noise);
  CHECK(net.steps() == 1);
}

TEST_CASE("parameters go to and from a trainer with several losses by name") {
  tl::trainer net{gan, gan_rule(), tl::default_policy{}, 3}, target{gan, gan_rule(), tl::default_policy{}, 8};
  tl::trainer discriminator{discriminator_alone, for_discriminator(), tl::default_policy{}, 9};
  const auto weight = [](auto& one) {
    return test::elements(one.template parameter<"discriminator.out.weight">());
  };
  tl::copy_parameters(net, discriminator);
  CHECK(weight(discriminator) == weight(net));
  const auto from = all_parameters(net), to = all_parameters(target);
  tl::soft_update(net, target, 0.25);
  std::vector<double> expected;
  for (std::size_t i = 0; i < from.size(); ++i) expected.push_back(0.75 * to[i] + 0.25 * from[i]);
  CHECK(all_parameters(target) == expected);
  tl::copy_parameters(net, target);
  CHECK(all_parameters(target) == from);

  const test::temporary_folder folder;
  discriminator.parameter<"discriminator.out.weight">()[0] = 12;
  tl::save(discriminator, folder.path("d"));
  CHECK_THROWS_WITH(tl::load(net, folder.path("d")), test::contains("missing in the file"));
  tl::load(net, folder.path("d"), {.only = {"discriminator.*"}});
  CHECK(weight(net) == weight(discriminator));
  CHECK(net.steps() == 0);
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
