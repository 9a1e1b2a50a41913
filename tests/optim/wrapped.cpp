// SPDX-License-Identifier: BSL-1.0
// What wraps a whole rule, against plain loops: slow weights, averages, parameters held fast, gradients from
// elsewhere; and all of it at once.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <optional>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/trainer/copy_parameters.hpp>
#include <tapeless/train/trainer/snapshot.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "io/temporary_folder.hpp"

namespace {

constexpr auto linear_loss = [] {
  return tl::sum(tl::param<"a", double, 3>(tl::normal(1)) * tl::input<"ga", double, 3>) +
         tl::sum(tl::param<"b", double, 2>(tl::normal(1)) * tl::input<"gb", double, 2>);
};
constexpr auto quartic = [] {
  auto p = tl::param<"p", double, 3>(tl::normal(1));
  return tl::sum(p * p * p * p) + tl::sum(tl::input<"x", double, 3> * p);
};

constexpr double rate = 0.1;
const auto descent = tl::sgd({.learning_rate = rate});

// 50 steps along the same gradients; `next` is told each step's number, from 0, and the weights before and
// after a plain descent.
template <class Net, class Next>
void compare(Net& net, Next next) {
  const auto view = net.template parameter<"a">();
  std::vector<double> w(view.begin(), view.end());
  test::numbers random;
  for (int t = 0; t < 50; ++t) {
    const auto ga = random.vector(3), gb = random.vector(2);
    net.step("ga"_t = ga, "gb"_t = gb);
    for (std::size_t i = 0; i < 3; ++i) w[i] -= rate * ga[i];
    next(t, w);
    INFO("step " << t);
    for (std::size_t i = 0; i < 3; ++i) REQUIRE(view[i] == Approx(w[i]).epsilon(1e-12).margin(1e-12));
  }
}

template <class View>
void require_near(const View& view, const std::vector<double>& expected) {
  REQUIRE(view.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(view[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-12));
}

}  // namespace

TEST_CASE("lookahead: fast weights return to slow ones each sync_period steps") {
  tl::trainer net{linear_loss, tl::lookahead(descent, {.sync_period = 4, .slow_step_size = 0.3})};
  std::vector<double> slow(net.parameter<"a">().begin(), net.parameter<"a">().end());
  compare(net, [&](int t, std::vector<double>& w) {
    if ((t + 1) % 4 != 0) return;
    for (std::size_t i = 0; i < 3; ++i) w[i] = slow[i] += 0.3 * (w[i] - slow[i]);
  });
  const auto averages = net.averaged_weights();
  require_near(net.parameter<"a">(), slow);
}

TEST_CASE("average: a running mean stands in for the parameters as long as it is asked to") {
  tl::trainer net{linear_loss, tl::average(descent, {.decay = 0.8})};
  const std::vector<double> start(net.parameter<"a">().begin(), net.parameter<"a">().end());
  {
    const auto averages = net.averaged_weights();  // before any step
    require_near(net.parameter<"a">(), start);
  }
  std::vector<double> mean;
  compare(net, [&](int, std::vector<double>& w) {
    if (mean.empty()) mean = w;
    for (std::size_t i = 0; i < 3; ++i) mean[i] = 0.8 * mean[i] + 0.2 * w[i];
  });
  const std::vector<double> last(net.parameter<"a">().begin(), net.parameter<"a">().end());
  {
    const auto averages = net.averaged_weights();
    require_near(net.parameter<"a">(), mean);
    CHECK_THROWS_AS(net.averaged_weights(), tl::error);
    const std::vector<double> ga(3), gb(2);
    CHECK_THROWS_WITH(net.step("ga"_t = ga, "gb"_t = gb), Catch::Contains("averaged_weights"));
    const double loss = net.evaluate("ga"_t = std::vector<double>{1, 0, 0}, "gb"_t = gb).loss();
    CHECK(loss == Approx(mean[0]));
  }
  require_near(net.parameter<"a">(), last);
}

TEST_CASE("average: no file and no snapshot takes the averages for the parameters") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net");
  tl::trainer net{linear_loss, tl::average(descent, {.decay = 0.8})};
  const std::vector<double> ga(3, 1), gb(2, 1);
  for (int i = 0; i < 3; ++i) net.step("ga"_t = ga, "gb"_t = gb);
  tl::save_checkpoint(net, path);
  const auto before = tl::snapshot(net);
  const auto a = test::elements(net.parameter<"a">());
  {
    const auto averages = net.averaged_weights();
    const auto is_refused =
        Catch::Contains("averaged_weights() stand in for the parameters: let them go before");
    CHECK_THROWS_WITH(tl::save_checkpoint(net, path), is_refused);
    CHECK_THROWS_WITH(tl::load_checkpoint(net, path), is_refused);
    CHECK_THROWS_WITH(tl::load(net, path, {.allow_unexpected = true}), is_refused);
    CHECK_THROWS_WITH(tl::snapshot(net), is_refused);
    CHECK_THROWS_WITH(tl::restore(net, before), is_refused);
    tl::trainer other{linear_loss, descent};
    CHECK_THROWS_WITH(tl::copy_parameters(other, net), is_refused);
    CHECK_THROWS_WITH(tl::soft_update(other, net, 0.5), is_refused);
    CHECK_THROWS_WITH(net.assign<"a">(std::vector<double>(3)), is_refused);
    CHECK(test::elements(net.parameter<"a">()) != a);
  }
  CHECK(test::elements(net.parameter<"a">()) == a);
}

TEST_CASE("average: what stands in for the parameters may outlive the trainer") {
  std::optional<tl::trainer<decltype(linear_loss), decltype(tl::average(descent, {}))>> net;
  net.emplace(linear_loss, tl::average(descent, {.decay = 0.8}));
  net->step("ga"_t = std::vector<double>(3), "gb"_t = std::vector<double>(2));
  const auto averages = net->averaged_weights();
  net.reset();
}

TEST_CASE("average_equally: the mean over every period-th step from the start on") {
  tl::trainer net{linear_loss, tl::average_equally(descent, {.start = 10, .period = 3})};
  std::vector<double> sum(3);
  int count = 0;
  compare(net, [&](int t, std::vector<double>& w) {
    if (t < 10 || (t - 10) % 3 != 0) return;
    for (std::size_t i = 0; i < 3; ++i) sum[i] += w[i];
    ++count;
  });
  for (double& x : sum) x /= count;
  const auto averages = net.averaged_weights();
  require_near(net.parameter<"a">(), sum);
}

TEST_CASE("averages of rules that keep one themselves") {
  tl::trainer free{quartic, tl::schedule_free_sgd({.learning_rate = 0.02, .momentum = 0.9})};
  tl::trainer mean{quartic, tl::asgd({.learning_rate = 0.02, .start = 0})};
  const std::vector<double> x(3, 0.1);
  for (int t = 0; t < 20; ++t) {
    free.step("x"_t = x);
    mean.step("x"_t = x);
  }
  const std::vector<double> y(free.parameter<"p">().begin(), free.parameter<"p">().end());
  const auto z = free.state<"schedule_free.z", "p">();
  const auto free_averages = free.averaged_weights();
  for (std::size_t i = 0; i < 3; ++i) CHECK(free.parameter<"p">()[i] == Approx((y[i] - 0.1 * z[i]) / 0.9));
  const auto mean_averages = mean.averaged_weights();
  for (std::size_t i = 0; i < 3; ++i) CHECK(mean.parameter<"p">()[i] == mean.state<"asgd.average", "p">()[i]);
}

TEST_CASE("schedule_free: weights of many steps add up where parameters are of 16 bits") {
  tl::trainer net{
      [] {
        return tl::sum(tl::cast<float>(tl::param<"w", tl::bf16, 2>(tl::fill(1))) * tl::input<"g", float, 2>);
      },
      tl::schedule_free_sgd({.learning_rate = 0.01})};
  for (int t = 0; t < 1000; ++t) net.step("g"_t = std::vector<float>{0, 0});
  CHECK(net.state<"schedule_free.weights", "w">()[0] == Approx(0.1).epsilon(1e-3));
}

TEST_CASE("freezable: parameters are held fast between steps, and their states with them") {
  tl::trainer net{linear_loss, tl::freezable(tl::adam({.learning_rate = 0.1}))};
  tl::trainer other{linear_loss, tl::adam({.learning_rate = 0.1})};
  test::numbers random;
  const auto step = [&](bool both) {
    const auto ga = random.vector(3), gb = random.vector(2);
    net.step("ga"_t = ga, "gb"_t = gb);
    if (both) other.step("ga"_t = ga, "gb"_t = gb);
  };
  step(true);
  const auto b = test::elements(net.parameter<"b">()), mu = test::elements(net.state<"adam.mu", "b">());
  const auto a = test::elements(net.parameter<"a">());
  net.freeze<"b*">();
  step(false);
  CHECK(test::elements(net.parameter<"b">()) == b);
  CHECK(test::elements(net.state<"adam.mu", "b">()) == mu);
  CHECK(test::elements(net.parameter<"a">()) != a);
  net.thaw<"*">();
  step(false);
  CHECK(test::elements(net.parameter<"b">()) != b);
}

TEST_CASE("freezable: a parameter's steps are those in which it was not held fast") {
  const auto is_even = [](auto rule) {
    tl::trainer net{linear_loss, tl::freezable(rule)};
    const std::vector<double> ga(3, 2), gb(2, 2);
    net.template freeze<"b">();
    for (int i = 0; i < 300; ++i) net.step("ga"_t = ga, "gb"_t = gb);
    net.template thaw<"b">();
    for (int i = 0; i < 5; ++i) {
      const double before = net.template parameter<"b">()[0];
      net.step("ga"_t = ga, "gb"_t = gb);
      CHECK(before - net.template parameter<"b">()[0] == test::Approx(0.1).epsilon(1e-6));
    }
  };
  is_even(tl::adam({.learning_rate = 0.1}));
  is_even(tl::adam({.learning_rate = 0.1, .amsgrad = true}));
  is_even(tl::chain(tl::ema({.decay = 0.9}), tl::scale(-0.05)));
}

TEST_CASE("sharpness_aware: the gradient at p + radius * g / |g|") {
  const auto gradient = [](double p, double x) { return 4 * p * p * p + x; };
  for (const bool adaptive : {false, true}) {
    INFO(adaptive);
    const auto follow = [&](auto rule) {
      tl::trainer net{quartic, rule};
      std::vector<double> p(net.template parameter<"p">().begin(), net.template parameter<"p">().end());
      test::numbers random;
      for (int t = 0; t < 50; ++t) {
        const auto x = random.vector(3);
        net.step("x"_t = x);
        double squares = 0;
        std::vector<double> g(3);
        for (std::size_t i = 0; i < 3; ++i) {
          g[i] = gradient(p[i], x[i]);
          squares += std::pow((adaptive ? std::abs(p[i]) : 1) * g[i], 2);
        }
        for (std::size_t i = 0; i < 3; ++i) {
          const double place =
              p[i] + 0.05 / (std::sqrt(squares) + 1e-12) * (adaptive ? p[i] * p[i] : 1) * g[i];
          p[i] -= 0.01 * gradient(place, x[i]);
        }
        for (std::size_t i = 0; i < 3; ++i)
          REQUIRE(net.template parameter<"p">()[i] == Approx(p[i]).epsilon(1e-11).margin(1e-11));
      }
    };
    if (adaptive) {
      follow(tl::adaptive_sharpness_aware(tl::sgd({.learning_rate = 0.01}), {.radius = 0.05}));
    } else {
      follow(tl::sharpness_aware(tl::sgd({.learning_rate = 0.01})));
    }
  }
}

TEST_CASE("sharpness_aware neither moves nor counts a parameter that the rule leaves out") {
  const auto model = [] {
    auto w = tl::param<"w", double>(tl::fill(1));
    auto b = tl::param<"b", double>(tl::fill(1));
    return tl::input<"s", double> * w * b + 50_c * tl::square(b);
  };
  const auto only_w = [](auto rule) { return tl::partition(tl::for_parameters(tl::names_like<"w">, rule)); };
  // Linear in w, so that the gradient in another place is the same.
  tl::trainer net{model, tl::sharpness_aware(only_w(descent), {.radius = 0.5})};
  net.step("s"_t = 1.);
  CHECK(net.parameter<"w">()[0] == Approx(0.9));
  CHECK(net.parameter<"b">()[0] == 1);
  tl::trainer wrapped{model, tl::sharpness_aware(tl::average(only_w(descent)), {.radius = 0.5})};
  wrapped.step("s"_t = 1.);
  CHECK(wrapped.parameter<"w">()[0] == Approx(0.9));

  const auto beside = [] {
    auto w = tl::param<"w", double>(tl::fill(1));
    auto b = tl::param<"b", double>(tl::fill(1));
    return tl::outputs(tl::input<"s", double> * tl::square(w), tl::named<"b">(b));
  };
  tl::trainer unreached{beside, tl::sharpness_aware(only_w(descent), {.radius = 0.5})};
  unreached.step("s"_t = 1.);
  CHECK(unreached.parameter<"w">()[0] == Approx(1 - 0.1 * 2 * 1.5));

  tl::trainer none{model, tl::sharpness_aware(tl::chain(tl::set_to_zero()))};
  none.step("s"_t = 1.);
  CHECK(none.parameter<"w">()[0] == 1);
}

TEST_CASE("sharpness_aware passes through loops, and draws the same random numbers twice") {
  const auto model = [] {
    auto x = tl::input<"x", float, 5, 4>;
    auto deep = tl::scan<3>(x, [](auto h) { return h + tl::tanh(tl::linear<"inner", 4>(h)); });
    return tl::mean(tl::square(tl::dropout<0.5>(deep)));
  };
  // With a radius of 0 both places are the same.
  tl::trainer net{model, tl::sharpness_aware(tl::sgd({.learning_rate = 0.1f}), {.radius = 0})};
  tl::trainer plain{model, tl::sgd({.learning_rate = 0.1f})};
  test::numbers random;
  for (int t = 0; t < 5; ++t) {
    const auto x = random.vector<float>(20);
    CHECK(net.step("x"_t = x).loss() == plain.step("x"_t = x).loss());
  }
  for (std::size_t i = 0; i < 48; ++i)
    CHECK(net.parameter<"inner.weight">()[i] == Approx(plain.parameter<"inner.weight">()[i]).margin(1e-6));
  net.set<"radius">(0.5);
  const auto x = random.vector<float>(20);
  net.step("x"_t = x);
  plain.step("x"_t = x);
  CHECK(net.parameter<"inner.weight">()[0] != Approx(plain.parameter<"inner.weight">()[0]).margin(1e-6));
}

TEST_CASE("wrappers in one another, and a checkpoint of them") {
  const test::temporary_folder folder;
  const auto rule = tl::accumulate(
      2, tl::mixed_precision<tl::bf16>(tl::average(tl::lookahead(tl::skip_nonfinite(
             tl::freezable(tl::sharpness_aware(tl::adamw({.learning_rate = 1e-2f}), {.radius = 0.01})))))));
  const auto model = [] {
    return tl::mean(
        tl::square(tl::linear<"out", 1>(tl::tanh(tl::linear<"in", 4>(tl::input<"x", float, 8, 3>))) - 1_c));
  };
  tl::trainer net{model, rule}, other{model, rule};
  test::numbers random;
  const auto x = random.vector<float>(24);
  const float before = net.evaluate("x"_t = x).loss();
  for (int t = 0; t < 101; ++t) net.step("x"_t = x);
  CHECK(net.evaluate("x"_t = x).loss() < 0.2f * before);
  const std::string path = folder.path("checkpoint.safetensors");
  tl::save_checkpoint(net, path);
  tl::load_checkpoint(other, path);
  for (int t = 0; t < 7; ++t) CHECK(net.step("x"_t = x).loss() == other.step("x"_t = x).loss());
  const auto averages = net.averaged_weights(), others = other.averaged_weights();
  CHECK(net.evaluate("x"_t = x).loss() == other.evaluate("x"_t = x).loss());
}
