// SPDX-License-Identifier: BSL-1.0
// Biases and ReLUs that are added to a product afterwards.
#include <tapeless/run/thrust/finish_product.hpp>

#include <tapeless/run/thrust/host_executor.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::thrust_kernels;

namespace {

template <class T>
std::vector<T> finished(std::vector<T> product, const std::vector<T>& bias, bool relu) {
  tl::product_call call{.m = 2, .n = 3, .k = 1, .ldc = 3, .batches = 2};
  call.c.data = reinterpret_cast<std::byte*>(product.data());
  k::host_executor executor;
  k::finish_product<T>({call, bias.empty() ? nullptr : reinterpret_cast<const std::byte*>(bias.data()), relu},
                       executor);
  return product;
}

const std::vector<float> product{1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12}, bias{1, 2.5f, -4};

}  // namespace

TEST_CASE("finish_product: a bias, a ReLU, and both, of all members of a batch") {
  CHECK(finished(product, bias, false) ==
        std::vector<float>{2, 0.5f, -1, -3, 7.5f, -10, 8, -5.5f, 5, -9, 13.5f, -16});
  CHECK(finished(product, {}, true) == std::vector<float>{1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0});
  CHECK(finished(product, bias, true) == std::vector<float>{2, 0.5f, 0, 0, 7.5f, 0, 8, 0, 5, 0, 13.5f, 0});
}

TEST_CASE("finish_product: 16 bits are computed with in float; what is not a number stays") {
  const std::vector<tl::bf16> narrow(12, tl::bf16(256.0f)), one(3, tl::bf16(1.5f));
  for (const tl::bf16 x : finished(narrow, one, false)) CHECK(static_cast<float>(x) == 258);
  const std::vector<float> undefined(12, std::numeric_limits<float>::quiet_NaN());
  for (const float x : finished(undefined, bias, true)) CHECK(x != x);
}
