// SPDX-License-Identifier: BSL-1.0
// Kernels of tl::bare are told apart by their shapes alone: equal layers share them, and so do a step and a
// prediction.
#include <tapeless/bare.hpp>
#include <tapeless/ops/norm.hpp>
#include <tapeless/ops/spatial.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace {

using namespace tl::literals;
namespace kernels = tl::bare_kernels;

template <class Kernel>
constexpr char its_address = 0;

// Takes down which kernels a program calls, by their addresses.
template <class Program, class Layout>
void list_called(std::set<const char*>& all) {
  constexpr auto& commands = tl::plan_of<Program>.commands;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto take = [&]<class Command>(Command*) {
      if constexpr (Command::is_called) all.insert(&its_address<typename Command::kernel>);
    };
    (take(static_cast<
          kernels::bare_command<Program, Layout, commands[I].kind, commands[I].index, commands[I].family>*>(
         nullptr)),
     ...);
  }(std::make_integer_sequence<int, static_cast<int>(commands.size())>{});
}
template <class Model, class Rule>
std::set<const char*> kernels_of_step(Model, Rule) {
  using program = tl::detail::bare_step_of<Model, Rule, false>;
  std::set<const char*> all;
  list_called<program, tl::detail::bare_layout<Model, program>>(all);
  return all;
}
template <class Model, class Rule>
std::set<const char*> kernels_of_step_and_predict(Model model, Rule rule) {
  using program = tl::detail::bare_step_of<Model, Rule, false>;
  std::set<const char*> all = kernels_of_step(model, rule);
  list_called<tl::detail::bare_ready<tl::predict_graph_builder<Model>>,
              tl::detail::bare_layout<Model, program>>(all);
  return all;
}

template <tl::name Name, int Count, class X>
constexpr auto equal_layers(X x) {
  if constexpr (Count == 0) {
    return x;
  } else {
    return equal_layers<Name + ".next", Count - 1>(tl::tanh(tl::linear<Name, 24>(x)));
  }
}
template <int Count>
constexpr auto layers = [] {
  auto x = tl::input<"x", float, 8, 4>;
  auto y = tl::input<"y", float, 8, 2>;
  auto p = tl::linear<"out", 2>(equal_layers<"layer", Count>(tl::tanh(tl::linear<"in", 24>(x))));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

template <tl::name Name, int Count, class X>
constexpr auto equal_blocks(X x) {
  if constexpr (Count == 0) {
    return x;
  } else {
    constexpr tl::conv depthwise{.kernel = 3, .padding = 1, .groups = 8};
    auto h = tl::relu(tl::conv2d<Name + ".depthwise", 8, depthwise>(x));
    return equal_blocks<Name + ".next", Count - 1>(
        tl::relu(tl::conv2d<Name + ".pointwise", 8, tl::conv{.kernel = 1}>(h)));
  }
}
template <int Count>
constexpr auto blocks = [] {
  auto x = tl::input<"x", float, 2, 8, 6, 6>;
  return tl::mean(tl::square(equal_blocks<"block", Count>(x)));
};

constexpr auto one_vector = [] { return tl::sum(tl::square(tl::param<"a", float, 528>)); };
constexpr auto two_vectors = [] {
  return tl::sum(tl::square(tl::param<"a", float, 528>)) + tl::sum(tl::square(tl::param<"b", float, 1040>));
};

}  // namespace

TEST_CASE("four equal layers have the kernels of two") {
  const auto rule = tl::adam({.learning_rate = 0.01});
  CHECK(kernels_of_step(layers<4>, rule) == kernels_of_step(layers<2>, rule));
  CHECK(kernels_of_step(layers<2>, rule).size() >= 6);
}

TEST_CASE("equal blocks of convolutions share theirs, and steps and predictions do") {
  const auto rule = tl::sgd({.learning_rate = 0.01});
  CHECK(kernels_of_step(blocks<4>, rule) == kernels_of_step(blocks<3>, rule));
  CHECK(kernels_of_step_and_predict(layers<1>, rule) == kernels_of_step(layers<1>, rule));
}

TEST_CASE("long loops of other lengths share their kernels, but for sums") {
  const auto rule = tl::adam({.learning_rate = 0.01});
  const auto one = kernels_of_step(one_vector, rule), two = kernels_of_step(two_vectors, rule);
  CHECK(one.size() >= 2);
  CHECK(two.size() == one.size() + 1);
}

TEST_CASE("a shape has all numbers of a command, zeros in front of others too") {
  tl::planned_product p{.m = 3, .n = 4, .k = 5};
  p.a.strides[1] = 1;
  tl::planned_product other = p;
  other.a.strides[1] = 0;
  other.a.strides[0] = 1;
  constexpr int count = kernels::count_numbers(tl::planned_product{});
  const auto x = kernels::shape_of<count>(p), y = kernels::shape_of<count>(other);
  CHECK(!std::equal(std::begin(x.numbers), std::end(x.numbers), std::begin(y.numbers)));
}

TEST_CASE("strides that differ in their order have kernels of their own") {
  constexpr auto bias_and_maximum = [] {
    auto logits = tl::linear<"a", 3>(tl::input<"x", float, 4, 6>);
    return tl::mean(tl::square(tl::layer_norm<"norm">(logits))) + tl::mean(tl::softmax<1>(logits) * logits);
  };
  std::vector<float> x(24);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 5 % 11) / 5 - 1;
  tl::trainer usual{bias_and_maximum, tl::sgd({.learning_rate = 0.1}), tl::cpu{}, 5};
  tl::trainer net{bias_and_maximum, tl::sgd({.learning_rate = 0.1}), tl::bare{}, 5};
  for (int step = 0; step < 3; ++step)
    CHECK(static_cast<double>(net.step("x"_t = x).loss()) ==
          test::Approx(static_cast<double>(usual.step("x"_t = x).loss())).epsilon(0).margin(1e-5));
}
