// SPDX-License-Identifier: BSL-1.0
// Which lengths are transformed by a chirp; transforms of 100,003 numbers, a prime, in closed form, which
// take minutes by their sum.
#include <tapeless/run/cpu/families/chirp_transform.hpp>

#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/ops/spectral/fft.hpp>
#include <tapeless/ops/spectral/rfft.hpp>

namespace {

using namespace tapeless::cpu_kernels;

static_assert(largest_factor(1) == 1 && largest_factor(2) == 2 && largest_factor(64) == 2);
static_assert(largest_factor(49) == 7 && largest_factor(2 * 53 * 3) == 53 && largest_factor(99991) == 99991);
static_assert(largest_factor(std::int64_t{1} << 29) == 2 && largest_factor(536870909) == 536870909);
static_assert(!takes_chirp(47 * 47, false) && takes_chirp(53, false) && takes_chirp(53 * 2, true));
static_assert(!takes_chirp(97 * 4, true) && takes_chirp(101 * 4, true));
static_assert(smooth_length(1) == 1 && smooth_length(7) == 8 && smooth_length(17) == 18);
static_assert(smooth_length(105) == 108 && smooth_length(200005) == 202500);

// The least of them, number by number.
constexpr std::int64_t next_smooth(std::int64_t n) {
  while (largest_factor(n) > 5) ++n;
  return n;
}
static_assert([] {
  for (std::int64_t n = 1; n < 300; ++n)
    if (smooth_length(n) != next_smooth(n)) return false;
  return true;
}());

constexpr std::int64_t length = 100003, place = 70001;

template <class T>
struct of_an_impulse {
  constexpr auto operator()() const {
    auto z = tl::input<"z", T, length, 2>;
    auto x = tl::input<"x", T, length>;
    return tl::outputs(tl::named<"fft">(tl::fft(z)),
                       tl::named<"ifft">(tl::ifft<tl::fft_options{.norm = tl::fft_norm::forward}>(z)),
                       tl::named<"rfft">(tl::rfft(x)),
                       tl::named<"again">(tl::irfft<tl::fft_options{.n = length}>(tl::rfft(x))));
  }
};

// Of 0.5 at 0 and 2 at `place`, the transform is 0.5 + 2 e^(-2 pi i place k / length).
template <class T>
void check(double tolerance) {
  tl::function<of_an_impulse<T>, tl::cpu> f{of_an_impulse<T>{}};
  std::vector<T> x(length), z(2 * length);
  x[0] = z[0] = T(0.5);
  x[place] = z[2 * place] = 2;
  const auto y = f("x"_t = x, "z"_t = z);
  const auto fft = y.template get<"fft">(), ifft = y.template get<"ifft">(), rfft = y.template get<"rfft">(),
             again = y.template get<"again">();
  double worst = 0;
  for (std::size_t k = 0; k < length; ++k) {
    const double turns = static_cast<double>(k * place % length) / static_cast<double>(length);
    const std::complex<double> expected = 0.5 + std::polar(2.0, -6.283185307179586 * turns);
    const auto compare = [&](const auto& view, const std::complex<double>& e) {
      worst = std::max(worst, std::abs(std::complex<double>(view[2 * k], view[2 * k + 1]) - e));
    };
    compare(fft, expected);
    compare(ifft, std::conj(expected));
    if (2 * k <= length) compare(rfft, expected);
    worst = std::max(worst, std::abs(static_cast<double>(again[k]) - static_cast<double>(x[k])));
  }
  CHECK(rfft[1] == 0);
  CHECK(worst < tolerance);
}

}  // namespace

TEST_CASE("a transform of a length that is a large prime takes no time of its square") {
  check<double>(1e-13);
  check<float>(5e-6);
}
