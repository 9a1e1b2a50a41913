// SPDX-License-Identifier: BSL-1.0
// The kernel family of matrix products, by cuBLASLt: batched and strided.
#pragma once

#include <map>
#include <optional>

#include <tapeless/run/cuda/resources.hpp>
#include <tapeless/run/gpu/kernels/finish_product.hpp>

namespace tapeless::cuda_kernels {

using matmul_description = owner<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using matrix_layout = owner<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using matmul_preference = owner<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

inline cudaDataType_t data_type_of(element type) {
  switch (type) {
    case element::f64:
      return CUDA_R_64F;
    case element::f16:
      return CUDA_R_16F;
    case element::bf16:
      return CUDA_R_16BF;
    case element::f32:
    case element::i32:
    case element::i64:
    case element::u8:
    case element::boolean:
    case element::number:
    case element::i8:
    case element::i16:
    case element::u32:
      break;
  }
  return CUDA_R_32F;
}

/// A matrix as cuBLASLt sees it, by columns: ours by rows is its transpose there.
struct column_matrix {
  std::int64_t leading = 0;  // from one column to the next
  bool transposed = false;
};

/// The operand's rows x columns matrix, by `row` and `column` strides, as the transpose that cuBLASLt reads;
/// leading is 0 where it cannot.
constexpr column_matrix as_columns(std::int64_t rows, std::int64_t columns, std::int64_t row,
                                   std::int64_t column) {
  if (rows == 1 && (column == 1 || columns == 1)) return {columns, false};
  if (columns == 1 && row == 1) return {rows, true};
  if ((column == 1 || columns == 1) && row >= columns) return {row, false};
  if ((row == 1 || rows == 1) && column >= rows) return {column, true};
  return {};
}

/// Axes of a batch that all operands step through evenly, as one; the others are gone through one by one.
struct batch_axes {
  std::int64_t count = 1;
  std::int64_t a = 0, b = 0, c = 0;  // from one member to the next
  int outer = 0;                     // axes before those
};

constexpr batch_axes joined_batch(const product_arguments& p) {
  batch_axes result;
  result.outer = p.batch_rank;
  for (int d = p.batch_rank - 1; d >= 0; --d) {
    if (p.batch[d] != 1) {
      if (result.count == 1) {
        result = {p.batch[d], p.a.strides[d], p.b.strides[d], p.c.strides[d], d};
        continue;
      }
      if (p.a.strides[d] != result.a * result.count || p.b.strides[d] != result.b * result.count ||
          p.c.strides[d] != result.c * result.count)
        return result;
      result.count *= p.batch[d];
    }
    result.outer = d;
  }
  return result;
}

/// What a product takes along, by cuBLASLt's name: c^T = b^T a^T, so that its B is our left operand.
constexpr cublasLtEpilogue_t epilogue_of(const thrust_kernels::epilogue& e, thrust_kernels::summed side) {
  if (side == thrust_kernels::summed::left) return CUBLASLT_EPILOGUE_BGRADB;
  if (side == thrust_kernels::summed::right) return CUBLASLT_EPILOGUE_BGRADA;
  if (!e.exists) return CUBLASLT_EPILOGUE_DEFAULT;
  const bool bias = e.bias >= 0;
  switch (e.then) {
    case thrust_kernels::activation::relu:
      return bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    case thrust_kernels::activation::gelu:
      if (e.argument < 0) return bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
      return bias ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_AUX;
    case thrust_kernels::activation::gelu_gradient:
      return CUBLASLT_EPILOGUE_DGELU;
    case thrust_kernels::activation::none:
      break;
  }
  return CUBLASLT_EPILOGUE_BIAS;
}

/// A product of a plan with what it takes along, ready to be run.
class product {
 public:
  product() = default;

  /// Post-condition: run() may be called with these arguments, wherever the operands are.
  void prepare(const product_arguments& arguments, element type, const thrust_kernels::epilogue& epilogue,
               thrust_kernels::summed side, const resources& shared, const activity& during) {
    *this = {};
    type_ = type;
    const bool is_refused =
        has_sums_of_one(arguments, side) || (epilogue.argument >= 0 && arguments.n % 8 != 0);
    epilogue_ = is_refused ? CUBLASLT_EPILOGUE_DEFAULT : epilogue_of(epilogue, side);
    left_ = as_columns(arguments.m, arguments.k, arguments.a.strides[arguments.batch_rank],
                       arguments.a.strides[arguments.batch_rank + 1]);
    right_ = as_columns(arguments.k, arguments.n, arguments.b.strides[arguments.batch_rank],
                        arguments.b.strides[arguments.batch_rank + 1]);
    batch_ = joined_batch(arguments);
    if (left_.leading == 0 || right_.leading == 0 || is_empty(arguments)) return;

    // c^T = b^T a^T: what is by rows here is by columns there
    const cudaDataType_t data = data_type_of(type);
    cublasLtMatmulDesc_t description{};
    const cublasComputeType_t compute = type == element::f64 ? CUBLAS_COMPUTE_64F
                                        : type == element::f32 && shared.products() == float_products::tf32
                                            ? CUBLAS_COMPUTE_32F_FAST_TF32
                                            : CUBLAS_COMPUTE_32F;
    check(cublasLtMatmulDescCreate(&description, compute, type == element::f64 ? CUDA_R_64F : CUDA_R_32F),
          "cublasLtMatmulDescCreate", during);
    description_ = matmul_description(description);
    if (epilogue.argument >= 0) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, arguments.ldc, during);
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, batch_.count == 1 ? 0 : batch_.c, during);
    }
    set(CUBLASLT_MATMUL_DESC_TRANSA, right_.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, during);
    set(CUBLASLT_MATMUL_DESC_TRANSB, left_.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, during);
    b_ = layout(data, right_.transposed ? arguments.k : arguments.n,
                right_.transposed ? arguments.n : arguments.k, right_.leading, batch_.b, during);
    a_ = layout(data, left_.transposed ? arguments.m : arguments.k,
                left_.transposed ? arguments.k : arguments.m, left_.leading, batch_.a, during);
    c_ = layout(data, arguments.n, arguments.m, arguments.ldc, batch_.c, during);
  }

  /// Whether cuBLASLt takes it.
  bool is_ready() const { return static_cast<bool>(description_); }

  /// Returns whether the epilogue or the sums have been taken along: where cuBLASLt has no algorithm for
  /// that, the product is all that has been computed.
  bool run(const thrust_kernels::finished_product& f, resources& shared, const activity& during) {
    const std::byte* const beside = f.side == thrust_kernels::summed::nothing ? f.bias : f.sums;
    const std::int64_t alignment = alignment_of(f.arguments, beside, f.argument);
    if (epilogue_ != CUBLASLT_EPILOGUE_DEFAULT) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, beside, during);
    if (f.argument != nullptr)  // algorithms are chosen by how it is aligned, in all members
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, alignment, during);
    const choice& best = choose(epilogue_, alignment, shared, during);
    cublasStatus_t status = multiply_members(f, best, shared, during);
    if (best.epilogue != CUBLASLT_EPILOGUE_DEFAULT && is_refusal(status)) {
      choices_.erase(alignment);
      status =
          multiply_members(f, choose(CUBLASLT_EPILOGUE_DEFAULT, alignment, shared, during), shared, during);
    }
    check(status, "cublasLtMatmul", during);
    return choices_.at(alignment).epilogue != CUBLASLT_EPILOGUE_DEFAULT;
  }

 private:
  /// How a product is computed, and what it takes along then.
  struct choice {
    cublasLtMatmulAlgo_t algorithm;
    cublasLtEpilogue_t epilogue;
  };

  element type_ = element::f32;
  cublasLtEpilogue_t epilogue_ = CUBLASLT_EPILOGUE_DEFAULT;  // if there is an algorithm for it
  column_matrix left_, right_;
  batch_axes batch_;
  matmul_description description_;
  matrix_layout a_, b_, c_;
  std::map<std::int64_t, choice> choices_;  // by how the operands are aligned

  static bool is_empty(const product_arguments& p) {
    return p.m == 0 || p.n == 0 || p.k == 0 || p.batches == 0;
  }

  // A single sum, or sums of single elements. cuBLASLt has not always had these.
  static bool has_sums_of_one(const product_arguments& p, thrust_kernels::summed side) {
    return side != thrust_kernels::summed::nothing &&
           (p.k == 1 || (side == thrust_kernels::summed::left ? p.m : p.n) == 1);
  }

  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& x, const activity& during) {
    check(cublasLtMatmulDescSetAttribute(description_.get(), attribute, &x, sizeof x),
          "cublasLtMatmulDescSetAttribute", during);
  }

  matrix_layout layout(cudaDataType_t data, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                       std::int64_t stride, const activity& during) const {
    cublasLtMatrixLayout_t l{};
    check(cublasLtMatrixLayoutCreate(&l, data, static_cast<std::uint64_t>(rows),
                                     static_cast<std::uint64_t>(columns), leading),
          "cublasLtMatrixLayoutCreate", during);
    matrix_layout result(l);
    if (batch_.count == 1) return result;
    const auto members = static_cast<std::int32_t>(batch_.count);
    check(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &members, sizeof members),
          "cublasLtMatrixLayoutSetAttribute", during);
    check(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                           sizeof stride),
          "cublasLtMatrixLayoutSetAttribute", during);
    return result;
  }

  // How many bytes the starts of all members are multiples of, up to 256; bias and argument are read or
  // written along with the result.
  std::int64_t alignment_of(const product_arguments& arguments, const std::byte* bias,
                            const std::byte* argument) const {
    const auto bits = [](const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p); };
    std::uintptr_t all = bits(arguments.a.data) | bits(arguments.b.data) | bits(arguments.c.data) |
                         bits(bias) | bits(argument) | 256;
    for (int d = 0; d < batch_.outer; ++d)
      for (const product_operand* o : {&arguments.a, &arguments.b, &arguments.c})
        all |= static_cast<std::uintptr_t>(o->strides[d]) * size_of(type_);
    return static_cast<std::int64_t>(all & (~all + 1));
  }

  // What cuBLASLt says to an epilogue that it does not have; the same product may be possible without.
  static bool is_refusal(cublasStatus_t status) {
    return status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
  }

  // With the epilogue, if that can be.
  const choice& choose(cublasLtEpilogue_t epilogue, std::int64_t alignment, const resources& shared,
                       const activity& during) {
    if (const auto found = choices_.find(alignment); found != choices_.end()) return found->second;
    auto best = algorithm(epilogue, alignment, shared, during);
    if (!best && epilogue != CUBLASLT_EPILOGUE_DEFAULT) {
      epilogue = CUBLASLT_EPILOGUE_DEFAULT;
      best = algorithm(epilogue, alignment, shared, during);
    }
    if (!best) throw_error({"cuda: cuBLASLt has no algorithm for a matrix product", text_of(during)});
    return choices_.emplace(alignment, choice{*best, epilogue}).first->second;
  }

  std::optional<cublasLtMatmulAlgo_t> algorithm(cublasLtEpilogue_t epilogue, std::int64_t alignment,
                                                const resources& shared, const activity& during) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue, during);
    cublasLtMatmulPreference_t p{};
    check(cublasLtMatmulPreferenceCreate(&p), "cublasLtMatmulPreferenceCreate", during);
    const matmul_preference preference(p);
    const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& x) {
      check(cublasLtMatmulPreferenceSetAttribute(p, attribute, &x, sizeof x),
            "cublasLtMatmulPreferenceSetAttribute", during);
    };
    prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{resources::product_workspace_bytes});
    for (const auto operand :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
      prefer(operand, static_cast<std::uint32_t>(alignment));
    cublasLtMatmulHeuristicResult_t best{};
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        shared.cublas(), description_.get(), b_.get(), a_.get(), c_.get(), c_.get(), p, 1, &best, &found);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED) return {};
    if (is_refusal(status) && epilogue != CUBLASLT_EPILOGUE_DEFAULT) return {};
    check(status, "cublasLtMatmulAlgoGetHeuristic", during);
    if (found == 0 || best.state != CUBLAS_STATUS_SUCCESS) return {};
    return best.algo;
  }

  cublasStatus_t multiply_members(const thrust_kernels::finished_product& f, const choice& best,
                                  resources& shared, const activity& during) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, best.epilogue, during);
    const product_arguments& arguments = f.arguments;
    product_arguments now = arguments;
    std::int64_t outer = 1;
    for (int d = 0; d < batch_.outer; ++d) outer *= arguments.batch[d];
    for (std::int64_t number = 0; number < outer; ++number) {
      now.a = arguments.a, now.b = arguments.b, now.c = arguments.c;
      std::int64_t rest = number;
      for (int d = batch_.outer - 1; d >= 0; --d) {
        const std::int64_t at = rest % arguments.batch[d] * static_cast<std::int64_t>(size_of(type_));
        rest /= arguments.batch[d];
        now.a.data += at * arguments.a.strides[d];
        now.b.data += at * arguments.b.strides[d];
        now.c.data += at * arguments.c.strides[d];
      }
      if (f.argument != nullptr)  // lies as the result does
        set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, f.argument + (now.c.data - arguments.c.data), during);
      const cublasStatus_t status = multiply(now, best.algorithm, shared);
      if (status != CUBLAS_STATUS_SUCCESS) return status;
    }
    return CUBLAS_STATUS_SUCCESS;
  }

  cublasStatus_t multiply(const product_arguments& arguments, const cublasLtMatmulAlgo_t& best,
                          resources& shared) {
    const float one = 1, zero = 0;
    const double one_of_doubles = 1, zero_of_doubles = 0;
    const bool doubles = type_ == element::f64;
    return cublasLtMatmul(shared.cublas(), description_.get(),
                          doubles ? static_cast<const void*>(&one_of_doubles) : &one, arguments.b.data,
                          b_.get(), arguments.a.data, a_.get(),
                          doubles ? static_cast<const void*>(&zero_of_doubles) : &zero, arguments.c.data,
                          c_.get(), arguments.c.data, c_.get(), &best, shared.product_workspace(),
                          static_cast<std::size_t>(resources::product_workspace_bytes), shared.steps());
  }
};

}  // namespace tapeless::cuda_kernels
