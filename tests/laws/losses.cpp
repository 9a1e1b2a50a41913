// SPDX-License-Identifier: BSL-1.0
// The laws for composed operations, and for derivatives as operations.
#include "laws/laws.hpp"

using laws::part;

struct cube : tl::custom_op {
  static constexpr auto forward(tl::value x) { return x * x * x; }
  static constexpr auto backward(tl::value g, tl::value x, tl::value) { return 3.0 * g * x * x; }
};

TAPELESS_LAW(softmax, 12, 12, -1, 1, tl::softmax(part<0, 3, 4>(z)))
TAPELESS_LAW(log_softmax, 12, 12, -1, 1, tl::log_softmax<0>(part<0, 3, 4>(z)))
TAPELESS_LAW(cross_entropy, 12, 1, -1, 1,
             tl::cross_entropy(part<0, 3, 4>(z), tl::cast<int>(1_c + 3_c * tl::abs(part<3, 3>(z)))))
TAPELESS_LAW(custom, 4, 4, -1, 1, tl::apply<cube>(tl::sin(z)))
TAPELESS_LAW(grad, 4, 4, -1, 1, tl::grad(tl::sum(tl::tanh(z) * tl::square(z)), z))
TAPELESS_LAW(vjp, 4, 4, -1, 1, tl::vjp(tl::softmax(z), z, tl::exp(z)))
TAPELESS_LAW(jvp, 4, 4, -1, 1, tl::jvp(tl::log_softmax(z), z, tl::sin(z)))
TAPELESS_LAW(jvp_of_max, 8, 2, -1, 1, tl::jvp(tl::max<-1>(tl::exp(part<0, 2, 4>(z))), z, tl::square(z)))
