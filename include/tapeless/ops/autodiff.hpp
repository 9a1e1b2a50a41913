// SPDX-License-Identifier: BSL-1.0
// All operations that differentiate.
#pragma once

#include <tapeless/ops/autodiff/checkpoint.hpp>
#include <tapeless/ops/autodiff/custom_op.hpp>
#include <tapeless/ops/autodiff/grad.hpp>
#include <tapeless/ops/autodiff/jacobian.hpp>
