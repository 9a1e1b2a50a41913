// SPDX-License-Identifier: BSL-1.0
// The kernel family of matrix products, by cuBLASLt: batched and strided.
#pragma once

#include <array>
#include <map>
#include <optional>

#include <tapeless/run/cuda/product_layout.hpp>
#include <tapeless/run/cuda/resources.hpp>
#include <tapeless/run/gpu/kernels/finish_product.hpp>

namespace tapeless::cuda_kernels {

using matmul_description = owner<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using matrix_layout = owner<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using matmul_preference = owner<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

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
    at_even_steps_ = matrices_of(arguments, batch_.count, false, during);
    if (batch_.count < arguments.batches && arguments.batches <= most_addresses && epilogue.argument < 0)
      at_addresses_ = matrices_of(arguments, arguments.batches, true, during);
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
    if (is_refusal(status) && (best.by_address || best.epilogue != CUBLASLT_EPILOGUE_DEFAULT)) {
      choices_.erase(alignment);
      at_addresses_ = {};
      status =
          multiply_members(f, choose(CUBLASLT_EPILOGUE_DEFAULT, alignment, shared, during), shared, during);
    }
    check(status, "cublasLtMatmul", during);
    return choices_.at(alignment).epilogue != CUBLASLT_EPILOGUE_DEFAULT;
  }

 private:
  /// The operands of all members that are one call.
  struct matrices {
    matrix_layout a, b, c;

    explicit operator bool() const { return static_cast<bool>(c); }
  };
  /// How a product is computed, and what it takes along then.
  struct choice {
    cublasLtMatmulAlgo_t algorithm;
    cublasLtEpilogue_t epilogue;
    bool by_address;
  };
  // Of so many members addresses are kept on the device, 24 bytes each.
  static constexpr std::int64_t most_addresses = 1 << 16;

  element type_ = element::f32;
  cublasLtEpilogue_t epilogue_ = CUBLASLT_EPILOGUE_DEFAULT;  // if there is an algorithm for it
  column_matrix left_, right_;
  batch_axes batch_;
  matmul_description description_;
  matrices at_even_steps_, at_addresses_;
  std::map<std::int64_t, choice> choices_;                               // by how the operands are aligned
  std::map<std::array<const std::byte*, 3>, device_pointer> addresses_;  // of members, by where operands are

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

  const matrices& operands_of(bool by_address) const { return by_address ? at_addresses_ : at_even_steps_; }

  // c^T = b^T a^T: what is by rows here is by columns there.
  matrices matrices_of(const product_arguments& arguments, std::int64_t count, bool by_address,
                       const activity& during) const {
    const auto layout = [&](std::int64_t rows, std::int64_t columns, const column_matrix& of,
                            std::int64_t stride) {
      cublasLtMatrixLayout_t l{};
      check(cublasLtMatrixLayoutCreate(
                &l, data_type_of(type_), static_cast<std::uint64_t>(of.transposed ? rows : columns),
                static_cast<std::uint64_t>(of.transposed ? columns : rows), of.leading),
            "cublasLtMatrixLayoutCreate", during);
      matrix_layout result(l);
      const auto set = [&](cublasLtMatrixLayoutAttribute_t attribute, const auto& x) {
        check(cublasLtMatrixLayoutSetAttribute(l, attribute, &x, sizeof x),
              "cublasLtMatrixLayoutSetAttribute", during);
      };
      if (count == 1) return result;
      set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(count));
      if (by_address) {
        set(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, static_cast<std::uint32_t>(CUBLASLT_BATCH_MODE_POINTER_ARRAY));
      } else {
        set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
      }
      return result;
    };
    return {layout(arguments.m, arguments.k, left_, batch_.a),
            layout(arguments.k, arguments.n, right_, batch_.b),
            layout(arguments.m, arguments.n, {arguments.ldc, false}, batch_.c)};
  }

  // How many bytes the starts of all members are multiples of, up to 256; bias and argument are read or
  // written along with the result.
  std::int64_t alignment_of(const product_arguments& arguments, const std::byte* bias,
                            const std::byte* argument) const {
    const auto bits = [](const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p); };
    std::uintptr_t all = bits(arguments.a.data) | bits(arguments.b.data) | bits(arguments.c.data) |
                         bits(bias) | bits(argument) | 256;
    for (int d = 0; d < arguments.batch_rank; ++d)
      for (const product_operand* o : {&arguments.a, &arguments.b, &arguments.c})
        all |= static_cast<std::uintptr_t>(o->strides[d]) * size_of(type_);
    return static_cast<std::int64_t>(all & (~all + 1));
  }

  // What cuBLASLt says to an epilogue that it does not have; the same product may be possible without.
  static bool is_refusal(cublasStatus_t status) {
    return status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
  }

  // In one call and with the epilogue, if that can be; sums of 16-bit elements that are made in parts stay in
  // float, unless there is no such algorithm at all.
  const choice& choose(cublasLtEpilogue_t epilogue, std::int64_t alignment, const resources& shared,
                       const activity& during) {
    if (const auto known = choices_.find(alignment); known != choices_.end()) return known->second;
    const auto found = [&](cublasLtReductionScheme_t sums, cublasLtEpilogue_t with, bool by_address) {
      if (!operands_of(by_address)) return false;
      const auto best = algorithm(sums, with, operands_of(by_address), alignment, shared, during);
      if (best) choices_.emplace(alignment, choice{*best, with, by_address});
      return best.has_value();
    };
    for (const auto sums : {CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE, CUBLASLT_REDUCTION_SCHEME_MASK}) {
      if (sums == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE && !is_half(type_)) continue;  // all sum in theirs
      for (const bool by_address : {true, false})
        if ((epilogue != CUBLASLT_EPILOGUE_DEFAULT && found(sums, epilogue, by_address)) ||
            found(sums, CUBLASLT_EPILOGUE_DEFAULT, by_address))
          return choices_.at(alignment);
    }
    throw_error({"cuda: cuBLASLt has no algorithm for a matrix product", text_of(during)});
  }

  std::optional<cublasLtMatmulAlgo_t> algorithm(cublasLtReductionScheme_t sums, cublasLtEpilogue_t epilogue,
                                                const matrices& operands, std::int64_t alignment,
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
    prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, static_cast<std::uint32_t>(sums));
    for (const auto operand :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
      prefer(operand, static_cast<std::uint32_t>(alignment));
    cublasLtMatmulHeuristicResult_t best{};
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        shared.cublas(), description_.get(), operands.b.get(), operands.a.get(), operands.c.get(),
        operands.c.get(), p, 1, &best, &found);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED) return {};
    if (is_refusal(status) && (epilogue != CUBLASLT_EPILOGUE_DEFAULT || &operands == &at_addresses_))
      return {};
    check(status, "cublasLtMatmulAlgoGetHeuristic", during);
    if (found == 0 || best.state != CUBLAS_STATUS_SUCCESS) return {};
    return best.algo;
  }

  cublasStatus_t multiply_members(const thrust_kernels::finished_product& f, const choice& best,
                                  resources& shared, const activity& during) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, best.epilogue, during);
    const product_arguments& arguments = f.arguments;
    if (best.by_address) {
      auto** const addresses = addresses_of(arguments, shared, during);
      return multiply(addresses, addresses + arguments.batches, addresses + 2 * arguments.batches, best,
                      shared);
    }
    product_arguments now = arguments;
    for (std::int64_t number = 0; number < arguments.batches / batch_.count; ++number) {
      now.a = arguments.a, now.b = arguments.b, now.c = arguments.c;
      std::int64_t rest = number;
      for (int d = arguments.batch_rank - 1; d >= 0; --d) {
        if (batch_.holds(d)) continue;
        const std::int64_t at = rest % arguments.batch[d] * static_cast<std::int64_t>(size_of(type_));
        rest /= arguments.batch[d];
        now.a.data += at * arguments.a.strides[d];
        now.b.data += at * arguments.b.strides[d];
        now.c.data += at * arguments.c.strides[d];
      }
      if (f.argument != nullptr)  // lies as the result does
        set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, f.argument + (now.c.data - arguments.c.data), during);
      const cublasStatus_t status = multiply(now.b.data, now.a.data, now.c.data, best, shared);
      if (status != CUBLAS_STATUS_SUCCESS) return status;
    }
    return CUBLAS_STATUS_SUCCESS;
  }

  // They stay where they are, so that a captured step need not write them. Their copy is not part of what is
  // being captured.
  std::byte** addresses_of(const product_arguments& arguments, const resources& shared,
                           const activity& during) {
    device_pointer& there = addresses_[{arguments.a.data, arguments.b.data, arguments.c.data}];
    if (!there) {
      const std::vector<std::byte*> addresses = member_addresses(arguments);
      const std::size_t bytes = addresses.size() * sizeof(std::byte*);
      there = device_memory(static_cast<std::int64_t>(bytes), "where the members of a matrix product are");
      check(cudaMemcpyAsync(there.get(), addresses.data(), bytes, cudaMemcpyHostToDevice, shared.copies()),
            "cudaMemcpyAsync", during);
      check(cudaStreamSynchronize(shared.copies()), "cudaStreamSynchronize", during);
    }
    return static_cast<std::byte**>(there.get());
  }

  // Of operands, or of the addresses of operands on the device.
  cublasStatus_t multiply(const void* b, const void* a, void* c, const choice& best, resources& shared) {
    const float one = 1, zero = 0;
    const double one_of_doubles = 1, zero_of_doubles = 0;
    const bool doubles = type_ == element::f64;
    const matrices& m = operands_of(best.by_address);
    return cublasLtMatmul(shared.cublas(), description_.get(),
                          doubles ? static_cast<const void*>(&one_of_doubles) : &one, b, m.b.get(), a,
                          m.a.get(), doubles ? static_cast<const void*>(&zero_of_doubles) : &zero, c,
                          m.c.get(), c, m.c.get(), &best.algorithm, shared.product_workspace(),
                          static_cast<std::size_t>(resources::product_workspace_bytes), shared.steps());
  }
};

}  // namespace tapeless::cuda_kernels
