// SPDX-License-Identifier: BSL-1.0
// What a trainer by L-BFGS does in one step, keeps between steps, and tells of both.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto valley = [] {
  auto x = tl::param<"x", double, 2>(tl::fill(1));
  auto a = tl::slice<0, 0, 1>(x);
  auto b = tl::slice<0, 1, 2>(x);
  return tl::sum(100_c * tl::square(b - tl::square(a)) + tl::square(1_c - a));
};

// Two element types, a running statistic and random numbers.
constexpr auto network = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto h = tl::dropout<0.25>(tl::batch_norm<"norm">(tl::linear<"fc1", 8>(x)));
  auto scale = tl::param<"scale", double>(tl::fill(1));
  auto logits = tl::cast<double>(tl::linear<"fc2", 3>(tl::tanh(h))) * scale;
  return tl::outputs(tl::cross_entropy(logits, tl::input<"label", std::int32_t, batch>),
                     tl::named<"logits">(logits));
};

/// Takes off what it was called before, times 1/4.
struct moving_operation {
  static constexpr int arity = 1;
  static constexpr tl::value build(tl::value x) {
    const tl::value calls = tl::make_parameter(*x.builder, &tl::interned<"calls">, x.type(), {}, {}, true);
    x.builder->effects.push({calls.id, (calls + 1.0).id, -1});
    return x - 0.25 * calls;
  }
};

struct samples {
  std::vector<float> x;
  std::vector<std::int32_t> label;
  explicit samples(std::size_t count = 24) {
    x = test::numbers(5).vector<float>(4 * count);
    for (std::size_t i = 0; i < count; ++i) label.push_back(x[4 * i] > 0 ? (x[4 * i + 1] > 0 ? 2 : 1) : 0);
  }
};

template <class Net>
auto step(Net& net, const samples& s) {
  return net.step("x"_t = s.x, "label"_t = s.label);
}

/// The bytes of all parameters and buffers, one after the other.
template <class Net>
std::string bytes_of_parameters(Net& net) {
  std::string bytes;
  const auto descriptions = net.parameter_descriptions();
  for (std::size_t i = 0; i < descriptions.size(); ++i)
    bytes.append(reinterpret_cast<const char*>(net.parameter_data()[i]),
                 static_cast<std::size_t>(descriptions[i].bytes()));
  return bytes;
}

}  // namespace

TEST_CASE("a step sees one function and changes running statistics once") {
  const samples s;
  tl::trainer net{network, tl::lbfgs({.curvature = 0.01})};
  tl::trainer other{network, tl::sgd({})};
  const auto outputs = [](const auto& r) { return test::elements(r.template get<"logits">()); };
  const auto r = step(net, s);
  const auto expected = step(other, s);
  CHECK(r.search().evaluations > 2);
  CHECK(r.loss() == expected.loss());
  CHECK(outputs(r) == outputs(expected));
  CHECK(r.get<"logits">().shape()[0] == 24);
  CHECK(test::elements(net.parameter<"norm.running_var">()) ==
        test::elements(other.parameter<"norm.running_var">()));
  // From here on others' random numbers would make it rise now and then.
  double loss = 2;
  for (int i = 0; i < 15; ++i) {
    const auto each = step(net, s);
    CHECK(each.search().outcome == tl::search_outcome::accepted);
    CHECK(each.search().loss < each.loss());
    if (i == 14) loss = each.search().loss;
  }
  CHECK(loss < 0.5);
  CHECK(net.steps() == 16);
}

TEST_CASE("single precision") {
  constexpr auto model = [] {
    auto w = tl::param<"w", float, 4, 3>(tl::fill(0));
    auto logits = tl::matmul(tl::input<"x", float, batch, 4>, w);
    return tl::cross_entropy(logits, tl::input<"label", std::int32_t, batch>) +
           0.01_c * tl::sum(tl::square(w));
  };
  const samples s(200);
  tl::trainer net{model, tl::lbfgs()};
  double norm = 1;
  for (int i = 0; i < 8; ++i) {
    const auto r = step(net, s);
    norm = r.search().gradient_norm;
    CHECK(r.search().loss <= r.loss());
  }
  CHECK(norm < 2e-5);
  // Here the loss changes by less than float can tell: that is found out without many evaluations.
  for (int i = 0; i < 20; ++i) {
    const auto r = step(net, s);
    CHECK(r.search().loss <= r.loss());
    CHECK(r.search().evaluations < 6);
  }
}

TEST_CASE("parameters are assigned") {
  constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(3)) - 1_c)); };
  tl::trainer net{model, tl::lbfgs()};
  net.assign<"w">(std::vector<double>{1, 1});
  CHECK(net.evaluate().loss() == 0);
  CHECK_THROWS_WITH(net.assign<"w">(std::vector<float>(3)),
                    Catch::Contains("assign: the parameter \"w\" has 2 elements, but 3 are given"));
}

TEST_CASE("what the model changes itself is changed once, by the first evaluation") {
  constexpr auto model = [] {
    auto w = tl::param<"w", double>(tl::fill(3));
    return tl::square(tl::square(tl::make<moving_operation>(w)));
  };
  tl::trainer net{model, tl::lbfgs({.curvature = 0.01})};
  int evaluations = 0;
  for (int i = 0; i < 3; ++i) {
    const auto r = net.step();
    evaluations += r.search().evaluations;
    CHECK(r.search().outcome == tl::search_outcome::accepted);
    CHECK(r.search().loss == test::Approx(std::pow(net.parameter<"w">()[0] - 0.25 * i, 4)));
    CHECK(net.parameter<"calls">()[0] == i + 1);
  }
  CHECK(evaluations > 6);
}

TEST_CASE("a checkpoint holds the history") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  const samples s;
  tl::trainer first{network, tl::lbfgs({.history = 3}), tl::cpu{}, 7};
  for (int i = 0; i < 5; ++i) step(first, s);
  tl::save_checkpoint(first, path);
  const auto file = tl::io::safetensors::read(path);
  CHECK(file["lbfgs.s"].shape == std::vector<std::int64_t>{3, 84});
  CHECK(file["lbfgs.y"].type == tl::element::f64);
  CHECK(file["lbfgs.curvatures"].shape == std::vector<std::int64_t>{3});
  CHECK(file["lbfgs.stored"].as<std::int64_t>()[0] == 5);

  tl::trainer second{network, tl::lbfgs({.history = 3}), tl::cpu{}, 1};
  tl::load_checkpoint(second, path);
  CHECK(second.steps() == 5);
  CHECK(bytes_of_parameters(first) == bytes_of_parameters(second));
  for (int i = 0; i < 6; ++i) CHECK(step(first, s).loss() == step(second, s).loss());
  CHECK(bytes_of_parameters(first) == bytes_of_parameters(second));

  tl::trainer longer{network, tl::lbfgs({.history = 4})};
  CHECK_THROWS_WITH(tl::load_checkpoint(longer, path),
                    test::contains("\"lbfgs.s\" is double[4, 84], but the file holds double[3, 84]"));
  tl::load(longer, path);  // parameters alone
  CHECK(longer.steps() == 0);
  tl::save(longer, path);
  CHECK_THROWS_WITH(tl::load_checkpoint(second, path), test::contains("trainer.steps"));
}

TEST_CASE("a loss that is not finite") {
  // Falls ever faster to w = 2, where it ends.
  constexpr auto edge = [] { return tl::sqrt(4_c - tl::square(tl::param<"w", double>(tl::fill(0.5)))); };
  tl::trainer net{edge, tl::lbfgs({.learning_rate = 0.5, .evaluations = 3})};
  auto w = net.parameter<"w">();
  const auto r = net.step();
  CHECK(r.search().outcome == tl::search_outcome::decreased);  // the second of three points
  CHECK(r.search().evaluations == 5);
  CHECK(r.search().step_length == 5);
  CHECK(w[0] == test::Approx(0.5 + 5 * 0.5 / std::sqrt(3.75)));
  CHECK(r.search().loss == std::sqrt(4 - w[0] * w[0]));
  CHECK(r.search().gradient_norm == test::Approx(w[0] / r.search().loss));

  w[0] = 3;
  const auto beyond = net.step();
  CHECK(std::isnan(beyond.loss()));
  CHECK(beyond.search().outcome == tl::search_outcome::failed);
  CHECK(beyond.search().evaluations == 1);
  CHECK(w[0] == 3);

  // A wall in the first trial's way: the bottom is at 0.5 before it.
  constexpr auto walled = [] {
    auto x = tl::param<"w", double>(tl::fill(-1000));
    return tl::square(x) - tl::log(-x) * 0.5_c;
  };
  tl::trainer other{walled, tl::lbfgs({.learning_rate = 1e6})};
  for (int i = 0; i < 20; ++i) {
    const auto each = other.step();
    CHECK(each.search().loss <= each.loss());
  }
  CHECK(other.parameter<"w">()[0] == test::Approx(-0.5).epsilon(1e-7));
}

TEST_CASE("where no point is lower, nothing is changed and the history starts anew") {
  // With b, a derivative of the wrong sign.
  constexpr auto model = [] {
    auto w = tl::param<"w", float, 2>(tl::fill(0.7));
    auto scaled = w * tl::input<"scale", float, 2>;
    return tl::sum(tl::square(scaled)) + tl::input<"b", float> * tl::sum(w - 2_c * tl::stop_gradient(w));
  };
  tl::trainer net{model, tl::lbfgs({.evaluations = 8})};
  const std::vector<float> scale{1, 3}, none{0, 0};
  const auto stored = [&] { return *reinterpret_cast<const std::int64_t*>(net.state_data()[3]); };
  for (int i = 0; i < 3; ++i) net.step("scale"_t = scale, "b"_t = 0.0f);
  CHECK(stored() == 3);
  const std::string before = bytes_of_parameters(net);
  const auto r = net.step("scale"_t = none, "b"_t = 1.0f);
  CHECK(r.search().outcome == tl::search_outcome::failed);
  CHECK(r.search().evaluations == 9);
  CHECK(r.search().step_length == 0);
  CHECK(r.search().loss == r.loss());
  CHECK(r.search().gradient_norm == test::Approx(std::sqrt(2)));
  CHECK(bytes_of_parameters(net) == before);
  CHECK(stored() == 0);
  CHECK(net.steps() == 4);
  CHECK(net.step("scale"_t = scale, "b"_t = 0.0f).search().outcome == tl::search_outcome::accepted);

  // Pairs that only a damaged file can hold.
  CHECK(stored() == 1);
  *reinterpret_cast<double*>(net.state_data()[2]) = -1e-3;
  const auto again = net.step("scale"_t = scale, "b"_t = 0.0f);
  CHECK(again.search().restarted);
  CHECK(again.search().outcome == tl::search_outcome::accepted);
  CHECK(stored() == 1);
}

TEST_CASE("at a minimum there is nothing to do") {
  tl::trainer net{valley, tl::lbfgs()};
  const auto r = net.step();
  CHECK(r.search().outcome == tl::search_outcome::accepted);
  CHECK(r.search().evaluations == 1);
  CHECK(r.search().step_length == 0);
  CHECK(net.parameter<"x">()[0] == 1);
}

TEST_CASE("a pair that does not curve upwards is left out") {
  constexpr auto hill = [] {
    auto w = tl::param<"w", double>(tl::fill(0.1));
    return tl::cos(w);
  };
  tl::trainer net{hill, tl::lbfgs({.evaluations = 1})};
  CHECK(net.step().search().outcome == tl::search_outcome::decreased);
  CHECK(net.parameter<"w">()[0] == test::Approx(0.1 + std::sin(0.1)));
  CHECK(*reinterpret_cast<const std::int64_t*>(net.state_data()[3]) == 0);
}

TEST_CASE("the learning rate is the first length that is tried") {
  tl::trainer net{valley, tl::lbfgs({.learning_rate = 1e-4, .evaluations = 1})};
  auto x = net.parameter<"x">();
  x[0] = -1.2, x[1] = 1;
  const auto first = net.step();
  CHECK(first.search().step_length == test::Approx(1e-4 / std::hypot(215.6, 88)));  // without history
  CHECK(std::hypot(x[0] + 1.2, x[1] - 1) == test::Approx(1e-4));
  net.set<"learning_rate">([](std::int64_t step) { return step == 1 ? 0.25 : 0.125; });
  CHECK(net.step().search().step_length == 0.25);
  CHECK(net.step().search().step_length == 0.125);
  CHECK_THROWS_WITH(net.set<"learning_rate">(0),
                    "tapeless: the hyperparameter \"learning_rate\" is 0; it must be above 0, and finite");
  net.set<"learning_rate">([](std::int64_t) { return 0; });
  CHECK_THROWS_WITH(net.step(), test::contains("\"learning_rate\" is 0 in step 3 (counted from 0)"));
  CHECK(net.steps() == 3);
}

TEST_CASE("options that make no sense") {
  CHECK_THROWS_WITH(tl::lbfgs({.history = 0}), "tapeless: lbfgs: history is 0; it must be 1 or more");
  CHECK_THROWS_WITH(tl::lbfgs({.evaluations = 0}), test::contains("evaluations is 0"));
  CHECK_THROWS_WITH(tl::lbfgs({.curvature = 1}), test::contains("curvature above that and below 1"));
  CHECK_THROWS_WITH(tl::lbfgs({.sufficient_decrease = 0.95}), test::contains("sufficient_decrease"));
}

TEST_CASE("the memory of a step") {
  tl::trainer net{network, tl::lbfgs({.history = 3})};
  tl::trainer longer{network, tl::lbfgs({.history = 5})};
  const tl::memory_plan m = net.plan("batch"_t = 24), l = longer.plan("batch"_t = 24);
  CHECK(m.optimizer == (2 * 3 + 4) * 84 * 8);
  CHECK(l.optimizer - m.optimizer == 2 * 2 * 84 * 8);
  CHECK(l.peak - m.peak == 2 * 2 * 84 * 8);
  CHECK(m.gradients >= 4 * 83 + 8);
  CHECK(net.plan("batch"_t = 48).activations > m.activations);
}

TEST_CASE("fit and evaluate, the whole data set in each step") {
  const samples s(90);
  tl::data::dataset d;
  d.add("x", {4}, s.x).add("label", {}, s.label);
  tl::trainer net{network, tl::lbfgs(), tl::cpu{.threads = 2}};
  tl::fit(net, d, {.epochs = 40, .batch = d.size()});
  CHECK(net.steps() == 40);
  CHECK(tl::evaluate(net, d, {}, tl::accuracy<"logits", "label">{})["accuracy"].mean > 0.9);
  CHECK_THROWS_AS(net.step("x"_t = std::vector<float>{}, "label"_t = std::vector<std::int32_t>{}), tl::error);
}

namespace {

constexpr auto masked_valley = [] {
  return valley() + tl::sum(tl::exp(tl::stop_gradient(tl::param<"mask", double, 3>(tl::fill(0)))));
};

// The rows that are added up are constants of the model, and integers.
constexpr auto chosen = [] {
  auto w = tl::param<"w", float, 4>(tl::fill(-1));
  auto rows = tl::stop_gradient(tl::param<"rows", std::int32_t, 2>(tl::fill(1)));
  return tl::sum(tl::square(tl::index_select<0>(w, rows))) + tl::sum(tl::square(w - 1_c));
};

}  // namespace

TEST_CASE("constants of a model behind stop_gradient have no part in a step") {
  tl::trainer masked{masked_valley, tl::lbfgs()};
  tl::trainer plain{valley, tl::lbfgs()};
  for (double& m : masked.parameter<"mask">()) m = -std::numeric_limits<double>::infinity();
  CHECK(masked.plan().optimizer == plain.plan().optimizer);
  for (int t = 0; t < 12; ++t) {
    const auto found = masked.step().search(), expected = plain.step().search();
    INFO("step " << t);
    CHECK(found.evaluations == expected.evaluations);
    CHECK(found.loss == expected.loss);
    CHECK(test::elements(masked.parameter<"x">()) == test::elements(plain.parameter<"x">()));
  }
  CHECK(masked.parameter<"mask">()[2] == -std::numeric_limits<double>::infinity());
}

TEST_CASE("constants of a model behind stop_gradient may be integers") {
  tl::trainer net{chosen, tl::lbfgs()};
  for (int t = 0; t < 20; ++t) net.step();
  CHECK(net.parameter<"w">()[0] == Approx(1).margin(1e-3));
  CHECK(net.parameter<"w">()[1] == Approx(1.0 / 3).margin(1e-3));
  CHECK(net.parameter<"rows">()[0] == 1);
}
