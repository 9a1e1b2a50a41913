// SPDX-License-Identifier: BSL-1.0
// Singular vectors the wrong way round.
// expect: spectral_norm got a weight float[2, 3], u float[3] and v float[2]: it takes three of one floating type,
// expect: [out, ...], [out] and [all others]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/norm.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto w = tl::input<"w", float, 2, 3>;
  auto u = tl::input<"u", float, 2>;
  auto v = tl::input<"v", float, 3>;
#ifdef CORRECTED
  return tl::spectral_norm(w, u, v);
#else
  return tl::spectral_norm(w, v, u);
#endif
};

int main() { tl::function f{model}; }
