// SPDX-License-Identifier: BSL-1.0
// What is made of slices, reshapes and comparisons with the index along an axis: against index arithmetic.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;
constexpr double infinity = std::numeric_limits<double>::infinity();

using numbers = std::vector<double>;

numbers counted(std::size_t count) {
  numbers x(count);
  std::iota(x.begin(), x.end(), 1.0);
  return x;
}

// The elements of a matrix [rows, columns] that f(i, j, element) makes of x's.
template <class F>
numbers mapped(const numbers& x, std::int64_t rows, std::int64_t columns, F f) {
  numbers y;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      y.push_back(f(i, j, x[static_cast<std::size_t>(i * columns + j)]));
  return y;
}

// Triangles, diagonals and padding of a matrix, with literal and with run-time extents.
template <tl::extent Rows, tl::extent Columns>
struct matrices {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, Rows, Columns>;
    auto square = tl::matmul(x, tl::transpose(x));
    auto low = tl::constant<-infinity>;
    return tl::outputs(tl::named<"tril">(tl::tril(x)), tl::named<"tril_1">(tl::tril<1>(x)),
                       tl::named<"triu_2">(tl::triu<2>(x)), tl::named<"triu_minus_1">(tl::triu<-1>(x)),
                       tl::named<"diagonal">(tl::diagonal(square)),
                       tl::named<"padded">(tl::pad<0, 1, 2>(tl::pad<-1, 0, 1>(x, 7_c), low)),
                       tl::named<"maxima">(tl::max<0>(tl::pad<0, 1, 0>(x, low))),
                       tl::named<"gradient">(tl::grad(tl::sum(tl::exp(tl::pad<1, 2, 1>(x, low))), x)),
                       tl::named<"places">(tl::iota_like<0>(x) + tl::iota<double, Columns>()));
  }
};

template <tl::extent Rows, tl::extent Columns>
void check_matrices(std::int64_t rows, std::int64_t columns) {
  tl::function f{matrices<Rows, Columns>{}};
  const numbers x = counted(static_cast<std::size_t>(rows * columns));
  auto r = f("x"_t = x);
  using int_ = std::int64_t;
  CHECK(test::elements(r.template get<"tril">()) ==
        mapped(x, rows, columns, [](int_ i, int_ j, double e) { return j <= i ? e : 0; }));
  CHECK(test::elements(r.template get<"tril_1">()) ==
        mapped(x, rows, columns, [](int_ i, int_ j, double e) { return j <= i + 1 ? e : 0; }));
  CHECK(test::elements(r.template get<"triu_2">()) ==
        mapped(x, rows, columns, [](int_ i, int_ j, double e) { return j >= i + 2 ? e : 0; }));
  CHECK(test::elements(r.template get<"triu_minus_1">()) ==
        mapped(x, rows, columns, [](int_ i, int_ j, double e) { return j >= i - 1 ? e : 0; }));
  CHECK(test::elements(r.template get<"places">()) ==
        mapped(x, rows, columns, [](int_ i, int_ j, double) { return static_cast<double>(i + j); }));
  const auto gradient = test::elements(r.template get<"gradient">());
  for (std::size_t i = 0; i < gradient.size(); ++i)
    CHECK(gradient[i] == test::Approx(std::exp(x[i])).epsilon(1e-15));

  const auto at = [&](int_ i, int_ j) { return x[static_cast<std::size_t>(i * columns + j)]; };
  numbers diagonal, padded, maxima(static_cast<std::size_t>(columns), -infinity);
  for (int_ i = 0; i < rows; ++i) {
    diagonal.push_back(0);
    for (int_ j = 0; j < columns; ++j) diagonal.back() += at(i, j) * at(i, j);
    for (int_ j = 0; j < columns; ++j) maxima[static_cast<std::size_t>(j)] = at(i, j);
  }
  for (int_ i = -1; i < rows + 2; ++i)
    for (int_ j = 0; j < columns + 1; ++j)
      padded.push_back(i < 0 || i >= rows ? -infinity : j == columns ? 7 : at(i, j));
  CHECK(test::elements(r.template get<"diagonal">()) == diagonal);
  CHECK(test::elements(r.template get<"padded">()) == padded);
  CHECK(test::elements(r.template get<"maxima">()) == maxima);
}

// Slices of a run-time axis, with bounds from both ends.
constexpr auto slices = [] {
  auto x = tl::input<"x", double, n, 2>;
  auto tail = tl::slice<0, -3, tl::to_end>(x);
  return tl::outputs(
      tl::named<"head">(tl::slice<0, 0, 3>(x)), tl::named<"tail">(tail),
      tl::named<"middle">(tl::slice<0, 1, -1>(x)), tl::named<"odd">(tl::slice<0, 1, n, 2>(x)),
      tl::named<"near_end">(tl::slice<0, -3, -1>(x)), tl::named<"last">(tl::at<-1, 0>(x)),
      tl::named<"differences">(tl::slice<0, 1, tl::to_end>(x) - tl::slice<0, 0, -1>(x)),
      tl::named<"gradient">(tl::grad(tl::sum(tl::square(tl::slice<0, 1, -1>(x))) + tl::sum(tail), x)));
};

// Parts of an axis, of literal and of run-time extent.
constexpr auto parts = [] {
  auto x = tl::input<"x", double, n, 6>;
  auto [a, b, c] = tl::split<1, 3>(x);
  auto [front, back] = tl::split<0, 2>(tl::flatten<0>(b));
  return tl::outputs(tl::named<"a">(a), tl::named<"c">(c), tl::named<"front">(front),
                     tl::named<"back">(back));
};

// Parts of several extents, of which one is empty.
constexpr auto unequal_parts = [] {
  auto x = tl::input<"x", double, n, 6>;
  auto [a, none, b, c] = tl::split<-1, 1, 0, 3, 2>(x);
  return tl::outputs(tl::named<"a">(a), tl::named<"none">(none), tl::named<"b">(b), tl::named<"c">(c),
                     tl::named<"gradient">(tl::grad(tl::sum(tl::square(b)), x)));
};

constexpr auto classes = [] {
  auto index = tl::input<"index", std::int64_t, n>;
  return tl::outputs(tl::named<"rows">(tl::one_hot<4>(index)),
                     tl::named<"columns">(tl::transpose(tl::one_hot<m, double>(index))),
                     tl::named<"outer">(tl::outer(tl::cast<double>(index), tl::iota<double, 3>())));
};

constexpr auto joined = [] {
  auto x = tl::input<"x", double, n, 3>;
  auto y = tl::input<"y", double, 3, n>;
  return tl::outputs(tl::named<"rows">(tl::stack<0>(x, tl::transpose(y), x)),
                     tl::named<"last">(tl::stack<-1>(x, -x)), tl::named<"down">(tl::roll<0, 2>(x)),
                     tl::named<"up">(tl::roll<0, -1>(x)), tl::named<"right">(tl::roll<1, 4>(x)),
                     tl::named<"left">(tl::roll<-1, -1>(x)), tl::named<"none">(tl::roll<1, 3>(x)),
                     tl::named<"gradient">(tl::grad(tl::sum(tl::roll<0, 1>(x) * tl::stop_gradient(x)), x)));
};

}  // namespace

TEST_CASE("triangles, diagonals and padding") {
  check_matrices<4, 3>(4, 3);
  check_matrices<n, 3>(2, 3);
  check_matrices<2, m>(2, 5);
}

TEST_CASE("slices of run-time axes") {
  tl::function f{slices};
  for (const std::size_t count : {3u, 4u, 7u}) {
    const numbers x = counted(2 * count);
    auto r = f("x"_t = x);
    const auto row = [&](std::size_t i) { return numbers{x[2 * i], x[2 * i + 1]}; };
    const auto rows = [&](std::size_t begin, std::size_t end, std::size_t step) {
      numbers y;
      for (std::size_t i = begin; i < end; i += step) y.insert(y.end(), {row(i)[0], row(i)[1]});
      return y;
    };
    CHECK(test::elements(r.get<"head">()) == rows(0, 3, 1));
    CHECK(test::elements(r.get<"tail">()) == rows(count - 3, count, 1));
    CHECK(test::elements(r.get<"middle">()) == rows(1, count - 1, 1));
    CHECK(test::elements(r.get<"odd">()) == rows(1, count, 2));
    CHECK(test::elements(r.get<"near_end">()) == rows(count - 3, count - 1, 1));
    CHECK(r.get<"last">()[0] == x[2 * count - 2]);
    CHECK(test::elements(r.get<"differences">()) == numbers(2 * count - 2, 2));
    for (std::size_t i = 0; i < 2 * count; ++i) {
      const bool inside = i >= 2 && i < 2 * count - 2, last_three = i >= 2 * count - 6;
      CHECK(r.get<"gradient">()[i] == (inside ? 2 * x[i] : 0) + (last_three ? 1 : 0));
    }
  }
  CHECK_THROWS_AS(f("x"_t = counted(4)), tl::error);
  CHECK_THROWS_AS(f("x"_t = numbers{}), tl::error);
}

TEST_CASE("parts of an axis") {
  tl::function f{parts};
  const numbers x = counted(12);
  auto r = f("x"_t = x);
  CHECK(test::elements(r.get<"a">()) == numbers{1, 2, 7, 8});
  CHECK(test::elements(r.get<"c">()) == numbers{5, 6, 11, 12});
  CHECK(test::elements(r.get<"front">()) == numbers{3, 4});
  CHECK(test::elements(r.get<"back">()) == numbers{9, 10});
}

TEST_CASE("parts of several extents") {
  tl::function f{unequal_parts};
  auto r = f("x"_t = counted(12));
  CHECK(test::elements(r.get<"a">()) == numbers{1, 7});
  CHECK(r.get<"none">().size() == 0);
  CHECK(test::elements(r.get<"b">()) == numbers{2, 3, 4, 8, 9, 10});
  CHECK(test::elements(r.get<"c">()) == numbers{5, 6, 11, 12});
  CHECK(test::elements(r.get<"gradient">()) == numbers{0, 4, 6, 8, 0, 0, 0, 16, 18, 20, 0, 0});
}

TEST_CASE("classes as vectors") {
  tl::function f{classes};
  const std::vector<std::int64_t> index{2, 0};
  auto r = f("index"_t = index, "m"_t = std::int64_t(3));
  CHECK(test::elements(r.get<"rows">()) == numbers{0, 0, 1, 0, 1, 0, 0, 0});
  CHECK(test::elements(r.get<"columns">()) == numbers{0, 1, 0, 0, 1, 0});
  CHECK(test::elements(r.get<"outer">()) == numbers{0, 2, 4, 0, 0, 0});
  const std::vector<std::int64_t> wrong{3, 0};
  CHECK_THROWS_AS(f("index"_t = wrong, "m"_t = std::int64_t(3)), tl::error);
}

// Rows and columns of x, eighteen and more: more than one statement takes.
constexpr auto many = [] {
  auto x = tl::input<"x", double, n, 18>;
  auto part = [&]<int... I>(std::integer_sequence<int, I...>) {
    return tl::concat<1>(tl::slice<1, I, I + 1>(x)...);
  };
  auto column = [&]<int... I>(std::integer_sequence<int, I...>) {
    return tl::stack<-1>(tl::squeeze<1>(tl::slice<1, 17 - I, 18 - I>(x))...);
  };
  auto same = part(std::make_integer_sequence<int, 18>());
  auto turned = column(std::make_integer_sequence<int, 18>());
  return tl::outputs(tl::named<"same">(same), tl::named<"turned">(turned),
                     tl::named<"gradient">(tl::grad(tl::sum(tl::square(turned)) + tl::sum(same), x)));
};

TEST_CASE("any number of values next to each other") {
  tl::function f{many};
  const numbers x = counted(3 * 18);
  auto r = f("x"_t = x);
  CHECK(r.get<"same">().shape()[1] == 18);
  CHECK(r.get<"turned">().shape()[1] == 18);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(r.get<"same">()[i] == x[i]);
    CHECK(r.get<"turned">()[i] == x[i / 18 * 18 + 17 - i % 18]);
    CHECK(r.get<"gradient">()[i] == 2 * x[i] + 1);
  }
}

TEST_CASE("values next to each other, and moved around the end of an axis") {
  tl::function f{joined};
  for (const std::size_t count : {2u, 5u}) {
    const numbers x = counted(3 * count), y = counted(3 * count);
    auto r = f("x"_t = x, "y"_t = y);
    CHECK(r.get<"rows">().shape()[0] == 3);
    CHECK(r.get<"last">().shape()[2] == 2);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const auto at = [&](std::size_t row, std::size_t column) {
          return x[(row % count) * 3 + column % 3];
        };
        const std::size_t place = 3 * i + j;
        CHECK(r.get<"rows">()[place] == at(i, j));
        CHECK(r.get<"rows">()[3 * count + place] == y[j * count + i]);
        CHECK(r.get<"rows">()[6 * count + place] == at(i, j));
        CHECK(r.get<"last">()[2 * place + 1] == -at(i, j));
        CHECK(r.get<"down">()[place] == at(i + count - 2, j));
        CHECK(r.get<"up">()[place] == at(i + 1, j));
        CHECK(r.get<"right">()[place] == at(i, j + 2));
        CHECK(r.get<"left">()[place] == at(i, j + 1));
        CHECK(r.get<"none">()[place] == at(i, j));
        CHECK(r.get<"gradient">()[place] == at(i + 1, j));
      }
  }
  const numbers row{1, 2, 3};
  CHECK_THROWS_AS(f("x"_t = row, "y"_t = row), tl::error);
}
