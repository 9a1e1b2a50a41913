// SPDX-License-Identifier: BSL-1.0
// copy_parameters and soft_update: between trainers and functions of the same and of other models, types,
// rules and policies.
#include <tapeless/bytes.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "trained_state.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

template <class T>
struct network {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, batch, 3>;
    auto y = tl::batch_norm<"norm">(tl::linear<"fc", 4>(x));
    return tl::outputs(tl::mean(tl::square(y - 1_c)), tl::named<"y">(y));
  }
};
constexpr network<float> model{};

constexpr auto layer = [] { return tl::named<"y">(tl::linear<"fc", 4>(tl::input<"x", float, batch, 3>)); };

const std::vector<float> x{0.5f, -1, 2, 0.25f, 1, -0.5f, 3, 0, 1};

template <class Rule, class Policy = tl::cpu>
auto trained(Rule rule, std::uint64_t seed, Policy policy = {}) {
  tl::trainer net{model, rule, policy, seed};
  for (int k = 0; k < 3; ++k) net.step("x"_t = x);
  return net;
}

/// All parameters and running statistics, one after the other.
template <class Net>
std::string parameters_of(Net& net) {
  std::string all;
  for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i)
    all.append(reinterpret_cast<const char*>(net.parameter_data()[i]),
               static_cast<std::size_t>(net.parameter_descriptions()[i].bytes()));
  return all;
}

template <class View>
std::vector<double> numbers(const View& v) {
  return {v.begin(), v.end()};
}

template <class F>
std::string sentence_of(F f) {
  try {
    f();
  } catch (const tl::error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("all parameters and running statistics of the names are copied") {
  test::on_each_policy([]<class Policy>() {
    auto from = trained(tl::adam({.learning_rate = 0.1f}), 1, Policy{});
    auto to = trained(tl::sgd({.learning_rate = 0.1f}), 2);
    CHECK(parameters_of(from) != parameters_of(to));
    tl::copy_parameters(from, to);
    CHECK(parameters_of(from) == parameters_of(to));
    CHECK(to.steps() == 3);
    CHECK(from.evaluate("x"_t = x).loss() == test::Approx(to.evaluate("x"_t = x).loss()));
    tl::copy_parameters(from, from);
    CHECK(parameters_of(from) == parameters_of(to));
  });
}

TEST_CASE("functions give and take parameters, too") {
  auto net = trained(tl::adam({.learning_rate = 0.1f}), 1);
  tl::function f{layer};
  tl::copy_parameters(net, f);
  CHECK(numbers(f.parameter<"fc.weight">()) == numbers(net.parameter<"fc.weight">()));
  f.parameter<"fc.bias">()[1] = 7;
  tl::copy_parameters(f, net, {.allow_missing = true});
  CHECK(net.parameter<"fc.bias">()[1] == 7);
  CHECK(sentence_of([&] { tl::copy_parameters(f, net); }) ==
        "tapeless: copy_parameters: missing in the model that is copied from: \"norm.running_mean\", "
        "\"norm.running_var\", \"norm.weight\", \"norm.bias\"");
}

TEST_CASE("float copies are copied where there are some") {
  const auto rule = tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 0.013f}));
  auto from = trained(rule, 1), to = trained(rule, 2);
  auto wide = trained(tl::adam({}), 3);
  tl::copy_parameters(from, to);
  CHECK(parameters_of(from) == parameters_of(to));
  CHECK(numbers(from.master<"fc.weight">()) == numbers(to.master<"fc.weight">()));
  tl::copy_parameters(from, wide);
  CHECK(numbers(wide.parameter<"fc.weight">()) == numbers(from.master<"fc.weight">()));
  wide.parameter<"fc.weight">()[3] = 1.001f;
  tl::copy_parameters(wide, to);
  CHECK(to.master<"fc.weight">()[3] == 1.001f);
  CHECK(static_cast<float>(to.parameter<"fc.weight">()[3]) == 1.0f);
  CHECK(numbers(to.parameter<"fc.weight">()) != numbers(from.parameter<"fc.weight">()));
}

TEST_CASE("averages that stand in for parameters are copied and written as float copies") {
  const auto rule =
      tl::mixed_precision<tl::bf16>(tl::average(tl::sgd({.learning_rate = 0.3f}), {.decay = 0.5}));
  auto from = trained(rule, 1), to = trained(rule, 2);
  auto wide = trained(tl::adam({}), 3), read = trained(tl::adam({}), 4), moved = trained(tl::adam({}), 5);
  const auto own = numbers(from.parameter<"fc.weight">());
  std::vector<double> expected;
  {
    const auto averages = from.averaged_weights();
    expected = numbers(from.parameter<"fc.weight">());
    tl::copy_parameters(from, wide);
    tl::copy_parameters(from, to);
    tl::soft_update(from, moved, 1);
    tl::load_bytes(read, tl::save_bytes(from, tl::masters));
  }
  CHECK(expected != own);
  CHECK(numbers(wide.parameter<"fc.weight">()) == expected);
  CHECK(numbers(to.parameter<"fc.weight">()) == expected);
  CHECK(numbers(to.master<"fc.weight">()) == expected);
  CHECK(numbers(moved.parameter<"fc.weight">()) == expected);
  CHECK(numbers(read.parameter<"fc.weight">()) == expected);
  CHECK(numbers(from.parameter<"fc.weight">()) == own);
}

TEST_CASE("other types are converted where that is asked for") {
  auto from = trained(tl::adam({.learning_rate = 0.1f}), 1);
  tl::trainer to{network<double>{}, tl::sgd({})};
  const std::string before = parameters_of(to);
  const std::string sentence = sentence_of([&] { tl::copy_parameters(from, to); });
  CHECK_THAT(sentence,
             test::contains("the parameter \"fc.weight\" is double[4, 3], but the model that is copied "
                            "from holds float[4, 3], which .convert = true would round"));
  CHECK_THAT(sentence, test::contains("the parameter \"norm.running_var\" is double[4]"));
  CHECK(parameters_of(to) == before);
  tl::copy_parameters(from, to, {.convert = true});
  CHECK(numbers(to.parameter<"fc.weight">()) == numbers(from.parameter<"fc.weight">()));
  to.parameter<"fc.bias">()[0] = 1.0 / 3;
  tl::copy_parameters(to, from, {.convert = true});
  CHECK(from.parameter<"fc.bias">()[0] == 1.0f / 3);
}

TEST_CASE("soft_update goes a part of the way") {
  const auto check = [](auto from, auto to, double tolerance) {
    const auto a = numbers(from.template parameter<"fc.weight">()),
               b = numbers(to.template parameter<"fc.weight">()),
               mean = numbers(from.template parameter<"norm.running_mean">()),
               own = numbers(to.template parameter<"norm.running_mean">());
    tl::soft_update(from, to, 0.25);
    const auto now = numbers(to.template parameter<"fc.weight">()),
               there = numbers(to.template parameter<"norm.running_mean">());
    for (std::size_t i = 0; i < now.size(); ++i)
      CHECK(now[i] == test::Approx(0.75 * b[i] + 0.25 * a[i]).margin(tolerance));
    for (std::size_t i = 0; i < there.size(); ++i)
      CHECK(there[i] == test::Approx(0.75 * own[i] + 0.25 * mean[i]).margin(tolerance));
    tl::soft_update(from, to, 1);
    CHECK(numbers(to.template parameter<"fc.weight">()) == a);
    const std::string before = parameters_of(to);
    tl::soft_update(from, to, 0);
    CHECK(parameters_of(to) == before);
    CHECK_THROWS_WITH(tl::soft_update(from, to, 1.5),
                      "tapeless: soft_update: t is 1.500000; it must be from 0 to 1");
    CHECK_THROWS_AS(tl::soft_update(from, to, std::numeric_limits<double>::quiet_NaN()), tl::error);
  };
  test::on_each_policy([&]<class Policy>() {
    check(trained(tl::adam({.learning_rate = 0.1f}), 1), trained(tl::sgd({}), 2, Policy{}), 1e-7);
  });
  const auto mixed = tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 0.1f}));
  check(trained(mixed, 1), trained(mixed, 2), 1e-2);
}

TEST_CASE("soft_update by a model that has other parameters, too, and by names") {
  auto from = trained(tl::adam({.learning_rate = 0.1f}), 1);
  tl::function f{layer};
  const auto mean_of = [&] {
    auto a = numbers(from.parameter<"fc.weight">()), b = numbers(f.parameter<"fc.weight">());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] + b[i]) / 2;
    return a;
  };
  const auto first = mean_of();
  tl::soft_update(from, f, 0.5);  // fc alone
  for (std::size_t i = 0; i < first.size(); ++i)
    CHECK(f.parameter<"fc.weight">()[i] == test::Approx(first[i]));
  const auto second = mean_of();
  tl::soft_update(from, f, 0.5, {.only = {"*.weight"}});
  for (std::size_t i = 0; i < second.size(); ++i)
    CHECK(f.parameter<"fc.weight">()[i] == test::Approx(second[i]));
  const std::string before = parameters_of(from);
  CHECK(sentence_of([&] { tl::soft_update(f, from, 0.5); }) ==
        "tapeless: soft_update: missing in the model that is moved to: \"norm.running_mean\", "
        "\"norm.running_var\", \"norm.weight\", \"norm.bias\"");
  CHECK(parameters_of(from) == before);
}

// In 16 bits such steps would be rounded away.
TEST_CASE("soft_update goes on in the float copies") {
  const auto mixed = tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 0.1f}));
  auto from = trained(mixed, 1), to = trained(mixed, 2);
  const float a = from.master<"fc.weight">()[0], b = to.master<"fc.weight">()[0];
  for (int k = 0; k < 1000; ++k) tl::soft_update(from, to, 0.001);
  CHECK(to.master<"fc.weight">()[0] == test::Approx(a + (b - a) * std::pow(0.999, 1000)).epsilon(1e-3));
}

namespace {

constexpr auto three = [] {
  return tl::mean(tl::square(tl::param<"a.w", float, 2>(tl::fill(1)) +
                             tl::param<"b.w", float, 2>(tl::fill(2)) +
                             tl::param<"c.w", float, 2>(tl::fill(3))));
};

/// The first element of each, then of each float copy.
template <class Net>
std::vector<double> firsts_of(Net& net) {
  std::vector<double> all;
  const auto data = net.parameter_data();
  for (std::size_t i = 0; i < data.size(); ++i)
    all.push_back(tl::detail::read_number(net.parameter_descriptions()[i].type, data[i]));
  for (std::size_t i = 0; i < data.size(); ++i)
    if (const std::byte* master = tl::detail::master_of(net, i))
      all.push_back(tl::detail::read_number(tl::element::f32, master));
  return all;
}

}  // namespace

TEST_CASE("parameters of a model take those of itself by other names as they take those of another model") {
  const tl::load_options swap{.names = {{"a.*", "b.*"}, {"b.*", "a.*"}}},
      roll{.names = {{"a.*", "b.*"}, {"b.*", "c.*"}, {"c.*", "old.*"}},
           .allow_missing = true,
           .allow_unexpected = true};
  const auto check = [&](auto make) {
    for (const tl::load_options& options : {swap, roll}) {
      auto other = make(), expected = make(), own = make(), shared = make();
      tl::function f{three, tl::weights(shared)};
      tl::copy_parameters(other, expected, options);
      tl::copy_parameters(own, own, options);
      tl::copy_parameters(f, shared, options);
      CHECK(firsts_of(own) == firsts_of(expected));
      CHECK(firsts_of(shared) == firsts_of(expected));
      auto moved = make(), own_moved = make(), shared_moved = make();
      tl::function g{three, tl::weights(shared_moved)};
      tl::soft_update(other, moved, 0.25, options);
      tl::soft_update(own_moved, own_moved, 0.25, options);
      tl::soft_update(g, shared_moved, 0.25, options);
      CHECK(firsts_of(own_moved) == firsts_of(moved));
      CHECK(firsts_of(shared_moved) == firsts_of(moved));
    }
  };
  tl::trainer net{three, tl::sgd({})};
  tl::copy_parameters(net, net, swap);
  CHECK(firsts_of(net) == std::vector<double>{2, 1, 3});
  tl::copy_parameters(net, net, roll);
  CHECK(firsts_of(net) == std::vector<double>{2, 2, 1});
  check([] { return tl::trainer{three, tl::sgd({})}; });
  check([] { return tl::trainer{three, tl::mixed_precision<tl::bf16>(tl::sgd({}))}; });
}

TEST_CASE("copies of overlapping parameters lie where their element type may") {
  tl::trainer net{
      [] {
        return tl::sum(tl::cast<double>(tl::param<"a.w", float, 3>(tl::fill(1)) *
                                        tl::param<"b.w", float, 3>(tl::fill(2)))) +
               tl::sum(tl::param<"a.x", double, 2>(tl::fill(3)) * tl::param<"b.x", double, 2>(tl::fill(4)));
      },
      tl::sgd({})};
  tl::soft_update(net, net, 0.5, {.names = {{"a.*", "b.*"}, {"b.*", "a.*"}}});
  CHECK(firsts_of(net) == std::vector<double>{1.5, 1.5, 3.5, 3.5});
}

TEST_CASE("soft_update refuses a target of 16 bits that no rule changes") {
  constexpr auto with_target = [] {
    const auto in = tl::input<"x", float, batch, 3>;
    const auto target = tl::stop_gradient(tl::linear<"target", 4>(in));
    return tl::mean(tl::square(tl::linear<"online", 4>(in) - target));
  };
  const tl::load_options to_target{.names = {{"target.*", "old.*"}, {"online.*", "target.*"}},
                                   .only = {"target.*"}};
  tl::trainer full{with_target, tl::sgd({})};
  tl::trainer mixed{with_target, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  const double from = full.parameter<"online.weight">()[0], to = full.parameter<"target.weight">()[0];
  tl::load_options converted = to_target;
  converted.convert = true;
  for (int k = 0; k < 1000; ++k) tl::soft_update(full, full, 0.001, to_target);
  CHECK(full.parameter<"target.weight">()[0] ==
        test::Approx(from + (to - from) * std::pow(0.999, 1000)).epsilon(1e-3));
  const std::string before = parameters_of(mixed);
  CHECK(sentence_of([&] { tl::soft_update(mixed, mixed, 0.001, converted); }) ==
        "tapeless: soft_update: \"target.weight\" is bf16 and has no float copy: steps of t = 0.001 would be "
        "rounded away; keep it in a function or trainer of the float model");
  CHECK(parameters_of(mixed) == before);
  tl::trainer other{with_target, tl::mixed_precision<tl::bf16>(tl::sgd({})), tl::cpu{}, 5};
  CHECK(sentence_of([&] { tl::soft_update(mixed, other, 0.001); }) != "");  // of the same parameters
  tl::soft_update(mixed, mixed, 1, converted);
  CHECK(numbers(mixed.parameter<"target.weight">()) == numbers(mixed.parameter<"online.weight">()));
  tl::soft_update(mixed, other, 1);
  tl::soft_update(mixed, other, 0.5);  // the targets are the same
  CHECK(parameters_of(other) == parameters_of(mixed));
}
