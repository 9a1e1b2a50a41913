// SPDX-License-Identifier: BSL-1.0
// All parameters change at once: an update reads what the others were before the step, however the gradients
// mix them.
#include "catch.hpp"
#include "program.hpp"

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

template <class Model>
auto trained(Model model) {
  return tl::trainer{model, tl::sgd({.learning_rate = 0.5})};
}

}  // namespace

TEST_CASE("the gradient of each parameter is the other") {
  auto net = trained([] {
    return tl::sum(tl::param<"p", double, 3>(tl::fill(1)) * tl::param<"q", double, 3>(tl::fill(2)));
  });
  net.step();
  CHECK(net.parameter<"p">()[0] == 0);
  CHECK(net.parameter<"q">()[0] == 1.5);
}

TEST_CASE("three parameters in a ring, with momentum") {
  tl::trainer net{[] {
                    auto p = tl::param<"p", double>(tl::fill(1));
                    auto q = tl::param<"q", double>(tl::fill(2));
                    auto r = tl::param<"r", double>(tl::fill(3));
                    return p * q + q * r + r * p;
                  },
                  tl::sgd({.learning_rate = 0.5, .momentum = 0.9})};
  double p = 1, q = 2, r = 3, vp = 0, vq = 0, vr = 0;
  for (int step = 0; step < 3; ++step) {
    const double gp = q + r, gq = p + r, gr = q + p;
    vp = 0.9 * vp + gp, vq = 0.9 * vq + gq, vr = 0.9 * vr + gr;
    p -= 0.5 * vp, q -= 0.5 * vq, r -= 0.5 * vr;
    net.step();
    CHECK(net.parameter<"p">()[0] == test::Approx(p));
    CHECK(net.parameter<"q">()[0] == test::Approx(q));
    CHECK(net.parameter<"r">()[0] == test::Approx(r));
  }
}

TEST_CASE("a parameter's gradient is its transpose") {
  auto net = trained([] {
    auto w = tl::param<"w", double, 3, 3>;
    return tl::sum(w * tl::permute<1, 0>(w));
  });
  auto w = net.parameter<"w">();
  for (std::size_t i = 0; i < 9; ++i) w[i] = static_cast<double>(i);
  net.step();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(w[i * 3 + j] == test::Approx(static_cast<double>(i * 3 + j) - static_cast<double>(j * 3 + i)));
}

TEST_CASE("a parameter's gradient is a part of it") {
  auto net = trained([] {
    auto w = tl::param<"w", double, 2, 3>;
    return tl::sum(tl::stop_gradient(tl::at<1>(w)) * w);
  });
  auto w = net.parameter<"w">();
  for (std::size_t i = 0; i < 6; ++i) w[i] = static_cast<double>(i);
  net.step();
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(w[i] == test::Approx(static_cast<double>(i) - 0.5 * static_cast<double>(3 + i % 3)));
}
