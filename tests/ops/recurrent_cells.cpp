// SPDX-License-Identifier: BSL-1.0
// The cells of recurrent networks as layers, and of single vectors.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>

namespace {

/// The layers and the same cells, with their parameters given.
constexpr auto layers = [] {
  auto x = tl::input<"x", double, tl::dyn<"batch">, 4>;
  auto h = tl::input<"h", double, tl::dyn<"batch">, 5>;
  const auto uniform = tl::uniform(1 / tl::detail::square_root(5));
  auto wi = tl::param<"gru.weight_ih", double, 15, 4>(uniform);
  auto wh = tl::param<"gru.weight_hh", double, 15, 5>(uniform);
  auto bi = tl::param<"gru.bias_ih", double, 15>(uniform);
  auto bh = tl::param<"gru.bias_hh", double, 15>(uniform);
  auto vi = tl::param<"rnn.weight_ih", double, 5, 4>(uniform);
  auto vh = tl::param<"rnn.weight_hh", double, 5, 5>(uniform);
  auto ui = tl::param<"lstm.weight_ih", double, 20, 4>(uniform);
  auto uh = tl::param<"lstm.weight_hh", double, 20, 5>(uniform);
  auto [new_h, new_c] = tl::lstm_cell<"lstm", 5, false>(x, h, 2_c * h);
  auto [same_h, same_c] = tl::lstm_cell(x, h, 2_c * h, ui, uh);
  return tl::outputs(tl::named<"gru">(tl::gru_cell<"gru", 5>(x, h) - tl::gru_cell(x, h, wi, wh, bi, bh)),
                     tl::named<"rnn">(tl::rnn_cell<"rnn", 5, tl::nonlinearity::relu, false>(x, h) -
                                      tl::rnn_cell<tl::nonlinearity::relu>(x, h, vi, vh)),
                     tl::named<"h">(new_h - same_h), tl::named<"c">(new_c - same_c), tl::named<"weight">(wi),
                     tl::named<"changes">(tl::sum(tl::square(new_c - h))));
};

}  // namespace

TEST_CASE("layers are the cells with parameters of their own") {
  tl::function f{layers};
  for (const std::size_t batch : {0u, 1u, 7u}) {
    auto r = f("x"_t = test::numbers(1).vector(4 * batch), "h"_t = test::numbers(2).vector(5 * batch));
    for (const double difference : r.get<"gru">()) CHECK(difference == 0);
    for (const double difference : r.get<"rnn">()) CHECK(difference == 0);
    for (const double difference : r.get<"h">()) CHECK(difference == 0);
    for (const double difference : r.get<"c">()) CHECK(difference == 0);
    CHECK((r.get<"changes">()[0] > 1e-6) == (batch > 0));
    for (const double w : r.get<"weight">()) CHECK(std::abs(w) <= 1 / std::sqrt(5.0));
  }
}

TEST_CASE("cells of single vectors, with large gates") {
  tl::function f{[] {
    auto x = tl::input<"x", float, 2>;
    auto h = tl::input<"h", float, 1>;
    auto w = tl::input<"w", float, 4, 2>;
    auto [new_h, new_c] = tl::lstm_cell(x, h, h, w, tl::input<"u", float, 4, 1>);
    return tl::outputs(tl::named<"h">(new_h), tl::named<"c">(new_c),
                       tl::named<"g">(tl::grad(tl::sum(new_h), w)));
  }};
  const std::vector<float> w{-1e4f, 0, 1e4f, 0, 0, 1, 1e4f, 0};  // i closed, f and o open
  auto r = f("x"_t = std::vector<float>{1, 1}, "h"_t = std::vector<float>{0.5f}, "w"_t = w,
             "u"_t = std::vector<float>(4));
  CHECK(r.get<"c">()[0] == 0.5f);
  CHECK(r.get<"h">()[0] == test::Approx(std::tanh(0.5)));
  for (const float g : r.get<"g">()) CHECK(std::abs(g) < 1e-6f);
}
