// SPDX-License-Identifier: BSL-1.0
// 12  Reinforcement learning: balance a pole on a cart, in two ways.
//
// Problem   A cart is pushed to the left or to the right, 50 times a second, so that the pole on it does not
//           fall. All that is known in the end is how long it stood; 500 pushes count as a success (Barto,
//           Sutton, Anderson, 1983).
// Way 1     Policy gradient (REINFORCE; Williams, 1992): try, and make more probable what went better than
//           the average.
//             L = mean -advantage log p(push | state),   advantage = (return - its mean) / deviation
// Way 2     Q-learning with a network (Mnih et al., 2015): learn what each push is worth, and take the better
//           one. Q' are weights that follow slowly; Q chooses and Q' judges (van Hasselt et al., 2016).
//             L = mean huber(Q(state, push) - target)
//             target = 1 + 0.99 Q'(next, argmax Q(next, .)), or 1 where the pole falls
// Here      The environment is a few lines, and its loop calls the network for each push: that is what a
//           network inside a compiled program is good for. Way 1 needs no memory, way 2 learns again from
//           what it remembers.
// Try       other seeds: both ways vary a lot; a discount of 0.9; Q' = Q.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto policy = [] {
  auto state = tl::input<"state", float, batch, 4>;
  auto push = tl::input<"push", std::int32_t, batch>;
  auto advantage = tl::input<"advantage", float, batch>;
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"fc1", 32>(state)));
  auto surprise = tl::cross_entropy<tl::loss{.reduce = tl::reduction::none}>(logits, push);  // -log p
  return tl::outputs(tl::mean(advantage * surprise), tl::named<"logits">(logits));
};

constexpr auto values = [] {
  auto state = tl::input<"state", float, batch, 4>;
  auto push = tl::input<"push", std::int32_t, batch, 1>;
  auto target = tl::input<"target", float, batch, 1>;
  auto q = tl::linear<"out", 2>(tl::relu(tl::linear<"fc2", 64>(tl::relu(tl::linear<"fc1", 64>(state)))));
  return tl::outputs(tl::huber_loss(tl::gather<1>(q, push), target), tl::named<"q">(q));
};

using state = std::array<float, 4>;  // position, speed, angle, angular speed

class cart_pole {
 public:
  explicit cart_pole(unsigned seed) : random_(seed) {}
  state start() {
    for (float& s : state_) s = std::uniform_real_distribution<float>(-0.05f, 0.05f)(random_);
    return state_;
  }
  // Pushes for 20 ms; false: it fell, or the cart left the track.
  bool push(bool right) {
    auto& [x, v, angle, turn] = state_;
    const float force = right ? 10.0f : -10.0f, sine = std::sin(angle), cosine = std::cos(angle);
    const float pushed =
        (force + 0.05f * turn * turn * sine) / 1.1f;  // a cart of 1 kg, a pole of 0.1 kg and 1 m
    const float turn_faster =
        (9.8f * sine - cosine * pushed) / (0.5f * (4.0f / 3 - 0.1f * cosine * cosine / 1.1f));
    const float faster = pushed - 0.05f * turn_faster * cosine / 1.1f;
    x += 0.02f * v, v += 0.02f * faster, angle += 0.02f * turn, turn += 0.02f * turn_faster;
    return std::abs(x) < 2.4f && std::abs(angle) < 0.2095f;
  }
  const state& now() const { return state_; }

 private:
  state state_{};
  std::mt19937 random_;
};
constexpr int longest = 500;

struct curve {
  std::vector<double> pushes, lengths;  // of all episodes: thousands of pushes before, how long it stood
  long all = 0;
  void add(int length) {
    pushes.push_back(static_cast<double>(all += length) / 1000);
    lengths.push_back(length);
  }
  double recent() const {  // the mean of the last 20
    double sum = 0;
    for (std::size_t i = lengths.size() - std::min<std::size_t>(lengths.size(), 20); i < lengths.size(); ++i)
      sum += lengths[i] / 20;
    return sum;
  }
};

// The mean length of 20 new episodes.
double examine(const auto& better_right) {
  cart_pole world(12345);
  int all = 0;
  for (int episode = 0; episode < 20; ++episode) {
    world.start();
    for (int step = 0; step < longest; ++step, ++all)
      if (!world.push(better_right(world.now()))) break;
  }
  return all / 20.0;
}

double by_policy_gradient(curve& seen) {
  tl::trainer net{policy, tl::adam({.learning_rate = 1e-2f}), tl::cpu{}, 1};
  const auto logit_of_right = [&](const state& s) {
    const auto logits = net.predict("state"_t = s).get<"logits">();
    return logits[1] - logits[0];
  };
  cart_pole world(1);
  std::mt19937 random{1};
  std::uniform_real_distribution<float> uniform;
  while (seen.recent() < 490 && seen.all < 500'000) {
    std::vector<float> states, returns;
    std::vector<std::int32_t> pushes;
    for (int episode = 0; episode < 8; ++episode) {
      world.start();
      int length = 0;
      for (bool stands = true; stands && length < longest; ++length) {
        states.insert(states.end(), world.now().begin(), world.now().end());
        const bool right = uniform(random) < 1 / (1 + std::exp(-logit_of_right(world.now())));
        pushes.push_back(right);
        stands = world.push(right);
      }
      float sum = 0;
      returns.resize(returns.size() + static_cast<std::size_t>(length));
      for (int i = 1; i <= length; ++i)
        returns[returns.size() - static_cast<std::size_t>(i)] = sum = 1 + 0.99f * sum;
      seen.add(length);
    }
    double mean = 0, variance = 0;
    for (const float r : returns) mean += r / static_cast<double>(returns.size());
    for (const float r : returns) variance += (r - mean) * (r - mean) / static_cast<double>(returns.size());
    for (float& r : returns) r = static_cast<float>((r - mean) / (std::sqrt(variance) + 1e-6));
    net.step("state"_t = states, "push"_t = pushes, "advantage"_t = returns);
  }
  return examine([&](const state& s) { return logit_of_right(s) > 0; });
}

struct memory {
  state before, after;
  std::int32_t push;
  bool stands;
};

double by_q_learning(curve& seen) {
  tl::trainer net{values, tl::adam({.learning_rate = 1e-3f}), tl::cpu{}, 1};
  tl::trainer slow{values, tl::adam({}), tl::cpu{}, 1};
  const auto right_is_better = [&](const state& s) {
    const auto q = net.predict("state"_t = s).get<"q">();
    return q[1] > q[0];
  };
  cart_pole world(2);
  std::mt19937 random{2};
  std::uniform_real_distribution<float> uniform;
  constexpr std::size_t size = 64;
  std::vector<memory> remembered;
  std::vector<float> before(4 * size), after(4 * size), target(size);
  std::vector<std::int32_t> push(size);
  for (long step = 0; seen.recent() < 490 && seen.all < 300'000;) {
    world.start();
    int length = 0;
    for (bool stands = true; stands && length < longest; ++length, ++step) {
      memory m{world.now(), {}, 0, true};
      const float curiosity = std::max(0.02f, 1 - static_cast<float>(step) / 5000);
      m.push = uniform(random) < curiosity ? random() % 2 == 0 : right_is_better(world.now());
      m.stands = stands = world.push(m.push != 0);
      m.after = world.now();
      if (remembered.size() < 20'000)
        remembered.push_back(m);
      else
        remembered[static_cast<std::size_t>(step) % remembered.size()] = m;
      if (remembered.size() < 1000 || step % 2 != 0) continue;

      std::vector<const memory*> part(size);
      for (std::size_t i = 0; i < size; ++i) {
        part[i] = &remembered[random() % remembered.size()];
        std::copy_n(part[i]->before.begin(), 4, &before[4 * i]);
        std::copy_n(part[i]->after.begin(), 4, &after[4 * i]);
        push[i] = part[i]->push;
      }
      const auto q = net.predict("state"_t = after).get<"q">(),
                 slow_q = slow.predict("state"_t = after).get<"q">();
      for (std::size_t i = 0; i < size; ++i)
        target[i] = 1 + (part[i]->stands ? 0.99f * slow_q[2 * i + (q[2 * i + 1] > q[2 * i])] : 0);
      net.step("state"_t = before, "push"_t = push, "target"_t = target);
      tl::soft_update(net, slow, 0.01);
    }
    seen.add(length);
  }
  return examine(right_is_better);
}

int main() {
  curve gradient, q;
  const double by_gradient = by_policy_gradient(gradient), by_q = by_q_learning(q);
  std::puts("                  episodes   pushes until 20 episodes last 490   mean of 20 new episodes");
  std::printf("policy gradient     %5zu                 %6ld                         %.1f\n",
              gradient.lengths.size(), gradient.all, by_gradient);
  std::printf("Q-learning          %5zu                 %6ld                         %.1f\n",
              q.lengths.size(), q.all, by_q);

  const double end = std::max(gradient.pushes.back(), q.pushes.back());
  svg::axes plot({.title = "how long the pole stands",
                  .x_label = "thousands of pushes so far",
                  .y_label = "pushes in an episode",
                  .x = {0, end},
                  .y = {0, 530},
                  .legend = 150,
                  .width = 620});
  const auto draw = [&](const curve& c, const char* color, const char* label) {
    plot.points(c.pushes, c.lengths, {.color = color, .width = 1.5, .opacity = 0.35});
    std::vector<double> mean;
    for (std::size_t i = 0; i < c.lengths.size(); ++i)
      mean.push_back(i == 0 ? c.lengths[0] : mean[i - 1] + 0.08 * (c.lengths[i] - mean[i - 1]));
    plot.line(c.pushes, mean, {.color = color, .width = 2.2, .label = label});
  };
  draw(gradient, svg::blue, "policy gradient");
  draw(q, svg::orange, "Q-learning");
  svg::write("12_cart_pole.svg", {plot});
  return by_gradient > 450 && by_q > 450 ? 0 : 1;
}
