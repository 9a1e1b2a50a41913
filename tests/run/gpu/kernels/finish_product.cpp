// SPDX-License-Identifier: BSL-1.0
// Biases and activations of a product that are computed afterwards.
#include <tapeless/run/gpu/kernels/finish_product.hpp>

#include <tapeless/run/thrust_host/host_executor.hpp>

#include "catch.hpp"
#include "program.hpp"

#include <cmath>

namespace k = tapeless::thrust_kernels;

namespace {

template <class T>
std::vector<T> finished(std::vector<T> product, const std::vector<T>& bias, k::activation then,
                        std::vector<T>* argument = nullptr) {
  const auto bytes = [](auto* data) { return reinterpret_cast<std::byte*>(const_cast<T*>(data)); };
  tl::product_arguments arguments{.m = 2, .n = 3, .k = 1, .ldc = 3, .batches = 2};
  arguments.c.data = bytes(product.data());
  k::host_executor executor;
  k::finish_product<T>({.arguments = arguments,
                        .then = then,
                        .bias = bias.empty() ? nullptr : bytes(bias.data()),
                        .argument = argument == nullptr ? nullptr : bytes(argument->data())},
                       executor);
  return product;
}

const std::vector<float> product{1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12}, bias{1, 2.5f, -4};

}  // namespace

TEST_CASE("finish_product: a bias, a ReLU, and both, of all members of a batch") {
  CHECK(finished(product, bias, k::activation::none) ==
        std::vector<float>{2, 0.5f, -1, -3, 7.5f, -10, 8, -5.5f, 5, -9, 13.5f, -16});
  CHECK(finished(product, {}, k::activation::relu) ==
        std::vector<float>{1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0});
  CHECK(finished(product, bias, k::activation::relu) ==
        std::vector<float>{2, 0.5f, 0, 0, 7.5f, 0, 8, 0, 5, 0, 13.5f, 0});
}

TEST_CASE("finish_product: 16 bits are computed with in float; what is not a number stays") {
  const std::vector<tl::bf16> narrow(12, tl::bf16(256.0f)), one(3, tl::bf16(1.5f));
  for (const tl::bf16 x : finished(narrow, one, k::activation::none)) CHECK(static_cast<float>(x) == 258);
  const std::vector<float> undefined(12, std::numeric_limits<float>::quiet_NaN());
  for (const float x : finished(undefined, bias, k::activation::relu)) CHECK(x != x);
}

namespace {

double gelu(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

}  // namespace

TEST_CASE("finish_product: a GELU, with what it is taken of, and its gradient") {
  std::vector<float> kept(12, 77.0f);
  const std::vector<float> y = finished(product, bias, k::activation::gelu, &kept);
  CHECK(kept == finished(product, bias, k::activation::none));
  CHECK(finished(product, bias, k::activation::gelu) == y);
  const std::vector<float> gradient = finished(product, {}, k::activation::gelu_gradient, &kept);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double x = static_cast<double>(kept[i]), h = 1e-4;
    CHECK(static_cast<double>(y[i]) == test::Approx(gelu(x)).margin(1e-6));
    const double slope = (gelu(x + h) - gelu(x - h)) / (2 * h);
    CHECK(static_cast<double>(gradient[i]) ==
          test::Approx(static_cast<double>(product[i]) * slope).margin(1e-5));
  }
}
