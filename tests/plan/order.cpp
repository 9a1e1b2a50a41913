// SPDX-License-Identifier: BSL-1.0
// What is read is what the graph says, whatever is overwritten meanwhile: by deferred and by eager updates.
#include <tapeless/plan/order.hpp>

#include <tapeless/ops/indexing/cummax.hpp>
#include <tapeless/ops/norm/spectral_norm.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

using vector = std::vector<double>;

namespace {

vector wave(std::size_t count, int step) {
  vector x(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = 0.3 * static_cast<double>((static_cast<int>(i) * 5 + step) % 7 - 3);
  return x;
}

// Eager updates give the bits of deferred ones.
template <class Model, class Rule, class Run>
void compare_timings(Model model, Rule rule, Run run) {
  test::on_each_policy([&]<class Policy>() {
    tl::trainer deferred{model, rule(), Policy(), 7};
    tl::trainer eager{model, rule(), Policy(), tl::eager_updates, 7};
    for (int step = 0; step < 3; ++step) {
      run(deferred, step);
      run(eager, step);
      for (std::size_t p = 0; p < deferred.parameters().size(); ++p)
        CHECK(test::elements(deferred.parameters()[p]) == test::elements(eager.parameters()[p]));
    }
  });
}

// spectral_norm reads what it overwrites, so that all behind it is late.
constexpr auto with_concat = [] {
  auto x = tl::input<"x", double, 4, 3>;
  auto y = tl::matmul(x, tl::spectral_norm<"sn.weight", double, 3, 3>());
  auto out = tl::matmul(tl::concat<1>(y, x), tl::param<"w", double, 6, 1>(tl::fill(0.1)));
  return tl::mean(tl::square(out));
};

// A factor of the gradient that is read before it changes.
struct slowing : tl::gradient_transform<0> {
  static constexpr std::array<tl::name, 0> hyper_names{};
  static constexpr tl::value transform(tl::rule_context& c, tl::value g) {
    const tl::value s = c.state<"slow">(tl::shape_list{}, 1.0);
    const tl::value factor = tl::sqrt(s);
    c.set(s, s * 0.25);
    return g * factor;
  }
};
constexpr auto two_layers = [] {
  auto h = tl::tanh(tl::matmul(tl::input<"x", double, 4, 3>, tl::param<"a", double, 3, 3>(tl::fill(0.1))));
  return tl::mean(tl::square(tl::matmul(h, tl::param<"b", double, 3, 2>(tl::fill(0.3))) - 1_c));
};

// The loop back reads each iteration's index again, from where the loop has put it at once.
constexpr auto picks_in_a_loop = [] {
  auto x = tl::input<"x", double, 3, 4>;
  auto [last, all] = tl::scan(
      [](auto c, auto e) {
        auto largest = tl::cummax<0>(c);
        auto next = tl::tanh(tl::gather<0>(c * e, largest.indices) + 0.5_c * largest.values);
        return std::tuple{next, next};
      },
      tl::param<"w", double, 4>(tl::fill(0.1)), x);
  return tl::mean(tl::square(all)) + tl::sum(last);
};

}  // namespace

TEST_CASE("parts of a concat are all there when it is read, under eager updates, too") {
  compare_timings(
      with_concat, [] { return tl::sgd({.learning_rate = 0.1}); },
      [](auto& net, int step) { net.step("x"_t = wave(12, step)); });
}

TEST_CASE("indices that a loop computes are known to its loop back, under eager updates, too") {
  compare_timings(
      picks_in_a_loop, [] { return tl::sgd({.learning_rate = 0.1}); },
      [](auto& net, int step) { net.step("x"_t = wave(12, step)); });
}

TEST_CASE("a state's old value is read, under eager updates, too") {
  compare_timings(
      two_layers, [] { return tl::chain(slowing{}, tl::scale(-0.5)); },
      [](auto& net, int step) { net.step("x"_t = wave(12, step)); });
}

TEST_CASE("a loop comes behind the start of its carries, though it reads nothing else of it") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{
        [] {
          auto h = tl::matmul(tl::input<"x", double, 2, 3>, tl::spectral_norm<"sn.weight", double, 3, 3>());
          auto last = tl::scan([](auto, auto x) { return tl::sin(x); }, h, tl::input<"xs", double, 4, 2, 3>);
          return tl::outputs(tl::mean(tl::square(h)), tl::named<"last">(last));
        },
        tl::sgd({.learning_rate = 0.1}), Policy()};
    const vector xs = wave(24, 1);
    auto r = net.step("x"_t = vector(6, 50), "xs"_t = xs);
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(r.template get<"last">()[i] == test::Approx(std::sin(xs[18 + i])).epsilon(1e-12));
  });
}

TEST_CASE("one gradient that two states keep is kept by both") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{[] {
                      auto both = tl::input<"x", double, 4, 3> + tl::param<"first", double, 3>(tl::fill(0)) +
                                  tl::param<"second", double, 3>(tl::fill(0));
                      return tl::mean(tl::square(both - 0.1_c));
                    },
                    tl::adan({.learning_rate = 0.05}), Policy()};
    for (int step = 0; step < 4; ++step) {
      net.step("x"_t = wave(12, step * step));
      CHECK(test::elements(net.template parameter<"first">()) ==
            test::elements(net.template parameter<"second">()));
    }
  });
}
