// SPDX-License-Identifier: BSL-1.0
// All operations that draw random numbers.
#pragma once

#include <tapeless/ops/random/bernoulli.hpp>
#include <tapeless/ops/random/categorical.hpp>
#include <tapeless/ops/random/gumbel_noise.hpp>
#include <tapeless/ops/random/named_draw.hpp>
#include <tapeless/ops/random/normal.hpp>
#include <tapeless/ops/random/normal_operation.hpp>
#include <tapeless/ops/random/randint.hpp>
#include <tapeless/ops/random/random_bits.hpp>
#include <tapeless/ops/random/random_key.hpp>
#include <tapeless/ops/random/random_like.hpp>
#include <tapeless/ops/random/uniform.hpp>
