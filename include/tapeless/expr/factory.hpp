// SPDX-License-Identifier: BSL-1.0
// TAPELESS_FACTORY: how the functions that take or return expressions are declared.
//
// Compilers spell out an expression's type, which is the whole model, in the name of every function that has
// it among its arguments. Here
//   gnu_inline leaves the function without a symbol
//   always_inline leaves no call that would need one
//   extern makes clang accept gnu_inline in C++ without a warning
//
// A macro, since C++ has no other way to name attributes and specifiers. With underscores, since
// always_inline itself is a macro in some tests.
#pragma once

#define TAPELESS_FACTORY [[gnu::__always_inline__, gnu::__gnu_inline__]] extern inline constexpr
