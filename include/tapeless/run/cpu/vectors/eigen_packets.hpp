// SPDX-License-Identifier: BSL-1.0
// The part of Eigen/Core 3.4 that has the packets of x86, in its order. What is included twice is read once.
#pragma once

#ifndef EIGEN_CORE_H

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iosfwd>
#include <limits>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>

#include <tapeless/graph/core/cmath.hpp>

// clang-format off
#include <Eigen/src/Core/util/DisableStupidWarnings.h>
#include <Eigen/src/Core/util/Macros.h>
#include <Eigen/src/Core/util/ConfigureVectorization.h>
#include <Eigen/src/Core/util/MKL_support.h>

namespace Eigen {
using std::ptrdiff_t;
using std::size_t;
}  // namespace Eigen

#include <Eigen/src/Core/util/Constants.h>
#include <Eigen/src/Core/util/Meta.h>
#include <Eigen/src/Core/util/ForwardDeclarations.h>
#include <Eigen/src/Core/util/StaticAssert.h>
#include <Eigen/src/Core/util/XprHelper.h>
#include <Eigen/src/Core/util/Memory.h>
#include <Eigen/src/Core/util/IntegralConstant.h>
#include <Eigen/src/Core/util/SymbolicIndex.h>
#include <Eigen/src/Core/NumTraits.h>
#include <Eigen/src/Core/MathFunctions.h>
#include <Eigen/src/Core/GenericPacketMath.h>
#include <Eigen/src/Core/MathFunctionsImpl.h>
#include <Eigen/src/Core/arch/Default/ConjHelper.h>
#include <Eigen/src/Core/arch/Default/Half.h>
#include <Eigen/src/Core/arch/Default/BFloat16.h>
#include <Eigen/src/Core/arch/Default/TypeCasting.h>
#include <Eigen/src/Core/arch/Default/GenericPacketMathFunctionsFwd.h>

#ifdef EIGEN_VECTORIZE_SSE
#include <Eigen/src/Core/arch/SSE/PacketMath.h>
#include <Eigen/src/Core/arch/SSE/TypeCasting.h>
#ifdef EIGEN_VECTORIZE_AVX
#include <Eigen/src/Core/arch/SSE/Complex.h>
#include <Eigen/src/Core/arch/AVX/PacketMath.h>
#include <Eigen/src/Core/arch/AVX/TypeCasting.h>
#include <Eigen/src/Core/arch/AVX/Complex.h>
#endif
#ifdef EIGEN_VECTORIZE_AVX512
#include <Eigen/src/Core/arch/AVX512/PacketMath.h>
#include <Eigen/src/Core/arch/AVX512/TypeCasting.h>
#include <Eigen/src/Core/arch/AVX512/Complex.h>
#endif
#include <Eigen/src/Core/arch/SSE/MathFunctions.h>
#ifdef EIGEN_VECTORIZE_AVX
#include <Eigen/src/Core/arch/AVX/MathFunctions.h>
#endif
#ifdef EIGEN_VECTORIZE_AVX512
#include <Eigen/src/Core/arch/AVX512/MathFunctions.h>
#endif
#include <Eigen/src/Core/arch/SSE/Complex.h>
#endif

#include <Eigen/src/Core/arch/Default/Settings.h>
#include <Eigen/src/Core/arch/Default/GenericPacketMathFunctions.h>
#include <Eigen/src/Core/util/ReenableStupidWarnings.h>

// clang-format on

#endif
