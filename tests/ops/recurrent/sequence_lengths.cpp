// SPDX-License-Identifier: BSL-1.0
// A batch of sequences of several lengths gives each one what it gives alone, whatever stands behind its end.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

using vector = std::vector<double>;

namespace {

constexpr int width = 2, hidden = 3;
constexpr std::size_t times = 4;
constexpr auto time = tl::dyn<"time">, batch = tl::dyn<"batch">;
constexpr tl::recurrent two_ways{.layers = 2, .bidirectional = true};

// The network's results and the gradients of a sum in which each has a weight of its own.
template <class Y, class... States>
constexpr auto with_gradients(auto x, std::tuple<Y, States...> results) {
  auto weighted = [](auto v) { return tl::sum(tl::sin(v)); };
  auto [y, h] = std::tuple(std::get<0>(results), std::get<1>(results));
  auto sum = weighted(y) + 2_c * weighted(h) + 3_c * weighted(std::get<sizeof...(States)>(results));
  return tl::outputs(tl::named<"y">(y), tl::named<"h">(h),
                     tl::named<"last">(std::get<sizeof...(States)>(results)),
                     tl::named<"dx">(tl::grad(sum, x)));
}
constexpr auto x_of_batch = tl::input<"x", double, time, batch, width>;
constexpr auto lengths = tl::input<"lengths", std::int32_t, batch>;

struct lstm_of_two_ways {
  static constexpr std::size_t width_of_y = 2 * hidden, states = 4;
  static constexpr auto together = [] {
    return with_gradients(x_of_batch, tl::lstm<"a", hidden, two_ways>(x_of_batch, lengths));
  };
  static constexpr auto alone = [] {
    return with_gradients(x_of_batch, tl::lstm<"a", hidden, two_ways>(x_of_batch));
  };
};
struct gru_forward {
  static constexpr std::size_t width_of_y = hidden, states = 1;
  static constexpr auto together = [] {
    return with_gradients(x_of_batch, tl::gru<"a", hidden>(x_of_batch, lengths));
  };
  static constexpr auto alone = [] { return with_gradients(x_of_batch, tl::gru<"a", hidden>(x_of_batch)); };
};

template <class Model>
void compare() {
  constexpr std::int32_t length_of[] = {2, 4, 1, 3};
  constexpr std::size_t count = std::size(length_of);
  tl::function together{Model::together};
  tl::function alone{Model::alone};
  const vector x = test::numbers().vector(times * count * width);
  vector padded = x;
  for (std::size_t t = 0; t < times; ++t)
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t i = 0; i < width; ++i)
        if (t >= static_cast<std::size_t>(length_of[b]))
          padded[(t * count + b) * width + i] = std::numeric_limits<double>::quiet_NaN();
  const auto all = together("x"_t = std::span(padded), "lengths"_t = length_of);
  const auto is = [](double a, double b) { CHECK(a == test::Approx(b).epsilon(1e-13).margin(1e-14)); };
  for (std::size_t b = 0; b < count; ++b) {
    const auto length = static_cast<std::size_t>(length_of[b]);
    vector own;
    for (std::size_t t = 0; t < length; ++t)
      for (std::size_t i = 0; i < width; ++i) own.push_back(x[(t * count + b) * width + i]);
    const auto one = alone("x"_t = std::span(own), "batch"_t = 1);
    for (std::size_t t = 0; t < times; ++t) {
      for (std::size_t i = 0; i < Model::width_of_y; ++i)
        is(all.template get<"y">()[(t * count + b) * Model::width_of_y + i],
           t < length ? one.template get<"y">()[t * Model::width_of_y + i] : 0);
      for (std::size_t i = 0; i < width; ++i)
        is(all.template get<"dx">()[(t * count + b) * width + i],
           t < length ? one.template get<"dx">()[t * width + i] : 0);
    }
    for (std::size_t k = 0; k < Model::states; ++k)
      for (std::size_t i = 0; i < hidden; ++i) {
        is(all.template get<"h">()[(k * count + b) * hidden + i], one.template get<"h">()[k * hidden + i]);
        is(all.template get<"last">()[(k * count + b) * hidden + i],
           one.template get<"last">()[k * hidden + i]);
      }
  }
}

}  // namespace

TEST_CASE("each sequence of a batch has the results that it has alone") {
  compare<lstm_of_two_ways>();
  compare<gru_forward>();
}

TEST_CASE("a sequence of no times keeps its first states; so do steps that are unrolled") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 2, width>;
    auto h = tl::input<"h", double, 2, hidden>;
    auto [y, last, memory] = tl::lstm<"a", hidden>(x, h, h, tl::input<"lengths", std::int64_t, 2>);
    auto unrolled = tl::scan<1>(h, [](auto h) {
      auto [y, last] =
          tl::rnn<"b", hidden>(tl::input<"x", double, 2, 2, width>, h, tl::input<"lengths", std::int64_t, 2>);
      return last;
    });
    return tl::outputs(tl::named<"y">(y), tl::named<"last">(last), tl::named<"memory">(memory),
                       tl::named<"unrolled">(unrolled));
  }};
  const vector x(8, 0.5), h{1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> none{0, 0}, second{0, 1};
  const auto a = f("x"_t = x, "h"_t = h, "lengths"_t = none);
  CHECK(test::elements(a.get<"y">()) == vector(12, 0));
  CHECK(test::elements(a.get<"last">()) == h);
  CHECK(test::elements(a.get<"memory">()) == h);
  CHECK(test::elements(a.get<"unrolled">()) == h);
  const auto b = f("x"_t = x, "h"_t = h, "lengths"_t = second);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK((b.get<"last">()[i] == h[i]) == (i < 3));
    CHECK((b.get<"unrolled">()[i] == h[i]) == (i < 3));
  }
}

TEST_CASE("a length beyond the batch's times is an error") {
  tl::function f{gru_forward::together};
  const vector x(8, 0.5);
  const std::vector<std::int32_t> too_long{3, 1};
  CHECK_THROWS_WITH(f("x"_t = std::span(x), "lengths"_t = std::span(too_long)),
                    Catch::Contains("lengths") && Catch::Contains("3"));
}
