// SPDX-License-Identifier: BSL-1.0
// On tl::bare, what a rule keeps can be used as on tl::cpu: parameters are frozen and thawed, averages stand
// in for them. A step by a number that a hyperparameter may not be is not valid.
#include <tapeless/bare.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "catch.hpp"

namespace {

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto p = tl::linear<"head", 2>(tl::tanh(tl::linear<"body", 4>(x)));
  return tl::outputs(tl::mean(tl::square(p - 1_c)), tl::named<"p">(p));
};
constexpr float x[2][3] = {{1, -2, 3}, {0.5f, 0.25f, -1}};

template <class Net>
std::vector<float> values(Net& net) {
  const auto *body = &net.template parameter<"body.weight">()[0],
             *head = &net.template parameter<"head.bias">()[0];
  std::vector<float> all(body, body + 12);
  all.insert(all.end(), head, head + 2);
  return all;
}
void check_near(const std::vector<float>& is, const std::vector<float>& wanted) {
  for (std::size_t i = 0; i < is.size(); ++i) CHECK(is[i] == Approx(wanted[i]).epsilon(1e-4).margin(1e-5));
}

template <class Rule>
void check_averages(Rule rule) {
  tl::trainer net{model, rule, tl::bare{}, 3};
  tl::trainer usual{model, rule, tl::cpu{.threads = 1}, 3};
  for (int step = 0; step < 6; ++step) {
    const std::vector<float> before = values(net);
    {
      const auto averages = net.averaged_weights();
      const auto wanted = usual.averaged_weights();
      check_near(values(net), values(usual));
      CHECK((step < 2 || values(net) != before));
      CHECK(net.predict("x"_t = x).template get<"p">()[0] ==
            Approx(usual.predict("x"_t = x).template get<"p">()[0]).epsilon(1e-4));
    }
    CHECK(values(net) == before);
    REQUIRE(net.step("x"_t = x).is_valid());
    usual.step("x"_t = x);
  }
  check_near(values(net), values(usual));
}

}  // namespace

TEST_CASE("averages stand in for the parameters") {
  check_averages(tl::average(tl::adam({.learning_rate = 0.1}), {.decay = 0.5}));
  check_averages(tl::average_equally(
      tl::sgd({.learning_rate = tl::linear_schedule({.start = 0.1, .end = 0.01, .steps = 5})})));
  check_averages(tl::schedule_free_sgd({.learning_rate = 0.1}));
}

TEST_CASE("frozen parameters stay as they are, with their states") {
  const auto rule = tl::freezable(tl::adam({.learning_rate = 0.1}));
  tl::trainer net{model, rule, tl::bare{}, 3};
  tl::trainer usual{model, rule, tl::cpu{.threads = 1}, 3};
  const auto step = [&] {
    REQUIRE(net.step("x"_t = x).is_valid());
    usual.step("x"_t = x);
    check_near(values(net), values(usual));
  };
  step();
  net.freeze<"body.*">();
  usual.freeze<"body.*">();
  const std::vector<float> before = values(net);
  step();
  step();
  CHECK(values(net)[0] == before[0]);
  CHECK(values(net)[12] != before[12]);
  net.thaw<"*weight">();
  usual.thaw<"*weight">();
  step();
  CHECK(values(net)[0] != before[0]);
}

TEST_CASE("no step is valid by a number that may not be") {
  const auto refuses = [](auto rule) {
    tl::trainer net{model, rule, tl::bare{}, 3};
    const std::vector<float> before = values(net);
    const auto result = net.step("x"_t = x);
    CHECK(net.predict("x"_t = x).is_valid());
    return !result.is_valid() && result.template get<"p">().size() == 0 && values(net) == before &&
           net.steps() == 0;
  };
  CHECK(refuses(tl::adam({.learning_rate = -1})));
  CHECK(refuses(tl::adam({.learning_rate = 0.1, .beta1 = 2})));
  CHECK(refuses(tl::sgd({.learning_rate = std::numeric_limits<double>::quiet_NaN()})));
  CHECK(refuses(tl::sgd({.learning_rate = [](std::int64_t) { return -0.1; }})));
  CHECK_FALSE(refuses(tl::sgd({.learning_rate = 0})));

  tl::trainer net{model, tl::adam({.learning_rate = -1, .beta1 = 2}), tl::bare{}, 3};
  CHECK(net.set<"learning_rate">(0.1));
  CHECK_FALSE(net.step("x"_t = x).is_valid());
  CHECK(net.set<"beta1">(0.9));
  CHECK(net.step("x"_t = x).is_valid());
}

TEST_CASE("arrays and spans of bytes are saved to and loaded from") {
  tl::trainer net{model, tl::adam({.learning_rate = 0.1}), tl::bare{}, 3};
  net.step("x"_t = x);
  static unsigned char flash[2048];
  alignas(64) static std::array<std::byte, 1024> weights;
  REQUIRE(net.save_checkpoint(flash) == static_cast<long>(net.checkpoint_bytes()));
  REQUIRE(net.save(std::span(weights)) == static_cast<long>(net.saved_bytes()));
  const std::vector<float> kept = values(net);

  tl::trainer other{model, tl::adam({.learning_rate = 0.1}), tl::bare{}, 4};
  REQUIRE(other.load_checkpoint(flash));
  CHECK((values(other) == kept && other.steps() == 1));
  tl::trainer third{model, tl::sgd({.learning_rate = 0.1}), tl::bare{}, 4};
  REQUIRE(third.load(std::as_const(weights)));
  CHECK(values(third) == kept);

  tl::function f{model, tl::weights(weights), tl::bare{}};
  tl::function g{model, tl::weights(std::span<const std::byte>(weights)), tl::bare{}};
  const float wanted = net.predict("x"_t = x).get<"p">()[0];
  CHECK(f("x"_t = x).get<"p">()[0] == wanted);
  CHECK(g("x"_t = x).get<"p">()[0] == wanted);
}
