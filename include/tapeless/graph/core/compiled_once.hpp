// SPDX-License-Identifier: BSL-1.0
// Functions that know of no model, and need not be compiled in each program.
#pragma once

namespace tapeless {

/// The argument of templates that take it by default and are templates for its sake alone: so `extern
/// template` can name them. Who links tapeless::compiled finds them in a library, see compiled.hpp. And who
/// does not call them compiles neither them nor the templates in them: those of an inline function are
/// instantiated in every program.
struct compiled_once;

}  // namespace tapeless
