// SPDX-License-Identifier: BSL-1.0
// Models with run-time extents on tl::straight_line: one function where they have the values that the policy
// names, with the bits of the static model's; tables everywhere else.
#include <tapeless/run/cpu/straight_line/straight_lines.hpp>

#include <tapeless/ops/indexing.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/explain.hpp>
#include <tapeless/train/inspect/profile.hpp>

#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"
#include "run/cpu/straight_line/waves.hpp"

namespace {

using test::check_same, test::waves;

constexpr tl::extent batch = tl::dyn<"batch">, steps = tl::dyn<"steps">;
using at_1_and_32 = tl::straight_line_at<1, 32>;

template <class Net>
std::vector<float> parameters_of(Net& net) {
  std::vector<float> all;
  for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i) {
    const auto* const begin = reinterpret_cast<const float*>(net.parameter_data()[i]);
    all.insert(all.end(), begin, begin + net.parameter_descriptions()[i].count);
  }
  return all;
}

// How many straight lines a program has on a policy.
template <class Policy, class Program>
constexpr std::size_t lines = Policy::template in_line<Program>::count;

template <tl::extent Batch>
constexpr auto regression = [] {
  auto x = tl::input<"x", float, Batch, 4>;
  auto y = tl::input<"y", float, Batch, 2>;
  auto p = tl::linear<"b", 2>(tl::tanh(tl::linear<"a", 12>(x)));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

// Labels, dropout, statistics of a batch: gathers, random numbers, reductions of columns, effects.
template <tl::extent Batch>
constexpr auto classes = [] {
  auto words = tl::input<"words", std::int32_t, Batch, 4>;
  auto y = tl::input<"y", std::int64_t, Batch>;
  auto h = tl::layer_norm<"norm">(tl::mean<1>(tl::dropout<0.25>(tl::embedding<"table", 10, 8>(words))));
  auto p = tl::linear<"out", 5>(tl::gelu(h));
  return tl::outputs(tl::cross_entropy(p, y), tl::named<"p">(p));
};

template <tl::extent Steps, tl::extent Batch>
constexpr auto sequence = [] {
  auto x = tl::input<"x", float, Steps, Batch, 3>;
  auto y = tl::input<"y", float, Batch, 4>;
  auto [h, last_h, last_c] = tl::lstm<"lstm", 4>(x);
  return tl::outputs(tl::mse_loss(tl::at<-1>(h), y), tl::named<"h">(h));
};

// Losses bit for bit as those of the static model, as straight-line code and through tables.
template <class Policy, class Model, class Static, class Rule, class... Bindings>
void check_same_training(Model model, Static constant, Rule rule, const Bindings&... bindings) {
  tl::trainer usual{constant, rule, tl::cpu_by_tables{.threads = 1}, 5};
  tl::trainer same{constant, rule, tl::straight_line{}, 5};
  tl::trainer net{model, rule, Policy{}, 5};
  using program = typename decltype(net)::step_program;
  STATIC_REQUIRE(lines<Policy, program> > 0);
  for (int step = 0; step < 10; ++step) {
    INFO("step " << step);
    const auto loss = net.step(bindings...).loss();
    REQUIRE(loss == usual.step(bindings...).loss());
    REQUIRE(loss == same.step(bindings...).loss());
  }
  check_same(parameters_of(net), parameters_of(usual));
  CHECK(net.evaluate(bindings...).loss() == usual.evaluate(bindings...).loss());
}

const std::vector<float> x = waves(4 * 32), y = waves(2 * 32);
tl::array_view<const float> x_of(std::size_t samples) { return {x.data(), 4 * samples}; }
tl::array_view<const float> y_of(std::size_t samples) { return {y.data(), 2 * samples}; }
auto adam() { return tl::adam({.learning_rate = 0.01}); }

}  // namespace

TEST_CASE("one sample has the bits of the static model") {
  check_same_training<at_1_and_32>(regression<batch>, regression<1>, adam(), "x"_t = x_of(1),
                                   "y"_t = y_of(1));
}

TEST_CASE("many samples have the bits of the static model") {
  check_same_training<at_1_and_32>(regression<batch>, regression<32>, adam(), "x"_t = x, "y"_t = y);
}

TEST_CASE("labels, random numbers and loops at their extents") {
  const std::vector<std::int32_t> words{1, 9, 3, 4};
  const std::vector<std::int64_t> label{4};
  check_same_training<tl::straight_line>(classes<batch>, classes<1>, adam(), "words"_t = words,
                                         "y"_t = label);
  using at = tl::straight_line_at<tl::extent_values{{"batch", 2}, {"steps", 5}}>;
  static float some[5][2][3];
  const std::vector<float> wanted = waves(8);
  std::copy_n(waves(30).begin(), 30, &some[0][0][0]);
  check_same_training<at>(sequence<steps, batch>, sequence<5, 2>, adam(), "x"_t = some, "y"_t = wanted);
}

TEST_CASE("extents may change from call to call, and everything has the right shape") {
  tl::trainer usual{regression<batch>, adam(), tl::cpu_by_tables{.threads = 1}, 5};
  tl::trainer net{regression<batch>, adam(), at_1_and_32{.threads = 1}, 5};
  tl::trainer one{regression<batch>, adam(), tl::straight_line{.threads = 1}, 5};
  using step = decltype(net)::step_program;
  STATIC_REQUIRE(lines<at_1_and_32, step> == 2);
  STATIC_REQUIRE(lines<tl::straight_line, step> == 1);
  STATIC_REQUIRE(lines<tl::straight_line_at<>, step> == 0);
  for (const std::size_t samples : {1u, 7u, 1u, 32u, 1u, 1u, 32u, 7u, 2u, 1u}) {
    INFO(samples << " samples");
    const auto some_x = x_of(samples), some_y = y_of(samples);
    const auto wanted = usual.step("x"_t = some_x, "y"_t = some_y);
    const auto check_result = [&](const auto& result) {
      CHECK(result.loss() == wanted.loss());
      const auto p = result.template get<"p">();
      REQUIRE(p.shape().size() == 2);
      CHECK(p.shape()[0] == static_cast<std::int64_t>(samples));
      check_same(p, wanted.template get<"p">());
    };
    check_result(net.step("x"_t = some_x, "y"_t = some_y));
    check_result(one.step("y"_t = some_y, "batch"_t = samples, "x"_t = some_x));
    const auto predicted = net.predict("x"_t = some_x);
    check_same(predicted.get<"p">(), usual.predict("x"_t = some_x).get<"p">());
    check_same(one.predict("x"_t = some_x, "batch"_t = samples).get<"p">(), predicted.get<"p">());
  }
  check_same(parameters_of(net), parameters_of(usual));
  check_same(parameters_of(one), parameters_of(usual));
}

TEST_CASE("a program is prepared for the code of its extents, or for its tables") {
  tl::trainer net{regression<batch>, adam(), at_1_and_32{}, 5};
  using step = decltype(net)::step_program;
  at_1_and_32::program program(tl::checked_plan_of<step>(), at_1_and_32::kernels<step>,
                               net.memory_of_next_step());
  for (const std::int64_t samples : {7, 1, 32, 2, 1}) {
    program.prepare([samples](std::size_t) { return samples; });
    CHECK(program.is_straight_line() == (samples == 1 || samples == 32));
    CHECK(program.is_code(0) == (samples == 1));
    CHECK(program.is_code(1) == (samples == 32));
  }
}

TEST_CASE("what does not fit the extents is refused in line, too") {
  tl::trainer net{regression<batch>, adam(), tl::straight_line{}, 5};
  tl::trainer usual{regression<batch>, adam(), tl::cpu_by_tables{}, 5};
  const std::array<std::array<float, 2>, 2> another{};
  const auto refuses = [&](const auto& step) {
    net.step("x"_t = x_of(1), "y"_t = y_of(1));
    usual.step("x"_t = x_of(1), "y"_t = y_of(1));
    net.predict("x"_t = x_of(1));
    CHECK_THROWS_AS(step(), tl::error);
  };
  refuses([&] { net.step("x"_t = x_of(1), "y"_t = y_of(2)); });
  refuses([&] { net.step("x"_t = x_of(2), "y"_t = y_of(1)); });
  refuses([&] { net.step("x"_t = x_of(0), "y"_t = y_of(0)); });
  refuses([&] { net.step("x"_t = x_of(1), "y"_t = y_of(1), "batch"_t = 2); });
  refuses([&] { net.step("x"_t = another, "y"_t = y_of(1)); });
  refuses([&] { net.predict("x"_t = x_of(1), "y"_t = y_of(2)); });
  CHECK(net.steps() == 6);
  check_same(parameters_of(net), parameters_of(usual));
  // Two extents are not told by one count, whatever the last call was.
  constexpr auto pairs = [] {
    auto x = tl::input<"x", float, steps, batch>;
    return tl::outputs(tl::mean(tl::square(tl::param<"w", float> - x)), tl::named<"sums">(tl::sum<0>(x)));
  };
  tl::trainer both{pairs, adam(), tl::straight_line_at<tl::extent_values{{"batch", 2}, {"steps", 3}}>{}};
  STATIC_REQUIRE(lines<decltype(both)::policy_type, decltype(both)::step_program> == 1);
  static float three_pairs[3][2];
  CHECK_THROWS_AS(both.step("x"_t = y_of(3)), tl::error);
  CHECK(both.step("x"_t = three_pairs).get<"sums">().size() == 2);
  CHECK_THROWS_AS(both.step("x"_t = y_of(3)), tl::error);
  using at = tl::straight_line_at<tl::extent_values{{"batch", 2}, {"steps", 5}}>;
  tl::trainer two{sequence<steps, batch>, adam(), at{}, 5};
  static float shaped[5][2][3], others[2][5][3];
  two.step("x"_t = shaped, "y"_t = y_of(4));
  CHECK_THROWS_AS(two.step("x"_t = others, "y"_t = y_of(4)), tl::error);
}

TEST_CASE("several run-time extents are all named, or tables run") {
  using program = decltype(tl::trainer{sequence<steps, batch>, adam(), tl::straight_line{}})::step_program;
  STATIC_REQUIRE(lines<tl::straight_line, program> == 0);
  STATIC_REQUIRE(lines<tl::straight_line_at<tl::extent_values{{"batch", 1}}>, program> == 0);
  STATIC_REQUIRE(lines<tl::straight_line_at<tl::extent_values{{"batch", 1}, {"steps", 4}}, 1>, program> == 1);
  // What is large at one extent runs there as on the CPU.
  constexpr auto wide = [] {
    return tl::mean(tl::square(tl::linear<"a", 256>(tl::input<"x", float, batch, 256>)));
  };
  using large =
      decltype(tl::trainer{wide, tl::sgd({.learning_rate = 0.1}), tl::straight_line{}})::step_program;
  STATIC_REQUIRE(lines<at_1_and_32, large> == 1);
}

TEST_CASE("a window that one sample does not fill runs through the tables, which refuse it") {
  constexpr auto differences = [] {
    auto x = tl::input<"x", float, batch>;
    auto w = tl::param<"w", float>;
    return tl::mean(tl::square(w * (tl::at<2>(x) - tl::at<0>(x))));
  };
  tl::trainer net{differences, adam(), tl::straight_line{}};
  STATIC_REQUIRE(lines<tl::straight_line, decltype(net)::step_program> == 0);
  net.step("x"_t = x_of(1));
  CHECK_THROWS_AS(net.step("x"_t = tl::array_view<const float>(x.data(), 1)), tl::error);
}

TEST_CASE("gradients that are added up, a checkpoint, and functions") {
  const test::temporary_folder folder;
  tl::trainer usual{regression<batch>, adam(), tl::cpu_by_tables{}, 5};
  tl::trainer net{regression<batch>, adam(), at_1_and_32{}, 5};
  const tl::function f{regression<batch>, tl::weights(net)};
  for (const std::size_t samples : {1u, 32u, 3u}) {
    const auto train = [&](auto& one) {
      one.step("x"_t = x_of(samples), "y"_t = y_of(samples));
      one.accumulate(0.5, "x"_t = x_of(samples), "y"_t = y_of(samples));
      one.accumulate(0.5, "x"_t = x_of(1), "y"_t = y_of(1));
      one.apply();
      one.step("x"_t = x_of(samples), "y"_t = y_of(samples));
    };
    train(net);
    train(usual);
    check_same(parameters_of(net), parameters_of(usual));
    for (const std::size_t called : {1u, 5u, 32u, 1u})
      check_same(f("x"_t = x_of(called), "y"_t = y_of(called)).get<"p">(),
                 usual.predict("x"_t = x_of(called)).get<"p">());
  }
  tl::save_checkpoint(net, folder.path("net.checkpoint"));
  tl::trainer again{regression<batch>, adam(), at_1_and_32{}, 6};
  tl::load_checkpoint(again, folder.path("net.checkpoint"));
  CHECK(again.step("x"_t = x_of(1), "y"_t = y_of(1)).loss() ==
        net.step("x"_t = x_of(1), "y"_t = y_of(1)).loss());
}

TEST_CASE("reports describe the function where it runs") {
  const tl::trainer net{regression<batch>, adam(), tl::straight_line{}};
  using net_type = decltype(tl::trainer{regression<batch>, adam(), tl::straight_line{}});
  using static_type = decltype(tl::trainer{regression<1>, adam(), tl::straight_line{}});
  using usual_type = decltype(tl::trainer{regression<batch>, adam(), tl::cpu_by_tables{}});
  STATIC_REQUIRE(net_type::plan("batch"_t = 1) == static_type::plan());
  STATIC_REQUIRE(net_type::plan("batch"_t = 32) == usual_type::plan("batch"_t = 32));
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(tl::explain(net), "Where \"batch\" = 1 other kernels run as one function"));
  CHECK(has(tl::explain(net, "batch"_t = 1), "They run one after the other as one function"));
  const tl::trainer constant{regression<1>, adam(), tl::straight_line{}};
  CHECK(tl::explain(net, "batch"_t = 1) == tl::explain(constant));
  CHECK_FALSE(has(tl::explain(net, "batch"_t = 7), "They run one after the other as one function"));
  const tl::function f{regression<batch>, tl::straight_line{}};
  CHECK(has(tl::explain(f, "batch"_t = 1), "They run one after the other as one function"));
}

TEST_CASE("a profile goes command by command, and changes nothing") {
  tl::trainer net{regression<batch>, adam(), tl::straight_line{}, 5},
      other{regression<batch>, adam(), tl::straight_line{}, 5};
  for (int step = 0; step < 2; ++step) {
    const tl::step_profile p =
        tl::profile(net, {.steps = 2, .peak = {1, 1}}, "x"_t = x_of(1), "y"_t = y_of(1));
    CHECK(p.kernels.size() > 2);
    CHECK(net.step("x"_t = x_of(1), "y"_t = y_of(1)).loss() ==
          other.step("x"_t = x_of(1), "y"_t = y_of(1)).loss());
  }
}
