// SPDX-License-Identifier: BSL-1.0
// The laws for draws of random numbers, by what they are drawn with: a function draws the same ones each
// time.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(normal, 9, 6, 0.2, 1,
             tl::reshape<6>(tl::normal<"n">(part<0, 2, 3>(z), tl::square(part<6, 3>(z)))))
TAPELESS_LAW(normal_of_one_number, 3, 3, 0.2, 1, tl::sin(tl::normal<"a">(z, 2_c) * tl::normal<"b">(1_c, z)))
TAPELESS_LAW(uniform, 6, 3, -1, 1, tl::square(tl::uniform<"u">(part<0, 3>(z), part<3, 3>(z))))
TAPELESS_LAW(normal_like, 3, 3, -1, 1, z* tl::normal_like<"n">(z) + tl::uniform_like<"u">(z) * tl::square(z))
TAPELESS_LAW(bernoulli, 3, 3, 0.2, 0.8, z* tl::bernoulli<"b">(z) + tl::square(z))
