// SPDX-License-Identifier: BSL-1.0
// Shapes broadcast as NumPy's do, with run-time extents and literal ones, also of 1 and 0.
#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto k = tl::dyn<"k">, n = tl::dyn<"n">, m = tl::dyn<"m">;

constexpr auto dynamic = [] {
  auto scalar = tl::input<"scalar", float>;
  auto row = tl::input<"row", float, m>;
  auto column = tl::input<"column", float, n, 1>;
  auto matrix = tl::input<"matrix", float, n, m>;
  auto cube = tl::input<"cube", float, k, n, m>;
  auto depth = tl::input<"depth", float, k, 1, 1>;
  return tl::outputs(
      tl::named<"matrix_row">(matrix + row), tl::named<"column_matrix">(column * matrix),
      tl::named<"column_row">(column - row), tl::named<"scalar_matrix">(scalar / (2_c + matrix)),
      tl::named<"cube_matrix">(cube + matrix * row), tl::named<"cube_column">(cube * column - scalar),
      tl::named<"depth_matrix">(depth - tl::permute<1, 0>(tl::permute<1, 0>(matrix) * 2_c)),
      tl::named<"gradients">(tl::grad(tl::sum(tl::square(depth * column * row)), column)));
};

constexpr auto literal = [] {
  auto row = tl::input<"row", double, 5>;
  auto one = tl::input<"one", double, 1, 1>;
  auto column = tl::input<"column", double, 3, 1>;
  auto cube = tl::input<"cube", double, 2, 1, 5>;
  return tl::outputs(tl::named<"a">(cube - column), tl::named<"b">(one * row),
                     tl::named<"c">(column + row + one), tl::named<"d">(tl::max(cube * one, row)),
                     tl::named<"e">(cube + 1_c));
};

}  // namespace

TEST_CASE("run-time extents broadcast") {
  tl::function f{dynamic};
  test::numbers random;
  const auto check = [&](std::size_t k_, std::size_t n_, std::size_t m_) {
    INFO(k_ << " x " << n_ << " x " << m_);
    const auto row = random.vector<float>(m_), column = random.vector<float>(n_);
    const auto matrix = random.vector<float>(n_ * m_), cube = random.vector<float>(k_ * n_ * m_);
    const auto depth = random.vector<float>(k_);
    const float scalar = 3;
    auto r = f("scalar"_t = scalar, "row"_t = row, "column"_t = column, "matrix"_t = matrix, "cube"_t = cube,
               "depth"_t = depth, "k"_t = static_cast<std::int64_t>(k_),
               "n"_t = static_cast<std::int64_t>(n_), "m"_t = static_cast<std::int64_t>(m_));
    REQUIRE(r.get<"cube_matrix">().shape().size() == 3);
    CHECK(r.get<"column_row">().shape()[0] == static_cast<std::int64_t>(n_));
    CHECK(r.get<"column_row">().shape()[1] == static_cast<std::int64_t>(m_));
    CHECK(r.get<"depth_matrix">().size() == k_ * n_ * m_);
    std::vector<float> gradient(n_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < m_; ++j) {
        const std::size_t at = i * m_ + j;
        CHECK(r.get<"matrix_row">()[at] == matrix[at] + row[j]);
        CHECK(r.get<"column_matrix">()[at] == column[i] * matrix[at]);
        CHECK(r.get<"column_row">()[at] == column[i] - row[j]);
        CHECK(r.get<"scalar_matrix">()[at] == scalar / (2 + matrix[at]));
        for (std::size_t l = 0; l < k_; ++l) {
          const std::size_t in_cube = l * n_ * m_ + at;
          CHECK(r.get<"cube_matrix">()[in_cube] ==
                test::Approx(cube[in_cube] + matrix[at] * row[j]).margin(1e-6));
          CHECK(r.get<"cube_column">()[in_cube] ==
                test::Approx(cube[in_cube] * column[i] - scalar).margin(1e-6));
          CHECK(r.get<"depth_matrix">()[in_cube] == depth[l] - 2 * matrix[at]);
          gradient[i] += 2 * column[i] * depth[l] * depth[l] * row[j] * row[j];
        }
      }
    for (std::size_t i = 0; i < n_; ++i)
      CHECK(r.get<"gradients">()[i] == test::Approx(gradient[i]).epsilon(1e-5).margin(1e-6));
  };
  for (const std::size_t inner : {1u, 2u, 3u, 7u, 8u, 9u, 15u, 16u, 17u, 33u}) check(2, 3, inner);
  check(1, 1, 1);
  check(3, 17, 1);
  check(1, 5, 9);
  check(2, 3, 0);
  check(2, 0, 4);
  check(0, 3, 4);
}

TEST_CASE("literal extents broadcast") {
  tl::function f{literal};
  test::numbers random;
  const auto row = random.vector(5), column = random.vector(3), cube = random.vector(10);
  const std::vector<double> one{1.5};
  auto r = f("row"_t = row, "one"_t = one, "column"_t = column, "cube"_t = cube);
  for (std::size_t l = 0; l < 2; ++l)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        CHECK(r.get<"a">()[(l * 3 + i) * 5 + j] == cube[l * 5 + j] - column[i]);
        CHECK(r.get<"b">()[j] == 1.5 * row[j]);
        CHECK(r.get<"c">()[i * 5 + j] == column[i] + row[j] + 1.5);
        CHECK(r.get<"d">()[l * 5 + j] == std::max(cube[l * 5 + j] * 1.5, row[j]));
        CHECK(r.get<"e">()[l * 5 + j] == cube[l * 5 + j] + 1);
      }
}
