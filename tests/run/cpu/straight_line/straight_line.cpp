// SPDX-License-Identifier: BSL-1.0
// tl::straight_line computes what tables do, and its trainers can do all that those of tl::cpu can.
#include <tapeless/ops/indexing.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/explain.hpp>

#include <latch>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"
#include "run/cpu/straight_line/waves.hpp"

namespace {

using test::check_same, test::waves;

template <class GraphBuilder>
constexpr bool is_one_function =
    tl::straight_line::in_line<GraphBuilder>::count == 1 && tl::plan_of<GraphBuilder>.extents.size() == 0;

// Losses of some steps as through tables; then all parameters.
template <class Model, class Rule, class... Bindings>
void check_same_training(Model model, Rule rule, const Bindings&... bindings) {
  tl::trainer usual{model, rule, tl::cpu_by_tables{.threads = 1}, 5};
  tl::trainer net{model, rule, tl::straight_line{}, 5};
  using net_type = decltype(net);
  STATIC_REQUIRE(is_one_function<typename net_type::step_program>);
  STATIC_REQUIRE(is_one_function<typename net_type::evaluate_program>);
  using step_program = typename net_type::step_program;
  tl::straight_line::program program(tl::checked_plan_of<step_program>(),
                                     tl::straight_line::kernels<step_program>, net.memory_of_next_step());
  program.prepare([](std::size_t) { return std::int64_t{0}; });  // there are no symbols
  CHECK(program.is_straight_line());
  for (int step = 0; step < 10; ++step) {
    INFO("step " << step);
    const auto loss = net.step(bindings...).loss();
    REQUIRE(loss == usual.step(bindings...).loss());
  }
  CHECK(net.evaluate(bindings...).loss() == usual.evaluate(bindings...).loss());
  for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i) {
    const auto count = static_cast<std::size_t>(net.parameter_descriptions()[i].count);
    const auto begin = [i](auto& of) { return reinterpret_cast<const float*>(of.parameter_data()[i]); };
    check_same(tl::array_view<const float>(begin(net), count),
               tl::array_view<const float>(begin(usual), count));
  }
}

constexpr auto regression = [] {
  auto x = tl::input<"x", float, 6, 4>;
  auto y = tl::input<"y", float, 6, 2>;
  auto p = tl::linear<"b", 2>(tl::tanh(tl::linear<"a", 12>(x)));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

// Labels, a table of vectors, dropout, normalization: gathers, scatters, random numbers, reductions of rows.
constexpr auto classes = [] {
  auto words = tl::input<"words", std::int32_t, 3, 4>;
  auto y = tl::input<"y", std::int64_t, 3>;
  auto h = tl::layer_norm<"norm">(tl::mean<1>(tl::dropout<0.25>(tl::embedding<"table", 10, 8>(words))));
  return tl::cross_entropy(tl::linear<"out", 5>(tl::gelu(h)), y);
};

// A loop, and its derivative's, which runs backwards.
constexpr auto sequence = [] {
  auto x = tl::input<"x", float, 5, 2, 3>;
  auto y = tl::input<"y", float, 2, 4>;
  auto [h, last_h, last_c] = tl::lstm<"lstm", 4>(x);
  return tl::mse_loss(tl::at<-1>(h), y);
};

// Convolutions that go by rows in vectors, a small one that does not, and poolings.
constexpr auto images = [] {
  auto x = tl::input<"x", float, 2, 1, 8, 8>;
  auto y = tl::input<"y", std::int64_t, 2>;
  constexpr tl::conv near{.kernel = 3, .padding = 1}, apart{.kernel = 3, .stride = 2};
  auto a = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(tl::conv2d<"a", 4, near>(x)));
  auto b = tl::avg_pool2d<tl::pool{.kernel = 1}>(tl::tanh(tl::conv2d<"b", 6, apart>(a)));
  return tl::cross_entropy(tl::linear<"c", 3>(tl::flatten(b)), y);
};
// A convolution that takes longer so than through tables.
constexpr auto far_windows = [] {
  auto x = tl::input<"x", float, 1, 2, 17, 17>;
  return tl::mean(tl::square(tl::conv2d<"a", 8, tl::conv{.kernel = 3, .stride = 2}>(x)));
};

constexpr auto of_any_batch = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 4>;
  auto y = tl::input<"y", float, tl::dyn<"batch">, 2>;
  auto p = tl::linear<"b", 2>(tl::tanh(tl::linear<"a", 12>(x)));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

// Its output can be its input, and reads that from its end on when much of it is written.
constexpr auto there_and_back = [] {
  auto x = tl::input<"x", float, 1, 24>;
  auto y = tl::input<"y", float, 1, 24>;
  auto p = tl::linear<"b", 24>(tl::tanh(tl::linear<"a", 4>(x))) + tl::flip<1>(x);
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

constexpr auto large = [] {
  auto x = tl::input<"x", float, 64, 512>;
  return tl::mean(tl::square(tl::linear<"a", 512>(x)));
};

const std::vector<float> x = waves(24), y = waves(12);

}  // namespace

TEST_CASE("a regression") {
  check_same_training(regression, tl::sgd({.learning_rate = 0.1, .momentum = 0.9}), "x"_t = x, "y"_t = y);
  check_same_training(
      regression,
      tl::adamw({.learning_rate = tl::warmup_cosine({.peak = 0.01, .warmup_steps = 5, .steps = 20})}),
      "x"_t = x, "y"_t = y);
}

TEST_CASE("classes of words") {
  const std::vector<std::int32_t> words{1, 2, 3, 4, 4, 4, 0, 9, 9, 8, 1, 1};
  const std::vector<std::int64_t> labels{0, 4, 2};
  check_same_training(classes, tl::adam({.learning_rate = 0.01}), "words"_t = words, "y"_t = labels);
  tl::trainer net{classes, tl::sgd({.learning_rate = 0.1}), tl::straight_line{}};
  CHECK_THROWS_AS(net.step("words"_t = words, "y"_t = std::vector<std::int64_t>{0, 5, 2}), tl::error);
}

TEST_CASE("a loop") {
  check_same_training(sequence, tl::adam({.learning_rate = 0.05}), "x"_t = waves(30), "y"_t = waves(8));
}

TEST_CASE("small convolutions and poolings") {
  check_same_training(images, tl::adam({.learning_rate = 0.01}), "x"_t = waves(128),
                      "y"_t = std::vector<std::int64_t>{2, 0});
}

TEST_CASE("what is not small or static runs as on the CPU, with the same bits") {
  tl::trainer usual{of_any_batch, tl::adam({.learning_rate = 0.01}), tl::cpu_by_tables{}, 5};
  tl::trainer net{of_any_batch, tl::adam({.learning_rate = 0.01}), tl::straight_line{}, 5};
  STATIC_REQUIRE(!is_one_function<decltype(net)::step_program>);
  using far_net = decltype(tl::trainer{far_windows, tl::sgd({.learning_rate = 0.1}), tl::straight_line{}});
  STATIC_REQUIRE(!is_one_function<far_net::step_program>);
  for (int step = 0; step < 5; ++step)
    CHECK(net.step("x"_t = x, "y"_t = y).loss() == usual.step("x"_t = x, "y"_t = y).loss());
  using large_net = decltype(tl::trainer{large, tl::sgd({.learning_rate = 0.1}), tl::straight_line{}});
  STATIC_REQUIRE(!is_one_function<large_net::step_program>);
}

TEST_CASE("gradients that are added up, and a rule that divides its step") {
  tl::trainer usual{regression, tl::sgd({.learning_rate = 0.1, .momentum = 0.9}), tl::cpu_by_tables{}, 5};
  tl::trainer net{regression, tl::sgd({.learning_rate = 0.1, .momentum = 0.9}), tl::straight_line{}, 5};
  net.step("x"_t = x, "y"_t = y);
  usual.step("x"_t = x, "y"_t = y);
  net.accumulate(0.5, "x"_t = x, "y"_t = y);
  net.accumulate(0.5, "x"_t = x, "y"_t = y);
  net.apply();
  usual.step("x"_t = x, "y"_t = y);
  check_same(net.parameter<"a.weight">(), usual.parameter<"a.weight">());
  net.step("x"_t = x, "y"_t = y);
  usual.step("x"_t = x, "y"_t = y);
  check_same(net.parameter<"a.weight">(), usual.parameter<"a.weight">());
}

TEST_CASE("a trainer is saved, goes on from a checkpoint, from a snapshot, and on the CPU") {
  const auto rule = tl::adam({.learning_rate = 0.01});
  const test::temporary_folder folder;
  tl::trainer net{regression, rule, tl::straight_line{}, 5};
  for (int step = 0; step < 3; ++step) net.step("x"_t = x, "y"_t = y);
  const auto before = tl::snapshot(net);
  tl::save_checkpoint(net, folder.path("net.checkpoint"));
  tl::save(net, folder.path("net.safetensors"));
  net.set<"learning_rate">(0.02);
  const float wanted = (net.step("x"_t = x, "y"_t = y), net.step("x"_t = x, "y"_t = y).loss());

  tl::trainer again{regression, rule, tl::straight_line{}, 6};
  tl::load_checkpoint(again, folder.path("net.checkpoint"));
  again.set<"learning_rate">(0.02);
  CHECK((again.step("x"_t = x, "y"_t = y), again.step("x"_t = x, "y"_t = y).loss()) == wanted);
  tl::restore(net, before);
  net.set<"learning_rate">(0.02);
  CHECK((net.step("x"_t = x, "y"_t = y), net.step("x"_t = x, "y"_t = y).loss()) == wanted);

  tl::trainer on_cpu{regression, rule, tl::cpu_by_tables{}, 6};
  tl::load_checkpoint(on_cpu, folder.path("net.checkpoint"));
  on_cpu.set<"learning_rate">(0.02);
  CHECK((on_cpu.step("x"_t = x, "y"_t = y), on_cpu.step("x"_t = x, "y"_t = y).loss()) == wanted);
  tl::load(on_cpu, folder.path("net.safetensors"));
}

TEST_CASE("predict, functions on the weights, and a trainer that has moved") {
  tl::trainer first{regression, tl::sgd({.learning_rate = 0.1}), tl::straight_line{}, 5};
  tl::function f{regression, tl::weights(first)};
  tl::trainer net = std::move(first);
  tl::trainer usual{regression, tl::sgd({.learning_rate = 0.1}), tl::cpu_by_tables{}, 5};
  for (int step = 0; step < 3; ++step) {
    net.step("x"_t = x, "y"_t = y);
    usual.step("x"_t = x, "y"_t = y);
    const auto p = net.predict("x"_t = x).get<"p">();
    check_same(p, usual.predict("x"_t = x).get<"p">());
    check_same(p, f("x"_t = x, "y"_t = y).get<"p">());
  }
  // What a run reads from its own memory is copied first.
  check_same(
      net.predict("x"_t = tl::array_view<const float>(net.parameter<"a.weight">().data(), 24)).get<"p">(),
      usual.predict("x"_t = tl::array_view<const float>(usual.parameter<"a.weight">().data(), 24))
          .get<"p">());
}

TEST_CASE("predictions in a row, of one place or another, and of what the last one gave") {
  // A program without other threads keeps none out.
  const bool is_beside_another_thread = GENERATE(false, true);
  CAPTURE(is_beside_another_thread);
  std::latch over(1);
  std::thread other;
  if (is_beside_another_thread) other = std::thread([&] { over.wait(); });
  const auto rule = tl::sgd({.learning_rate = 0.1});
  tl::trainer net{there_and_back, rule, tl::straight_line{}, 5};
  tl::trainer apart{there_and_back, rule, tl::straight_line{}, 5};  // its inputs are elsewhere
  STATIC_REQUIRE(is_one_function<decltype(net)::predict_program>);
  const std::vector<float> samples[] = {waves(24), std::vector<float>(24, 0.25f)};
  const auto numbers = [](const auto& view) { return std::vector<float>(view.begin(), view.end()); };
  for (std::size_t k = 0; k < 12; ++k) {
    INFO("prediction " << k);
    const std::vector<float>& sample = samples[k / 2 % 2];
    if (k % 4 == 0)
      CHECK(net.step("x"_t = sample, "y"_t = sample).loss() ==
            apart.step("x"_t = sample, "y"_t = sample).loss());
    const auto p = net.predict("x"_t = sample).get<"p">();
    const std::vector<float> kept = numbers(p);
    CHECK(kept == numbers(apart.predict("x"_t = sample).get<"p">()));
    const auto next = net.predict("x"_t = p).get<"p">();
    CHECK(numbers(next) == numbers(apart.predict("x"_t = kept).get<"p">()));
    CHECK_THROWS_AS(p[0], tl::error);
    if (k == 7) CHECK_THROWS_AS(net.predict("x"_t = std::vector<float>(23)), tl::error);
  }
  tl::trainer moved = std::move(net);
  CHECK_THROWS_AS(net.predict("x"_t = samples[0]), tl::error);
  CHECK(numbers(moved.predict("x"_t = samples[0]).get<"p">()) ==
        numbers(apart.predict("x"_t = samples[0]).get<"p">()));
  over.count_down();
  if (other.joinable()) other.join();
}

TEST_CASE("fit and evaluate go through samples") {
  tl::trainer usual{regression, tl::sgd({.learning_rate = 0.1}), tl::cpu_by_tables{}, 5};
  tl::trainer net{regression, tl::sgd({.learning_rate = 0.1}), tl::straight_line{}, 5};
  tl::data::dataset samples;
  samples.add("x", {4}, waves(96)).add("y", {2}, waves(48));
  const tl::fit_options options{.epochs = 3, .batch = 6};
  tl::fit(net, samples, options);
  tl::fit(usual, samples, options);
  check_same(net.parameter<"a.weight">(), usual.parameter<"a.weight">());
}

TEST_CASE("explain says that it is one function") {
  const tl::trainer net{regression, tl::sgd({.learning_rate = 0.1}), tl::straight_line{}};
  CHECK(tl::explain(net).find("as one function") != std::string::npos);
  const tl::trainer usual{regression, tl::sgd({.learning_rate = 0.1}), tl::cpu_by_tables{}};
  CHECK(tl::explain(usual).find("as one function") == std::string::npos);
}

TEST_CASE("constant derivatives beside outputs are where they are looked for") {
  const auto check = [](auto model, const auto&... bindings) {
    const tl::function usual{model, tl::cpu_by_tables{}};
    const tl::function f{model};
    for (int call = 0; call < 2; ++call) {
      const auto expected = usual(bindings...), got = f(bindings...);
      CHECK(test::elements(got.template get<"y">()) == test::elements(expected.template get<"y">()));
      CHECK(test::elements(got.template get<"d">()) == test::elements(expected.template get<"d">()));
    }
  };
  check(
      [] {  // the product's cotangent is a number in memory
        auto w = tl::input<"w", float, 4, 1>;
        auto y = tl::matmul(tl::input<"x", float, 1, 4>, w);
        return tl::outputs(tl::named<"y">(y), tl::named<"d">(tl::grad(tl::sum(y), w)));
      },
      "x"_t = std::vector<float>{1, 2, 3, 4}, "w"_t = std::vector<float>{0.5f, 1, 0.25f, 1});
  check(
      [] {  // the derivative is a number that is an output
        auto x = tl::input<"x", double, 1, 1>;
        auto y = tl::sum(tl::sin(tl::matmul(x, tl::input<"w", double, 1, 3>)));
        return tl::outputs(tl::named<"y">(y), tl::named<"d">(tl::grad(tl::sum(x), x)));
      },
      "x"_t = 0.5, "w"_t = std::vector<double>{1, 2, 3});
}

// Picked rows, and what is read against its order in memory, of so many places along the first axis.
template <int Places>
constexpr auto scattered_reads = [] {
  auto table = tl::input<"table", float, 8, Places>;
  auto rows = tl::embedding(table, tl::input<"index", std::int32_t, Places>);
  return tl::outputs(tl::named<"rows">(rows), tl::named<"flipped">(tl::flip<0>(table)));
};
template <int Places>
constexpr auto transposed = [] {
  auto x = tl::input<"x", float, 16, Places>;
  return tl::outputs(tl::named<"y">(tl::transpose<0, 1>(x)));
};

TEST_CASE("much that goes from element to element is left to tables") {
  const auto count = [](auto model) {
    return tl::cpu::in_line<typename decltype(tl::function{model})::graph_builder>::count;
  };
  CHECK(count(scattered_reads<8>) == 1);
  CHECK(count(scattered_reads<256>) == 0);
  CHECK(count(transposed<16>) == 1);
  CHECK(count(transposed<16384>) == 0);
}
