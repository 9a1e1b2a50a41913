// SPDX-License-Identifier: BSL-1.0
// tl::bare: the policy of bare machines.
#pragma once

namespace tapeless {

/// Runs a model as straight-line code with nothing under it: no heap, threads, exceptions or libraries. All
/// extents must be known while compiling.
struct bare {};

}  // namespace tapeless
