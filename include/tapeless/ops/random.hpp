// SPDX-License-Identifier: BSL-1.0
// All operations that draw random numbers.
#pragma once

#include <tapeless/ops/random/bernoulli.hpp>
#include <tapeless/ops/random/named_draw.hpp>
#include <tapeless/ops/random/normal.hpp>
#include <tapeless/ops/random/normal_operation.hpp>
#include <tapeless/ops/random/uniform.hpp>
