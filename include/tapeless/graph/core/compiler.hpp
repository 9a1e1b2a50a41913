// SPDX-License-Identifier: BSL-1.0
// What compilers spell differently, and some refuse. A test keeps it here.
//
// Attributes such as [[gnu::cold]] stand anywhere: a compiler that does not know them passes over them.
#pragma once

/// The text of the function that it stands in, with the types of its template arguments.
#if defined(_MSC_VER) && !defined(__clang__)
#define TAPELESS_FUNCTION_TEXT __FUNCSIG__
#else
#define TAPELESS_FUNCTION_TEXT __PRETTY_FUNCTION__
#endif
