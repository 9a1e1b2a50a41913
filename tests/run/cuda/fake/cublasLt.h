// SPDX-License-Identifier: BSL-1.0
// The part of cuBLASLt that tapeless uses. What the library would refuse is refused.
#pragma once

#include <algorithm>

#include "cuda_runtime.h"
#include "products.hpp"

namespace fake_cuda {

/// A function of cuBLASLt.
template <class Body>
cublasStatus_t call_cublas(const char* function, Body body) {
  machine& m = machine::now();
  const auto here = m.lock();
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
  std::uint32_t alignment_of_bias, alignment_of_aux;
  cublasLtEpilogue_t epilogue;
  std::uint64_t workspace;
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  cublasStatus_t state;
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
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return fake_cuda::assign(d->aux, from, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return fake_cuda::assign(d->aux_leading, from, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
      return fake_cuda::assign(d->aux_stride, from, bytes);
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
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_MODE) return fake_cuda::assign(m->mode, from, bytes);
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
  if (attribute == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK)
    return fake_cuda::assign(p->sums_in_parts, from, bytes);
  return fake_cuda::assign(p->alignment[attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], from, bytes);
}

/// The algorithm relies on what the preference says, and takes all the memory that it allows. There is none
/// where a test lets "algorithms" fail, or refuses what the product does beside.
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t d,
                                                     cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                     cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t,
                                                     cublasLtMatmulPreference_t p, int,
                                                     cublasLtMatmulHeuristicResult_t* results, int* found) {
  return fake_cuda::call_cublas("cublasLtMatmulAlgoGetHeuristic", [&](fake_cuda::machine& m) {
    *found = 0;
    if (!fake_cuda::is_possible(*d, *a, *b, *c) || !fake_cuda::is_aux_possible(*d, *c))
      return CUBLAS_STATUS_INVALID_VALUE;
    if (!fake_cuda::has_algorithm(*d, *c, d->a == CUBLAS_OP_T ? a->rows : a->columns))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    std::copy(std::begin(p->alignment), std::end(p->alignment), results[0].algo.alignment);
    results[0].algo.alignment_of_bias = fake_cuda::alignment_of(d->bias);
    results[0].algo.alignment_of_aux = fake_cuda::alignment_of(d->aux);
    results[0].algo.epilogue = d->epilogue;
    results[0].algo.workspace = p->workspace;
    results[0].state = CUBLAS_STATUS_SUCCESS;
    m.last_sums_in_parts = p->sums_in_parts;
    const bool is_refused = (d->epilogue & m.settings().refused_epilogues) != 0 ||
                            (c->by_address() && m.settings().refuses_addresses);
    *found = m.begin("algorithms") == 0 && !is_refused ? 1 : 0;
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
    if (!fake_cuda::is_possible(*d, *of_a, *of_b, *of_to) || !fake_cuda::is_aux_possible(*d, *of_to) ||
        of_c != of_to || c != to || workspace_bytes < algorithm->workspace ||
        algorithm->epilogue != d->epilogue)
      return CUBLAS_STATUS_INVALID_VALUE;
    if (of_to->touches(to, *of_a, a) || of_to->touches(to, *of_b, b))
      fake_cuda::stop("a matrix product is written over its own operands");
    const void* const operands[] = {a, b, c, to};
    for (int k = 0; k < 4; ++k) {
      if (!of_to->by_address() &&
          reinterpret_cast<std::uintptr_t>(operands[k]) % algorithm->alignment[k] != 0)
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
    if (const std::int64_t count = fake_cuda::elements_beside(*d, *of_to); count > 0) {
      if (d->bias == nullptr || fake_cuda::alignment_of(d->bias) < algorithm->alignment_of_bias)
        return CUBLAS_STATUS_INVALID_VALUE;
      const auto bytes = static_cast<std::size_t>(count * fake_cuda::size_of(of_to->type));
      const auto* block = fake_cuda::block_of(m, d->bias, bytes, "what a product does beside");
      if (block == nullptr || block->device != handle->device)
        fake_cuda::stop("a matrix product is given a bias of somebody else");
      const fake_cuda::matrix bias{of_to->type, count, 1, count};
      if (bias.touches(d->bias, *of_to, to)) fake_cuda::stop("a matrix product is written over its bias");
    }
    const fake_cuda::matrix aux{of_to->type,    of_to->rows,    of_to->columns,
                                d->aux_leading, of_to->members, d->aux_stride};
    if (fake_cuda::has_aux(*d)) {
      if (fake_cuda::alignment_of(d->aux) < algorithm->alignment_of_aux) return CUBLAS_STATUS_INVALID_VALUE;
      const auto* block =
          fake_cuda::block_of(m, d->aux, static_cast<std::size_t>(aux.bytes()), "what a GELU is taken of");
      if (block == nullptr || block->device != handle->device)
        fake_cuda::stop("a matrix product is given somebody else's argument of a GELU");
      if (aux.touches(d->aux, *of_to, to) || aux.touches(d->aux, *of_a, a) || aux.touches(d->aux, *of_b, b))
        fake_cuda::stop("a matrix product's argument of a GELU is among its operands");
    }
    const auto run = [&]<class T, class Sum>(T, Sum) {
      const fake_cuda::multiplication<T, Sum> work{left,
                                                   right,
                                                   result,
                                                   *static_cast<const Sum*>(alpha),
                                                   *static_cast<const Sum*>(beta),
                                                   static_cast<T*>(d->bias),
                                                   {aux, false, static_cast<std::byte*>(d->aux)},
                                                   d->epilogue,
                                                   d->compute == CUBLAS_COMPUTE_32F_FAST_TF32};
      if (!of_to->by_address())
        return fake_cuda::enqueue(m, "a matrix product", on, [work] {
          work.run();
          return 0;
        });
      return fake_cuda::enqueue(m, "matrix products by address", on, [work, of = *algorithm] {
        return work.run_by_address({of.alignment[0], of.alignment[1], of.alignment[2]}) ? 0 : 1;
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
