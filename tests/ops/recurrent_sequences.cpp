// SPDX-License-Identifier: BSL-1.0
// Recurrent networks over sequences against cells unrolled by hand.
#include "catch.hpp"
#include "program.hpp"
#include "value_graph.hpp"

#include <cmath>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

template <tl::name Name, tl::extent... E>
inline constexpr auto weight = tl::param<Name, double, E...>(tl::uniform(1 / tl::detail::square_root(5)));

/// Networks over three times, from zeros on, and their cells one after the other.
constexpr auto unrolled = [] {
  constexpr auto batch = tl::dyn<"batch">;
  auto x = tl::input<"x", double, 3, batch, 4>;
  auto zeros = tl::expand<batch, 5>(0_c * tl::sum<-1>(tl::at<0>(x), tl::keep_dims));
  auto wi = weight<"gru.weight_ih_l0", 15, 4>;
  auto wh = weight<"gru.weight_hh_l0", 15, 5>;
  auto [y, h] = tl::gru<"gru", 5, tl::recurrent{.bias = false}>(x);
  auto h1 = tl::gru_cell(tl::at<0>(x), zeros, wi, wh);
  auto h2 = tl::gru_cell(tl::at<1>(x), h1, wi, wh);
  auto h3 = tl::gru_cell(tl::at<2>(x), h2, wi, wh);
  auto vi = weight<"lstm.weight_ih_l0", 20, 4>;
  auto vh = weight<"lstm.weight_hh_l0", 20, 5>;
  auto bi = weight<"lstm.bias_ih_l0", 20>;
  auto bh = weight<"lstm.bias_hh_l0", 20>;
  auto [u, a, c] = tl::lstm<"lstm", 5>(x);
  auto [a1, c1] = tl::lstm_cell(tl::at<0>(x), zeros, zeros, vi, vh, bi, bh);
  auto [a2, c2] = tl::lstm_cell(tl::at<1>(x), a1, c1, vi, vh, bi, bh);
  auto [a3, c3] = tl::lstm_cell(tl::at<2>(x), a2, c2, vi, vh, bi, bh);
  return tl::outputs(tl::named<"y">(y - tl::stack<0>(h1, h2, h3)), tl::named<"h">(h - h3),
                     tl::named<"u">(u - tl::stack<0>(a1, a2, a3)), tl::named<"a">(a - a3),
                     tl::named<"c">(c - c3), tl::named<"size">(tl::sum(tl::square(c) + tl::square(h))));
};

/// Networks over any number of times, with zeros at the start, and their cells in a loop.
constexpr auto networks = [] {
  constexpr auto time = tl::dyn<"time">, batch = tl::dyn<"batch">;
  auto x = tl::input<"x", double, time, batch, 4>;
  auto zeros = tl::input<"zeros", double, batch, 5>;
  auto [y, h] = tl::rnn<"rnn", 5, tl::recurrent{.activation = tl::nonlinearity::relu}>(x);
  auto [same_h, same_y] = tl::scan(
      [](auto h, auto x) {
        auto next = tl::rnn_cell<tl::nonlinearity::relu>(
            x, h, weight<"rnn.weight_ih_l0", 5, 4>, weight<"rnn.weight_hh_l0", 5, 5>,
            weight<"rnn.bias_ih_l0", 5>, weight<"rnn.bias_hh_l0", 5>);
        return tl::pack(next, next);
      },
      zeros, x);
  return tl::outputs(tl::named<"y">(y), tl::named<"h">(h), tl::named<"same_y">(same_y),
                     tl::named<"same_h">(same_h), tl::named<"dx">(tl::grad(tl::sum(h), x)),
                     tl::named<"same_dx">(tl::grad(tl::sum(same_h), x)));
};

/// Two layers in two directions, and the same of single ones.
constexpr auto stacked = [] {
  constexpr auto time = tl::dyn<"time">;
  auto x = tl::input<"x", double, time, 2, 3>;
  auto h0 = tl::input<"h0", double, 4, 2, 2>;
  auto [y, h] = tl::gru<"net", 2, tl::recurrent{.layers = 2, .bidirectional = true}>(x, h0);
  return tl::outputs(tl::mean(tl::square(y)) + tl::sum(h), tl::named<"y">(y), tl::named<"h">(h));
};

struct layer_by_layer {
  template <tl::name Suffix, int In>
  static constexpr auto single(auto x, auto h0) {
    constexpr auto uniform = tl::uniform(1 / tl::detail::square_root(2));
    return tl::gru(x, h0, tl::param<"net.weight_ih" + Suffix, double, 6, In>(uniform),
                   tl::param<"net.weight_hh" + Suffix, double, 6, 2>(uniform),
                   tl::param<"net.bias_ih" + Suffix, double, 6>(uniform),
                   tl::param<"net.bias_hh" + Suffix, double, 6>(uniform));
  }
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, tl::dyn<"time">, 2, 3>;
    auto h0 = tl::input<"h0", double, 4, 2, 2>;
    auto [a, a_h] = single<"_l0", 3>(x, tl::at<0>(h0));
    auto [b, b_h] = single<"_l0_reverse", 3>(tl::flip<0>(x), tl::at<1>(h0));
    auto between = tl::concat<2>(a, tl::flip<0>(b));
    auto [c, c_h] = single<"_l1", 4>(between, tl::at<2>(h0));
    auto [d, d_h] = single<"_l1_reverse", 4>(tl::flip<0>(between), tl::at<3>(h0));
    auto y = tl::concat<2>(c, tl::flip<0>(d));
    auto h = tl::stack<0>(a_h, b_h, c_h, d_h);
    return tl::outputs(tl::mean(tl::square(y)) + tl::sum(h), tl::named<"y">(y), tl::named<"h">(h));
  }
};

/// Matrix products of a network of values, outside of its loops and in them.
struct products {
  int outside = 0, inside = 0;
};
constexpr products products_of(auto network) {
  tl::graph g;
  network(test::input<"x">(g, {7, 2, 3}));
  products p;
  for (const tl::node& n : g.nodes)
    if (n.op->kind == tl::family::product) ++(n.region == 0 ? p.outside : p.inside);
  return p;
}
constexpr products one_layer = products_of([](tl::value x) {
  const auto [y, h, c] = tl::lstm<"a", 4>(x);
  return tl::lstm<"a", 4>(x, h, c);
});
static_assert(one_layer.outside == 1 && one_layer.inside == 2);  // both networks share x's product
constexpr products two_layers = products_of([](tl::value x) {
  const auto network = tl::rnn<"a", 4, tl::recurrent{.layers = 2, .bidirectional = true}>(x);
  const auto weight = test::parameter<"w">(*x.builder, {12, 8}),
             recurrent = test::parameter<"u">(*x.builder, {12, 4});
  return tl::gru(network[0], tl::at<0>(network[1]), weight, recurrent);
});
static_assert(two_layers.outside == 5 && two_layers.inside == 5);

template <tl::name... Name>
void copy_parameters(auto& from, auto& to) {
  (std::ranges::copy(from.template parameter<Name>(), to.template parameter<Name>().begin()), ...);
}
template <tl::name Suffix>
void copy_layer(auto& from, auto& to) {
  copy_parameters<"net.weight_ih" + Suffix, "net.weight_hh" + Suffix, "net.bias_ih" + Suffix,
                  "net.bias_hh" + Suffix>(from, to);
}

}  // namespace

TEST_CASE("networks are their cells, one after the other") {
  tl::function f{unrolled};
  for (const std::size_t batch : {0u, 1u, 3u}) {
    auto r = f("x"_t = test::numbers(1).vector(12 * batch));
    for (const double difference : r.get<"y">()) CHECK(std::abs(difference) < 1e-15);
    for (const double difference : r.get<"h">()) CHECK(std::abs(difference) < 1e-15);
    for (const double difference : r.get<"u">()) CHECK(std::abs(difference) < 1e-15);
    for (const double difference : r.get<"a">()) CHECK(std::abs(difference) < 1e-15);
    for (const double difference : r.get<"c">()) CHECK(std::abs(difference) < 1e-15);
    CHECK((r.get<"size">()[0] > 1e-3) == (batch > 0));
  }
}

TEST_CASE("any number of times, one and none among them") {
  tl::function f{networks};
  for (const std::size_t time : {1u, 4u, 0u})
    for (const std::size_t batch : {1u, 2u}) {
      auto r =
          f("x"_t = test::numbers(1).vector(time * batch * 4), "zeros"_t = std::vector<double>(batch * 5));
      const auto close = [](const std::vector<double>& a, const std::vector<double>& b) {
        REQUIRE(a.size() == b.size());
        for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == test::Approx(b[i]).margin(1e-14));
      };
      REQUIRE(r.get<"y">().size() == time * batch * 5);
      close(test::elements(r.get<"y">()), test::elements(r.get<"same_y">()));
      close(test::elements(r.get<"h">()), test::elements(r.get<"same_h">()));
      close(test::elements(r.get<"dx">()), test::elements(r.get<"same_dx">()));
    }
}

TEST_CASE("layers and directions") {
  tl::trainer net{stacked, tl::sgd({.learning_rate = 0.1})};
  tl::trainer single{layer_by_layer{}, tl::sgd({.learning_rate = 0.1})};
  REQUIRE(net.parameter<"net.weight_ih_l1_reverse">().size() == 24);
  copy_layer<"_l0">(net, single);
  copy_layer<"_l0_reverse">(net, single);
  copy_layer<"_l1">(net, single);
  copy_layer<"_l1_reverse">(net, single);
  for (const std::size_t time : {1u, 3u}) {
    const auto x = test::numbers(2).vector(time * 6), h0 = test::numbers(3).vector(16);
    auto a = net.evaluate("x"_t = x, "h0"_t = h0);
    auto b = single.evaluate("x"_t = x, "h0"_t = h0);
    const auto y = test::elements(a.get<"y">()), same_y = test::elements(b.get<"y">());
    REQUIRE(y.size() == time * 8);
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == test::Approx(same_y[i]).margin(1e-14));
    const auto h = test::elements(a.get<"h">()), same_h = test::elements(b.get<"h">());
    REQUIRE(h.size() == 16);
    for (std::size_t i = 0; i < h.size(); ++i) CHECK(h[i] == test::Approx(same_h[i]).margin(1e-14));
    for (int step = 0; step < 3; ++step)
      CHECK(net.step("x"_t = x, "h0"_t = h0).loss() ==
            test::Approx(single.step("x"_t = x, "h0"_t = h0).loss()).epsilon(1e-12));
  }
}

TEST_CASE("dropout is between layers, in training") {
  const auto differs = []<int Layers>() {
    tl::trainer net{[] {
                      auto x = tl::input<"x", double, 3, 2, 4>;
                      auto [y, h] = tl::gru<"net", 8, tl::recurrent{.layers = Layers, .dropout = 0.5}>(x);
                      return tl::mean(tl::square(y));
                    },
                    tl::sgd({.learning_rate = 0.0})};
    const auto x = test::numbers(2).vector(24);
    return net.step("x"_t = x).loss() != net.evaluate("x"_t = x).loss();
  };
  CHECK(!differs.operator()<1>());
  CHECK(differs.operator()<2>());
}
