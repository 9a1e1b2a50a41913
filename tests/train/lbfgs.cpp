// SPDX-License-Identifier: BSL-1.0
// Training by L-BFGS: known minima, and the book's algorithm once more.
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr int n = 12;

// |A x - b|^2 with an A far from a multiple of 1.
constexpr auto quadratic = [] {
  auto x = tl::param<"x", double, n>(tl::fill(0.5));
  return tl::sum(tl::square(tl::matmul(tl::input<"A", double, n, n>, x) - tl::input<"b", double, n>));
};

// Rosenbrock (1960), in n numbers.
template <int N>
struct rosenbrock {
  constexpr auto operator()() const {
    auto x = tl::param<"x", double, N>(tl::fill(1));
    auto a = tl::slice<0, 0, N - 1>(x);
    auto b = tl::slice<0, 1, N>(x);
    return tl::sum(100_c * tl::square(b - tl::square(a)) + tl::square(1_c - a));
  }
};

// Convex, with curvatures from 0.01 to 100 and more.
constexpr auto bowl = [] {
  auto x = tl::param<"x", double, 16>(tl::fill(1));
  auto c = tl::input<"c", double, 16>;
  auto differences = tl::slice<0, 1, 16>(x) - tl::slice<0, 0, 15>(x);
  return tl::sum(c * (tl::square(x) + tl::square(tl::square(x)))) + tl::sum(tl::square(differences));
};

constexpr auto batch = tl::dyn<"batch">;

constexpr auto logistic = [] {
  auto x = tl::input<"x", double, batch, 5>;
  auto w = tl::param<"w", double, 5>(tl::fill(0));
  auto c = tl::param<"c", double>(tl::fill(0));
  auto logits = tl::matmul(x, w) + c;
  auto loss = tl::bce_with_logits_loss(logits, tl::input<"y", double, batch>);
  return tl::outputs(loss + 0.005_c * tl::sum(tl::square(w)), tl::named<"logits">(logits));
};

}  // namespace

TEST_CASE("a quadratic function's minimum in as many steps as it has dimensions, or few more") {
  test::numbers random(7);
  auto A = random.vector(n * n, -0.3, 0.3);
  for (std::size_t i = 0; i < n; ++i) A[(n + 1) * i] += 1 + static_cast<double>(i) / 3;
  const auto solution = random.vector(n);
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) b[i] += A[n * i + k] * solution[k];

  tl::trainer net{quadratic, tl::lbfgs({.history = n, .curvature = 0.001})};  // nearly exact searches
  double worst = 1;
  int steps = 0;
  for (; steps < n + 4 && worst > 1e-10; ++steps) {
    const auto r = net.step("A"_t = A, "b"_t = b);
    CHECK(r.search().outcome == tl::search_outcome::accepted);
    worst = 0;
    for (std::size_t i = 0; i < n; ++i)
      worst = std::max(worst, std::abs(net.parameter<"x">()[i] - solution[i]));
  }
  INFO(steps << " steps");
  CHECK(worst <= 1e-10);
}

TEST_CASE("Rosenbrock's valley") {
  tl::trainer net{rosenbrock<2>{}, tl::lbfgs()};
  auto x = net.parameter<"x">();
  x[0] = -1.2, x[1] = 1;
  int evaluations = 0;
  double loss = 24.2;
  for (int i = 0; i < 40; ++i) {
    const auto r = net.step();
    CHECK(r.loss() == test::Approx(loss));
    CHECK(r.search().loss <= loss);
    loss = r.search().loss;
    evaluations += r.search().evaluations;
  }
  CHECK(std::abs(x[0] - 1) < 1e-8);
  CHECK(std::abs(x[1] - 1) < 1e-8);
  CHECK(net.steps() == 40);
  CHECK(evaluations < 120);
}

TEST_CASE("logistic regression goes down to where no gradient is left") {
  test::numbers random(3);
  const auto x = random.vector(5 * 40);
  std::vector<double> y;
  for (std::size_t i = 0; i < 40; ++i) y.push_back(x[5 * i] - 2 * x[5 * i + 1] + random() > 0 ? 1 : 0);
  tl::trainer net{logistic, tl::lbfgs({.history = 5})};
  double loss = std::log(2), norm = 1;
  for (int i = 0; i < 30 && norm > 1e-7; ++i) {
    const auto r = net.step("x"_t = x, "y"_t = y);
    CHECK(r.loss() == test::Approx(loss).epsilon(1e-14));
    CHECK(r.search().outcome == tl::search_outcome::accepted);
    CHECK(r.search().loss < r.loss());
    loss = r.search().loss;
    norm = r.search().gradient_norm;
  }
  CHECK(norm <= 1e-7);
  CHECK(net.evaluate("x"_t = x, "y"_t = y).loss() == test::Approx(loss).epsilon(1e-14));
}

// Nocedal and Wright's pseudo-code once more, in plain loops, with the derivatives by hand.
namespace book {

using vector = std::vector<double>;

double rosenbrock(const vector& x, vector& gradient) {
  double sum = 0;
  gradient.assign(x.size(), 0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double u = x[i + 1] - x[i] * x[i], v = 1 - x[i];
    sum += 100 * u * u + v * v;
    gradient[i] += -400 * x[i] * u - 2 * v;
    gradient[i + 1] += 200 * u;
  }
  return sum;
}

vector curvatures() {
  vector c;
  for (int i = 0; i < 16; ++i) c.push_back(std::pow(10, (i * 7 % 16) / 3.75 - 2));
  return c;
}
double bowl(const vector& x, vector& gradient) {
  static const vector c = curvatures();
  double sum = 0;
  gradient.assign(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double square = x[i] * x[i];
    sum += c[i] * (square + square * square);
    gradient[i] += c[i] * (2 * x[i] + 4 * x[i] * square);
    if (i + 1 == x.size()) break;
    const double u = x[i + 1] - x[i];
    sum += u * u;
    gradient[i] -= 2 * u;
    gradient[i + 1] += 2 * u;
  }
  return sum;
}

double dot(const vector& a, const vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

struct lbfgs {
  double (*f)(const vector& x, vector& gradient);
  std::size_t m;
  vector x, g{}, p{};
  std::vector<vector> s{}, y{};  // the newest last
  double c1 = 1e-4, c2 = 0.9;
  double phi0 = 0, slope0 = 0;

  struct phi {
    double a, value, slope;
  };
  phi at(double a) const {
    vector z = x, gz;
    for (std::size_t i = 0; i < x.size(); ++i) z[i] += a * p[i];
    const double value = f(z, gz);
    return {a, value, dot(gz, p)};
  }

  // (3.59)
  static double cubic(const phi& a, const phi& b) {
    const double d1 = b.slope + a.slope - 3 * (a.value - b.value) / (a.a - b.a);
    const double d2 = (b.a > a.a ? 1 : -1) * std::sqrt(d1 * d1 - a.slope * b.slope);
    return b.a - (b.a - a.a) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2));
  }

  // Algorithm 3.6
  double zoom(phi lo, phi hi) const {
    for (int k = 0; k < 30; ++k) {
      const double width = std::abs(hi.a - lo.a), low = std::min(lo.a, hi.a);
      double a = cubic(lo, hi);
      if (!(a >= low + 0.1 * width && a <= low + 0.9 * width)) a = 0.5 * (lo.a + hi.a);
      const phi j = at(a);
      if (j.value > phi0 + c1 * a * slope0 || j.value >= lo.value) {
        hi = j;
      } else {
        if (std::abs(j.slope) <= -c2 * slope0) return a;
        if (j.slope * (hi.a - lo.a) >= 0) hi = lo;
        lo = j;
      }
    }
    return 0;
  }

  // Algorithm 3.5
  double line_search(double a) const {
    phi before{0, phi0, slope0};
    for (int i = 1; i < 30; ++i) {
      const phi now = at(a);
      if (now.value > phi0 + c1 * a * slope0 || (i > 1 && now.value >= before.value))
        return zoom(before, now);
      if (std::abs(now.slope) <= -c2 * slope0) return a;
      if (now.slope >= 0) return zoom(now, before);
      const double expected = cubic(before, now);
      a = expected > now.a ? std::min(std::max(expected, now.a + 0.1 * (now.a - before.a)), 10 * now.a)
                           : 10 * now.a;
      before = now;
    }
    return 0;
  }

  // Algorithms 7.4 and 7.5
  void iterate() {
    phi0 = f(x, g);
    vector q = g, alpha(s.size());
    for (std::size_t i = s.size(); i-- > 0;) {
      alpha[i] = dot(s[i], q) / dot(y[i], s[i]);
      for (std::size_t k = 0; k < q.size(); ++k) q[k] -= alpha[i] * y[i][k];
    }
    const double gamma = s.empty() ? 1 : dot(s.back(), y.back()) / dot(y.back(), y.back());
    for (double& each : q) each *= gamma;
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double beta = dot(y[i], q) / dot(y[i], s[i]);
      for (std::size_t k = 0; k < q.size(); ++k) q[k] += s[i][k] * (alpha[i] - beta);
    }
    p = q;
    for (double& each : p) each = -each;
    slope0 = dot(g, p);
    const double a = line_search(s.empty() ? std::min(1.0, 1 / std::sqrt(dot(g, g))) : 1);
    vector step = p, change;
    for (std::size_t k = 0; k < x.size(); ++k) {
      step[k] *= a;
      x[k] += step[k];
    }
    f(x, change);
    for (std::size_t k = 0; k < x.size(); ++k) change[k] -= g[k];
    s.push_back(step);
    y.push_back(change);
    if (s.size() > m) {
      s.erase(s.begin());
      y.erase(y.begin());
    }
  }
};

}  // namespace book

TEST_CASE("the book's algorithm, step by step") {
  const auto follow = [](auto& net, book::lbfgs other, int steps, const auto&... inputs) {
    auto x = net.template parameter<"x">();
    std::copy(other.x.begin(), other.x.end(), x.begin());
    double worst = 0;
    int evaluations = 0;
    for (int i = 0; i < steps; ++i) {
      const auto r = net.step(inputs...);
      other.iterate();
      CHECK(r.search().outcome == tl::search_outcome::accepted);
      evaluations += r.search().evaluations;
      for (std::size_t k = 0; k < x.size(); ++k) worst = std::max(worst, std::abs(x[k] - other.x[k]));
    }
    CHECK(worst < 1e-10);
    CHECK(evaluations > 2 * steps);  // some searches went beyond their first trial
  };
  tl::trainer net{bowl, tl::lbfgs({.history = 4})};
  follow(net, {book::bowl, 4, test::numbers(11).vector(16, -1.5, 1.5)}, 50, "c"_t = book::curvatures());
  // Here every step makes rounding errors larger.
  tl::trainer valley{rosenbrock<10>{}, tl::lbfgs({.history = 4})};
  follow(valley, {book::rosenbrock, 4, test::numbers(11).vector(10, -1.5, 1.5)}, 25);
}
