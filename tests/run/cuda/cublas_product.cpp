// SPDX-License-Identifier: BSL-1.0
// Matrix products by cuBLASLt, which counts by columns what is by rows here.
#include <tapeless/run/gpu/kernels/product_element.hpp>

#include "product_operands.hpp"

using namespace tapeless::cuda_kernels;
using tapeless::element;
using tapeless::product_arguments;
using tapeless::thrust_kernels::activation;
using tapeless::thrust_kernels::epilogue;
using tapeless::thrust_kernels::finished_product;
using tapeless::thrust_kernels::summed;
using test::arguments_of;
using test::by_rows;
using test::layout;
using test::numbers_there;

namespace {

/// An epilogue with or without a bias, and with or without the argument of a GELU.
epilogue epilogue_with(bool bias, activation then, bool argument = false) {
  epilogue e{.exists = true, .then = then};
  if (bias) e.bias = 1;
  if (argument) e.argument = 2;
  return e;
}

/// The difference to sums that are made one by one; -1 where cuBLASLt does not take the product.
template <class T = double>
double error_of(const layout& l, element type = element::f64, epilogue e = {},
                float_products products = float_products::f32) {
  resources shared(0, products);
  numbers_there<T> a(shared, 600, 1), b(shared, 600, 2), c(shared, 600, 3), bias(shared, 64, 4),
      argument(shared, 600, 5);
  product_arguments arguments = arguments_of<T>(l);
  product p;
  p.prepare(arguments, type, e, summed::nothing, shared, {"matmul", "net"});
  if (!p.is_ready()) return -1;

  arguments.a.data = a.at(l.a_start), arguments.b.data = b.at(l.b_start), arguments.c.data = c.at(0);
  finished_product f{.arguments = arguments, .then = e.then};
  if (e.bias >= 0) f.bias = bias.at(0);
  if (e.argument >= 0) f.argument = argument.at(0);
  const bool is_taken_along = p.run(f, shared, {"matmul", "net"});
  CHECK(p.run(f, shared, {"matmul", "net"}) == is_taken_along);  // what it found out is kept
  const bool is_refused =
      fake_cuda::machine::now().settings().refused_epilogues != 0 || (e.argument >= 0 && l.n % 8 != 0);
  CHECK((is_taken_along || !e.exists || is_refused));
  const auto result = c.now(), kept = argument.now();

  f.arguments.a.data = a.here_at(l.a_start), f.arguments.b.data = b.here_at(l.b_start),
  f.arguments.c.data = c.here_at(0);
  f.then = is_taken_along ? e.then : activation::none;
  f.bias = is_taken_along && e.bias >= 0 ? bias.here_at(0) : nullptr;
  f.argument = is_taken_along && e.argument >= 0 ? argument.here_at(0) : nullptr;
  tapeless::thrust_kernels::host_executor executor;
  tapeless::thrust_kernels::multiply_by_element<T>(f, executor);
  double largest = 0;
  const auto compare = [&](T x, T y) {
    largest = std::max(largest, std::abs(static_cast<double>(static_cast<float>(x)) -
                                         static_cast<double>(static_cast<float>(y))));
  };
  for (std::size_t i = 0; i < result.size(); ++i) compare(result[i], c.here[i]);
  for (std::size_t i = 0; i < kept.size(); ++i) compare(kept[i], argument.here[i]);
  return largest;
}

}  // namespace

TEST_CASE("operands by rows and by columns, whole and cut out") {
  test::gpu gpu;
  CHECK(error_of(by_rows) < 1e-12);
  CHECK(error_of({{}, 3, 4, 5, {1, 3}, {5, 1}, {5, 1}}) < 1e-12);
  CHECK(error_of({{}, 3, 4, 5, {4, 1}, {1, 4}, {5, 1}}) < 1e-12);
  CHECK(error_of({{}, 3, 4, 5, {1, 3}, {1, 4}, {5, 1}}) < 1e-12);
  CHECK(error_of({{}, 3, 4, 5, {10, 1}, {11, 1}, {5, 1}, 3, 7}) < 1e-12);
  CHECK(error_of({{}, 3, 4, 5, {1, 10}, {1, 11}, {9, 1}, 3, 7, 9}) < 1e-12);
}

TEST_CASE("rows and columns of one") {
  test::gpu gpu;
  for (const std::int64_t m : {1, 3})
    for (const std::int64_t k : {1, 4})
      for (const std::int64_t n : {1, 5}) {
        INFO(m << " " << k << " " << n);
        CHECK(error_of({{}, m, k, n, {k, 1}, {n, 1}, {n, 1}}) < 1e-12);
        CHECK(error_of({{}, m, k, n, {1, m}, {1, k}, {n, 1}}) < 1e-12);
      }
  CHECK(error_of({{}, 1, 4, 5, {0, 1}, {5, 1}, {5, 1}}) < 1e-12);  // an axis of one has any stride
  CHECK(error_of({{}, 1, 4, 5, {0, 7}, {5, 1}, {5, 1}}) < 1e-12);
  CHECK(error_of({{}, 3, 1, 5, {7, 0}, {0, 1}, {5, 1}}) < 1e-12);
  CHECK(error_of({{}, 3, 4, 1, {4, 1}, {9, 0}, {1, 1}}) < 1e-12);
  CHECK(error_of({{}, 1, 1, 1, {0, 0}, {0, 0}, {0, 0}, 0, 0, 1}) < 1e-12);
}

TEST_CASE("what repeats or steps over elements is no matter of cuBLASLt's") {
  test::gpu gpu;
  CHECK(error_of({{}, 3, 4, 5, {0, 1}, {5, 1}, {5, 1}}) == -1);
  CHECK(error_of({{}, 3, 4, 5, {4, 1}, {0, 1}, {5, 1}}) == -1);
  CHECK(error_of({{}, 3, 4, 5, {8, 2}, {5, 1}, {5, 1}}) == -1);
  CHECK(error_of({{}, 3, 4, 5, {2, 1}, {5, 1}, {5, 1}}) == -1);  // windows
  CHECK(error_of({{}, 3, 4, 5, {1, 1}, {5, 1}, {5, 1}}) == -1);
  CHECK(error_of({{}, 3, 0, 5, {0, 1}, {5, 1}, {5, 1}}) == -1);
}

TEST_CASE("batches: one call where all operands step evenly, or can be given by address; else several") {
  const bool by_address = GENERATE(false, true);
  test::gpu gpu({.refuses_addresses = !by_address});
  auto calls = [&, before = 0]() mutable {
    return gpu.calls("cublasLtMatmul") - std::exchange(before, gpu.calls("cublasLtMatmul"));
  };
  CHECK(error_of({{3}, 3, 4, 5, {12, 4, 1}, {20, 5, 1}, {15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2);
  CHECK(error_of({{2, 3}, 3, 4, 5, {36, 12, 4, 1}, {60, 20, 5, 1}, {45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2);
  CHECK(error_of({{2, 3}, 3, 4, 5, {36, 12, 4, 1}, {0, 0, 5, 1}, {45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2);
  CHECK(error_of({{2, 3}, 3, 4, 5, {36, 12, 4, 1}, {20, 0, 5, 1}, {45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2 * (by_address ? 1 : 2));
  CHECK(error_of({{2, 3}, 3, 4, 5, {12, 24, 4, 1}, {60, 20, 5, 1}, {45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2 * (by_address ? 1 : 2));
  // whatever makes the fewest calls
  CHECK(error_of({{7, 3}, 3, 4, 5, {12, 84, 4, 1}, {60, 20, 5, 1}, {45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2 * (by_address ? 1 : 3));
  CHECK(error_of({{2, 4, 3}, 3, 4, 5, {48, 12, 96, 4, 1}, {240, 60, 20, 5, 1}, {180, 45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2 * (by_address ? 1 : 3));
  CHECK(error_of({{2, 1, 3}, 3, 4, 5, {36, 7, 12, 4, 1}, {60, 9, 20, 5, 1}, {45, 0, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2);
  CHECK(error_of({{2, 2, 3}, 3, 4, 5, {36, 0, 12, 4, 1}, {60, 0, 20, 5, 1}, {90, 45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2 * (by_address ? 1 : 4));
  CHECK(error_of({{1, 1}, 3, 4, 5, {0, 0, 4, 1}, {0, 0, 5, 1}, {0, 0, 5, 1}}) < 1e-12);
  CHECK(calls() == 2);
  CHECK(error_of({{3}, 2, 4, 5, {4, 12, 1}, {20, 5, 1}, {5, 15, 1}, 0, 0, 15}) < 1e-12);  // heads in a row
  CHECK(calls() == 2);
}

TEST_CASE("elements of each type") {
  test::gpu gpu;
  CHECK(error_of<float>(by_rows, element::f32) < 1e-6);
  CHECK(error_of<tapeless::f16>(by_rows, element::f16) < 4e-3);
  CHECK(error_of<tapeless::bf16>(by_rows, element::bf16) < 4e-2);
  const double rounded = error_of<float>(by_rows, element::f32, {}, float_products::tf32);
  CHECK(rounded > 1e-6);
  CHECK(rounded < 4e-3);
  CHECK(error_of(by_rows, element::f64, {}, float_products::tf32) < 1e-12);
  CHECK(error_of<tapeless::f16>(by_rows, element::f16, {}, float_products::tf32) < 4e-3);
}

TEST_CASE("sums of 16 bits that are made in parts stay in float where there is an algorithm") {
  test::gpu gpu;
  error_of<float>(by_rows, element::f32);
  CHECK(gpu.last_sums_in_parts == CUBLASLT_REDUCTION_SCHEME_MASK);
  error_of<tapeless::f16>(by_rows, element::f16);
  CHECK(gpu.last_sums_in_parts == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
  error_of<tapeless::bf16>(by_rows, element::bf16, epilogue_with(true, activation::relu));
  CHECK(gpu.last_sums_in_parts == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
  gpu.fail("algorithms", 1, 1);
  CHECK(error_of<tapeless::bf16>(by_rows, element::bf16) < 4e-2);
  CHECK(gpu.last_sums_in_parts == CUBLASLT_REDUCTION_SCHEME_MASK);
}

TEST_CASE("a bias and an activation are taken along") {
  test::gpu gpu;
  const layout heads{{3}, 2, 4, 5, {8, 4, 1}, {20, 5, 1}, {10, 5, 1}};
  for (const bool bias : {false, true})
    for (const activation then : {activation::none, activation::relu, activation::gelu}) {
      if (!bias && then == activation::none) continue;
      const epilogue e = epilogue_with(bias, then);
      const double tolerance = then == activation::gelu ? 2e-3 : 1e-6;
      CHECK(error_of<float>(by_rows, element::f32, e) < tolerance);
      CHECK(error_of<float>(heads, element::f32, e) < tolerance);
      CHECK(error_of<tapeless::bf16>(by_rows, element::bf16, e) < 4e-2);
    }
}

TEST_CASE("what a GELU is taken of is kept, and read by its gradient") {
  test::gpu gpu;
  // rows of 8; a batch that is one; one whose members are gone through
  const layout rows{{}, 3, 4, 8, {4, 1}, {8, 1}, {8, 1}};
  const layout heads{{3}, 2, 4, 8, {8, 4, 1}, {32, 8, 1}, {16, 8, 1}};
  const layout uneven{{2, 3}, 2, 4, 8, {7, 30, 4, 1}, {40, 90, 8, 1}, {48, 16, 8, 1}};
  for (const layout& l : {rows, heads, uneven}) {
    for (const bool bias : {false, true})
      CHECK(error_of<float>(l, element::f32, epilogue_with(bias, activation::gelu, true)) < 2e-3);
    const epilogue gradient = epilogue_with(false, activation::gelu_gradient, true);
    CHECK(error_of<float>(l, element::f32, gradient) < 2e-3);
    CHECK(error_of<tapeless::bf16>(l, element::bf16, gradient) < 4e-2);
    CHECK(error_of<tapeless::f16>(l, element::f16, epilogue_with(true, activation::gelu, true)) < 4e-3);
  }
}

TEST_CASE("what cuBLASLt has no algorithm for beside a product is left to others") {
  const auto check = [] {
    for (const bool relu : {false, true})
      CHECK(error_of<float>(by_rows, element::f32,
                            epilogue_with(!relu, relu ? activation::relu : activation::none)) < 1e-6);
    for (const activation then : {activation::gelu, activation::gelu_gradient})
      CHECK(error_of<float>(by_rows, element::f32, epilogue_with(false, then, true)) < 1e-6);  // rows of 5
    CHECK(error_of(by_rows, element::f64) < 1e-12);
  };
  {
    test::gpu gpu({.refused_epilogues = CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_RELU});
    check();
  }
  test::gpu gpu({.refused_epilogues = CUBLASLT_EPILOGUE_GELU});
  CHECK(error_of<float>(by_rows, element::f32, epilogue_with(true, activation::gelu)) < 1e-6);
}

TEST_CASE("algorithms are looked for once for each alignment") {
  test::gpu gpu;
  resources shared(0, float_products::f32);
  numbers_there<double> a(shared, 100, 1), b(shared, 100, 2), c(shared, 100, 3);
  product_arguments arguments = arguments_of<double>(by_rows);
  product p;
  p.prepare(arguments, element::f64, {}, summed::nothing, shared, {});
  const auto searches = [&] { return gpu.calls("cublasLtMatmulAlgoGetHeuristic"); };
  const auto run = [&](std::int64_t start) {
    arguments.a.data = a.at(start), arguments.b.data = b.at(0), arguments.c.data = c.at(0);
    p.run({.arguments = arguments}, shared, {});
  };
  run(0);
  run(0);
  CHECK(searches() == 1);
  run(1);
  run(3);
  CHECK(searches() == 2);
  run(2);
  CHECK(searches() == 3);
  run(0);
  CHECK(searches() == 3);
  shared.wait();
}

TEST_CASE("a product that cuBLASLt cannot do is an error that names the model") {
  test::gpu gpu;
  gpu.fail("algorithms", 1, 1);
  CHECK_THROWS_WITH(error_of(by_rows), test::contains("cuda: cuBLASLt has no algorithm for a matrix product, "
                                                      "for the operations matmul of the model net"));
  gpu.fail("cublasLtMatmulAlgoGetHeuristic", 1, CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK_THROWS_WITH(error_of(by_rows), test::contains("cuBLASLt has no algorithm for a matrix product"));
  gpu.fail("cublasLtMatmulAlgoGetHeuristic", 1, CUBLAS_STATUS_INVALID_VALUE);
  CHECK_THROWS_WITH(error_of(by_rows), test::contains("cublasLtMatmulAlgoGetHeuristic failed"));
  gpu.fail("cublasLtMatmul", 1, CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK_THROWS_WITH(error_of(by_rows), test::contains("cublasLtMatmul failed"));
}
