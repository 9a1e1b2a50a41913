// SPDX-License-Identifier: BSL-1.0
// Eigen's packets, as vectors of numbers; and its matrices, where they are not to be had without.
#pragma once

#include <tapeless/graph/core/intrinsics.hpp>

// Eigen/Core is 120 headers, which take a tenth of the time that the library's own take to read. Packets are
// in the first 25. Eigen 3.4 lets them be read alone, in the order of Eigen/Core; if that is included
// afterwards, it reads the others. Eigen 5 does not.
#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(EIGEN_USE_SYCL) && \
    !__has_include(<Eigen/src/Core/InternalHeaderCheck.h>)
#include <tapeless/run/cpu/vectors/eigen_packets.hpp>
#else
#include <Eigen/Core>
#endif
