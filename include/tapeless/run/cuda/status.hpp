// SPDX-License-Identifier: BSL-1.0
// Every call into CUDA's libraries is checked here: what fails throws an error that names the call.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <tapeless/error.hpp>

namespace tapeless::cuda_kernels {

/// What was going on, for errors: a kernel's operations and the model's name. Empty where a call belongs to
/// none.
struct activity {
  std::string_view operations, model;
};

/// ", for the operations add, relu of the model NAME"; nothing where nothing is known.
inline std::string text_of(const activity& a) {
  std::string text;
  if (!a.operations.empty()) append(text, {", for the operations ", a.operations});
  if (!a.model.empty()) append(text, {a.operations.empty() ? ", for the model " : " of the model ", a.model});
  return text;
}

inline void check(cudaError_t status, const char* call, const activity& during = {}) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // the next call is not to be blamed for it
  throw_error({"cuda: ", call, " failed: ", cudaGetErrorString(status), " (", cudaGetErrorName(status), ")",
               text_of(during)});
}

inline void check(cublasStatus_t status, const char* call, const activity& during = {}) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw_error({"cuda: ", call, " failed: ", cublasLtGetStatusString(status), " (",
               cublasLtGetStatusName(status), ")", text_of(during)});
}

}  // namespace tapeless::cuda_kernels
