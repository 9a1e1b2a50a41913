// SPDX-License-Identifier: BSL-1.0
// mean_squared_error<"output", "target">: how far a prediction is off, squared.
#pragma once

#include <tapeless/train/loop/metrics/compared_rows.hpp>

namespace tapeless {

namespace detail {

struct squared_error {
  static double of(double output, double target) { return (output - target) * (output - target); }
};

}  // namespace detail

/// The mean over all elements of (y - t)^2, of the output Output against the input Target, in the square of
/// the unit of the target. The standard error takes samples (indices of the first axis) as independent, not
/// their elements. A NaN makes it NaN; 0 of no samples.
/// @formula mean over elements of (y - t)^2
/// @shapes Output [..], Target of the same shape but for extents of 1, numbers of any type
template <name Output, name Target, name Label = "mean_squared_error">
class mean_squared_error : public detail::mean_error<detail::squared_error, Output, Target, Label> {};

}  // namespace tapeless
