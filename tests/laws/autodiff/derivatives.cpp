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
TAPELESS_LAW(jvp_of_max, 8, 2, -1, 1, tl::jvp(tl::max<-1>(tl::exp(part<0, 2, 4>(z))), z, tl::square(z)))
