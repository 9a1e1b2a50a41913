// SPDX-License-Identifier: BSL-1.0
// all_reduce, all_gather and their transposes: models that ranks compute together are those of one process.
#include <cmath>
#include <vector>

#include <tapeless/cluster/collectives.hpp>
#include <tapeless/cluster/cpu_ranks.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr int in = 3, hidden = 8, out = 2;

// Ranks = 1: the whole model of one process.
template <int Ranks, class T = double>
constexpr auto parallel = [] {
  const auto vary = [](auto x) {
    if constexpr (Ranks == 1)
      return x;
    else
      return tl::vary_by_rank(x);
  };
  const auto reduce = [](auto x) {
    if constexpr (Ranks == 1)
      return x;
    else
      return tl::all_reduce(x);
  };
  auto x = tl::input<"x", T, batch, in>;
  auto y = tl::input<"y", T, batch, out>;
  auto h = tl::tanh(tl::linear<"first", in>(x));                       // the same on all ranks
  auto columns = tl::tanh(tl::linear<"up", hidden / Ranks>(vary(h)));  // each its own outputs
  auto rows = reduce(tl::linear<"down", out, false>(columns)) + tl::param<"bias", T, out>(tl::fill(0.1));
  return tl::outputs(tl::mse_loss(rows, y), tl::named<"out">(rows));
};

struct samples {
  std::vector<double> x, y;
  samples() {
    for (int i = 0; i < 5 * in; ++i) x.push_back(std::sin(0.7 * i));
    for (int i = 0; i < 5 * out; ++i) y.push_back(std::cos(1.3 * i));
  }
};

// The weights between the two exchanges: all, or those of one of so many ranks.
template <class T>
struct divided_weights {
  std::vector<T> up, up_bias, down;
  divided_weights(int rank, int ranks) {
    const int own = hidden / ranks, first = rank * own;
    for (int i = 0; i < own * in; ++i) up.push_back(static_cast<T>(std::sin(2.1 * (first * in + i))));
    for (int i = 0; i < own; ++i) up_bias.push_back(static_cast<T>(0.1 * (first + i)));
    for (int j = 0; j < out; ++j)
      for (int i = 0; i < own; ++i) down.push_back(static_cast<T>(std::cos(1.7 * (j * hidden + first + i))));
  }
  template <class Net>
  void give(Net& net) const {
    net.template assign<"up.weight">(up);
    net.template assign<"up.bias">(up_bias);
    net.template assign<"down.weight">(down);
  }
};

auto rule() { return tl::adam({.learning_rate = 0.03}); }

}  // namespace

TEST_CASE("A column- and a row-parallel linear train as the whole ones do, with the same bits on all ranks") {
  const samples s;
  tl::trainer whole{parallel<1>, rule()};
  divided_weights<double>(0, 1).give(whole);
  std::vector<double> losses;
  for (int i = 0; i < 20; ++i) losses.push_back(whole.step("x"_t = s.x, "y"_t = s.y).loss());
  const auto expected_first = whole.parameter<"first.weight">().copy();
  const auto expected_up = whole.parameter<"up.weight">().copy(),
             expected_down = whole.parameter<"down.weight">().copy();

  constexpr int ranks = 2, own = hidden / ranks;
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{parallel<ranks>, rule(), tl::cpu_ranks(world, {.threads = 1})};
    const int first = world.rank() * own;
    const auto weight = net.parameter<"up.weight">();
    divided_weights<double>(world.rank(), ranks).give(net);
    for (const double expected : losses) {
      const double loss = net.step("x"_t = s.x, "y"_t = s.y).loss();
      test::check(std::abs(loss - expected) < 1e-12);
      for (const double other : world.gather(loss)) test::check(other == loss);
    }
    for (std::size_t i = 0; i < expected_first.size(); ++i) {
      const double here = net.parameter<"first.weight">()[i];
      test::check(std::abs(here - expected_first[i]) < 1e-12);
      for (const double other : world.gather(here)) test::check(other == here);  // bit for bit
    }
    for (int k = 0; k < own * in; ++k)
      test::check(std::abs(weight[static_cast<std::size_t>(k)] -
                           expected_up[static_cast<std::size_t>(first * in + k)]) < 1e-12);
    for (int j = 0; j < out; ++j)
      for (int k = 0; k < own; ++k)
        test::check(std::abs(net.parameter<"down.weight">()[static_cast<std::size_t>(j * own + k)] -
                             expected_down[static_cast<std::size_t>(j * hidden + first + k)]) < 1e-12);
  });
}

TEST_CASE("In 16 bits, sums over ranks are those of one process, too") {
  const samples s;
  const std::vector<float> x(s.x.begin(), s.x.end()), y(s.y.begin(), s.y.end());
  const auto of_16_bits = tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.03f}));
  tl::trainer whole{parallel<1, float>, of_16_bits};
  divided_weights<float>(0, 1).give(whole);
  std::vector<float> losses;
  for (int i = 0; i < 10; ++i) losses.push_back(whole.step("x"_t = x, "y"_t = y).loss());
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{parallel<2, float>, of_16_bits, tl::cpu_ranks(world, {.threads = 1})};
    divided_weights<float>(world.rank(), 2).give(net);
    for (const float expected : losses) {
      const float loss = net.step("x"_t = x, "y"_t = y).loss();
      test::check(std::abs(loss - expected) < 0.02f * expected);
      for (const float other : world.gather(loss)) test::check(other == loss);
    }
  });
}

TEST_CASE("Numbers of 16 bits are added up in float and rounded once") {
  test::on_ranks(3, [](tl::process_group& world) {
    const auto check = [&]<class T>(T) {
      std::vector<T> numbers(100, T(world.rank() == 0 ? 256.0f : 1.25f));
      const tl::detail::summed_numbers all{reinterpret_cast<std::byte*>(numbers.data()), 100,
                                           tl::element_of<T>};
      tl::detail::sum_over_ranks sum(world, {all}, tl::detail::even_ranges(all.end(), 3), true);
      sum.start();
      sum.wait_for_parts();
      sum.add_up_parts();
      sum.wait_for_sums();
      for (const T n : numbers) test::check(static_cast<float>(n) == static_cast<float>(T(258.5f)));
    };
    check(tl::bf16{});
    check(tl::f16{});
  });
}

namespace {

// All that ranks exchange, along both axes, with derivatives of derivatives in the loss, of both modes.
template <int Ranks>
constexpr auto exchanging = [] {
  constexpr bool alone = Ranks == 1;
  const auto gathered = [](auto x) {  // the ranks' columns, and back
    if constexpr (alone)
      return x;
    else
      return tl::all_gather<Ranks>(x);
  };
  const auto own = [](auto x) {  // rows of the transposed
    if constexpr (alone)
      return x;
    else
      return tl::transpose<0, 1>(tl::own_part<Ranks, 0>(tl::transpose<0, 1>(x)));
  };
  const auto gathered_rows = [](auto x) {
    if constexpr (alone)
      return x;
    else
      return tl::transpose<0, 1>(tl::all_gather<Ranks, 0>(tl::transpose<0, 1>(x)));
  };
  const auto vary = [](auto x) {
    if constexpr (alone)
      return x;
    else
      return tl::vary_by_rank(x);
  };
  const auto reduce = [](auto x) {
    if constexpr (alone)
      return x;
    else
      return tl::all_reduce(x);
  };
  auto x = tl::input<"x", double, 5, in>;
  auto h = tl::tanh(tl::linear<"first", hidden>(x));
  auto all = tl::tanh(gathered(tl::square(own(h)) + own(h)));
  auto columns = tl::linear<"up", hidden / Ranks>(vary(all));
  auto rows = reduce(tl::sum(tl::sin(columns)));  // of no axes
  auto slope = tl::grad(rows, h);
  auto moved = tl::jvp(gathered_rows(columns), x, tl::cos(x));
  return rows + tl::mean(tl::square(slope)) + tl::mean(tl::square(moved));
};

}  // namespace

TEST_CASE("What is gathered and divided has the derivatives of one process, also the second ones") {
  const samples s;
  tl::trainer whole{exchanging<1>, rule()};
  std::vector<double> up(hidden * hidden);
  for (std::size_t i = 0; i < up.size(); ++i) up[i] = 0.3 * std::sin(2.1 * static_cast<double>(i));
  whole.assign<"up.weight">(up);
  whole.gradients("x"_t = s.x);
  const auto expected_first = whole.gradient<"first.weight">().copy();
  const auto expected_up = whole.gradient<"up.weight">().copy();
  const double expected = whole.evaluate("x"_t = s.x).loss();

  const auto on = [&]<int Ranks>(std::integral_constant<int, Ranks>) {
    test::on_ranks(Ranks, [&](tl::process_group& world) {
      tl::trainer net{exchanging<Ranks>, rule(), tl::cpu_ranks(world, {.threads = 1})};
      constexpr std::size_t own = hidden / Ranks * hidden;
      const std::size_t first = static_cast<std::size_t>(world.rank()) * own;
      net.template assign<"up.weight">(std::vector(up.begin() + static_cast<std::ptrdiff_t>(first),
                                                   up.begin() + static_cast<std::ptrdiff_t>(first + own)));
      const double loss = net.gradients("x"_t = s.x).loss();
      test::check(std::abs(loss - expected) < 1e-12);
      for (std::size_t i = 0; i < expected_first.size(); ++i) {
        const double here = net.template gradient<"first.weight">()[i];
        test::check(std::abs(here - expected_first[i]) < 1e-12);
        for (const double other : world.gather(here)) test::check(other == here);
      }
      for (std::size_t i = 0; i < own; ++i)
        test::check(std::abs(net.template gradient<"up.weight">()[i] - expected_up[first + i]) < 1e-12);
    });
  };
  on(std::integral_constant<int, 2>{});
  on(std::integral_constant<int, 4>{});
}

TEST_CASE(
    "Models of several ranks are refused elsewhere, with other ranks, and where one makes another call") {
  const samples s;
  tl::trainer alone{exchanging<2>, rule()};
  CHECK_THROWS_WITH(alone.step("x"_t = s.x),
                    Catch::Contains("give the trainer the policy tl::cpu_ranks(world)"));
  test::on_ranks(4, [&](tl::process_group& world) {
    tl::trainer net{exchanging<2>, rule(), tl::cpu_ranks(world)};
    test::check(test::sentence_of([&] {
                  net.step("x"_t = s.x);
                }).find("written for 2 ranks, but there are 4") != std::string::npos);
  });
  constexpr auto own_of_2 = [] {
    auto x = tl::input<"x", double, 4>;
    auto w = tl::param<"w", double, 4>(tl::fill(1));
    return tl::all_reduce(tl::sum(tl::own_part<2>(x * w)));
  };
  for (const int size : {1, 2, 4})
    test::on_ranks(size, [&](tl::process_group& world) {
      tl::trainer net{own_of_2, rule(), tl::cpu_ranks(world)};
      double loss = 0;
      const std::string said =
          test::sentence_of([&] { loss = net.step("x"_t = std::vector{1.0, 2.0, 3.0, 4.0}).loss(); });
      test::check(size == 2 ? said.empty() && loss == 10
                            : said.find("written for 2 ranks, but there are") != std::string::npos);
    });
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{exchanging<2>, rule(), tl::cpu_ranks(world)};
    const std::string said = test::sentence_of([&] {
      if (world.rank() == 0) net.step("x"_t = s.x);
      if (world.rank() == 1) world.sum(1);
    });
    test::check(said.find("rank 0 is at a program of ranks") != std::string::npos);
  });
}

namespace {

constexpr auto halved_sum = [](auto h) {
  return tl::tanh(tl::all_reduce(h * tl::param<"w", double, 3>(tl::fill(0.5))));
};
constexpr auto scanned = [] {
  return tl::mean(tl::scan<2>(tl::input<"x", double, 4, 3>, [](auto h) { return halved_sum(h); }));
};
constexpr auto repeated = [] {
  return tl::mean(tl::repeat<2>(tl::input<"x", double, 4, 3>, []<int I>(auto h) { return halved_sum(h); }));
};

}  // namespace

TEST_CASE("An exchange inside of scan is refused by a sentence; in repeat it is none") {
  const std::vector<double> x(12, 0.25);
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{scanned, rule(), tl::cpu_ranks(world)};
    const std::string said = test::sentence_of([&] { net.step("x"_t = x); });
    test::check(said.find("but not inside scan: write repeat") != std::string::npos);
    tl::trainer other{repeated, rule(), tl::cpu_ranks(world)};
    test::check(std::abs(other.step("x"_t = x).loss() - std::tanh(std::tanh(0.25))) < 1e-12);
  });
}
