// SPDX-License-Identifier: BSL-1.0
// Steps that a rule leaves out, for all parameters (skip_nonfinite) or for one (freezable), do not count for
// what stands around it.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

// The gradient of w is 2 s w, that of b is s: steps by 0.1 s.
constexpr auto model = [] {
  auto s = tl::input<"s", double>;
  return s * (tl::sum(tl::square(tl::param<"w", double, 2>(tl::fill(3)))) +
              tl::sum(tl::param<"b", double, 2>(tl::fill(3))));
};
const auto descent = tl::sgd({.learning_rate = 0.1});
constexpr double bad = std::numeric_limits<double>::quiet_NaN();

template <class Net>
std::vector<double> w_after(Net& net, const std::vector<double>& steps) {
  std::vector<double> w;
  for (double s : steps) {
    net.step("s"_t = s);
    w.push_back(net.template parameter<"w">()[0]);
  }
  return w;
}
void require_near(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]));
}

// The average of w.
template <class Net>
double averaged_w(Net& net) {
  const auto average = net.averaged_weights();
  return net.template parameter<"w">()[0];
}

// Twelve steps, with w frozen in some, others skipped, and some that are both: w and its average are those of
// the rule without these.
template <class Rule, class Other>
void holds_still(const Rule& rule, const Other& other) {
  tl::trainer net{model, rule};
  tl::trainer alone{model, other};
  for (int t = 0; t < 12; ++t) {
    const bool frozen = t < 2 || (t > 4 && t < 8), skipped = t % 3 == 1;
    if (frozen)
      net.template freeze<"w">();
    else
      net.template thaw<"w">();
    net.step("s"_t = skipped ? bad : 0.1 * (t + 1));
    if (!frozen && !skipped) alone.step("s"_t = 0.1 * (t + 1));
    INFO("step " << t);
    CHECK(net.template parameter<"w">()[0] == alone.template parameter<"w">()[0]);
    CHECK(averaged_w(net) == averaged_w(alone));
  }
}

}  // namespace

TEST_CASE("lookahead leaves a frozen parameter as it is, inside of freezable and outside") {
  tl::trainer outside{model, tl::lookahead(tl::freezable(descent), {.sync_period = 2})};
  tl::trainer inside{model, tl::freezable(tl::lookahead(descent, {.sync_period = 2}))};
  const auto run = [](auto& net) {
    require_near(w_after(net, {1}), {2.4});
    net.template freeze<"w">();
    require_near(w_after(net, {1, 1, 1}), {2.4, 2.4, 2.4});
    net.template thaw<"w">();
    require_near(w_after(net, {1, 1}), {3 + 0.5 * (1.92 - 3), 0.8 * 2.46});
  };
  run(outside);
  run(inside);
}

TEST_CASE("lookahead changes nothing in a skipped step, and returns once") {
  tl::trainer outside{model, tl::lookahead(tl::skip_nonfinite(descent), {.sync_period = 2})};
  tl::trainer inside{model, tl::skip_nonfinite(tl::lookahead(descent, {.sync_period = 2}))};
  const std::vector<double> steps{1, bad, bad, 1, bad, 1};
  const std::vector<double> expected{2.4, 2.4, 2.4, 2.46, 2.46, 0.8 * 2.46};
  require_near(w_after(outside, steps), expected);
  require_near(w_after(inside, steps), expected);
}

TEST_CASE("average_equally counts no weights twice where steps are skipped") {
  tl::trainer net{model, tl::average_equally(tl::skip_nonfinite(descent), {.start = 1, .period = 2})};
  w_after(net, {1, bad, bad, bad, bad, bad, bad, bad, bad, bad, 1});
  CHECK(averaged_w(net) == Approx(1.92));
  CHECK(net.state<"average.count", "w">()[0] == 1);
}

TEST_CASE("average does not move on in skipped steps") {
  tl::trainer net{model, tl::average(tl::skip_nonfinite(descent), {.decay = 0.5})};
  w_after(net, {bad});
  CHECK(averaged_w(net) == 3);
  w_after(net, {1, bad, bad, 1, bad});
  CHECK(averaged_w(net) == Approx(0.5 * (2.4 + 1.92)));
}

TEST_CASE("a step that is skipped while a parameter is frozen is left out once") {
  using tl::freezable, tl::skip_nonfinite;
  const auto adam = tl::adam({.learning_rate = 0.1});
  holds_still(skip_nonfinite(freezable(tl::average(adam))), tl::average(adam));
  holds_still(freezable(skip_nonfinite(tl::average(adam))), tl::average(adam));
}

TEST_CASE("averages and slow weights of a parameter are those of its own steps, in any order of what wraps") {
  using tl::freezable, tl::skip_nonfinite;
  const auto adam = tl::adam({.learning_rate = 0.1});
  const auto mean = [](auto rule) { return tl::average_equally(rule, {.start = 1, .period = 2}); };
  const auto slow = [](auto rule) { return tl::lookahead(rule, {.sync_period = 2}); };
  holds_still(tl::average(freezable(skip_nonfinite(adam))), tl::average(adam));
  holds_still(mean(freezable(skip_nonfinite(adam))), mean(adam));
  holds_still(skip_nonfinite(mean(freezable(adam))), mean(adam));
  holds_still(freezable(mean(skip_nonfinite(adam))), mean(adam));
  holds_still(slow(skip_nonfinite(freezable(adam))), slow(adam));
  holds_still(freezable(slow(skip_nonfinite(adam))), slow(adam));
}

TEST_CASE("prodigy measures the way of a parameter from where its own steps began") {
  tl::trainer net{model, tl::freezable(tl::prodigy({}))};
  net.freeze<"w">();
  w_after(net, {1});
  net.thaw<"w">();
  w_after(net, {1});
  CHECK(net.state<"prodigy.start", "w">()[0] == 3);
}

// The gradient of "large" makes almost all of d, whose past share stays in its numerator.
TEST_CASE("prodigy and dadapt take no longer steps where a parameter is frozen") {
  constexpr auto uneven = [] {
    return tl::mean(tl::square(tl::param<"large", float, 100>(tl::fill(3)))) +
           1e-3_c * tl::mean(tl::square(tl::param<"small", float, 2>(tl::fill(0)) - 1_c));
  };
  const auto check = [&](auto rule, auto distance) {
    tl::trainer free{uneven, rule}, frozen{uneven, rule};
    for (int t = 0; t < 40; ++t) {
      if (t == 12) frozen.template freeze<"large">();
      free.step();
      frozen.step();
      INFO("step " << t);
      CHECK(distance(frozen) <= distance(free));
    }
  };
  check(tl::freezable(tl::prodigy({})),
        [](auto& net) { return double(net.template state<"prodigy.d">()[0]); });
  check(tl::freezable(tl::dadapt({})), [](auto& net) { return double(net.template state<"dadapt.d">()[0]); });
}

TEST_CASE("a gradient that changes nothing counts for nothing in the length of all") {
  const auto rule = [] { return tl::chain(tl::clip_by_global_norm(0.1), tl::sgd({.learning_rate = 1})); };
  const auto moved = [](auto net, auto&&... frozen) {
    (frozen(net), ...);
    net.step("s"_t = 1);
    auto w = net.template parameter<"w">();
    return std::sqrt((w[0] - 3) * (w[0] - 3) + (w[1] - 3) * (w[1] - 3));
  };
  CHECK(moved(tl::trainer{model, rule()}) < 0.0999);
  CHECK(moved(tl::trainer{model, tl::freezable(rule())}) < 0.0999);
  CHECK(moved(tl::trainer{model, tl::freezable(rule())}, [](auto& net) { net.template freeze<"b">(); }) ==
        Approx(0.1).epsilon(1e-5));
  const auto only_w = [](const auto& r) { return tl::partition(tl::for_parameters(tl::names_like<"w">, r)); };
  CHECK(moved(tl::trainer{model, only_w(rule())}) == Approx(0.1).epsilon(1e-5));
  CHECK(moved(tl::trainer{model,
                          tl::chain(tl::clip_by_global_norm(0.1), only_w(tl::sgd({.learning_rate = 1})))}) ==
        Approx(0.1).epsilon(1e-5));
}
