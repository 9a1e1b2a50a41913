// SPDX-License-Identifier: BSL-1.0
// Squares of vectors whose numbers all differ.
#include "catch.hpp"

#include <tapeless/run/cpu/vectors/transposition.hpp>

namespace k = tapeless::cpu_kernels;

TEMPLATE_TEST_CASE("squares of vectors", "", float, double) {
  constexpr int size = k::packet_size<TestType>;
  k::square<TestType> square;
  TestType numbers[size];
  const auto fill = [&] {
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) numbers[j] = static_cast<TestType>(100 * i + j * j);
      square.packet[i] = k::load(numbers).p;
    }
  };
  SECTION("transposed") {
    fill();
    k::transpose_vectors(square);
    for (int i = 0; i < size; ++i) {
      k::store(numbers, k::wide<TestType>{square.packet[i]});
      for (int j = 0; j < size; ++j) CHECK(numbers[j] == static_cast<TestType>(100 * j + i * i));
    }
  }
  SECTION("added up") {
    fill();
    k::store(numbers, k::sums_of_vectors<TestType>(square));
    TestType of_squares = 0;
    for (int j = 0; j < size; ++j) of_squares += static_cast<TestType>(j * j);
    for (int i = 0; i < size; ++i) CHECK(numbers[i] == static_cast<TestType>(100 * i * size) + of_squares);
  }
}
