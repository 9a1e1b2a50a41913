// SPDX-License-Identifier: BSL-1.0
// ctc_loss against the sum over all paths, and its gradients against finite differences.
#include <array>
#include <cstdint>
#include <limits>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

using numbers = std::vector<double>;
using integers = std::vector<std::int64_t>;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int classes = 3;

/// One row: its log-probabilities [time, batch, classes] from the given place on, its labels, and its length.
struct sequence {
  const double* first;
  std::size_t stride;  // from one time to the next
  std::int64_t length;
  integers labels;
};

/// -log of the sum over all paths that become the labels.
double over_all_paths(const sequence& s, std::int64_t blank) {
  const auto times = static_cast<std::size_t>(s.length);
  std::size_t paths = 1;
  for (std::size_t t = 0; t < times; ++t) paths *= classes;
  double total = 0;
  for (std::size_t path = 0; path < paths; ++path) {
    integers labels;
    std::int64_t before = blank;
    double probability = 1;
    std::size_t rest = path;
    for (std::size_t t = 0; t < times; ++t, rest /= classes) {
      const auto c = static_cast<std::int64_t>(rest % classes);
      probability *= std::exp(s.first[t * s.stride + static_cast<std::size_t>(c)]);
      if (c != before && c != blank) labels.push_back(c);
      before = c;
    }
    if (labels == s.labels) total += probability;
  }
  return -std::log(total);
}

template <tl::loss Options>
struct model {
  constexpr auto operator()() const {
    constexpr auto time = tl::dyn<"time">, batch = tl::dyn<"batch">, labels = tl::dyn<"labels">;
    auto x = tl::input<"x", double, time, batch, classes>;
    auto y = tl::ctc_loss<Options>(x, tl::input<"targets", std::int64_t, batch, labels>,
                                   tl::input<"inputs", std::int64_t, batch>,
                                   tl::input<"lengths", std::int64_t, batch>);
    return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::grad(tl::sum(y), x)));
  }
};

constexpr tl::loss single{.reduce = tl::reduction::none};
constexpr tl::loss last_blank{.reduce = tl::reduction::none, .blank = 2};
constexpr tl::loss mean{.zero_infinity = true};
constexpr tl::loss sum{.reduce = tl::reduction::sum};

/// Logarithms of probabilities that need not sum to 1.
numbers log_probabilities(std::size_t count) { return test::numbers(5).vector(count, -2, 0.2); }

}  // namespace

TEST_CASE("ctc_loss is the sum over all paths") {
  tl::function f{model<single>{}};
  // repeated labels, a shorter input, no label, too many labels, repeated labels that just fit, one time
  const std::vector<integers> labels{{1, 1}, {2, 1, 2}, {}, {1, 2, 1, 2, 1}, {1, 1, 2}, {2}};
  const integers inputs{5, 4, 3, 4, 4, 1};
  const std::size_t batch = labels.size(), time = 5, longest = 5;
  integers targets(batch * longest, -1), lengths;
  for (std::size_t b = 0; b < batch; ++b) {
    std::copy(labels[b].begin(), labels[b].end(), targets.begin() + static_cast<std::ptrdiff_t>(b * longest));
    lengths.push_back(static_cast<std::int64_t>(labels[b].size()));
  }
  numbers x = log_probabilities(time * batch * classes);
  auto losses = [&] {
    auto r = f("x"_t = x, "targets"_t = targets, "inputs"_t = inputs, "lengths"_t = lengths);
    return test::elements(r.get<"y">());
  };
  const numbers y = losses();
  REQUIRE(y.size() == batch);
  for (std::size_t b = 0; b < batch; ++b) {
    INFO("row " << b);
    const double expected = over_all_paths({&x[b * classes], batch * classes, inputs[b], labels[b]}, 0);
    if (b == 3) {
      CHECK(expected == infinity);
      CHECK(y[b] == infinity);
    } else {
      CHECK(y[b] == test::Approx(expected).epsilon(1e-12));
    }
  }
  auto r = f("x"_t = x, "targets"_t = targets, "inputs"_t = inputs, "lengths"_t = lengths);
  const numbers dx = test::elements(r.get<"dx">());
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO("element " << i);
    const std::size_t b = i / classes % batch;
    const double at = x[i], step = 1e-5;
    x[i] = at + step;
    const double up = losses()[b];
    x[i] = at - step;
    const double down = losses()[b];
    x[i] = at;
    CHECK(dx[i] == test::Approx(b == 3 ? 0 : (up - down) / (2 * step)).epsilon(1e-7).margin(1e-9));
  }
}

TEST_CASE("ctc_loss with another blank, classes that are impossible, and no time") {
  tl::function f{model<last_blank>{}};
  numbers x = log_probabilities(3 * classes);
  x[classes + 1] = -infinity;
  auto r = f("x"_t = x, "targets"_t = integers{0, 1}, "inputs"_t = integers{3}, "lengths"_t = integers{2});
  CHECK(r.get<"y">()[0] == test::Approx(over_all_paths({x.data(), classes, 3, {0, 1}}, 2)).epsilon(1e-12));
  for (const double d : r.get<"dx">()) CHECK(std::isfinite(d));
  CHECK(r.get<"dx">()[classes + 1] == 0);
  auto none =
      f("x"_t = numbers{}, "targets"_t = integers{}, "inputs"_t = integers{0}, "lengths"_t = integers{0});
  CHECK(none.get<"y">()[0] == 0);
  const std::array<std::int64_t, 3> shape{3, 0, classes};
  const std::array<std::int64_t, 2> target_shape{0, 2};
  const std::int64_t target = 0;
  auto no_rows = f("x"_t = tl::tensor_view<const double>(x.data(), shape),
                   "targets"_t = tl::tensor_view<const std::int64_t>(&target, target_shape),
                   "inputs"_t = integers{}, "lengths"_t = integers{});
  CHECK(no_rows.get<"y">().size() == 0);
}

TEST_CASE("ctc_loss's mean is over labels, then rows; infinity may count nothing") {
  tl::function average{model<mean>{}};
  tl::function total{model<sum>{}};
  const numbers x = log_probabilities(3 * 3 * classes);
  const integers targets{1, 2, 1, 1, 1, 0}, inputs{3, 2, 3}, lengths{2, 2, 0};
  const double first = over_all_paths({x.data(), 3 * classes, 3, {1, 2}}, 0);
  const double last = over_all_paths({x.data() + 2 * classes, 3 * classes, 3, {}}, 0);
  auto a = average("x"_t = x, "targets"_t = targets, "inputs"_t = inputs, "lengths"_t = lengths);
  CHECK(a.get<"y">()[0] == test::Approx((first / 2 + last) / 3).epsilon(1e-12));
  auto b = total("x"_t = x, "targets"_t = targets, "inputs"_t = inputs, "lengths"_t = lengths);
  CHECK(b.get<"y">()[0] == infinity);
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(std::isfinite(a.get<"dx">()[i]) == std::isfinite(b.get<"dx">()[i]));
  CHECK_THROWS_AS(
      total("x"_t = x, "targets"_t = targets, "inputs"_t = integers{3, 4, 3}, "lengths"_t = lengths),
      tl::error);
  CHECK_THROWS_AS(
      total("x"_t = x, "targets"_t = integers{3, 2, 1, 1, 1, 0}, "inputs"_t = inputs, "lengths"_t = lengths),
      tl::error);
}

TEST_CASE("ctc_loss of long inputs in float") {
  tl::function f{[] {
    auto x = tl::input<"x", float, 500, 1, classes>;
    auto y = tl::ctc_loss(tl::log_softmax(x), tl::input<"targets", std::int32_t, 1, 40>,
                          tl::input<"inputs", std::int32_t, 1>, tl::input<"lengths", std::int32_t, 1>);
    return tl::outputs(y, tl::named<"dx">(tl::grad(y, x)));
  }};
  std::vector<std::int32_t> targets(40, 1);
  auto r = f("x"_t = test::numbers(1).vector<float>(500 * classes), "targets"_t = targets,
             "inputs"_t = std::vector<std::int32_t>{500}, "lengths"_t = std::vector<std::int32_t>{40});
  CHECK(r.loss() > 0);
  CHECK(std::isfinite(r.loss()));
  for (std::size_t t = 0; t < 500; ++t) {
    const float* d = &r.get<"dx">()[t * classes];
    CHECK(std::abs(d[0] + d[1] + d[2]) < 1e-5f);
  }
}

TEST_CASE("lengths that are computed and out of range give NaN") {
  constexpr auto computed = [] {
    auto x = tl::input<"x", double, 4, 6, classes>;
    constexpr tl::loss options{.reduce = tl::reduction::none, .zero_infinity = true};
    return tl::named<"y">(tl::ctc_loss<options>(x, tl::input<"targets", std::int64_t, 6, 2>,
                                                tl::cast<int>(tl::input<"inputs", double, 6>),
                                                tl::cast<int>(tl::input<"lengths", double, 6>)));
  };
  test::on_each_policy([&]<class Policy>() {
    tl::function<std::remove_const_t<decltype(computed)>, Policy> f{computed};
    auto r = f("x"_t = numbers(4 * 6 * classes, -1), "targets"_t = integers(12, 1),
               "inputs"_t = numbers{4, 5, -1, 4, 4, 4}, "lengths"_t = numbers{1, 1, 1, 3, -1, std::nan("")});
    CHECK(std::isfinite(r.template get<"y">()[0]));
    for (std::size_t i = 1; i < 6; ++i) CHECK(std::isnan(r.template get<"y">()[i]));
  });
}
