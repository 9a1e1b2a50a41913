// SPDX-License-Identifier: BSL-1.0
// The operators, for values: every derivative is written with them.
#pragma once

#include <tapeless/ops/pointwise/add.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/div.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/greater.hpp>
#include <tapeless/ops/pointwise/greater_equal.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/less_equal.hpp>
#include <tapeless/ops/pointwise/logical_and.hpp>
#include <tapeless/ops/pointwise/logical_not.hpp>
#include <tapeless/ops/pointwise/logical_or.hpp>
#include <tapeless/ops/pointwise/mul.hpp>
#include <tapeless/ops/pointwise/neg.hpp>
#include <tapeless/ops/pointwise/not_equal.hpp>
#include <tapeless/ops/pointwise/sub.hpp>
