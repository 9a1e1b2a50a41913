// SPDX-License-Identifier: BSL-1.0
// Factors and bounds as template arguments.
// both compilers
// expect: leaky_relu: numbers are arguments here, not template arguments: tl::leaky_relu(x, 0.2_c)
// expect: elu: numbers are arguments here, not template arguments: tl::elu(x, 1.5_c)
// expect: celu: numbers are arguments here, not template arguments: tl::celu(x, 1.5_c)
// expect: hardtanh: numbers are arguments here, not template arguments: tl::hardtanh(x, -2_c, 2_c)
// expect: threshold: numbers are arguments here, not template arguments: tl::threshold(x, 0.5_c, 20_c)
// expect: softplus: numbers are arguments here, not template arguments: tl::softplus(x, 2_c)
// expect: hardshrink: numbers are arguments here, not template arguments: tl::hardshrink(x, 0.2_c)
// expect: softshrink: numbers are arguments here, not template arguments: tl::softshrink(x, 0.2_c)
// expect: clamp: numbers are arguments here, not template arguments: tl::clamp(x, 0_c, 1_c)
// expect: lerp: numbers are arguments here, not template arguments: tl::lerp(a, b, 0.25_c)
// expect: addcmul: numbers are arguments here, not template arguments: tl::addcmul(x, a, b, 0.5_c)
// expect: addcdiv: numbers are arguments here, not template arguments: tl::addcdiv(x, a, b, 0.5_c)
// expect: nan_to_num: numbers are arguments here, not template arguments: tl::nan_to_num(x, 0_c)
// expect: logit: numbers are arguments here, not template arguments: tl::logit(x, 1e-6_c)
// expect: heaviside: numbers are arguments here, not template arguments: tl::heaviside(x, 0.5_c)
// expect: pow: numbers are arguments here, not template arguments: tl::pow(x, 2_c)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8>;
#ifdef CORRECTED
  auto y = tl::leaky_relu(x, 0.2_c);
  return y + tl::elu(x, 1.5_c) + tl::celu(x, 1.5_c) + tl::hardtanh(x, -2_c, 2_c) +
         tl::threshold(x, 0.5_c, 20_c) + tl::softplus(x, 2_c) + tl::hardshrink(x, 0.2_c) +
         tl::softshrink(x, 0.2_c) + tl::clamp(x, 0_c, 1_c) + tl::lerp(x, y, 0.25_c) +
         tl::addcmul(x, y, y, 0.5_c) + tl::addcdiv(x, y, y, 0.5_c) + tl::nan_to_num(x, 0_c) +
         tl::logit(x, 1e-6_c) + tl::heaviside(x, 0.5_c) + tl::pow(x, 2_c);
#else
  auto y = tl::leaky_relu<0.2>(x);
  return y + tl::elu<1.5>(x) + tl::celu<1.5>(x) + tl::hardtanh<-2, 2>(x) + tl::threshold<0.5, 20>(x) +
         tl::softplus<2>(x) + tl::hardshrink<0.2>(x) + tl::softshrink<0.2>(x) + tl::clamp<0, 1>(x) +
         tl::lerp<0.25>(x, y) + tl::addcmul<0.5>(x, y, y) + tl::addcdiv<0.5>(x, y, y) + tl::nan_to_num<0>(x) +
         tl::logit<1e-6>(x) + tl::heaviside<0.5>(x) + tl::pow<2>(x);
#endif
};

int main() { model(); }
