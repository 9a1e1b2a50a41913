// SPDX-License-Identifier: BSL-1.0
// 18  Diffusion: make data from noise, a little at a time.
//
// Problem   Points lie on a spiral. Make more of them, without a formula for the spiral.
// Idea      Noise drowns any data: mix in more and more, and all becomes a normal distribution. A network
//           that can tell the noise from the data takes it away again, step by step (Ho, Jain and Abbeel,
//           2020).
// Formula   z = cos(a) x + sin(a) e     the angle a goes from 0 (data) to pi/2 (noise e ~ N(0, 1))
//           v = cos(a) e - sin(a) x     is learned (Salimans and Ho, 2022): L = mean |net(z, a) - v|^2
//           x = cos(a) z - sin(a) v,    e = sin(a) z + cos(a) v     follows from it, without a division
// Here      Angle and noise are drawn inside the model, anew in each step, small angles more often. To make
// points, start with noise
//           at a = pi/2 and turn back by small angles: z' = cos(a') x + sin(a') e (Song, Meng and Ermon,
//           2021).
// Try       5 steps back instead of 60; the noise itself in place of v; another shape.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto guess_of_v(tl::expression auto z, tl::expression auto angle) {  // [batch, 2], [batch, 1]
  auto seen = tl::concat<1>(z, tl::cos(angle), tl::sin(angle), tl::cos(4_c * angle), tl::sin(4_c * angle),
                            tl::exp(-8_c * angle));
  auto h = tl::silu(tl::linear<"fc2", 128>(tl::silu(tl::linear<"fc1", 128>(seen))));
  return tl::linear<"out", 2>(tl::silu(tl::linear<"fc3", 128>(h)));
}

constexpr auto training = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto angle = tl::constant<std::numbers::pi / 2> * tl::square(tl::uniform<"angle", float, batch, 1>());
  auto noise = tl::normal<"noise", float, batch, 2>();
  auto z = tl::cos(angle) * x + tl::sin(angle) * noise;
  auto v = tl::cos(angle) * noise - tl::sin(angle) * x;
  return tl::mse_loss(guess_of_v(z, angle), v);
};

constexpr auto one_step_back = [] {  // the same network, on the same weights
  auto z = tl::input<"z", float, batch, 2>;
  auto from = tl::input<"from", float>;
  auto to = tl::input<"to", float>;
  auto v = guess_of_v(z, tl::expand<batch, 1>(tl::reshape<1, 1>(from)));
  auto x = tl::cos(from) * z - tl::sin(from) * v;
  auto noise = tl::sin(from) * z + tl::cos(from) * v;
  return tl::named<"z">(tl::cos(to) * x + tl::sin(to) * noise);
};

struct spiral {
  std::mt19937 random{1};
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform;

  static float x(float s) { return 0.5f * std::sqrt(s) * std::cos(s); }  // equal lengths for equal s
  static float y(float s) { return 0.5f * std::sqrt(s) * std::sin(s); }
  static constexpr float begin = 1, end = 13;

  std::vector<float> draw(int count) {
    std::vector<float> points;
    for (int i = 0; i < count; ++i) {
      const float s = begin + (end - begin) * uniform(random);
      points.push_back(x(s) + 0.04f * normal(random));
      points.push_back(y(s) + 0.04f * normal(random));
    }
    return points;
  }
  std::vector<float> noise(int count) {
    std::vector<float> points(2 * static_cast<std::size_t>(count));
    for (float& p : points) p = normal(random);
    return points;
  }
};

// How far points are from the spiral, and how much of it they cover.
struct quality {
  double distance = 0;
  int covered = 0;  // of 60 parts
};
quality judge(const auto& points) {
  quality q;
  std::vector<int> hits(60);
  const std::size_t count = points.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    double nearest = 1e9;
    std::size_t part = 0;
    for (std::size_t k = 0; k < 600; ++k) {
      const float s = spiral::begin + (spiral::end - spiral::begin) * static_cast<float>(k) / 599;
      const double d = std::hypot(points[2 * i] - spiral::x(s), points[2 * i + 1] - spiral::y(s));
      if (d < nearest) nearest = d, part = k / 10;
    }
    q.distance += nearest / static_cast<double>(count);
    ++hits[part];
  }
  for (const int h : hits) q.covered += h > 0;
  return q;
}

svg::axes picture(const std::string& title, const auto& points, const char* color) {
  std::vector<float> x, y;
  for (std::size_t i = 0; i + 1 < std::min<std::size_t>(points.size(), 1200); i += 2)
    x.push_back(points[i]), y.push_back(points[i + 1]);
  svg::axes plot(
      {.title = title, .x = {-2.3, 2.3}, .y = {-2.3, 2.3}, .ticks = false, .width = 150, .height = 150});
  return plot.points(x, y, {.color = color, .width = 1.3, .opacity = 0.7});
}

int main() {
  constexpr int steps = 8000;
  tl::trainer net{
      training,
      tl::average(tl::adam({.learning_rate = tl::cosine_schedule({.start = 4e-3, .steps = steps})}),
                  {.decay = 0.998}),
      tl::cpu{}, 1};
  spiral source;
  double loss = 0;
  for (int step = 0; step < steps; ++step) {
    loss += net.step("x"_t = source.draw(256)).loss() / 1000;
    if (step % 1000 == 999) std::printf("step %4d: mean loss %.4f\n", step + 1, loss), loss = 0;
  }

  const auto averages = net.averaged_weights();  // of the last steps, in place of the weights
  const tl::function back{one_step_back, tl::weights(net)};
  constexpr int turns = 60;
  const auto angle_of = [&](int turn) {  // small angles at the end, where the details are
    const float left = 1 - static_cast<float>(turn) / turns;
    return std::numbers::pi_v<float> / 2 * left * left;
  };
  std::vector<svg::axes> pictures;
  auto z = back("z"_t = source.noise(2000), "from"_t = angle_of(0), "to"_t = angle_of(0)).get<"z">();
  for (int turn = 0; turn < turns; ++turn) {
    if (turn == 0) pictures.push_back(picture("noise", z, svg::orange));
    if (turn == 30 || turn == 42 || turn == 50)
      pictures.push_back(picture(std::to_string(turn) + " steps back", z, svg::orange));
    z = back("z"_t = z, "from"_t = angle_of(turn), "to"_t = angle_of(turn + 1)).get<"z">();
  }
  pictures.push_back(picture("60 steps back", z, svg::orange));
  const auto real = source.draw(2000);
  pictures.push_back(picture("data", real, svg::blue));

  std::puts("           mean distance from the spiral   parts covered");
  const quality of_noise = judge(source.noise(2000)), of_made = judge(z), of_data = judge(real);
  for (const auto& [what, q] : {std::pair{"noise", of_noise}, {"made ", of_made}, {"data ", of_data}})
    std::printf("%s                  %.4f                  %2d of 60\n", what, q.distance, q.covered);
  svg::write("18_diffusion.svg", pictures);
  return of_made.distance < 0.09 && of_made.covered == 60 ? 0 : 1;
}
