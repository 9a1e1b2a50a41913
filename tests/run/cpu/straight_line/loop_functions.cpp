// SPDX-License-Identifier: BSL-1.0
// Loops of little work are one function each on tl::cpu, whatever their number of iterations, and compute
// what their kernels do one by one.
#include <tapeless/run/cpu/straight_line/loop_functions.hpp>

#include <tapeless/ops/indexing.hpp>
#include <tapeless/ops/recurrent.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/explain.hpp>
#include <tapeless/train/inspect/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "program.hpp"
#include "run/cpu/straight_line/waves.hpp"

namespace {

using test::waves;

constexpr auto n = tl::dyn<"n">;

template <class GraphBuilder>
constexpr int functions_of() {
  int count = 0;
  for (const tl::loop_function& f : tl::cpu_kernels::kernels_of<GraphBuilder, true>.loops)
    count += f.run != nullptr ? 1 : 0;
  return count;
}

/// Losses of some steps, and then the parameters, with loops as functions and without. Loops is how many are,
/// or -1 for some.
template <int Loops, class Model, class... Bindings>
void check_same_training(Model model, tl::cpu policy, const Bindings&... bindings) {
  const auto rule = tl::adam({.learning_rate = 0.01});
  tl::trainer usual{model, rule, tl::cpu_by_tables{.threads = 1}, 5};
  tl::trainer net{model, rule, policy, 5};
  constexpr int functions = functions_of<typename decltype(net)::step_program>();
  STATIC_REQUIRE((Loops < 0 ? functions > 0 : functions == Loops));
  for (int step = 0; step < 3; ++step) {
    INFO("step " << step);
    REQUIRE(net.step(bindings...).loss() == usual.step(bindings...).loss());
  }
  CHECK(net.evaluate(bindings...).loss() == usual.evaluate(bindings...).loss());
  for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i) {
    const auto bytes = static_cast<std::size_t>(net.parameter_descriptions()[i].bytes());
    CHECK(std::memcmp(net.parameter_data()[i], usual.parameter_data()[i], bytes) == 0);
  }
}

/// The same with some numbers of iterations, one after the other.
template <int Loops, std::size_t Each, class Model>
void check_all_lengths(Model model) {
  for (const std::size_t count : {7u, 1u, 40u, 3u}) {
    INFO(count << " iterations");
    const std::vector<float> x = waves(count * Each);
    check_same_training<Loops>(model, tl::cpu{.threads = 1}, "x"_t = x);
  }
}

// A filter of second order: views of a carry, and what each iteration makes of its own.
constexpr auto filter = [] {
  auto [last, y] = tl::scan(
      [](auto s, auto x) {
        auto b = tl::param<"b", float, 3>(tl::fill(0.3));
        auto a = tl::param<"a", float, 2>(tl::fill(0.1));
        auto y = tl::at<0>(b) * x + tl::at<0>(s);
        auto s0 = tl::at<1>(b) * x - tl::at<0>(a) * y + tl::at<1>(s);
        auto s1 = tl::at<2>(b) * x - tl::at<1>(a) * y;
        return std::tuple{tl::stack<0>(s0, s1), y};
      },
      tl::zeros<float, 2>(), tl::input<"x", float, n>);
  return tl::outputs(tl::mean(tl::square(y)) + tl::sum(last), tl::named<"y">(y), tl::named<"last">(last));
};

}  // namespace

TEST_CASE("a filter of any length") { check_all_lengths<2, 1>(filter); }

TEST_CASE("recurrent layers over any number of steps") {
  check_all_lengths<2, 3>([] {
    auto [h, last_h, last_c] = tl::lstm<"lstm", 5>(tl::input<"x", float, n, 1, 3>);
    return tl::mean(tl::square(h)) + tl::sum(last_c);
  });
  check_all_lengths<2, 6>([] {
    auto [h, last_h] = tl::gru<"gru", 16>(tl::input<"x", float, n, 2, 3>);  // a batch of two
    return tl::mean(tl::square(h));
  });
  check_all_lengths<2, 40>([] {
    auto [h, last_h] = tl::rnn<"rnn", 40>(tl::input<"x", float, n, 1, 40>);
    return tl::mean(tl::square(h));
  });
}

TEST_CASE("carries of several types, random numbers and an index") {
  check_all_lengths<2, 4>([] {
    auto [count, sum, y] = tl::scan(
        [](auto count, auto sum, auto x) {
          auto w = tl::param<"w", float, 4>(tl::fill(0.5));
          auto h = tl::dropout<0.25>(tl::tanh(w * x + sum)) + tl::cast<float>(tl::iota_like(x)) * 0.1_c;
          auto more = tl::where(h > 0.2_c, h, tl::exp(-h)) + tl::cast<float>(count);
          return std::tuple{count + 1_c, sum * 0.5_c + tl::mean(h), more};
        },
        std::tuple{tl::zeros<std::int32_t>(), tl::zeros<float>()}, tl::input<"x", float, n, 4>);
    return tl::mean(tl::square(y)) + sum + tl::cast<float>(count) * 0.1_c;
  });
}

TEST_CASE("a program with a loop of known length that is too large to be straight-line code") {
  constexpr auto model = [] {
    auto wide = tl::linear<"wide", 512>(tl::input<"z", float, 64, 256>);
    auto [h, last_h] = tl::rnn<"rnn", 4>(tl::input<"x", float, 9, 1, 2>);
    return tl::mean(tl::square(wide)) + tl::mean(tl::square(h));
  };
  const std::vector<float> x = waves(18), z = waves(64 * 256);
  check_same_training<2>(model, tl::cpu{.threads = 2}, "x"_t = x, "z"_t = z);
}

TEST_CASE("what lives in one iteration is on the stack as far as there is room") {
  constexpr auto model = [] {
    auto [last, y] = tl::scan(
        [](auto h, auto x) {
          auto wide = tl::tanh(tl::outer(x, h));  // 40 by 40
          return std::tuple{tl::sum<0>(wide * tl::transpose(wide)), tl::max<1>(wide)};
        },
        tl::ones<float, 40>(), tl::input<"x", float, n, 40>);
    return tl::mean(tl::square(y)) + tl::mean(last);
  };
  check_all_lengths<-1, 40>(model);  // that of the forward pass, and the other one where vectors are long
}

TEST_CASE("loops of much work, or of another run-time extent, run kernel by kernel") {
  constexpr auto wide = [] {
    auto [h, last_h] = tl::rnn<"rnn", 512>(tl::input<"x", float, n, 1, 8>);
    return tl::mean(tl::square(h));
  };
  constexpr auto batch = [] {
    auto [h, last_h] = tl::rnn<"rnn", 4>(tl::input<"x", float, 5, n, 2>);
    return tl::mean(tl::square(h));
  };
  check_same_training<0>(wide, tl::cpu{.threads = 1}, "x"_t = waves(24));
  check_same_training<0>(batch, tl::cpu{.threads = 1}, "x"_t = waves(30));
}

TEST_CASE("functions of loops, on a trainer's weights and their own, without iterations, too") {
  tl::trainer net{filter, tl::sgd({.learning_rate = 0.1})};
  constexpr auto last = [] {
    return tl::named<"last">(
        tl::scan([](auto s, auto x) { return s * tl::param<"decay", double>(tl::fill(0.5)) + x; },
                 tl::input<"start", double>, tl::input<"x", double, n>));
  };
  tl::function f{last};
  CHECK(f("start"_t = 8.0, "x"_t = std::vector<double>{1, 2, 3}).get<"last">()[0] == 5.25);
  CHECK(f("start"_t = 8.0, "x"_t = std::vector<double>{}).get<"last">()[0] == 8);
  CHECK(f("start"_t = 8.0, "x"_t = std::vector<double>{1}).get<"last">()[0] == 5);
}

TEST_CASE("explain counts the loops that are functions") {
  const tl::trainer net{filter, tl::sgd({.learning_rate = 0.1})};
  CHECK_THAT(tl::explain(net), test::contains("2 loops are one function each"));
  const tl::trainer by_tables{filter, tl::sgd({.learning_rate = 0.1}), tl::cpu_by_tables{}};
  CHECK_THAT(tl::explain(by_tables), !test::contains("one function each"));
}

TEST_CASE("a profile has a loop's function as one kernel") {
  tl::trainer net{filter, tl::sgd({.learning_rate = 0.1}), tl::cpu{.threads = 1}};
  const std::vector<float> x = waves(5);
  const tl::step_profile p = tl::profile(net, {.steps = 2, .peak = {.flops = 1, .bandwidth = 1}}, "x"_t = x);
  int of_loops = 0;
  for (const tl::profiled_kernel& k : p.kernels) {
    CHECK(k.calls == 1);  // none runs in each of the five iterations
    of_loops += k.command == 3 ? 1 : 0;
  }
  CHECK(of_loops == 1);
  CHECK(net.step("x"_t = x).loss() ==
        tl::trainer{filter, tl::sgd({.learning_rate = 0.1})}.step("x"_t = x).loss());
}
