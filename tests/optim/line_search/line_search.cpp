// SPDX-License-Identifier: BSL-1.0
// The line search for the strong Wolfe conditions, on functions of one number.
#include <tapeless/optim/line_search/line_search.hpp>

#include <vector>

#include "catch.hpp"

namespace tl = tapeless;

namespace {

/// A function with its derivative, which remembers where it was called.
template <class F, class Slope>
struct line {
  F f;
  Slope slope;
  std::vector<double> lengths{};
  tl::line_point operator()(double a) {
    lengths.push_back(a);
    return at(a);
  }
  tl::line_point at(double a) const { return {a, f(a), slope(a)}; }
};
template <class F, class Slope>
line(F, Slope) -> line<F, Slope>;

/// Searches from 0 and checks what the search claims.
template <class Line>
tl::line_search_result search(Line& l, double first, const tl::line_search_options& o = {}) {
  l.lengths.clear();
  const tl::line_point start = l.at(0);
  const auto r = tl::line_search(l, start, first, o);
  INFO("first " << first << ", found " << r.at.length << " after " << r.evaluations);
  CHECK(r.evaluations == static_cast<int>(l.lengths.size()));
  CHECK(r.evaluations <= o.evaluations);
  if (r.outcome != tl::search_outcome::failed) CHECK(r.at.value == l.at(r.at.length).value);
  if (r.outcome != tl::search_outcome::failed) CHECK(r.at.slope == l.at(r.at.length).slope);
  const bool decrease = r.at.value <= start.value + o.sufficient_decrease * r.at.length * start.slope;
  const bool flat = std::abs(r.at.slope) <= -o.curvature * start.slope;
  if (r.outcome == tl::search_outcome::accepted) CHECK((decrease && flat && r.at.length > 0));
  if (r.outcome == tl::search_outcome::accepted) CHECK(l.lengths.back() == r.at.length);
  if (r.outcome == tl::search_outcome::decreased) CHECK(r.at.value < start.value);
  if (r.outcome == tl::search_outcome::failed) CHECK(r.at.length == 0);
  return r;
}

constexpr double lengths[] = {1e-6, 1e-3, 0.1, 0.5, 1, 3, 10, 1e3, 1e6};

}  // namespace

TEST_CASE("a parabola's minimum is the cubic's") {
  line f{[](double a) { return (a - 2) * (a - 2); }, [](double a) { return 2 * (a - 2); }};
  CHECK(search(f, 2).evaluations == 1);
  for (const double first : lengths) {
    const auto r = search(f, first, {.curvature = 1e-6});
    CHECK(r.outcome == tl::search_outcome::accepted);
    CHECK(r.at.length == test::Approx(2).epsilon(1e-5));
  }
  CHECK(search(f, 1, {.curvature = 1e-6}).evaluations == 2);
  CHECK(search(f, 5, {.curvature = 1e-6}).evaluations == 2);
}

TEST_CASE("the conditions hold where the search says so") {
  // Moré and Thuente (1994), functions 1 and 2; a minimum far out; a slope that changes its sign often.
  line first{[](double a) { return -a / (a * a + 2); },
             [](double a) { return (a * a - 2) / ((a * a + 2) * (a * a + 2)); }};
  line second{[](double a) { return std::pow(a + 0.004, 5) - 2 * std::pow(a + 0.004, 4); },
              [](double a) { return 5 * std::pow(a + 0.004, 4) - 8 * std::pow(a + 0.004, 3); }};
  line far{[](double a) { return std::cosh(a / 1e4 - 1); },
           [](double a) { return std::sinh(a / 1e4 - 1) / 1e4; }};
  line waves{[](double a) { return 0.02 * a * a - 0.5 * a - std::sin(3 * a) / 4; },
             [](double a) { return 0.04 * a - 0.5 - 0.75 * std::cos(3 * a); }};
  line steep{[](double a) { return std::exp(10 * (a - 1)) - 10 * a * std::exp(-5.0); },
             [](double a) { return 10 * std::exp(10 * (a - 1)) - 10 * std::exp(-5.0); }};
  for (const double c2 : {0.9, 0.1, 0.01})
    for (const double from : lengths) {
      const tl::line_search_options o{.sufficient_decrease = 1e-4, .curvature = c2, .evaluations = 60};
      CHECK(search(first, from, o).outcome == tl::search_outcome::accepted);
      // With less slope left, its minimum is lost in the rounding of its values.
      if (c2 == 0.9) CHECK(search(second, from, o).outcome == tl::search_outcome::accepted);
      CHECK(search(far, from, o).outcome == tl::search_outcome::accepted);
      CHECK(search(waves, from, o).outcome == tl::search_outcome::accepted);
      CHECK(search(steep, from, o).outcome == tl::search_outcome::accepted);
    }
}

TEST_CASE("what is not finite shortens the step") {
  line barrier{[](double a) { return -std::log(1 - a) - 3 * a; }, [](double a) { return 1 / (1 - a) - 3; }};
  for (const double from : lengths) {
    const auto r = search(barrier, from, {.curvature = 0.1, .evaluations = 60});
    CHECK(r.outcome == tl::search_outcome::accepted);
    CHECK(r.at.length == test::Approx(2.0 / 3).epsilon(0.1));
  }
  // Only the derivative, and minus infinity.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  line edge{[](double a) { return a < 1 ? -a : -2.0; }, [&](double a) { return a < 1 ? -0.5 : -infinity; }};
  CHECK(search(edge, 1).at.length < 1);
  line abyss{[&](double a) { return a < 1 ? a * a - a : -infinity; }, [](double a) { return 2 * a - 1; }};
  CHECK(search(abyss, 2).at.length == test::Approx(0.5));
}

TEST_CASE("a trial above the one before it ends the way out") {
  // Down to 2, up at once, and level behind, though its derivative tells otherwise.
  line step{[](double a) { return a < 2 ? -a : -0.5; }, [](double) { return -1.0; }};
  const auto r = search(step, 1);
  CHECK(r.outcome == tl::search_outcome::decreased);
  CHECK(r.at.length == test::Approx(2).epsilon(1e-4));
}

TEST_CASE("steep walls are found in few evaluations") {
  for (const double from : {0.3, 5.0, 1e4}) {
    line corner{[](double a) { return std::hypot(a - 1, 0.01); },
                [](double a) { return (a - 1) / std::hypot(a - 1, 0.01); }};
    CHECK(search(corner, from, {.curvature = 0.1}).evaluations <= 10);
    line wall{[](double a) { return -a + 1e-3 * std::pow(a, 20); },
              [](double a) { return -1 + 2e-2 * std::pow(a, 19); }};
    CHECK(search(wall, from, {.curvature = 0.1}).evaluations <= 24);
  }
}

TEST_CASE("without an end, the lowest point is the result") {
  line slope{[](double a) { return -a; }, [](double) { return -1.0; }};
  const auto r = search(slope, 1, {.evaluations = 5});
  CHECK(r.outcome == tl::search_outcome::decreased);
  CHECK(r.at.length == 1e4);
  CHECK(search(slope, 1, {.evaluations = 400}).outcome ==
        tl::search_outcome::decreased);  // until it overflows

  // A kink: no derivative is small, but the bottom is found.
  line kink{[](double a) { return std::abs(a - 1); }, [](double a) { return a < 1 ? -1.0 : 1.0; }};
  const auto bottom = search(kink, 10, {.evaluations = 100});
  CHECK(bottom.outcome == tl::search_outcome::decreased);
  CHECK(bottom.at.length == test::Approx(1));
}

TEST_CASE("where there is no decrease, the search fails") {
  line rising{[](double a) { return a; }, [](double) { return 1.0; }};
  CHECK(search(rising, 1).evaluations == 0);
  line level{[](double a) { return a * a; }, [](double a) { return 2 * a; }};
  CHECK(search(level, 1).outcome == tl::search_outcome::failed);
  line wrong{[](double a) { return a; }, [](double) { return -1.0; }};  // not its derivative
  CHECK(search(wrong, 1).outcome == tl::search_outcome::failed);
  line undefined{[](double a) { return std::log(a - 1); }, [](double) { return -1.0; }};
  CHECK(search(undefined, 1).evaluations == 0);
  line alone{[](double a) { return a == 0 ? 1.0 : std::nan(""); }, [](double) { return -1.0; }};
  const auto r = search(alone, 1);
  CHECK(r.outcome == tl::search_outcome::failed);
  CHECK(r.evaluations == 25);
  CHECK(alone.lengths.back() < 1e-6);
}
