// SPDX-License-Identifier: BSL-1.0
// Fourier transforms by cuFFT: what it is given, and what is kept of it from step to step.
#include <tapeless/ops/spectral.hpp>

#include "models.hpp"

namespace {

constexpr auto length = tl::dyn<"length">;

/// Filters signals; its gradient has all kinds of transforms, in both directions.
template <class T>
constexpr auto filter = [] {
  auto x = tl::input<"x", T, test::batch, 10>;
  auto w = tl::param<"w", T, 6, 2>;
  auto y = tl::irfft(tl::complex_mul(tl::rfft(x), w));
  auto z = tl::ifft(tl::complex_mul(tl::fft(tl::complex(y, x)), tl::fft(tl::complex(x, y))));
  return tl::outputs(tl::mean(tl::square(z)), tl::named<"out">(y));
};

template <class T, class Policy>
std::vector<double> trained(const Policy& policy) {
  return test::trained_on_images<T>(filter<T>, 10, test::adam(), policy);
}

}  // namespace

TEST_CASE("transforms: cuFFT's, in each order, are those of the CPU") {
  const auto expected = trained<float>(tl::cpu{}), exact = trained<double>(tl::cpu{});
  test::gpu gpu(test::each_order());
  CHECK(test::difference(trained<float>(tl::cuda{}), expected) < 1e-5);
  const int made = gpu.calls("cufftMakePlanMany64");
  CHECK(made > 0);
  CHECK(gpu.calls("cufftXtExec") >= made);
  CHECK(test::difference(trained<double>(tl::cuda{}), exact) < 1e-12);
}

TEST_CASE("transforms: a new length has plans of its own, and the ones before are given back") {
  test::gpu gpu;
  constexpr auto model = [] {
    auto x = tl::input<"x", float, 2, length>;
    return tl::named<"y">(tl::irfft(tl::rfft(x)));
  };
  tl::function<decltype(model), tl::cuda> f{model};
  test::numbers random;
  for (const int n : {4, 10, 4, 16}) {
    const auto x = random.vector<float>(static_cast<std::size_t>(2 * n));
    const auto y = test::elements(f("x"_t = x).template get<"y">());
    REQUIRE(y.size() == x.size());
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - static_cast<double>(x[i])) < 1e-6);
  }
}

TEST_CASE("transforms: what cuFFT refuses is said") {
  test::gpu gpu;
  gpu.fail("cufftMakePlanMany64", 1, CUFFT_ALLOC_FAILED);
  CHECK_THROWS_WITH(trained<float>(tl::cuda{}), test::contains("cufftMakePlanMany64 failed"));
}
