// SPDX-License-Identifier: BSL-1.0
// Sums of an operand that a product takes along, and when it does not.
#include "product_operands.hpp"

using namespace tapeless::cuda_kernels;
using tapeless::element;
using tapeless::product_arguments;
using tapeless::product_operand;
using tapeless::thrust_kernels::finished_product;
using tapeless::thrust_kernels::summed;
using test::arguments_of;
using test::by_rows;
using test::layout;
using test::numbers_there;

namespace {

/// How far an operand's sums and the product are from those that are made one by one; -1 where the sums are
/// not taken along.
template <class T = float>
double error_of_sums(const layout& l, summed side, element type = element::f32) {
  resources shared(0, float_products::f32);
  numbers_there<T> a(shared, 600, 1), b(shared, 600, 2), c(shared, 600, 3), sums(shared, 64, 4);
  product_arguments arguments = arguments_of<T>(l);
  product p;
  p.prepare(arguments, type, {}, side, shared, {"matmul", "net"});
  arguments.a.data = a.at(l.a_start), arguments.b.data = b.at(l.b_start), arguments.c.data = c.at(0);
  const finished_product f{.arguments = arguments, .side = side, .sums = sums.at(8)};
  const bool is_taken_along = p.run(f, shared, {"matmul", "net"});
  const std::vector<T> product_there = c.now(), sums_there = sums.now();

  const auto number = [](T x) { return static_cast<double>(static_cast<float>(x)); };
  double largest = 0;
  const auto compare = [&](T x, double y) { largest = std::max(largest, std::abs(number(x) - y)); };
  const auto at = [&](const numbers_there<T>& x, std::int64_t start, const product_operand& o, std::int64_t i,
                      std::int64_t k) {
    return number(x.here[static_cast<std::size_t>(start + i * o.strides[0] + k * o.strides[1])]);
  };
  for (std::int64_t i = 0; i < l.m; ++i)
    for (std::int64_t j = 0; j < l.n; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < l.k; ++k)
        sum += at(a, l.a_start, arguments.a, i, k) * at(b, l.b_start, arguments.b, k, j);
      compare(product_there[static_cast<std::size_t>(i * arguments.ldc + j)], sum);
    }
  std::vector<double> expected(sums.here.begin(), sums.here.end());
  for (std::int64_t i = 0; is_taken_along && i < (side == summed::left ? l.m : l.n); ++i) {
    double& sum = expected[static_cast<std::size_t>(8 + i)] = 0;
    for (std::int64_t k = 0; k < l.k; ++k)
      sum += side == summed::left ? at(a, l.a_start, arguments.a, i, k) : at(b, l.b_start, arguments.b, k, i);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) compare(sums_there[i], expected[i]);
  CHECK(largest < (type == element::f32 ? 1e-5 : 4e-2));
  return is_taken_along ? largest : -1;
}

}  // namespace

TEST_CASE("an operand's sums are taken along, of either operand and layout") {
  test::gpu gpu;
  for (const summed side : {summed::left, summed::right}) {
    CHECK(error_of_sums(by_rows, side) >= 0);
    CHECK(error_of_sums({{}, 3, 4, 5, {1, 3}, {5, 1}, {5, 1}}, side) >= 0);
    CHECK(error_of_sums({{}, 3, 4, 5, {4, 1}, {1, 4}, {5, 1}}, side) >= 0);
    CHECK(error_of_sums({{}, 4, 4, 4, {1, 4}, {1, 4}, {4, 1}}, side) >= 0);
    CHECK(error_of_sums({{}, 3, 4, 5, {1, 10}, {11, 1}, {9, 1}, 3, 7, 9}, side) >= 0);
    CHECK(error_of_sums<tapeless::f16>(by_rows, side, element::f16) >= 0);
    CHECK(error_of_sums<tapeless::bf16>(by_rows, side, element::bf16) >= 0);
  }
}

TEST_CASE("a single sum, and sums of single elements, are not asked for") {
  test::gpu gpu;
  const auto searches = [&] { return gpu.calls("cublasLtMatmulAlgoGetHeuristic"); };
  CHECK(error_of_sums({{}, 1, 4, 5, {4, 1}, {5, 1}, {5, 1}}, summed::left) == -1);
  CHECK(error_of_sums({{}, 3, 4, 1, {4, 1}, {1, 1}, {1, 1}}, summed::right) == -1);
  CHECK(error_of_sums({{}, 3, 1, 5, {1, 1}, {5, 1}, {5, 1}}, summed::left) == -1);
  CHECK(error_of_sums({{}, 3, 1, 5, {1, 1}, {5, 1}, {5, 1}}, summed::right) == -1);
  CHECK(searches() == 4);
  CHECK(error_of_sums({{}, 3, 4, 1, {4, 1}, {1, 1}, {1, 1}}, summed::left) >= 0);
  CHECK(error_of_sums({{}, 1, 4, 5, {4, 1}, {5, 1}, {5, 1}}, summed::right) >= 0);
}

TEST_CASE("sums that cuBLASLt has no algorithm for are left to others") {
  const int refused = GENERATE(CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB);
  test::gpu gpu({.refused_epilogues = refused});
  CHECK((error_of_sums(by_rows, summed::left) == -1) == (refused == CUBLASLT_EPILOGUE_BGRADB));
  CHECK((error_of_sums(by_rows, summed::right) == -1) == (refused == CUBLASLT_EPILOGUE_BGRADA));
  for (const int status : {CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_INVALID_VALUE})
    for (const char* function : {"cublasLtMatmulAlgoGetHeuristic", "cublasLtMatmul"}) {
      gpu.fail(function, 1, status);
      const bool is_refused_anyway = refused == CUBLASLT_EPILOGUE_BGRADB;
      CHECK(error_of_sums(by_rows, is_refused_anyway ? summed::right : summed::left) == -1);
    }
  gpu.fail("cublasLtMatmulAlgoGetHeuristic", 1, CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK_THROWS_WITH(error_of_sums(by_rows, summed::right),
                    test::contains("cublasLtMatmulAlgoGetHeuristic failed"));
}

TEST_CASE("what is taken along is known for each alignment, also that of the bias") {
  test::gpu gpu;
  resources shared(0, float_products::f32);
  numbers_there<float> a(shared, 100, 1), b(shared, 100, 2), c(shared, 100, 3), bias(shared, 100, 4);
  product_arguments arguments = arguments_of<float>(by_rows);
  arguments.a.data = a.at(0), arguments.b.data = b.at(0), arguments.c.data = c.at(0);
  product p;
  p.prepare(arguments, element::f32, {.exists = true, .bias = 1}, summed::nothing, shared, {});
  const auto run = [&](std::int64_t start) {  // what has become of element 0, but for the product
    const bool is_taken_along = p.run({.arguments = arguments, .bias = bias.at(start)}, shared, {});
    double sum = static_cast<double>(c.now()[0]);
    for (std::size_t k = 0; k < 4; ++k)
      sum -= static_cast<double>(a.here[k]) * static_cast<double>(b.here[5 * k]);
    CHECK(std::abs(sum - (is_taken_along ? static_cast<double>(bias.here[static_cast<std::size_t>(start)])
                                         : 0)) < 1e-6);
    return is_taken_along;
  };
  CHECK(run(0));
  gpu.fail("algorithms", 1, 1);
  CHECK(!run(1));
  CHECK(run(0));
  CHECK(!run(3));
  CHECK(run(2));
  CHECK(!run(1));
  gpu.fail("cublasLtMatmul", 1, CUBLAS_STATUS_NOT_SUPPORTED);  // it did not mean what it said
  CHECK(!run(0));
  CHECK(!run(0));
  CHECK(run(2));
}
