// SPDX-License-Identifier: BSL-1.0
// A GAN in little, with a rule for each of its two losses.
#pragma once

#include <cmath>
#include <vector>

#include <tapeless/tapeless.hpp>

#include "program.hpp"

namespace test {

inline constexpr auto batch = tl::dyn<"batch">;

inline constexpr auto generate = [](auto z) {
  return tl::linear<"generator.out", 2>(tl::tanh(tl::linear<"generator.hidden", 16>(z)));
};
inline constexpr auto judge = [](auto x) {
  return tl::linear<"discriminator.out", 1>(tl::leaky_relu(tl::linear<"discriminator.hidden", 16>(x)));
};
inline constexpr auto loss_of_judge = [](auto real, auto fake) {
  return tl::mean(tl::softplus(-judge(real))) + tl::mean(tl::softplus(judge(fake)));
};

inline constexpr auto gan = [] {
  auto real = tl::input<"real", double, batch, 2>;
  auto fake = generate(tl::input<"noise", double, batch, 3>);
  return tl::outputs(tl::named<"discriminator">(loss_of_judge(real, fake)),
                     tl::named<"generator">(tl::mean(tl::softplus(-judge(fake)))), tl::named<"fake">(fake));
};

inline constexpr auto discriminator_alone = [] {
  return loss_of_judge(tl::input<"real", double, batch, 2>, tl::input<"fake", double, batch, 2>);
};
inline constexpr auto generator_alone = [] {
  auto fake = generate(tl::input<"noise", double, batch, 3>);
  return tl::outputs(tl::mean(tl::softplus(-judge(fake))), tl::named<"fake">(fake));
};

inline auto for_discriminator() { return tl::adam({.learning_rate = 0.01, .beta1 = 0.5}); }
inline auto for_generator() { return tl::adam({.learning_rate = 0.02}); }
inline auto gan_rule() {
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

}  // namespace test
