// SPDX-License-Identifier: BSL-1.0
// What compilers spell differently, and some refuse. A test keeps it here.
//
// Attributes such as [[gnu::noinline]] stand anywhere: a compiler that does not know them passes over them.
#pragma once

#ifdef I
#error \
    "tapeless: there is a macro I, as <complex.h> has one: include tapeless before that header, or #undef I"
#undef I  // that is all that is said
#endif

/// The text of the function that it stands in, with the types of its template arguments.
#if defined(_MSC_VER) && !defined(__clang__)
#define TAPELESS_FUNCTION_TEXT __FUNCSIG__
#else
#define TAPELESS_FUNCTION_TEXT __PRETTY_FUNCTION__
#endif

/// Stands before what runs seldom: what reads files, plans, reports or refuses. Most of what GCC compiles of
/// a program is of that kind, so there it leaves out the passes that take it longest and make loops faster.
/// They change no result; the level of optimization stays the program's, by which it decides what to inline.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__)
#define TAPELESS_SELDOM                                                                 \
  [[gnu::optimize(                                                                      \
      "no-tree-pre,no-gcse,no-tree-vrp,no-thread-jumps,no-tree-pta,"                    \
      "no-tree-dominator-opts,no-tree-loop-optimize,no-tree-slp-vectorize,no-tree-dse," \
      "no-tree-sink,no-tree-copy-prop,no-forward-propagate,no-dse,"                     \
      "no-rerun-cse-after-loop,no-cse-follow-jumps,no-schedule-insns2")]]
#else
#define TAPELESS_SELDOM
#endif

/// Stands before what hardly ever runs, and never in a loop of the user's.
#define TAPELESS_COLD [[gnu::cold]] TAPELESS_SELDOM

/// Stands before what users call and what calls TAPELESS_COLD functions, such as a trainer's constructor.
/// What surely calls a cold function is cold too, for GCC, as is what calls that, and so a user's whole
/// function, with its loops. It stops at noipa, which says that a caller knows nothing of what it calls.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define TAPELESS_WARM [[gnu::noipa]] TAPELESS_SELDOM
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

/// Stands behind a parameter that what is returned points into: clang warns where that outlives a temporary.
#if defined(__clang__)
#define TAPELESS_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define TAPELESS_LIFETIME_BOUND
#endif

/// Stands before a loop of few constant iterations, which becomes that many copies of what it repeats.
#if defined(__clang__)
#define TAPELESS_UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define TAPELESS_UNROLLED _Pragma("GCC unroll 64")
#else
#define TAPELESS_UNROLLED
#endif
