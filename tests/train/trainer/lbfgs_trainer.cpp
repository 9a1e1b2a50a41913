// SPDX-License-Identifier: BSL-1.0
// What a trainer by L-BFGS does in one step, keeps between steps, and tells of both.
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "parameters.hpp"
#include "program.hpp"

namespace {

using test::bytes_of_parameters;

constexpr auto batch = tl::dyn<"batch">;

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
