// SPDX-License-Identifier: BSL-1.0
// An operation that tl::bare has no kernel for.
// lines: 20
// first: tl::bare has no kernel for cholesky, as for all factors of matrices and Fourier transforms: these
// expect: tl::bare has no kernel for cholesky, as for all factors of matrices and Fourier transforms: these
#include <tapeless/bare.hpp>

#include <tapeless/ops/linalg.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
constexpr auto root = [](auto x) { return tl::sqrt(x); };
#else
constexpr auto root = [](auto x) { return tl::cholesky(x); };
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 2>;
  return tl::sum(root(x) * tl::param<"w", float, 2, 2>);
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::bare{}};
  const float x[4] = {1, 0, 0, 1};
  return net.step("x"_t = x).is_valid() ? 0 : 1;
}
