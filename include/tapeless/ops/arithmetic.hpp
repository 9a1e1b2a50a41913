// SPDX-License-Identifier: BSL-1.0
// The operators, for rules: every derivative is written with them.
#pragma once

#include <tapeless/ops/primitive/add.hpp>
#include <tapeless/ops/primitive/cast.hpp>
#include <tapeless/ops/primitive/div.hpp>
#include <tapeless/ops/primitive/equal.hpp>
#include <tapeless/ops/primitive/greater.hpp>
#include <tapeless/ops/primitive/greater_equal.hpp>
#include <tapeless/ops/primitive/less.hpp>
#include <tapeless/ops/primitive/less_equal.hpp>
#include <tapeless/ops/primitive/logical_and.hpp>
#include <tapeless/ops/primitive/logical_not.hpp>
#include <tapeless/ops/primitive/logical_or.hpp>
#include <tapeless/ops/primitive/mul.hpp>
#include <tapeless/ops/primitive/neg.hpp>
#include <tapeless/ops/primitive/not_equal.hpp>
#include <tapeless/ops/primitive/sub.hpp>
