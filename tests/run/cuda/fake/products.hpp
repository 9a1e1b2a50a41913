// SPDX-License-Identifier: BSL-1.0
// Matrix products by columns, one element after the other, as cuBLASLt describes them.
#pragma once

#include <array>
#include <bit>
#include <tapeless/run/common/element_types.hpp>

#include "calls.hpp"

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
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13
};
enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
};
enum cublasLtMatrixLayoutAttribute_t {
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  CUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8
};
enum cublasLtBatchMode_t { CUBLASLT_BATCH_MODE_STRIDED = 0, CUBLASLT_BATCH_MODE_POINTER_ARRAY = 1 };
enum cublasLtMatmulPreferenceAttributes_t {
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8
};
enum cublasLtReductionScheme_t {
  CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
  CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
  CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
  CUBLASLT_REDUCTION_SCHEME_MASK = 7
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
  void* bias = nullptr;
  void* aux = nullptr;
  std::int64_t aux_leading = 0, aux_stride = 0;
};
struct matrix {
  cudaDataType_t type;
  std::int64_t rows, columns, leading;
  std::int32_t members = 1;
  std::int64_t stride = 0;
  std::uint32_t mode = CUBLASLT_BATCH_MODE_STRIDED;

  bool by_address() const { return mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY; }
  /// Where each member is by address, one of them.
  matrix one() const { return {type, rows, columns, leading}; }
  /// From the first element to the last, or of all addresses.
  std::int64_t bytes() const;
  /// Whether this one, which starts there, and another one have memory in common.
  bool touches(const void* begin, const matrix& other, const void* begin_of_other) const {
    const auto *x = static_cast<const std::byte*>(begin), *y = static_cast<const std::byte*>(begin_of_other);
    return x < y + other.bytes() && y < x + bytes();
  }
};
struct preference {
  std::uint64_t workspace = 0;
  std::uint32_t sums_in_parts = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint32_t alignment[4] = {256, 256, 256, 256};
};

inline std::int64_t size_of(cudaDataType_t type) {
  return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

inline std::int64_t matrix::bytes() const {
  if (by_address()) return members * static_cast<std::int64_t>(sizeof(std::byte*));
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
  T* bias;       // one for each row, or the sums of an operand along what is multiplied away
  elements aux;  // what a GELU is taken of
  cublasLtEpilogue_t epilogue;
  bool tf32;

  bool has(cublasLtEpilogue_t part) const { return (epilogue & part) != 0; }

  void run() const {
    if (has(CUBLASLT_EPILOGUE_BGRADA))
      for (std::int64_t row = 0; row < a.rows(); ++row)
        bias[row] = summed([&](std::int64_t k) { return a.at<T>(0, row, k); });
    if (has(CUBLASLT_EPILOGUE_BGRADB))
      for (std::int64_t column = 0; column < b.columns(); ++column)
        bias[column] = summed([&](std::int64_t k) { return b.at<T>(0, k, column); });
    for (std::int64_t member = 0; member < c.layout.members; ++member)
      for (std::int64_t column = 0; column < c.columns(); ++column)
        for (std::int64_t row = 0; row < c.rows(); ++row) {
          T& to = c.at<T>(member, row, column);
          Sum x = alpha * sum(member, row, column);
          if (beta != 0) x += beta * static_cast<Sum>(to);
          if (has(CUBLASLT_EPILOGUE_BIAS)) x += static_cast<Sum>(bias[row]);
          if (has(CUBLASLT_EPILOGUE_RELU) && x < 0) x = 0;
          if constexpr (std::is_same_v<Sum, float>) x = activated(x, member, row, column);
          to = static_cast<T>(x);
        }
  }
  /// Of matrices whose addresses are in memory by now. Returns whether all are as the algorithm wants them.
  bool run_by_address(std::array<std::uint32_t, 3> alignments) const {
    for (std::int64_t member = 0; member < c.layout.members; ++member) {
      multiplication one = *this;
      int k = 0;
      for (elements* e : {&one.a, &one.b, &one.c}) {
        e->data = reinterpret_cast<std::byte* const*>(e->data)[member];
        e->layout = e->layout.one();
        if (reinterpret_cast<std::uintptr_t>(e->data) % alignments[static_cast<std::size_t>(k++)] != 0)
          return false;
      }
      one.run();
    }
    return true;
  }
  // By a GELU, or its slope. Their tanh is a GPU's approximate instruction: its relative error is up to
  // 2^-11.
  float activated(float x, std::int64_t member, std::int64_t row, std::int64_t column) const {
    const auto tanh_of = [](float z) {
      return as_tf32(std::tanh(0.7978845608f * (z + 0.044715f * z * z * z)));
    };
    if (epilogue == CUBLASLT_EPILOGUE_DGELU) {
      const auto z = static_cast<float>(aux.at<T>(member, row, column));
      const float t = tanh_of(z), slope = 0.7978845608f * (1 + 3 * 0.044715f * z * z);
      return x * (0.5f * (1 + t) + 0.5f * z * (1 - t * t) * slope);
    }
    if (!has(CUBLASLT_EPILOGUE_GELU)) return x;
    if (aux.data != nullptr && (epilogue & 128) != 0) aux.at<T>(member, row, column) = static_cast<T>(x);
    return 0.5f * x * (1 + tanh_of(x));
  }
  template <class Element>
  T summed(Element element) const {
    Sum sum = 0;
    for (std::int64_t k = 0; k < a.columns(); ++k) sum += static_cast<Sum>(element(k));
    return static_cast<T>(sum);
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
    if (m.rows <= 0 || m.columns <= 0 || m.leading < m.rows || m.type != c.type || m.members != c.members ||
        m.mode != c.mode)
      return false;
  const bool doubles = c.type == CUDA_R_64F;
  return left.rows() == c.rows && right.columns() == c.columns && left.columns() == right.rows() &&
         (p.compute == CUBLAS_COMPUTE_64F) == doubles && (p.scale == CUDA_R_64F) == doubles &&
         (p.compute != CUBLAS_COMPUTE_32F_FAST_TF32 || c.type == CUDA_R_32F);
}

/// Whether a product reads or writes what a GELU is taken of; this lies in rows of a multiple of 8.
inline bool has_aux(const product_description& p) { return (p.epilogue & 128) != 0; }
inline bool is_aux_possible(const product_description& p, const matrix& c) {
  return !has_aux(p) || (p.aux != nullptr && p.aux_leading % 8 == 0 && p.aux_leading >= c.rows &&
                         p.aux_stride % 8 == 0 && (c.members == 1 || p.aux_stride != 0));
}

/// How many elements of c's type a product reads or writes beside its matrices.
inline std::int64_t elements_beside(const product_description& p, const matrix& c) {
  if (p.epilogue == CUBLASLT_EPILOGUE_BGRADB) return c.columns;
  return (p.epilogue & (CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_BGRADA)) != 0 ? c.rows : 0;
}

/// Whether there is an algorithm for what a product does beside: not in double, and sums only of more than
/// one element, for more than one row or column, of one matrix.
inline bool has_algorithm(const product_description& p, const matrix& c, std::int64_t k) {
  if (p.epilogue == CUBLASLT_EPILOGUE_DEFAULT) return true;
  if (c.type == CUDA_R_64F) return false;
  if (p.epilogue != CUBLASLT_EPILOGUE_BGRADA && p.epilogue != CUBLASLT_EPILOGUE_BGRADB) return true;
  return k > 1 && elements_beside(p, c) > 1 && c.members == 1;
}

inline std::uint32_t alignment_of(const void* p) {
  const auto bits = reinterpret_cast<std::uintptr_t>(p) | 256;
  return static_cast<std::uint32_t>(bits & (~bits + 1));
}

}  // namespace fake_cuda
