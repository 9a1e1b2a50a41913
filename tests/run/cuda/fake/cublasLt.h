// SPDX-License-Identifier: BSL-1.0
// The part of cuBLASLt that tapeless uses: products by columns, one element after the other. What the library
// would refuse is refused.
#pragma once

#include <bit>
#include <cmath>
#include <tapeless/run/element_types.hpp>

#include "cuda_runtime.h"

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_NOT_SUPPORTED = 15
};
enum cublasComputeType_t {
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_16BF = 14 };
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum cublasLtMatmulDescAttributes_t {
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
};
enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6
};
enum cublasLtMatrixLayoutAttribute_t {
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
};
enum cublasLtMatmulPreferenceAttributes_t {
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8
};

namespace fake_cuda {

struct cublas {
  int device;
};
struct product_description {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
};
struct matrix {
  cudaDataType_t type;
  std::int64_t rows, columns, leading;
  std::int32_t members = 1;
  std::int64_t stride = 0;

  std::int64_t bytes() const;
  /// Whether this one, which starts there, and another one have memory in common.
  bool touches(const void* begin, const matrix& other, const void* begin_of_other) const {
    const auto *x = static_cast<const std::byte*>(begin), *y = static_cast<const std::byte*>(begin_of_other);
    return x < y + other.bytes() && y < x + bytes();
  }
};
struct preference {
  std::uint64_t workspace = 0;
  std::uint32_t alignment[4] = {256, 256, 256, 256};
};

inline std::int64_t size_of(cudaDataType_t type) {
  return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

inline std::int64_t matrix::bytes() const {
  return ((members - 1) * stride + (columns - 1) * leading + rows) * size_of(type);
}

/// A matrix, or its transpose, in memory.
struct elements {
  matrix layout;
  bool transposed;
  std::byte* data;

  std::int64_t rows() const { return transposed ? layout.columns : layout.rows; }
  std::int64_t columns() const { return transposed ? layout.rows : layout.columns; }
  template <class T>
  T& at(std::int64_t member, std::int64_t row, std::int64_t column) const {
    if (transposed) std::swap(row, column);
    return reinterpret_cast<T*>(data)[member * layout.stride + column * layout.leading + row];
  }
};

// To 10 bits of mantissa.
inline float as_tf32(float x) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x1000u) & ~0x1fffu);
}

/// The sums of a product, and what becomes of them.
template <class T, class Sum>
struct multiplication {
  elements a, b, c;
  Sum alpha, beta;
  const T* bias;  // one for each row, or null
  bool relu, tf32;

  void run() const {
    for (std::int64_t member = 0; member < c.layout.members; ++member)
      for (std::int64_t column = 0; column < c.columns(); ++column)
        for (std::int64_t row = 0; row < c.rows(); ++row) {
          T& to = c.at<T>(member, row, column);
          Sum x = alpha * sum(member, row, column);
          if (beta != 0) x += beta * static_cast<Sum>(to);
          if (bias != nullptr) x += static_cast<Sum>(bias[row]);
          to = static_cast<T>(relu && x < 0 ? Sum(0) : x);
        }
  }
  Sum sum(std::int64_t member, std::int64_t row, std::int64_t column) const {
    Sum result = 0;
    for (std::int64_t k = 0; k < a.columns(); ++k) {
      auto x = static_cast<Sum>(a.at<T>(member, row, k)), y = static_cast<Sum>(b.at<T>(member, k, column));
      if constexpr (std::is_same_v<Sum, float>)
        if (tf32) x = as_tf32(x), y = as_tf32(y);
      result += x * y;
    }
    return result;
  }
};

/// Whether a product's parts fit together as the library demands.
inline bool is_possible(const product_description& p, const matrix& a, const matrix& b, const matrix& c) {
  const elements left{a, p.a == CUBLAS_OP_T, nullptr}, right{b, p.b == CUBLAS_OP_T, nullptr};
  for (const matrix& m : {a, b, c})
    if (m.rows <= 0 || m.columns <= 0 || m.leading < m.rows || m.type != c.type || m.members != c.members)
      return false;
  const bool doubles = c.type == CUDA_R_64F;
  return left.rows() == c.rows && right.columns() == c.columns && left.columns() == right.rows() &&
         (p.compute == CUBLAS_COMPUTE_64F) == doubles && (p.scale == CUDA_R_64F) == doubles &&
         (p.compute != CUBLAS_COMPUTE_32F_FAST_TF32 || c.type == CUDA_R_32F);
}

/// A function of cuBLASLt.
template <class Body>
cublasStatus_t call_cublas(const char* function, Body body) {
  machine& m = machine::now();
  const int status = m.begin(function);
  const cublasStatus_t result = status != 0 ? static_cast<cublasStatus_t>(status) : body(m);
  m.go_on();
  return result;
}

template <class T>
cublasStatus_t make(const char* what, T** handle, T value) {
  machine::now().count_handle(what, 1);
  *handle = new T(value);
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t destroy(const char* what, T* handle) {
  machine::now().count_handle(what, -1);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t assign(T& to, const void* from, std::size_t bytes) {
  if (bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, from, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace fake_cuda

using cublasLtHandle_t = fake_cuda::cublas*;
using cublasLtMatmulDesc_t = fake_cuda::product_description*;
using cublasLtMatrixLayout_t = fake_cuda::matrix*;
using cublasLtMatmulPreference_t = fake_cuda::preference*;
struct cublasLtMatmulAlgo_t {
  std::uint32_t alignment[4];  // of a, b, c, d
  std::uint64_t workspace;
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
};

inline const char* cublasLtGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_EXECUTION_FAILED ? "CUBLAS_STATUS_EXECUTION_FAILED"
         : status == CUBLAS_STATUS_INVALID_VALUE  ? "CUBLAS_STATUS_INVALID_VALUE"
                                                  : "CUBLAS_STATUS_OF_SOME_OTHER_NAME";
}
inline const char* cublasLtGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_EXECUTION_FAILED ? "the GPU program failed to execute" : "some other error";
}

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return fake_cuda::call_cublas("cublasLtCreate", [&](fake_cuda::machine& m) {
    return fake_cuda::make("cuBLASLt", handle, {m.device});
  });
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return fake_cuda::destroy("cuBLASLt", handle);
}

inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t compute,
                                               cudaDataType_t scale) {
  return fake_cuda::make("products", d, {compute, scale});
}
inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) {
  return fake_cuda::destroy("products", d);
}
inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d,
                                                     cublasLtMatmulDescAttributes_t attribute,
                                                     const void* from, std::size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return fake_cuda::assign(d->a, from, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return fake_cuda::assign(d->b, from, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return fake_cuda::assign(d->epilogue, from, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return fake_cuda::assign(d->bias, from, bytes);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* m, cudaDataType_t type,
                                                 std::uint64_t rows, std::uint64_t columns,
                                                 std::int64_t leading) {
  return fake_cuda::make(
      "matrices", m, {type, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), leading});
}
inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t m) {
  return fake_cuda::destroy("matrices", m);
}
inline cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t m,
                                                       cublasLtMatrixLayoutAttribute_t attribute,
                                                       const void* from, std::size_t bytes) {
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return fake_cuda::assign(m->members, from, bytes);
  return fake_cuda::assign(m->stride, from, bytes);
}

inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* p) {
  return fake_cuda::make("preferences", p, {});
}
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) {
  return fake_cuda::destroy("preferences", p);
}
inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p,
                                                           cublasLtMatmulPreferenceAttributes_t attribute,
                                                           const void* from, std::size_t bytes) {
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
    return fake_cuda::assign(p->workspace, from, bytes);
  return fake_cuda::assign(p->alignment[attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], from, bytes);
}

/// The algorithm relies on what the preference says, and takes all the memory that it allows. There is none
/// where a test lets "algorithms" fail.
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t d,
                                                     cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                     cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t,
                                                     cublasLtMatmulPreference_t p, int,
                                                     cublasLtMatmulHeuristicResult_t* results, int* found) {
  return fake_cuda::call_cublas("cublasLtMatmulAlgoGetHeuristic", [&](fake_cuda::machine& m) {
    if (!fake_cuda::is_possible(*d, *a, *b, *c)) return CUBLAS_STATUS_INVALID_VALUE;
    std::copy(std::begin(p->alignment), std::end(p->alignment), results[0].algo.alignment);
    results[0].algo.workspace = p->workspace;
    *found = m.begin("algorithms") == 0 ? 1 : 0;
    return CUBLAS_STATUS_SUCCESS;
  });
}

inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t d, const void* alpha,
                                     const void* a, cublasLtMatrixLayout_t of_a, const void* b,
                                     cublasLtMatrixLayout_t of_b, const void* beta, const void* c,
                                     cublasLtMatrixLayout_t of_c, void* to, cublasLtMatrixLayout_t of_to,
                                     const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                                     std::size_t workspace_bytes, cudaStream_t on) {
  return fake_cuda::call_cublas("cublasLtMatmul", [&](fake_cuda::machine& m) {
    if (!fake_cuda::is_possible(*d, *of_a, *of_b, *of_to) || of_c != of_to || c != to ||
        workspace_bytes < algorithm->workspace)
      return CUBLAS_STATUS_INVALID_VALUE;
    if (of_to->touches(to, *of_a, a) || of_to->touches(to, *of_b, b))
      fake_cuda::stop("a matrix product is written over its own operands");
    const void* const operands[] = {a, b, c, to};
    for (int k = 0; k < 4; ++k) {
      if (reinterpret_cast<std::uintptr_t>(operands[k]) % algorithm->alignment[k] != 0)
        return CUBLAS_STATUS_INVALID_VALUE;
      if (const auto* block = fake_cuda::block_of(m, operands[k], 1, "a matrix product");
          block == nullptr || block->device != handle->device)
        fake_cuda::stop("a matrix product is given memory of somebody else");
    }
    const auto* space = fake_cuda::block_of(m, workspace, workspace_bytes, "a matrix product");
    if (space == nullptr || space->device != handle->device || m.device != handle->device)
      fake_cuda::stop("a matrix product runs on another device than its handle or workspace");
    const fake_cuda::elements left{*of_a, d->a == CUBLAS_OP_T, static_cast<std::byte*>(const_cast<void*>(a))};
    const fake_cuda::elements right{*of_b, d->b == CUBLAS_OP_T,
                                    static_cast<std::byte*>(const_cast<void*>(b))};
    const fake_cuda::elements result{*of_to, false, static_cast<std::byte*>(to)};
    const bool has_bias = (d->epilogue & CUBLASLT_EPILOGUE_BIAS) != 0;
    if (has_bias) {
      const auto* bias = fake_cuda::block_of(m, d->bias, static_cast<std::size_t>(of_to->rows), "a bias");
      if (bias == nullptr || bias->device != handle->device)
        fake_cuda::stop("a matrix product is given a bias of somebody else");
    }
    const auto run = [&]<class T, class Sum>(T, Sum) {
      const fake_cuda::multiplication<T, Sum> work{left,
                                                   right,
                                                   result,
                                                   *static_cast<const Sum*>(alpha),
                                                   *static_cast<const Sum*>(beta),
                                                   has_bias ? static_cast<const T*>(d->bias) : nullptr,
                                                   (d->epilogue & CUBLASLT_EPILOGUE_RELU) != 0,
                                                   d->compute == CUBLAS_COMPUTE_32F_FAST_TF32};
      return fake_cuda::enqueue(m, "a matrix product", on, [work] {
        work.run();
        return 0;
      });
    };
    cudaError_t status = cudaErrorInvalidValue;
    if (of_to->type == CUDA_R_32F) status = run(float(), float());
    if (of_to->type == CUDA_R_64F) status = run(double(), double());
    if (of_to->type == CUDA_R_16F) status = run(tapeless::f16(), float());
    if (of_to->type == CUDA_R_16BF) status = run(tapeless::bf16(), float());
    return status == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
  });
}
