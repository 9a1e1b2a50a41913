// SPDX-License-Identifier: BSL-1.0
// What the generated models include: precompiled.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/lower.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/operations.hpp>
#include "compare.hpp"

namespace tl = tapeless;
