// SPDX-License-Identifier: BSL-1.0
// Small static programs are straight-line code on tl::cpu: which ones, on whose tensors, and with the same
// bits where each command is run alone.
#include <tapeless/run/cpu/straight_line/straight_line_program.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/explain.hpp>
#include <tapeless/train/inspect/profile.hpp>

#include <vector>

#include "catch.hpp"
#include "program.hpp"
#include "run/cpu/straight_line/waves.hpp"

namespace {

using test::waves;

template <class GraphBuilder>
constexpr bool is_one_function = tl::cpu::in_line<GraphBuilder>::count == 1;

template <std::int64_t Hidden>
struct regression {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 6, 4>;
    auto y = tl::input<"y", float, 6, 2>;
    auto p = tl::linear<"c", 2>(tl::tanh(tl::linear<"b", 12>(tl::relu(tl::linear<"a", Hidden>(x)))));
    return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
  }
};
constexpr regression<8> small;
constexpr regression<1000> medium;
constexpr regression<4000> large;

// A loop forward and one backward, with another width in each of its commands' operands.
constexpr auto sequence = [] {
  auto x = tl::input<"x", float, 5, 2, 3>;
  auto y = tl::input<"y", float, 2, 4>;
  auto [h, last_h, last_c] = tl::lstm<"lstm", 4>(x);
  return tl::mse_loss(tl::linear<"out", 4>(tl::at<-1>(h)), y);
};

// The first and the last layer of `small`, which do not stand side by side in its trainer.
constexpr auto outer_layers = [] {
  auto z = tl::linear<"a", 8>(tl::input<"x", float, 6, 4>);
  auto weight = tl::param<"c.weight", float, 2, 12>;
  return tl::outputs(tl::named<"z">(z), tl::named<"sum">(tl::sum<1>(weight)));
};

// Its index is computed: tables say that one is out of range.
constexpr auto by_computed_index = [] {
  auto x = tl::input<"x", float, 6, 4>;
  return tl::outputs(tl::named<"p">(tl::gather<0>(x, tl::reshape<1, 4>(tl::argmax<0>(x)))));
};

// An input is checked as an index of ten, and used as one of three through what no check looks through.
constexpr auto by_loop = [] {
  auto z = tl::input<"z", std::int32_t, 4>;
  auto [c, y] = tl::scan(
      [](auto c, auto a, auto b) {
        auto g = tl::sum(tl::gather<0>(tl::input<"three", float, 3>, tl::reshape<1>(a)));
        return std::tuple{c + g, g + 0_c * tl::cast<float>(b)};
      },
      tl::input<"c", float>, z, z);
  return tl::outputs(tl::named<"y">(y), tl::named<"c">(c),
                     tl::named<"of_ten">(tl::gather<0>(tl::input<"ten", float, 10>, z)));
};
constexpr auto by_stopped_gradient = [] {
  auto z = tl::input<"z", std::int32_t, 4>;
  return tl::outputs(tl::named<"y">(tl::gather<0>(tl::input<"three", float, 3>, tl::stop_gradient(z))),
                     tl::named<"c">(tl::input<"c", float>),
                     tl::named<"of_ten">(tl::gather<0>(tl::input<"ten", float, 10>, z)));
};

// Two of its elements are checked, and all are used.
constexpr auto by_slice = [] {
  auto z = tl::input<"z", std::int32_t, 4>;
  auto three = tl::input<"three", float, 3>;
  return tl::outputs(tl::named<"y">(tl::gather<0>(three, tl::stop_gradient(z))),
                     tl::named<"c">(tl::input<"c", float>), tl::named<"of_ten">(tl::input<"ten", float, 10>),
                     tl::named<"of_two">(tl::gather<0>(three, tl::slice<0, 2, 4>(z))));
};

template <class Model>
void refuse_an_index(Model model) {
  const auto run = [&](auto policy, std::int32_t index) {
    tl::function f{model, policy};
    return f("z"_t = std::vector<std::int32_t>{0, index, 2, 1}, "c"_t = 0.0f,
             "three"_t = std::vector<float>{1, 2, 3}, "ten"_t = std::vector<float>(10, 1))
        .template get<"y">()
        .copy()[1];
  };
  const char* sentence = "tapeless: an index is 7, but must be from 0 to below 3";
  CHECK_THROWS_WITH(run(tl::cpu{}, 7), sentence);
  CHECK_THROWS_WITH(run(tl::cpu_by_tables{}, 7), sentence);
  CHECK(run(tl::cpu{}, 2) == run(tl::cpu_by_tables{}, 2));
}

struct counting_observer {
  std::vector<std::size_t> commands;
  void before(std::size_t) {}
  void after(std::size_t command) { commands.push_back(command); }
};

const std::vector<float> x = waves(24), y = waves(12);

}  // namespace

TEST_CASE("the default policy has straight-line code for small static programs, and no tables of them") {
  using net = decltype(tl::trainer{small, tl::adam({.learning_rate = 0.01})});
  STATIC_REQUIRE(std::is_same_v<net::policy_type, tl::cpu>);
  STATIC_REQUIRE(is_one_function<net::step_program>);
  STATIC_REQUIRE(is_one_function<net::predict_program>);
  STATIC_REQUIRE(tl::cpu::kernels<net::step_program>.fused_kernels.empty());
  STATIC_REQUIRE(!is_one_function<net::apply_program>);  // on sums of gradients, whose memory comes later
  STATIC_REQUIRE(!tl::cpu::kernels<net::apply_program>.fused_kernels.empty());

  using larger = decltype(tl::trainer{large, tl::adam({.learning_rate = 0.01})});
  STATIC_REQUIRE(!is_one_function<larger::step_program>);
  STATIC_REQUIRE(tl::straight_line::in_line<larger::step_program>::count == 0);
  using between = decltype(tl::trainer{medium, tl::adam({.learning_rate = 0.01})});
  STATIC_REQUIRE(is_one_function<between::step_program> == (tl::bare_kernels::vector_bytes > 16));
  STATIC_REQUIRE(tl::straight_line::in_line<between::step_program>::count == 1);

  using picking = decltype(tl::function{by_computed_index});
  STATIC_REQUIRE(!is_one_function<picking::graph_builder>);

  const tl::trainer usual{small, tl::adam({.learning_rate = 0.01})};
  CHECK(tl::explain(usual).find("as one function") != std::string::npos);
  const tl::trainer tables{small, tl::adam({.learning_rate = 0.01}), tl::cpu_by_tables{}};
  CHECK(tl::explain(tables).find("as one function") == std::string::npos);
}

TEST_CASE("an index that is checked against another bound is looked at when it is used") {
  refuse_an_index(by_loop);
  refuse_an_index(by_stopped_gradient);
  refuse_an_index(by_slice);
  // One that is checked against its own bound needs no tables.
  using checked = decltype(tl::function{[] {
    return tl::named<"y">(tl::gather<0>(tl::input<"ten", float, 10>, tl::input<"z", std::int32_t, 4>));
  }});
  STATIC_REQUIRE(is_one_function<checked::graph_builder>);
  using sliced = decltype(tl::function{[] {
    auto z = tl::input<"z", std::int32_t, 4, 2>;
    auto ten = tl::gather<0>(tl::input<"ten", float, 10>, tl::reshape<4>(tl::slice<1, 0, 1>(z)));
    auto three = tl::gather<0>(tl::input<"three", float, 3>, tl::reshape<4>(tl::slice<1, 1, 2>(z)));
    return tl::named<"y">(ten + three);
  }});
  STATIC_REQUIRE(is_one_function<sliced::graph_builder>);
}

TEST_CASE("a slice along a run-time extent is checked before code for one of its values runs") {
  tl::function f{
      [] {
        auto z = tl::input<"z", std::int32_t, tl::dyn<"n">>;
        return tl::named<"y">(tl::gather<0>(tl::input<"ten", float, 10>, tl::slice<0, 1, tl::to_end>(z)));
      },
      tl::straight_line_at<8>{}};
  const std::vector<float> ten(10, 1);
  CHECK(f("z"_t = std::vector<std::int32_t>{99, 1, 2, 3, 4, 5, 6, 7}, "ten"_t = ten).get<"y">()[0] == 1);
  CHECK_THROWS_WITH(f("z"_t = std::vector<std::int32_t>{0, 0, 99, 0, 0, 0, 0, 0}, "ten"_t = ten),
                    test::contains("holds 99 at position 2"));
}

TEST_CASE("through tables a static model has the bits of the same with run-time extents") {
  const auto dynamic = [] {
    auto x = tl::input<"x", float, tl::dyn<"batch">, 4>;
    auto y = tl::input<"y", float, tl::dyn<"batch">, 2>;
    auto p = tl::linear<"c", 2>(tl::tanh(tl::linear<"b", 12>(tl::relu(tl::linear<"a", 8>(x)))));
    return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
  };
  tl::trainer tables{small, tl::sgd({.learning_rate = 0.1}), tl::cpu_by_tables{}, 3};
  tl::trainer usual{dynamic, tl::sgd({.learning_rate = 0.1}), tl::cpu{}, 3};
  for (int step = 0; step < 5; ++step)
    CHECK(tables.step("x"_t = x, "y"_t = y).loss() == usual.step("x"_t = x, "y"_t = y).loss());
}

TEST_CASE("a program whose commands are run one by one has the same bits") {
  const auto check = [](auto model, std::size_t loops, const auto&... bindings) {
    const auto rule = tl::adam({.learning_rate = 0.01});
    tl::trainer net{model, rule, tl::cpu{}, 3}, observed{model, rule, tl::cpu{}, 3};
    using program = typename decltype(net)::step_program;
    STATIC_REQUIRE(is_one_function<program>);
    tl::cpu::program one_by_one(tl::checked_plan_of<program>(), tl::cpu::kernels<program>,
                                observed.memory_of_next_step());
    one_by_one.know_commands(tl::cpu::commands<program>);
    one_by_one.prepare([](std::size_t) { return std::int64_t{0}; });  // there are no symbols
    const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(bindings.elements().data)...};
    counting_observer observer;
    one_by_one.run(inputs, observer);
    net.step(bindings...);
    CHECK(loops == one_by_one.plan().loops.size());
    CHECK((observer.commands.size() > one_by_one.plan().commands.size()) == (loops > 0));
    for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i) {
      const auto count = static_cast<std::size_t>(net.parameter_descriptions()[i].count);
      const auto* wanted = reinterpret_cast<const float*>(net.parameter_data()[i]);
      const auto* given = reinterpret_cast<const float*>(observed.parameter_data()[i]);
      INFO("parameter " << i);
      CHECK(std::vector<float>(given, given + count) == std::vector<float>(wanted, wanted + count));
    }
  };
  check(small, 0, "x"_t = x, "y"_t = y);
  const std::vector<float> series = waves(30), last = waves(8);
  check(sequence, 2, "x"_t = series, "y"_t = last);
}

TEST_CASE("a profile leaves the trainer as it is") {
  const auto rule = tl::adam({.learning_rate = 0.01});
  tl::trainer net{small, rule, tl::cpu{}, 3}, usual{small, rule, tl::cpu{}, 3};
  const tl::step_profile p = tl::profile(net, {.steps = 3}, "x"_t = x, "y"_t = y);
  CHECK(p.kernels.size() > 5);
  CHECK(net.step("x"_t = x, "y"_t = y).loss() == usual.step("x"_t = x, "y"_t = y).loss());
}

TEST_CASE("a function on some tensors of a trainer works on copies, and sees each step") {
  tl::trainer net{small, tl::sgd({.learning_rate = 0.1}), tl::cpu{}, 3};
  const tl::function part{outer_layers, tl::weights(net)};
  STATIC_REQUIRE(is_one_function<decltype(part)::graph_builder>);
  const tl::function whole{small, tl::weights(net)};
  for (int step = 0; step < 3; ++step) {
    INFO("step " << step);
    const auto r = part("x"_t = x);
    const auto a = net.parameter<"a.weight">(), c = net.parameter<"c.weight">();
    const auto bias = net.parameter<"a.bias">();
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t k = 0; k < 8; ++k) {
        float sum = bias[k];
        for (std::size_t j = 0; j < 4; ++j) sum += x[4 * i + j] * a[4 * k + j];
        CHECK(r.get<"z">()[8 * i + k] == test::Approx(sum).epsilon(1e-5).margin(1e-5));
      }
    for (std::size_t i = 0; i < 2; ++i) {
      float sum = 0;
      for (std::size_t k = 0; k < 12; ++k) sum += c[12 * i + k];
      CHECK(r.get<"sum">()[i] == test::Approx(sum).epsilon(1e-5).margin(1e-5));
    }
    const float before = whole("x"_t = x, "y"_t = y).loss();
    CHECK(before == test::Approx(net.step("x"_t = x, "y"_t = y).loss()).epsilon(1e-6));
  }
}

TEST_CASE("a program that changes tensors which do not stand side by side") {
  tl::trainer net{small, tl::adam({.learning_rate = 0.01}), tl::cpu{}, 3};
  tl::trainer apart{small, tl::adam({.learning_rate = 0.01}), tl::cpu{}, 3};
  using program = decltype(net)::step_program;
  const auto memory = apart.memory_of_next_step();
  std::vector<std::vector<float>> parameters;
  std::vector<std::byte*> addresses;
  for (std::size_t i = memory.parameters.size(); i-- > 0;) {
    const auto* data = reinterpret_cast<const float*>(memory.parameters[i]);
    parameters.emplace(parameters.begin(), data, data + apart.parameter_descriptions()[i].count);
  }
  for (std::vector<float>& p : parameters) addresses.push_back(reinterpret_cast<std::byte*>(p.data()));
  tl::cpu::program step(tl::checked_plan_of<program>(), tl::cpu::kernels<program>,
                        {addresses, memory.states, memory.hyperparameters, memory.resources});
  step.prepare([](std::size_t) { return std::int64_t{0}; });
  CHECK(step.is_straight_line());
  CHECK(!step.is_code(0));
  const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(x.data()),
                               reinterpret_cast<const std::byte*>(y.data())};
  step.run(inputs);
  net.step("x"_t = x, "y"_t = y);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto* wanted = reinterpret_cast<const float*>(net.parameter_data()[i]);
    CHECK(parameters[i] == std::vector<float>(wanted, wanted + parameters[i].size()));
  }
}
