// SPDX-License-Identifier: BSL-1.0
// Several losses that share layers, running statistics among them: an actor and its critic, a GAN with batch
// norm.
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "parameters.hpp"
#include "program.hpp"

namespace {

using test::all_parameters;

constexpr auto batch = tl::dyn<"batch">;

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
