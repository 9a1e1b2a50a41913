// SPDX-License-Identifier: BSL-1.0
// A loop of a plan as one function, in place of its commands' kernels.
#pragma once

#include <cstddef>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/commands.hpp>

namespace tapeless {

/// Runs so many iterations. It is told where each of its placements begins.
struct loop_function {
  void (*run)(std::byte* const* begin, std::ptrdiff_t iterations) = nullptr;
  array_view<const placement> places = {};
};

}  // namespace tapeless
