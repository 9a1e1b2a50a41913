// SPDX-License-Identifier: BSL-1.0
// 10  A GAN: two networks that learn against each other.
//
// Problem   Points come from an unknown source (here: eight blobs on a ring). Make more of them.
// Idea      A maker turns noise into points; a judge tells made from real ones. Each learns from the other's
//           mistakes (Goodfellow et al., 2014).
// Formula   judge:  mean softplus(-D(x)) + mean softplus(D(G(z)))        maker:  mean softplus(-D(G(z)))
// Here      Two losses of one model, each with parameters and a rule of its own: in_turn. Made and real
//           points are judged in the same step, and what the maker alone needs is not computed in the judge's
//           step. To each batch of the judge belongs one of the maker.
// Danger    Mode collapse: the maker finds one blob that passes. The test counts how many of the eight it
//           makes.
// Try       beta1 = 0.9 (the usual one), which oscillates; a smaller judge; noise of one dimension.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int blobs = 8;

constexpr auto judge(tl::expression auto x) {  // a logit: is it real?
  auto h = tl::leaky_relu(tl::linear<"judge.fc1", 96>(x), 0.2_c);
  return tl::linear<"judge.out", 1>(tl::leaky_relu(tl::linear<"judge.fc2", 96>(h), 0.2_c));
}

constexpr auto model = [] {
  auto real = tl::input<"real", float, batch, 2>;
  auto noise = tl::normal<"noise", float, batch, 8>();  // drawn anew in each step
  auto h = tl::relu(tl::linear<"maker.fc2", 96>(tl::relu(tl::linear<"maker.fc1", 96>(noise))));
  auto made = tl::linear<"maker.out", 2>(h);
  auto of_made = judge(made);
  auto judge_loss = tl::mean(tl::softplus(-judge(real))) + tl::mean(tl::softplus(of_made));
  auto maker_loss = tl::mean(tl::softplus(-of_made));
  return tl::outputs(tl::named<"judge">(judge_loss), tl::named<"maker">(maker_loss), tl::named<"made">(made));
};

struct ring {
  std::mt19937 random{1};
  std::normal_distribution<float> normal;

  static std::array<float, 2> middle(int blob) {
    const float angle = static_cast<float>(blob) * 2 * static_cast<float>(M_PI) / blobs;
    return {1.5f * std::cos(angle), 1.5f * std::sin(angle)};
  }
  std::vector<float> draw(int count) {
    std::vector<float> points;
    for (int i = 0; i < count; ++i)
      for (const float m : middle(static_cast<int>(random() % blobs)))
        points.push_back(m + 0.08f * normal(random));
    return points;
  }
};

// How many of the points are within 3 deviations of each blob.
std::array<int, blobs> count_by_blob(const auto& points) {
  std::array<int, blobs> counts{};
  for (std::size_t i = 0; i + 1 < points.size(); i += 2)
    for (int b = 0; b < blobs; ++b) {
      const auto m = ring::middle(b);
      counts[static_cast<std::size_t>(b)] += std::hypot(points[i] - m[0], points[i + 1] - m[1]) < 3 * 0.08f;
    }
  return counts;
}

svg::axes& draw(svg::axes& plot, const auto& points, svg::style style) {
  std::vector<float> x, y;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) x.push_back(points[i]), y.push_back(points[i + 1]);
  return plot.points(x, y, style);
}

int main() {
  const auto rule = tl::adam(
      {.learning_rate = tl::linear_schedule({.start = 1e-3, .end = 5e-5, .steps = 6000}), .beta1 = 0.5f});
  tl::trainer net{model,
                  tl::in_turn(tl::objective<"judge">(tl::names_like<"judge.*">, rule),
                              tl::objective<"maker">(tl::names_like<"maker.*">, rule)),
                  tl::cpu{}, 1};
  ring source;
  svg::axes plot({.title = "made points (orange) on real ones (blue)",
                  .x = {-2.3, 2.3},
                  .y = {-2.3, 2.3},
                  .ticks = false,
                  .width = 300,
                  .height = 300});
  draw(plot, source.draw(500), {.color = svg::blue, .width = 2, .opacity = 0.35});

  constexpr int steps = 6000, frames = 20;
  std::puts("step   loss of the judge   of the maker");
  for (int step = 0, frame = 0; step <= steps; ++step) {
    const float judged = net.step<"judge">("real"_t = source.draw(128)).loss();
    const float made = net.step<"maker">("batch"_t = 128).loss();
    if (step % 1000 == 0) std::printf("%5d        %.3f           %.3f\n", step, judged, made);
    // frames close together at first, when most happens
    if (step == static_cast<int>(steps * std::pow(frame / (frames - 1.0), 2.0))) {
      plot.begin_frame(frame++, frames, 0.4);
      draw(plot, net.predict("batch"_t = 250).get<"made">(),
           {.color = svg::orange, .width = 2, .opacity = 0.8});
      plot.text(0, -2.15, "step " + std::to_string(step)).end_frame();
    }
  }

  const auto counts = count_by_blob(net.predict("batch"_t = 4000).get<"made">());
  int on_blobs = 0, found = 0;
  std::printf("of 4000 made points, by blob:");
  for (const int c : counts) {
    std::printf(" %d", c);
    on_blobs += c;
    found += c > 100;  // an eighth would be 500
  }
  std::printf("\n%d of 8 blobs found, %.1f %% of the points within 3 deviations of one\n", found,
              on_blobs / 40.0);
  svg::write("10_gan.svg", {plot});
  return found == blobs && on_blobs > 2800 ? 0 : 1;
}
