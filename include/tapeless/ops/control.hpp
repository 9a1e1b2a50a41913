// SPDX-License-Identifier: BSL-1.0
// All loops.
#pragma once

#include <tapeless/ops/control/repeat.hpp>
#include <tapeless/ops/control/scan.hpp>
#include <tapeless/ops/control/scan_statement.hpp>
#include <tapeless/ops/control/unrolled_loop.hpp>
