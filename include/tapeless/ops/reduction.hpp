// SPDX-License-Identifier: BSL-1.0
// All reductions and scans along axes.
#pragma once

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/ops/reduction/all.hpp>
#include <tapeless/ops/reduction/any.hpp>
#include <tapeless/ops/reduction/argmax.hpp>
#include <tapeless/ops/reduction/argmin.hpp>
#include <tapeless/ops/reduction/cumprod.hpp>
#include <tapeless/ops/reduction/cumulative_largest.hpp>
#include <tapeless/ops/reduction/diff.hpp>
#include <tapeless/ops/reduction/logcumsumexp.hpp>
#include <tapeless/ops/reduction/logsumexp.hpp>
#include <tapeless/ops/reduction/mean.hpp>
#include <tapeless/ops/reduction/nanmean.hpp>
#include <tapeless/ops/reduction/nansum.hpp>
#include <tapeless/ops/reduction/norm.hpp>
#include <tapeless/ops/reduction/reduction_operation.hpp>
#include <tapeless/ops/reduction/reduction_options.hpp>
#include <tapeless/ops/reduction/size.hpp>
#include <tapeless/ops/reduction/std.hpp>
#include <tapeless/ops/reduction/trapezoid.hpp>
#include <tapeless/ops/reduction/var.hpp>
