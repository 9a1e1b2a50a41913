// SPDX-License-Identifier: BSL-1.0
// Runs a rule beside a second implementation of it, which is written from its paper in loops.
#pragma once

#include "optim/ranges.hpp"
#include "optim/reference.hpp"

#include <array>
#include <cmath>

namespace papers {

/// The elements of a matrix [3, 4] and of a vector [5].
using tensors = std::array<std::vector<double>, 2>;

inline tensors zeros() { return {std::vector<double>(12), std::vector<double>(5)}; }

struct model {
  constexpr auto operator()() const {
    return tl::sum(tl::param<"a", double, 3, 4> * tl::input<"ga", double, 3, 4>) +
           tl::sum(tl::param<"b", double, 5> * tl::input<"gb", double, 5>);
  }
};

/// Whether it is a rule with ranges, by which the parameters stay within 1e-10 of those that paper(t, p, g)
/// makes of them, for 50 steps t = 1, 2, ... One element never gets a gradient, and one row gets none at
/// first.
template <class Rule, class Paper>
void agree(Rule rule, Paper paper) {
  test::check_ranges(rule);
  tl::trainer net{model{}, std::move(rule)};
  auto a = net.template parameter<"a">();
  auto b = net.template parameter<"b">();
  test::numbers next(7);
  tensors p{next.vector(12), next.vector(5)};
  std::copy(p[0].begin(), p[0].end(), a.begin());
  std::copy(p[1].begin(), p[1].end(), b.begin());
  double worst = 0, moved = 0;
  for (int t = 1; t <= 50; ++t) {
    tensors g{next.vector(12), next.vector(5)};
    g[1][2] = 0;
    if (t < 4) std::fill(g[0].begin() + 4, g[0].begin() + 8, 0.0);
    const tensors before = p;
    net.step("ga"_t = g[0], "gb"_t = g[1]);
    paper(t, p, g);
    for (std::size_t i = 0; i < 12; ++i) worst = std::max(worst, std::abs(a[i] - p[0][i]));
    for (std::size_t i = 0; i < 5; ++i) worst = std::max(worst, std::abs(b[i] - p[1][i]));
    for (std::size_t i = 0; i < 12; ++i) moved += std::abs(p[0][i] - before[0][i]);
  }
  CHECK(worst < 1e-10);  // also false where something is NaN in both
  CHECK(moved > 1e-4);
  for (double x : p[0]) CHECK(std::isfinite(x));
}

/// The same where each element is updated for itself: update(t, p, g, number of the element).
template <class Rule, class Update>
void agree_by_element(Rule rule, Update update) {
  agree(std::move(rule), [&](int t, tensors& p, const tensors& g) {
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < p[k].size(); ++i) update(t, p[k][i], g[k][i], 12 * k + i);
  });
}

inline double length(const std::vector<double>& x) {
  double sum = 0;
  for (double e : x) sum += e * e;
  return std::sqrt(sum);
}
inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace papers
