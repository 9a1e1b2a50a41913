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

/// Stands before what every run calls and what calls [[gnu::cold]] functions, such as a trainer's
/// constructor. What surely calls a cold function is cold too, for GCC, as is what calls that, and so a
/// user's whole function, with its loops. It stops at noipa, which says that a caller knows nothing of what
/// it calls.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define TAPELESS_WARM [[gnu::noipa]]
#else
#define TAPELESS_WARM [[gnu::noinline]]
#endif

/// Stands behind a lambda's parameters, which is compiled into whatever calls it. There
/// [[gnu::always_inline]] would be an attribute of its type.
#if defined(__GNUC__)
#define TAPELESS_INLINED __attribute__((always_inline))
#else
#define TAPELESS_INLINED
#endif

/// Stands before a loop of few constant iterations, which becomes that many copies of what it repeats.
#if defined(__clang__)
#define TAPELESS_UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define TAPELESS_UNROLLED _Pragma("GCC unroll 64")
#else
#define TAPELESS_UNROLLED
#endif
