// SPDX-License-Identifier: BSL-1.0
// The guide of several losses and random numbers: two networks that learn against each other.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto judge(tl::expression auto x) {  // a logit: is it real?
  return tl::linear<"judge.out", 1>(tl::leaky_relu(tl::linear<"judge.in", 16>(x)));
}

constexpr auto gan = [] {
  auto real = tl::input<"real", float, batch, 2>;
  auto noise = tl::normal<"noise", float, batch, 4>();  // drawn anew in each step
  auto made = tl::linear<"maker.out", 2>(tl::tanh(tl::linear<"maker.in", 16>(noise)));
  auto of_real = judge(real);
  auto of_made = judge(made);
  auto judge_loss = tl::mean(tl::softplus(-of_real)) + tl::mean(tl::softplus(of_made));
  auto maker_loss = tl::mean(tl::softplus(-of_made));
  return tl::outputs(tl::named<"judge">(judge_loss), tl::named<"maker">(maker_loss), tl::named<"made">(made));
};

// An actor and its critic, whose errors say which samples are worth another look.
constexpr auto agent = [] {
  auto state = tl::input<"state", float, batch, 3>;
  auto reward = tl::input<"reward", float, batch, 1>;
  auto td = reward - tl::linear<"critic", 1>(state);
  auto action = tl::tanh(tl::linear<"actor", 1>(state));
  return tl::outputs(tl::named<"critic">(tl::mean(tl::square(td))), tl::named<"td">(td),
                     tl::named<"actor">(-tl::mean(action * tl::stop_gradient(td))),
                     tl::named<"action">(action));
};

// The reparameterization trick: gradients go through mean and deviation, not through the draw.
constexpr auto encoder = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto mean = tl::linear<"mean", 2>(x);
  auto log_variance = tl::linear<"log_variance", 2>(x);
  auto z = tl::normal<"z">(mean, tl::exp(0.5_c * log_variance));
  auto divergence = -0.5_c * tl::mean(1_c + log_variance - tl::square(mean) - tl::exp(log_variance));
  return tl::outputs(tl::mean(tl::square(tl::linear<"decoder", 3>(z) - x)) + divergence, tl::named<"z">(z));
};

// A function draws what its seed says.
constexpr auto sampler = [] {  // the token i with the probability softmax(logits)[i]
  auto logits = tl::input<"logits", float, 5>;
  auto u = tl::uniform<"u", float, 5>();
  return tl::named<"token">(tl::argmax<0>(logits - tl::log(-tl::log(u))));
};

int main() {
  tl::trainer net{gan, tl::in_turn(tl::objective<"judge">(tl::names_like<"judge.*">, tl::adam({})),
                                   tl::objective<"maker">(tl::names_like<"maker.*">, tl::adam({})))};
  std::vector<float> real(64 * 2);
  for (std::size_t i = 0; i < real.size(); ++i) real[i] = std::sin(static_cast<float>(i));
  for (int step = 0; step < 20; ++step) {
    net.step<"judge">("real"_t = real);
    net.step<"maker">("batch"_t = 64);
  }

  tl::trainer learner{agent, tl::in_turn(tl::objective<"critic">(tl::names_like<"critic.*">, tl::adam({})),
                                         tl::objective<"actor">(tl::names_like<"actor.*">, tl::adam({})))};
  const std::vector<float> state(32 * 3, 0.5f), reward(32, 2);
  std::vector<float> priority(32);

  auto r = learner.step<"critic">("state"_t = state, "reward"_t = reward);
  auto td = r.get<"td">();  // as before the update; "action" is no part of this loss
  for (int i = 0; i < 32; ++i) priority[i] = std::abs(td[i]);

  const auto all = learner.predict("state"_t = state, "reward"_t = reward);
  const bool learned = std::abs(all.get<"td">()[0]) < priority[0] && std::abs(all.get<"action">()[0]) < 1;

  tl::trainer vae{encoder, tl::adam({.learning_rate = 1e-2f})};
  const std::vector<float> x{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const float first = vae.step("x"_t = x).loss();
  float last = first;
  for (int step = 0; step < 200; ++step) last = vae.step("x"_t = x).loss();

  tl::function sample{sampler};
  const std::vector<float> logits{0, 0, 0, 2, -INFINITY};
  std::vector<std::int64_t> tokens;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    sample.seed(i);  // without this line all tokens are the same
    tokens.push_back(sample("logits"_t = logits).get<"token">()[0]);
  }
  const auto threes = std::count(tokens.begin(), tokens.end(), 3);  // e^2 / (3 + e^2) = 0.711 of them
  const bool sampled = threes > 660 && threes < 760 && std::count(tokens.begin(), tokens.end(), 4) == 0;
  return sampled && learned && std::isfinite(last) && last < first ? 0 : 1;
}
