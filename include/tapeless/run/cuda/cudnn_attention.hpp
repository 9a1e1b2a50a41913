// SPDX-License-Identifier: BSL-1.0
// All attentions of a program and their gradients, which cuDNN runs where TAPELESS_HAS_CUDNN says that the
// program is linked with it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <tapeless/run/cuda/attention_graph.hpp>
#include <tapeless/run/cuda/resources.hpp>
#include <tapeless/run/gpu/kernels/attention_kernel.hpp>

namespace tapeless::cuda_kernels {

#ifdef TAPELESS_HAS_CUDNN

/// Copies the logarithms of all rows, which are contiguous for cuDNN, to the terms behind the rows, or from
/// there.
template <class T>
struct copied_logarithm {
  thrust_kernels::attention_operands<T> operands;
  strided_operand rows;
  std::int64_t column;
  thrust_kernels::divisor queries;
  float* contiguous;
  bool to_rows;

  constexpr void operator()(std::uint32_t item) const {
    const std::uint32_t head = queries.quotient(item);
    const auto row = operands.row_of(rows, head, item - head * queries.value());
    auto& behind = thrust_kernels::terms_behind(row, column);
    if (to_rows)
      behind = behind.of_logarithm(contiguous[item]);
    else
      contiguous[item] = behind.logarithm();
  }
};

/// Some heads of some samples: of an attention's last two axes before the rows, so many at a time.
struct attention_part {
  std::int64_t samples = 1, heads = 1;
};

/// The largest parts of equal size come first.
inline std::vector<attention_part> equal_parts(const attention_arguments& a) {
  const std::int64_t heads = a.rank > 0 ? a.extents[a.rank - 1] : 1,
                     samples = a.rank > 1 ? a.extents[a.rank - 2] : 1;
  std::vector<attention_part> parts;
  for (std::int64_t n = samples; n > 0; --n)
    if (samples % n == 0) parts.push_back({n, heads});
  for (std::int64_t n = heads - 1; n > 0; --n)
    if (heads % n == 0) parts.push_back({1, n});
  return parts;
}

/// Their plans, with the memory that these share.
class cudnn_attention {
 public:
  void prepare(std::size_t i, const planned_attention& planned, const attention_arguments& arguments,
               resources& shared, const activity& during) {
    if (items_.size() <= i) items_.resize(i + 1);
    items_[i] = {};
    if (!can_be_given(planned.computes, arguments)) return;
    int tries = 0;
    for (const attention_part& part : equal_parts(arguments)) {
      const bool is_whole = planned.computes == attention_kind::result;
      if (!is_whole && slopes_of(arguments, part) > most_slopes) continue;
      const attention_arguments first = part_of(arguments, part, 0);
      items_[i] = {{operation_of(planned.computes, first, planned.type),
                    planned.type,
                    {false, shared.most_workspace_bytes()},
                    cudnn_device{shared.cudnn()},
                    during},
                   part};
      if (items_[i].plan.is_ready() || is_whole || ++tries == 3) break;
    }
    const std::int64_t bytes =
        bytes_before_logarithms(items_[i].plan) + queries_of(arguments) * std::int64_t{sizeof(float)};
    if (!items_[i].plan.is_ready() || bytes <= workspace_bytes_) return;
    workspace_ = {};
    workspace_bytes_ = 0;
    workspace_ = device_memory(bytes, "cuDNN's workspace");
    workspace_bytes_ = bytes;
  }

  /// False where cuDNN has nothing for it.
  bool run(std::size_t i, const planned_attention& planned, const attention_arguments& arguments,
           resources& shared, const activity& during) const {
    const item& it = items_[i];
    if (!it.plan.is_ready() || !are_aligned(arguments)) return false;
    const std::int64_t parts = queries_of(arguments) / (it.part.samples * it.part.heads * arguments.queries);
    for (std::int64_t number = 0; number < parts; ++number) {
      const attention_arguments part = part_of(arguments, it.part, number);
      if (planned.type == element::bf16) {
        run_plan<bf16>(it.plan, planned.computes, part, shared, during);
      } else {
        run_plan<f16>(it.plan, planned.computes, part, shared, during);
      }
    }
    return true;
  }

 private:
  struct item {
    cudnn_plan plan;
    attention_part part;
  };
  // Elements of 16 bits, one for each query and key, that gradients keep at once: 512 MiB.
  static constexpr std::int64_t most_slopes = std::int64_t{1} << 28;

  std::vector<item> items_;
  device_pointer workspace_;
  std::int64_t workspace_bytes_ = 0;

  static std::int64_t bytes_before_logarithms(const cudnn_plan& plan) {
    return (plan.workspace_bytes() + cudnn_alignment - 1) / cudnn_alignment * cudnn_alignment;
  }
  static std::int64_t queries_of(const attention_arguments& a) { return iterations_of(a) * a.queries; }
  static std::int64_t slopes_of(const attention_arguments& a, const attention_part& part) {
    return part.samples * part.heads * a.queries * a.keys;
  }

  // Its engines give wrong numbers where rows do not begin at multiples of 16 bytes. They have had no
  // gradients of single queries. Nothing is documented of operands that repeat their elements.
  static bool can_be_given(attention_kind computes, const attention_arguments& a) {
    if (queries_of(a) == 0 || a.queries < 2 || a.keys < 2) return false;
    for (const strided_operand* o : {&a.query, &a.key, &a.values, &a.result, &a.target}) {
      if (o == &a.result && computes == attention_kind::result) continue;  // there is none
      for (int d = 0; d < a.rank + 1; ++d)
        if (o->strides[d] % 8 != 0 || (o->strides[d] == 0 && (d == a.rank || a.extents[d] > 1))) return false;
      if (o->strides[a.rank + 1] != 1) return false;
    }
    return true;
  }
  static bool are_aligned(const attention_arguments& a) {
    std::uintptr_t bits = 0;
    for (const strided_operand* o : {&a.query, &a.key, &a.values, &a.result, &a.target})
      bits |= reinterpret_cast<std::uintptr_t>(o->data);
    return bits % cudnn_alignment == 0;
  }

  static std::int64_t bytes_of(std::int64_t elements) { return 2 * elements; }

  static attention_arguments part_of(const attention_arguments& a, const attention_part& part,
                                     std::int64_t number) {
    attention_arguments result = a;
    std::int64_t first[2] = {};  // head, sample
    if (a.rank > 0) {
      const std::int64_t parts = a.extents[a.rank - 1] / part.heads;
      first[0] = number % parts * part.heads;
      first[1] = number / parts * part.samples;
      result.extents[a.rank - 1] = part.heads;
    }
    if (a.rank > 1) result.extents[a.rank - 2] = part.samples;
    for (strided_operand* o : {&result.query, &result.key, &result.values, &result.result, &result.target})
      for (int d = 0; d < 2 && d < a.rank; ++d)
        o->data = moved(o->data, bytes_of(first[d] * o->strides[a.rank - 1 - d]));
    return result;
  }
  static cudnn_operation operation_of(attention_kind computes, const attention_arguments& a, element type) {
    attention_graph graph(a, type);
    if (computes == attention_kind::result)
      return graph.result(matrix_of(a, a.target, a.queries, a.value_width));
    const attention_matrix rows = matrix_of(a, a.result, a.queries, a.value_width);
    return graph.gradients(rows, rows, matrix_of(a, a.target, a.queries, a.width),
                           matrix_of(a, a.target, a.keys, a.width),
                           matrix_of(a, a.target, a.keys, a.value_width));
  }

  template <class T>
  void run_plan(const cudnn_plan& plan, attention_kind computes, const attention_arguments& a,
                resources& shared, const activity& during) const {
    auto* const workspace = static_cast<std::byte*>(workspace_.get());
    auto* const logarithms =
        static_cast<float*>(static_cast<void*>(workspace + bytes_before_logarithms(plan)));
    const auto copy_logarithms = [&](const strided_operand& rows, std::int64_t column, bool to_rows) {
      shared.executor().for_each(
          queries_of(a), copied_logarithm<T>{thrust_kernels::attention_operands<T>(a), rows, column,
                                             thrust_kernels::divisor(a.queries), logarithms, to_rows});
    };
    float scale = static_cast<float>(a.scores.scale), excluded = -std::numeric_limits<float>::infinity(),
          one = 1;
    std::vector<std::int64_t> ids;
    std::vector<void*> operands;
    const auto give = [&](attention_tensor t, void* data) {
      ids.push_back(static_cast<std::int64_t>(t));
      operands.push_back(data);
    };
    give(attention_tensor::scale, &scale);
    if (a.scores.causal) give(attention_tensor::excluded, &excluded);
    give(attention_tensor::query, a.query.data);
    give(attention_tensor::key, a.key.data);
    give(attention_tensor::values, a.values.data);
    give(attention_tensor::logarithms, logarithms);
    if (computes == attention_kind::result) {
      give(attention_tensor::result, a.target.data);
    } else {
      const std::int64_t row = a.target.strides[a.rank];
      give(attention_tensor::one, &one);
      give(attention_tensor::gradient, a.result.data);
      give(attention_tensor::result, a.result.data + bytes_of(a.value_width));
      give(attention_tensor::of_query, a.target.data);
      give(attention_tensor::of_key, a.target.data + bytes_of(a.queries * row));
      give(attention_tensor::of_values, a.target.data + bytes_of((a.queries + a.keys) * row));
      copy_logarithms(a.result, 2 * a.value_width, false);
    }
    plan.run(ids, operands, workspace, shared.cudnn(), during);
    if (computes == attention_kind::result) copy_logarithms(a.target, a.value_width, true);
  }
};

#else

/// None, as there is no cuDNN.
struct cudnn_attention {
  void prepare(std::size_t, const planned_attention&, const attention_arguments&, resources&,
               const activity&) {}
  bool run(std::size_t, const planned_attention&, const attention_arguments&, resources&,
           const activity&) const {
    return false;
  }
};

#endif

}  // namespace tapeless::cuda_kernels
