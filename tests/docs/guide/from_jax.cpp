// SPDX-License-Identifier: BSL-1.0
// The guide from JAX: a network with parameters of its own, a chain of Optax's transformations, a function
// with its gradient, a loop with stacked results; and that the expressions of its tables compile.
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto nodes = tl::dyn<"nodes">;
constexpr auto edges = tl::dyn<"edges">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 1>;
  auto y = tl::input<"y", float, batch, 1>;
  auto w1 = tl::param<"w1", float, 1, 32>(tl::normal(1));
  auto w2 = tl::param<"w2", float, 32, 1>(tl::normal(0.2));
  auto h = tl::tanh(tl::matmul(x, w1) + tl::param<"b1", float, 32>);
  auto guess = tl::matmul(h, w2) + tl::param<"b2", float, 1>;
  return tl::outputs(tl::mean(tl::square(guess - y)), tl::named<"guess">(guess));
};

auto optimizer() {
  return tl::chain(tl::clip_by_global_norm(1), tl::scale_by_adam({}), tl::add_decayed_weights(1e-4f),
                   tl::scale_by_learning_rate(tl::cosine_schedule({.start = 1e-2, .steps = 500})));
}

bool trained() {
  std::vector<float> x, y;
  for (int i = 0; i < 64; ++i) x.push_back(float(i - 32) / 10), y.push_back(std::sin(x.back()));

  tl::trainer net{model, optimizer()};
  for (int i = 0; i < 500; ++i) net.step("x"_t = x, "y"_t = y);

  return net.evaluate("x"_t = x, "y"_t = y).loss() < 1e-2f;
}

constexpr auto value_and_gradient = [] {
  auto w = tl::input<"w", double, 2>;
  auto x = tl::input<"x", double, batch, 2>;
  auto loss = tl::logsumexp(tl::matmul(x, w));
  return tl::outputs(tl::named<"value">(loss), tl::named<"gradient">(tl::grad(loss, w)));
};

bool called() {
  const std::vector<double> x{1, 2, 3, 4};

  tl::function f{value_and_gradient};
  auto result = f("w"_t = {0.5, -0.5}, "x"_t = x);
  std::printf("%.3f, [%.1f %.1f]\n", result.get<"value">()[0], result.get<"gradient">()[0],
              result.get<"gradient">()[1]);

  return true;
}

constexpr auto running = [] {
  auto x = tl::input<"x", float, batch>;
  auto [last, all] = tl::scan(
      [](auto mean, auto x) {
        auto next = 0.9_c * mean + 0.1_c * x;
        return std::tuple{next, tl::square(x - next)};
      },
      0_c * tl::at<0>(x), x);
  return tl::outputs(tl::named<"last">(last), tl::named<"all">(all));
};

bool looped() {
  tl::function f{running};
  return f("x"_t = {1.f, 2.f, 3.f}).get<"all">().size() == 3;
}

// What the tables have in their right columns.
constexpr auto expressions = [] {
  auto a = tl::input<"a", double, 4, 3>;
  auto b = tl::input<"b", double, 3, 5>;
  auto x = tl::input<"x", double, 3>;
  auto i = tl::input<"i", std::int64_t, 2>;
  auto rows = tl::input<"rows", double, 2, 3>;
  auto y = tl::sum(tl::einsum<"ij,jk->ik">(a, b)) + tl::sum(tl::exp(x));
  auto [da, db] = tl::grad(y, a, b);
  auto m = tl::input<"m", float, edges, 4>;
  auto to = tl::input<"to", std::int32_t, edges>;
  auto targets = tl::expand<edges, 4>(tl::unsqueeze<-1>(to));
  auto z = tl::zeros<float, nodes, 4>();
  return tl::outputs(
      tl::named<"1">(da), tl::named<"2">(db), tl::named<"3">(tl::vjp(tl::exp(x), x, x)),
      tl::named<"4">(tl::jvp(tl::exp(x), x, x)), tl::named<"5">(tl::jacobian(tl::exp(x), x)),
      tl::named<"6">(tl::hessian(y, x)), tl::named<"7">(tl::checkpoint(tl::exp(x))),
      tl::named<"8">(tl::scan([](auto h, auto) { return tl::sin(h); }, x, tl::iota<std::int32_t, 8>())),
      tl::named<"9">(tl::repeat<8>(x, [](auto h) { return tl::sin(h); })),
      tl::named<"10">(tl::where(x > 0_c, tl::sqrt(x), 0_c)), tl::named<"11">(tl::index_select<1>(a, i)),
      tl::named<"12">(tl::index_copy<0>(a, i, rows)), tl::named<"13">(tl::index_add<0>(a, i, rows)),
      tl::named<"14">(tl::take_along<1>(a, tl::argsort<1>(a))), tl::named<"15">(tl::at<1>(a)),
      tl::named<"16">(tl::slice<1, 1, 3>(a)), tl::named<"17">(tl::normal<"z", double, 3>()),
      tl::named<"18">(tl::categorical<"c">(x)), tl::named<"19">(tl::one_hot<5, double>(i)),
      tl::named<"20">(tl::logsumexp<1>(a)),
      tl::named<"21">(tl::solve(tl::matmul(tl::permute<1, 0>(a), a), x)),
      tl::named<"22">(tl::index_add<0>(tl::zeros<float, nodes, 4>(), to, m)),
      tl::named<"23">(tl::scatter_reduce<0, tl::reduce::amax>(z, targets, m, tl::exclude_self)));
};

bool rules_are_made() {
  [[maybe_unused]] tl::function f{expressions};
  [[maybe_unused]] auto rules = std::tuple{
      tl::accumulate(4, tl::adam({})),
      tl::chain(tl::masked(tl::add_decayed_weights(1e-4f), tl::matrices), tl::scale(-0.1)),
      tl::partition(tl::for_parameters<"body">(tl::names_like<"body.*">, tl::adam({})), tl::sgd({})),
      tl::lookahead(tl::adam({}), {.sync_period = 6, .slow_step_size = 0.5}),
      tl::sharpness_aware(tl::sgd({}), {.radius = 0.05}),
      tl::skip_nonfinite(tl::adam({})),
      tl::average(tl::adam({}), {.decay = 0.999}),
      tl::chain(tl::ema({.decay = 0.9}), tl::trace({.decay = 0.9}), tl::scale(-0.1)),
      tl::chain(tl::clip_by_value(0.5), tl::clip_by_norm(1), tl::adaptive_clip({.max_ratio = 0.01}),
                tl::add_noise({.eta = 0.01, .gamma = 0.55}), tl::centralize(), tl::adam({})),
      tl::states_as<tl::bf16, "adam.mu">(tl::adam({})),
      tl::rmsprop({.decay = 0.9}),
      tl::adagrad({.initial_accumulator = 0.1, .epsilon = 1e-7}),
      tl::adamw({.weight_decay = 1e-4}),
      tl::lion({.weight_decay = 1e-3}),
      tl::adam({.learning_rate = tl::warmup_cosine({.peak = 1e-3, .warmup_steps = 100, .steps = 1000})}),
      tl::sgd({.learning_rate = tl::exponential_schedule({.start = 1e-3, .factor = 0.99})}),
      tl::sgd(
          {.learning_rate = tl::multi_step_schedule({.start = 1, .factor = 0.5, .milestones = {10, 20}})}),
      tl::sgd({.learning_rate = tl::join_schedules({.schedules = {1e-3, 1e-4}, .milestones = {100}})})};
  return true;
}

int main() { return trained() && called() && looped() && rules_are_made() ? 0 : 1; }
