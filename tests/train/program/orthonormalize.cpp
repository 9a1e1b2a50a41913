// SPDX-License-Identifier: BSL-1.0
// Orthogonal vectors from any.
#include <tapeless/train/program/orthonormalize.hpp>

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace {

double product(const std::vector<double>& vectors, std::size_t size, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum += vectors[i * size + k] * vectors[j * size + k];
  return sum;
}

/// The largest difference of the products of all pairs from those of orthogonal vectors of length 1.
double error_of(const std::vector<double>& vectors, std::size_t size) {
  double largest = 0;
  for (std::size_t i = 0; i * size < vectors.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      largest = std::max(largest, std::abs(product(vectors, size, i, j) - (i == j ? 1 : 0)));
  return largest;
}

}  // namespace

TEST_CASE("vectors become orthogonal and of length 1") {
  test::numbers random;
  const std::size_t size = GENERATE(as<std::size_t>{}, 1, 7, 8, 19, 64);
  const std::size_t count = GENERATE(as<std::size_t>{}, 1, 3, 19, 64);
  if (count > size) return;
  std::vector<double> v = random.vector(count * size);
  tl::detail::orthonormalize(v, size);
  CHECK(error_of(v, size) < 1e-14);
}

TEST_CASE("each is what those before leave of it") {
  std::vector<double> v{3, 4, 0, 1, 0, 0, 1, 1, -2};
  tl::detail::orthonormalize(v, 3);
  const std::vector<double> expected{0.6, 0.8, 0, 0.8, -0.6, 0, 0, 0, -1};
  for (std::size_t i = 0; i < v.size(); ++i) CHECK(v[i] == test::Approx(expected[i]).margin(1e-15));
}

TEST_CASE("vectors that are nearly the same become orthogonal, too") {
  std::vector<double> v{1, 1, 1, 1, 1 + 1e-9, 1, 1, 1, 1, 1 + 1e-9, 1, 1};
  tl::detail::orthonormalize(v, 4);
  CHECK(error_of(v, 4) < 1e-14);
}
