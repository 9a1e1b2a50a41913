// SPDX-License-Identifier: BSL-1.0
// Products element by element, for operands that a library's routines do not take.
#include <tapeless/run/gpu/kernels/product_element.hpp>

#include <tapeless/run/thrust_host/host_executor.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::thrust_kernels;

TEST_CASE("product_element: rows that repeat, batches, a bias and a ReLU") {
  constexpr std::int64_t batches = 2, m = 3, n = 4, depth = 5;
  test::numbers random(6);
  auto a = random.vector<float>(batches * depth), b = random.vector<float>(depth * n),
       bias = random.vector<float>(n);
  std::vector<float> c(batches * m * n);
  tl::product_arguments arguments{.m = m, .n = n, .k = depth, .ldc = n, .batch_rank = 1, .batches = batches};
  arguments.batch[0] = batches;
  arguments.a = {reinterpret_cast<std::byte*>(a.data()), {depth, 0, 1}};  // all rows are the same
  arguments.b = {reinterpret_cast<std::byte*>(b.data()), {0, n, 1}};      // for all members
  arguments.c = {reinterpret_cast<std::byte*>(c.data()), {m * n, n, 1}};
  k::host_executor executor;
  for (const bool relu : {false, true}) {
    k::multiply_by_element<float>({.arguments = arguments,
                                   .then = relu ? k::activation::relu : k::activation::none,
                                   .bias = reinterpret_cast<const std::byte*>(bias.data())},
                                  executor);
    for (std::size_t i = 0; i < c.size(); ++i) {
      const std::size_t column = i % n, batch = i / (m * n);
      float expected = bias[column];
      for (std::size_t l = 0; l < depth; ++l) expected += a[batch * depth + l] * b[l * n + column];
      CHECK(c[i] == test::Approx(relu && expected < 0 ? 0 : expected).margin(1e-6));
    }
  }
}
