// SPDX-License-Identifier: BSL-1.0
// mean_absolute_error<"output", "target">: how far a prediction is off.
#pragma once

#include <tapeless/train/loop/metrics/compared_rows.hpp>

namespace tapeless {

namespace detail {

struct absolute_error {
  static double of(double output, double target) { return std::abs(output - target); }
};

}  // namespace detail

/// The mean over all elements of |y - t|, of the output Output against the input Target, in the unit of the
/// target. The standard error takes samples (indices of the first axis) as independent, not their elements. A
/// NaN makes it NaN; 0 of no samples.
/// @formula mean over elements of |y - t|
/// @shapes Output [..], Target of the same shape but for extents of 1, numbers of any type
template <name Output, name Target, name Label = "mean_absolute_error">
class mean_absolute_error : public detail::mean_error<detail::absolute_error, Output, Target, Label> {};

}  // namespace tapeless
