// SPDX-License-Identifier: BSL-1.0
// Matrix products of all ranks, of transposed, sliced and broadcast operands, against plain loops.
#include "catch.hpp"
#include "program.hpp"
#include "value_graph.hpp"

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

// a [n, 3], b [3, m], c [2, n, 3], d [2, 3, m], v [3]
template <class T>
struct ranks {
  constexpr auto operator()() const {
    auto a = tl::input<"a", T, n, 3>;
    auto b = tl::input<"b", T, 3, m>;
    auto c = tl::input<"c", T, 2, n, 3>;
    auto d = tl::input<"d", T, 2, 3, m>;
    auto v = tl::input<"v", T, 3>;
    return tl::outputs(
        tl::named<"matrix_matrix">(tl::matmul(a, b)), tl::named<"matrix_vector">(tl::matmul(c, v)),
        tl::named<"vector_matrix">(tl::matmul(v, d)), tl::named<"vector_vector">(tl::matmul(v, v)),
        tl::named<"batch_batch">(tl::matmul(c, d)), tl::named<"batch_matrix">(tl::matmul(c, b)),
        tl::named<"matrix_batch">(tl::matmul(a, d)));
  }
};

// Operands that cannot be read as they are, or only as columns.
constexpr auto operands = [] {
  auto a = tl::input<"a", double, n, 3>;
  auto b = tl::input<"b", double, 3, m>;
  auto bt = tl::permute<1, 0>(b);
  auto at = tl::permute<1, 0>(a);
  auto c = tl::input<"c", double, 2, n, 3>;
  return tl::outputs(
      tl::named<"transposed">(tl::matmul(bt, at)),  // [m, n]
      tl::named<"columns">(tl::matmul(tl::slice<1, 0, 3, 2>(a), tl::slice<0, 0, 3, 2>(b))),
      tl::named<"expanded">(tl::matmul(tl::expand<n, 3>(tl::at<0>(a)), b)),
      tl::named<"constant">(tl::matmul(a, tl::expand<3, 2>(0.5_c * tl::at<1>(tl::at<0>(a))))),
      tl::named<"row">(tl::matmul(tl::slice<0, 1, 2>(b), bt)),                          // [1, m] [m, 3]
      tl::named<"moved">(tl::matmul(tl::permute<1, 0, 2>(c), tl::expand<n, 3, m>(b))),  // [n, 2, m]
      tl::named<"gradient">(tl::grad(tl::sum(tl::square(tl::matmul(a, b))), b)));
};

// Batches of extents 1 and 0, and inner extents of 0.
template <std::int64_t K>
struct batches {
  constexpr auto operator()() const {
    auto a = tl::input<"a", double, 2, 1, n, K>;
    auto b = tl::input<"b", double, 3, K, m>;
    auto one = tl::input<"one", double, 1, K, 2>;
    auto y = tl::matmul(a, b);
    auto loss = tl::sum(tl::square(y));
    return tl::outputs(tl::named<"y">(y), tl::named<"of_a">(tl::grad(loss, a)),
                       tl::named<"of_b">(tl::grad(loss, b)), tl::named<"one">(tl::matmul(a, one)),
                       tl::named<"matrix">(tl::matmul(a, tl::reshape<K, 2>(one))),
                       tl::named<"columns">(tl::matmul(tl::transpose(one), b)));
  }
};

constexpr auto layers = [] {
  auto x = tl::input<"x", double, 3, 4>;
  auto w = tl::input<"w", double, 2, 4>;
  auto bias = tl::input<"bias", double, 2>;
  auto all = tl::linear(x, w, bias);
  auto vector = tl::linear(tl::at<1>(x), w, bias);
  auto cube = tl::linear(tl::reshape<1, 3, 1, 4>(x), w);
  return tl::outputs(tl::named<"all">(all), tl::named<"vector">(vector), tl::named<"cube">(cube + bias),
                     tl::named<"of_all">(tl::grad(tl::sum(tl::square(all)), w)),
                     tl::named<"of_cube">(tl::grad(tl::sum(tl::square(cube + bias)), w)));
};

// A weight that many rows share has one product as its gradient, in its own layout, and no sum over batches.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {5, 3, 4}), w = test::parameter<"w">(g, {2, 4});
  tl::list<int> wrt, gradients;
  wrt.push(w.id);
  const tl::value y = tl::linear(x, w);
  tl::reverse(y, tl::expand(tl::make_constant(g, 1, y.type()), shape_of(y)), wrt, gradients);
  const tl::value of_w{&g, gradients[0]};
  return of_w.is(tl::family::product) && shape_of(of_w) == shape_of(w) && test::count(g, "sum") == 0;
}());

struct tensors {
  std::size_t n, m;
  std::vector<double> a, b, c, d, v;
  tensors(std::size_t rows, std::size_t columns, test::numbers random = test::numbers())
      : n(rows),
        m(columns),
        a(random.vector(3 * n)),
        b(random.vector(3 * m)),
        c(random.vector(6 * n)),
        d(random.vector(6 * m)),
        v(random.vector(3)) {}
};

// [rows, 3] [3, columns], from a and b on.
double product(const double* a, const double* b, std::size_t columns, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t p = 0; p < 3; ++p) sum += a[3 * i + p] * b[columns * p + j];
  return sum;
}

}  // namespace

TEMPLATE_TEST_CASE("products of vectors, matrices and batches", "", float, double) {
  tl::function f{ranks<TestType>{}};
  const auto [n_, m_] =
      GENERATE(std::pair<std::size_t, std::size_t>{2, 4}, std::pair<std::size_t, std::size_t>{1, 1},
               std::pair<std::size_t, std::size_t>{17, 9}, std::pair<std::size_t, std::size_t>{1, 5},
               std::pair<std::size_t, std::size_t>{5, 1}, std::pair<std::size_t, std::size_t>{0, 3});
  const tensors t(n_, m_);
  const auto as = [](const std::vector<double>& x) { return std::vector<TestType>(x.begin(), x.end()); };
  const auto a = as(t.a), b = as(t.b), c = as(t.c), d = as(t.d), v = as(t.v);
  auto r = f("a"_t = a, "b"_t = b, "c"_t = c, "d"_t = d, "v"_t = v);
  const auto near = [](double x) { return test::Approx(x).margin(1e-6); };
  CHECK(r.template get<"vector_vector">()[0] == near(product(t.v.data(), t.v.data(), 1, 0, 0)));
  CHECK(r.template get<"matrix_vector">().shape().size() == 2);
  CHECK(r.template get<"vector_matrix">().shape().size() == 2);
  for (std::size_t l = 0; l < 2; ++l) {
    const double *left = t.c.data() + l * 3 * n_, *right = t.d.data() + l * 3 * m_;
    for (std::size_t i = 0; i < n_; ++i)
      CHECK(r.template get<"matrix_vector">()[l * n_ + i] == near(product(left, t.v.data(), 1, i, 0)));
    for (std::size_t j = 0; j < m_; ++j)
      CHECK(r.template get<"vector_matrix">()[l * m_ + j] == near(product(t.v.data(), right, m_, 0, j)));
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < m_; ++j) {
        const std::size_t at = (l * n_ + i) * m_ + j;
        CHECK(r.template get<"matrix_matrix">()[i * m_ + j] ==
              near(product(t.a.data(), t.b.data(), m_, i, j)));
        CHECK(r.template get<"batch_batch">()[at] == near(product(left, right, m_, i, j)));
        CHECK(r.template get<"batch_matrix">()[at] == near(product(left, t.b.data(), m_, i, j)));
        CHECK(r.template get<"matrix_batch">()[at] == near(product(t.a.data(), right, m_, i, j)));
      }
  }
}

TEST_CASE("products of views") {
  tl::function f{operands};
  const auto [n_, m_] =
      GENERATE(std::pair<std::size_t, std::size_t>{2, 4}, std::pair<std::size_t, std::size_t>{1, 1},
               std::pair<std::size_t, std::size_t>{17, 9});
  const tensors t(n_, m_);
  auto r = f("a"_t = t.a, "b"_t = t.b, "c"_t = t.c);
  const auto near = [](double x) { return test::Approx(x).margin(1e-12); };
  std::vector<double> gradient(3 * m_);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < m_; ++j) {
      const double whole = product(t.a.data(), t.b.data(), m_, i, j);
      CHECK(r.get<"transposed">()[j * n_ + i] == near(whole));
      CHECK(r.get<"columns">()[i * m_ + j] == near(whole - t.a[3 * i + 1] * t.b[m_ + j]));
      CHECK(r.get<"expanded">()[i * m_ + j] == near(product(t.a.data(), t.b.data(), m_, 0, j)));
      for (std::size_t l = 0; l < 2; ++l)
        CHECK(r.get<"moved">()[(i * 2 + l) * m_ + j] ==
              near(product(t.c.data() + l * 3 * n_, t.b.data(), m_, i, j)));
      for (std::size_t p = 0; p < 3; ++p) gradient[p * m_ + j] += 2 * whole * t.a[3 * i + p];
    }
  for (std::size_t i = 0; i < n_; ++i)
    CHECK(r.get<"constant">()[2 * i + 1] ==
          near((t.a[3 * i] + t.a[3 * i + 1] + t.a[3 * i + 2]) * 0.5 * t.a[1]));
  for (std::size_t p = 0; p < 3; ++p) {
    double sum = 0;
    for (std::size_t j = 0; j < m_; ++j) sum += t.b[m_ + j] * t.b[p * m_ + j];
    CHECK(r.get<"row">()[p] == near(sum));
  }
  for (std::size_t i = 0; i < 3 * m_; ++i) CHECK(r.get<"gradient">()[i] == near(gradient[i]));
}

namespace {

// a [2, 1, n, K] b [3, K, m], and the gradients of the sum of the squares.
template <std::int64_t K>
void check_batches(std::size_t n_, std::size_t m_) {
  INFO(n_ << ", " << K << ", " << m_);
  constexpr auto k = static_cast<std::size_t>(K);
  tl::function f{batches<K>{}};
  test::numbers random;
  const auto a = random.vector(2 * n_ * k), b = random.vector(3 * k * m_), one = random.vector(2 * k);
  auto r = f("a"_t = a, "b"_t = b, "one"_t = one, "n"_t = static_cast<std::int64_t>(n_),
             "m"_t = static_cast<std::int64_t>(m_));
  const auto near = [](double x) { return test::Approx(x).margin(1e-12); };
  REQUIRE(r.template get<"y">().size() == 6 * n_ * m_);
  std::vector<double> of_a(a.size()), of_b(b.size());
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t q = 0; q < 3; ++q)
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < m_; ++j) {
          const auto in_a = [&](std::size_t l) { return (p * n_ + i) * k + l; };
          const auto in_b = [&](std::size_t l) { return (q * k + l) * m_ + j; };
          double sum = 0;
          for (std::size_t l = 0; l < k; ++l) sum += a[in_a(l)] * b[in_b(l)];
          CHECK(r.template get<"y">()[((p * 3 + q) * n_ + i) * m_ + j] == near(sum));
          for (std::size_t l = 0; l < k; ++l) of_a[in_a(l)] += 2 * sum * b[in_b(l)];
          for (std::size_t l = 0; l < k; ++l) of_b[in_b(l)] += 2 * sum * a[in_a(l)];
        }
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(r.template get<"of_a">()[i] == near(of_a[i]));
  for (std::size_t i = 0; i < b.size(); ++i) CHECK(r.template get<"of_b">()[i] == near(of_b[i]));
  for (std::size_t row = 0; row < 2 * n_; ++row)
    for (std::size_t j = 0; j < 2; ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < k; ++l) sum += a[row * k + l] * one[2 * l + j];
      CHECK(r.template get<"one">()[2 * row + j] == near(sum));
      CHECK(r.template get<"matrix">()[2 * row + j] == near(sum));
    }
  for (std::size_t q = 0; q < 3; ++q)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < m_; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < k; ++l) sum += one[2 * l + i] * b[(q * k + l) * m_ + j];
        CHECK(r.template get<"columns">()[(q * 2 + i) * m_ + j] == near(sum));
      }
}

}  // namespace

TEST_CASE("batches of products broadcast, and so do their gradients") {
  for (const std::size_t rows : {3u, 1u, 0u})
    for (const std::size_t columns : {4u, 1u, 0u}) check_batches<5>(rows, columns);
  check_batches<0>(2, 3);
  check_batches<1>(2, 3);
}

TEST_CASE("a linear layer takes any rank") {
  tl::function f{layers};
  test::numbers random;
  const auto x = random.vector(12), w = random.vector(8), bias = random.vector(2);
  auto r = f("x"_t = x, "w"_t = w, "bias"_t = bias);
  REQUIRE(r.get<"vector">().shape().size() == 1);
  CHECK(r.get<"cube">().shape().size() == 4);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t o = 0; o < 2; ++o) {
      double sum = bias[o];
      for (std::size_t l = 0; l < 4; ++l) sum += x[4 * i + l] * w[4 * o + l];
      CHECK(r.get<"all">()[2 * i + o] == test::Approx(sum));
      CHECK(r.get<"cube">()[2 * i + o] == test::Approx(sum));
      if (i == 1) CHECK(r.get<"vector">()[o] == test::Approx(sum));
    }
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(r.get<"of_all">()[i] == test::Approx(r.get<"of_cube">()[i]).margin(1e-14));
}
