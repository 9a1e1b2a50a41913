// SPDX-License-Identifier: BSL-1.0
// The laws for operations with a derivative of their own, and for derivatives as operations.
#include "laws/laws.hpp"

using laws::part;

struct cube : tl::custom_op {
  static constexpr auto forward(tl::value x) { return x * x * x; }
  static constexpr auto backward(tl::value g, tl::value x, tl::value) { return 3.0 * g * x * x; }
};

TAPELESS_LAW(custom, 4, 4, -1, 1, tl::apply<cube>(tl::sin(z)))
TAPELESS_LAW(grad, 4, 4, -1, 1, tl::grad(tl::sum(tl::tanh(z) * tl::square(z)), z))
TAPELESS_LAW(vjp, 4, 4, -1, 1, tl::vjp(tl::softmax(z), z, tl::exp(z)))
TAPELESS_LAW(jvp, 4, 4, -1, 1, tl::jvp(tl::log_softmax(z), z, tl::sin(z)))
TAPELESS_LAW(grad_by_several, 4, 4, -1, 1, [](auto z) {
  auto h = tl::tanh(z);
  auto [by_z, by_h] = tl::grad(tl::sum(tl::cube(h) * z), z, h);
  return by_z * by_h;
}(z))
TAPELESS_LAW(vjp_by_several, 4, 4, -1, 1, [](auto z) {
  auto h = tl::exp(z);
  auto [by_h, by_z] = tl::vjp(tl::softmax(h * z), tl::pack(h, z), tl::sin(z));
  return by_h - by_z;
}(z))
TAPELESS_LAW(jvp_by_several, 4, 4, -1, 1, [](auto z) {
  auto h = tl::exp(z);
  return tl::jvp(tl::log_softmax(h * z), tl::pack(z, h), tl::pack(tl::sin(z), h));
}(z))
TAPELESS_LAW(jvp_of_max, 8, 2, -1, 1, tl::jvp(tl::max<-1>(tl::exp(part<0, 2, 4>(z))), z, tl::square(z)))
