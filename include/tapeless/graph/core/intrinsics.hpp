// SPDX-License-Identifier: BSL-1.0
// The processor's intrinsics, before any header of Eigen's reads them. The compiler asks where they stand
// whether it may warn of them: g++ 12 does so of its own for AVX-512. So whoever includes them first decides.
#pragma once

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif
