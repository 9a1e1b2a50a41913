// SPDX-License-Identifier: BSL-1.0
// stop_gradient of a parameter: what is trained through another use, and what no rule changes.
#include <tapeless/graph/structural/left_alone.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/lbfgs_trainer.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

// "both" is trained through one of its two uses, "held" not at all, also not as a part of "inner".
constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto both = tl::param<"both", float, 3, 3>(tl::normal(0.5));
  auto held = tl::param<"held", float, 3, 3>(tl::normal(0.5));
  auto bias = tl::param<"inner.bias", float, 3>(tl::fill(0.25));
  auto inner = tl::stop_gradient(tl::tanh(tl::matmul(x, held) + bias));
  auto h = tl::matmul(tl::matmul(inner, both), tl::stop_gradient(both));
  return tl::outputs(tl::mean(tl::square(h)), tl::named<"size">(tl::sum(held)));
};

// The same gradient: the second use is another parameter, of the same values.
constexpr auto apart = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto both = tl::param<"both", float, 3, 3>;
  auto held = tl::param<"held", float, 3, 3>;
  auto bias = tl::param<"inner.bias", float, 3>;
  auto other = tl::param<"other", float, 3, 3>;
  return tl::mean(tl::square(tl::matmul(tl::matmul(tl::tanh(tl::matmul(x, held) + bias), both), other)));
};

// In the body of a loop, through its carry.
constexpr auto looped = [] {
  auto x = tl::input<"x", float, 3>;
  auto h = tl::scan<4>(x, [](auto h) {
    return tl::tanh(tl::stop_gradient(tl::param<"held", float, 3>(tl::fill(0.5))) * h +
                    tl::param<"free", float, 3>(tl::fill(0.5)));
  });
  return tl::mean(tl::square(h));
};

const std::vector<float> x{1, 2, -1, 0.5f, -0.25f, 3};

template <tl::name Name, class Net>
std::vector<double> values(Net& net) {
  return test::elements(net.template parameter<Name>());
}

template <class Net>
void check_held(Net net) {
  const auto held = values<"held">(net), bias = values<"inner.bias">(net), both = values<"both">(net);
  for (int i = 0; i < 3; ++i) net.step("x"_t = x);
  CHECK(values<"held">(net) == held);
  CHECK(values<"inner.bias">(net) == bias);
  CHECK(values<"both">(net) != both);
}

}  // namespace

TEST_CASE("a parameter is trained through one use and constant in another") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), Policy{}, 3};
    tl::trainer other{apart, tl::sgd({.learning_rate = 0.1f}), Policy{}, 3};
    other.template assign<"both">(net.template parameter<"both">());
    other.template assign<"other">(net.template parameter<"both">());
    other.template assign<"held">(net.template parameter<"held">());
    other.template assign<"inner.bias">(net.template parameter<"inner.bias">());
    net.step("x"_t = x);
    other.step("x"_t = x);
    const auto found = values<"both">(net), expected = values<"both">(other);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == test::Approx(expected[i]).epsilon(1e-6));
  });
}

TEST_CASE("no rule changes a parameter that the loss needs only behind stop_gradient") {
  check_held(tl::trainer{model, tl::sgd({.learning_rate = 0.1f, .weight_decay = 0.1f})});
  check_held(tl::trainer{model, tl::adamw({.learning_rate = 0.1f, .weight_decay = 0.1f})});
  check_held(tl::trainer{model, tl::accumulate(2, tl::adam({.learning_rate = 0.1f}))});
  check_held(tl::trainer{model, tl::mixed_precision<tl::bf16>(tl::adamw({.learning_rate = 0.1f}))});
  check_held(tl::trainer{model, tl::lbfgs()});
}

TEST_CASE("it has no states, and keeps its place in loops") {
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
  for (const tl::state_description& s : net.state_descriptions())
    if (s.of >= 0)
      CHECK(net.parameter_descriptions()[static_cast<std::size_t>(s.of)].label->view() == "both");
  tl::trainer loop{looped, tl::sgd({.learning_rate = 0.1f, .weight_decay = 0.1f})};
  const auto held = values<"held">(loop), free = values<"free">(loop);
  loop.step("x"_t = std::vector<float>{1, 2, 3});
  CHECK(values<"held">(loop) == held);
  CHECK(values<"free">(loop) != free);
}
