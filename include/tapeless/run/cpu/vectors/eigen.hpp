// SPDX-License-Identifier: BSL-1.0
// Eigen's matrices, without the warnings that g++ 12 has about its own intrinsics for AVX-512.
#pragma once

// The compiler asks where the intrinsics stand whether it may warn, so whoever includes them first decides.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#include <Eigen/Core>
