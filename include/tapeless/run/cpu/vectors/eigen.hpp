// SPDX-License-Identifier: BSL-1.0
// Eigen's packets, as vectors of numbers; and its matrices, where they are not to be had without.
#pragma once

// The compiler asks where the intrinsics stand whether it may warn of them: g++ 12 does so of its own for
// AVX-512. So whoever includes them first decides.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

// Eigen/Core is 120 headers, which take a tenth of the time that the library's own take to read. Packets are
// in the first 25. Eigen 3.4 lets them be read alone, in the order of Eigen/Core; if that is included
// afterwards, it reads the others. Eigen 5 does not.
#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(EIGEN_USE_SYCL) && \
    !__has_include(<Eigen/src/Core/InternalHeaderCheck.h>)
#include <tapeless/run/cpu/vectors/eigen_packets.hpp>
#else
#include <Eigen/Core>
#endif
