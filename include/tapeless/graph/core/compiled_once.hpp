// SPDX-License-Identifier: BSL-1.0
// Functions that know of no model, and need not be compiled in each program.
#pragma once

namespace tapeless {

/// The argument of templates that take it by default and are templates for its sake alone: so `extern
/// template` can name them. Who links tapeless::compiled finds them in a library, see compiled.hpp.
struct compiled_once;

}  // namespace tapeless
