// SPDX-License-Identifier: BSL-1.0
// Matrix products by cuBLASLt, which counts by columns what is by rows here.
#include <tapeless/run/thrust/product_element.hpp>

#include "gpu.hpp"

using namespace tapeless::cuda_kernels;
using tapeless::element;
using tapeless::product_call;
using tapeless::product_operand;
using tapeless::thrust_kernels::epilogue;
using tapeless::thrust_kernels::finished_product;
using tapeless::thrust_kernels::summed;

namespace {

/// Numbers on the device, with a copy here.
template <class T>
struct numbers_there {
  resources& shared;
  std::vector<T> here;
  device_pointer there = device_memory(static_cast<std::int64_t>(here.size() * sizeof(T)), "a test");

  numbers_there(resources& r, std::size_t count, std::uint32_t seed) : shared(r), here(count) {
    test::numbers random(seed);
    for (T& x : here) x = static_cast<T>(static_cast<float>(random()));
    cudaMemcpyAsync(there.get(), here.data(), count * sizeof(T), cudaMemcpyHostToDevice, shared.steps());
    shared.wait();
  }
  std::byte* at(std::int64_t element) const {
    return static_cast<std::byte*>(there.get()) + element * static_cast<std::int64_t>(sizeof(T));
  }
  std::byte* here_at(std::int64_t element) { return reinterpret_cast<std::byte*>(here.data() + element); }
  std::vector<T> now() const {
    std::vector<T> result(here.size());
    cudaMemcpyAsync(result.data(), there.get(), here.size() * sizeof(T), cudaMemcpyDeviceToHost,
                    shared.steps());
    return result;
  }
};

/// Strides of a, b and c, of which c is by rows; where a and b start.
struct layout {
  std::vector<std::int64_t> batch;
  std::int64_t m, k, n;
  std::vector<std::int64_t> a, b, c;  // by batch axis, then rows and columns
  std::int64_t a_start = 0, b_start = 0, ldc = 0;
};

template <class T>
product_call call_of(const layout& l) {
  product_call call{.m = l.m, .n = l.n, .k = l.k, .ldc = l.ldc != 0 ? l.ldc : l.n};
  call.element_size = sizeof(T);
  call.batch_rank = static_cast<int>(l.batch.size());
  for (std::size_t d = 0; d < l.batch.size(); ++d) call.batches *= call.batch[d] = l.batch[d];
  std::copy(l.a.begin(), l.a.end(), call.a.strides);
  std::copy(l.b.begin(), l.b.end(), call.b.strides);
  std::copy(l.c.begin(), l.c.end(), call.c.strides);
  return call;
}

/// The difference to sums that are made one by one; -1 where cuBLASLt does not take the product.
template <class T = double>
double error_of(const layout& l, element type = element::f64, epilogue e = {},
                float_products products = float_products::f32) {
  resources shared(0, products);
  numbers_there<T> a(shared, 600, 1), b(shared, 600, 2), c(shared, 600, 3), bias(shared, 64, 4);
  product_call call = call_of<T>(l);
  product p;
  p.prepare(call, type, e, summed::nothing, shared, {"matmul", "net"});
  if (!p.is_ready()) return -1;

  call.a.data = a.at(l.a_start), call.b.data = b.at(l.b_start), call.c.data = c.at(0);
  finished_product f{.call = call, .bias = e.bias < 0 ? nullptr : bias.at(0), .relu = e.relu};
  const bool is_taken_along = p.run(f, shared, {"matmul", "net"});
  CHECK(p.run(f, shared, {"matmul", "net"}) == is_taken_along);  // what it found out is kept
  CHECK((is_taken_along || !e.exists || fake_cuda::machine::now().settings().refused_epilogues != 0));
  if (!is_taken_along) e = {};
  const auto result = c.now();

  f.call.a.data = a.here_at(l.a_start), f.call.b.data = b.here_at(l.b_start), f.call.c.data = c.here_at(0);
  f.bias = e.bias < 0 ? nullptr : bias.here_at(0);
  f.relu = e.relu;
  tapeless::thrust_kernels::host_executor executor;
  tapeless::thrust_kernels::multiply_by_element<T>(f, executor);
  double largest = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(static_cast<float>(result[i])) -
                                         static_cast<double>(static_cast<float>(c.here[i]))));
  return largest;
}

const layout by_rows{{}, 3, 4, 5, {4, 1}, {5, 1}, {5, 1}};

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
  CHECK(error_of({{}, 3, 0, 5, {0, 1}, {5, 1}, {5, 1}}) == -1);
}

TEST_CASE("batches: one call where all operands step evenly, several otherwise") {
  test::gpu gpu;
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
  CHECK(calls() == 2 * 2);
  CHECK(error_of({{2, 3}, 3, 4, 5, {12, 24, 4, 1}, {60, 20, 5, 1}, {45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2 * 2);
  CHECK(error_of({{2, 1, 3}, 3, 4, 5, {36, 7, 12, 4, 1}, {60, 9, 20, 5, 1}, {45, 0, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2);
  CHECK(error_of({{2, 2, 3}, 3, 4, 5, {36, 0, 12, 4, 1}, {60, 0, 20, 5, 1}, {90, 45, 15, 5, 1}}) < 1e-12);
  CHECK(calls() == 2 * 4);
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

TEST_CASE("a bias and a ReLU are taken along") {
  test::gpu gpu;
  const layout heads{{3}, 2, 4, 5, {8, 4, 1}, {20, 5, 1}, {10, 5, 1}};
  for (const bool relu : {false, true})
    for (const int bias : {-1, 1}) {
      if (!relu && bias < 0) continue;
      CHECK(error_of<float>(by_rows, element::f32, {true, bias, relu}) < 1e-6);
      CHECK(error_of<float>(heads, element::f32, {true, bias, relu}) < 1e-6);
      CHECK(error_of<tapeless::bf16>(by_rows, element::bf16, {true, bias, relu}) < 4e-2);
    }
}

TEST_CASE("a bias and a ReLU that cuBLASLt has no algorithm for are left to others") {
  test::gpu gpu({.refused_epilogues = CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_RELU});
  for (const bool relu : {false, true})
    CHECK(error_of<float>(by_rows, element::f32, {true, relu ? -1 : 1, relu}) < 1e-6);
  CHECK(error_of(by_rows, element::f64) < 1e-12);
}

namespace {

/// How far an operand's sums and the product are from those that are made one by one; -1 where the sums are
/// not taken along.
template <class T = float>
double error_of_sums(const layout& l, summed side, element type = element::f32) {
  resources shared(0, float_products::f32);
  numbers_there<T> a(shared, 600, 1), b(shared, 600, 2), c(shared, 600, 3), sums(shared, 64, 4);
  product_call call = call_of<T>(l);
  product p;
  p.prepare(call, type, {}, side, shared, {"matmul", "net"});
  call.a.data = a.at(l.a_start), call.b.data = b.at(l.b_start), call.c.data = c.at(0);
  const finished_product f{.call = call, .side = side, .sums = sums.at(8)};
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
        sum += at(a, l.a_start, call.a, i, k) * at(b, l.b_start, call.b, k, j);
      compare(product_there[static_cast<std::size_t>(i * call.ldc + j)], sum);
    }
  std::vector<double> expected(sums.here.begin(), sums.here.end());
  for (std::int64_t i = 0; is_taken_along && i < (side == summed::left ? l.m : l.n); ++i) {
    double& sum = expected[static_cast<std::size_t>(8 + i)] = 0;
    for (std::int64_t k = 0; k < l.k; ++k)
      sum += side == summed::left ? at(a, l.a_start, call.a, i, k) : at(b, l.b_start, call.b, k, i);
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

TEST_CASE("algorithms are looked for once for each alignment") {
  test::gpu gpu;
  resources shared(0, float_products::f32);
  numbers_there<double> a(shared, 100, 1), b(shared, 100, 2), c(shared, 100, 3);
  product_call call = call_of<double>(by_rows);
  product p;
  p.prepare(call, element::f64, {}, summed::nothing, shared, {});
  const auto searches = [&] { return gpu.calls("cublasLtMatmulAlgoGetHeuristic"); };
  const auto run = [&](std::int64_t start) {
    call.a.data = a.at(start), call.b.data = b.at(0), call.c.data = c.at(0);
    p.run({.call = call}, shared, {});
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

TEST_CASE("what is taken along is known for each alignment, also that of the bias") {
  test::gpu gpu;
  resources shared(0, float_products::f32);
  numbers_there<float> a(shared, 100, 1), b(shared, 100, 2), c(shared, 100, 3), bias(shared, 100, 4);
  product_call call = call_of<float>(by_rows);
  call.a.data = a.at(0), call.b.data = b.at(0), call.c.data = c.at(0);
  product p;
  p.prepare(call, element::f32, {true, 1, false}, summed::nothing, shared, {});
  const auto run = [&](std::int64_t start) {  // what has become of element 0, but for the product
    const bool is_taken_along = p.run({.call = call, .bias = bias.at(start)}, shared, {});
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
