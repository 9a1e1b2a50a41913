// SPDX-License-Identifier: BSL-1.0
// How much the nodes of a graph compute, and how much the kernels of a plan do.
//
// An operation on one element of a result counts as one, whatever it costs. In a reduction each element that
// is reduced counts, in a matrix product or convolution each multiplication and each addition. Copies,
// conversions and views count nothing.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/plan/plan_view.hpp>

namespace tapeless {

/// A number of operations, elements or bytes: the factor times extents, as a plan or graph numbers them, by
/// the divisor.
struct work {
  std::int64_t factor = 0;
  int count = 0;
  std::int64_t extents[2 * max_rank] = {};
  std::int64_t divisor = 1;

  constexpr work times(std::int64_t e) const {
    work w = *this;
    if (extent_table::is_literal(e)) {
      w.factor *= e;
    } else {
      w.extents[w.count++] = e;
    }
    return w;
  }
};

namespace detail {

/// The elements of a node of a graph or of a plan.
template <class Node>
constexpr work element_count_of(const Node& n) {
  work w{1};
  for (int d = 0; d < n.rank; ++d) w = w.times(n.shape[d]);
  return w;
}

/// 5 n log2(n) for each transform of n numbers, as FFTs are usually counted, for `batch` n numbers; where n
/// is a run-time extent, whose logarithm is not known here, 5 n.
constexpr work transforms_of(work numbers, std::int64_t n) {
  numbers.factor *= 5;
  std::int64_t doublings = 0;
  while (extent_table::is_literal(n) && n >> doublings > 1) ++doublings;
  if (doublings > 1) numbers.factor *= doublings;
  return numbers;
}

constexpr work transforms_of(const node& y, const node& x) {
  const bool is_whole = y.op->is(fourier_kind::whole);
  const int rank = y.rank - (is_whole ? 1 : 2);
  const std::int64_t n = (is_whole ? y : x).shape[rank];
  work numbers = work{1}.times(n);
  for (int d = 0; d < rank; ++d) numbers = numbers.times(y.shape[d]);
  return transforms_of(numbers, n);
}

/// The operations on one matrix of n columns, for a result of so many rows and columns. Where iterations end
/// is not known here: those count as a product of the same matrices.
constexpr work matrix_function_of(matrix_kind computes, std::int64_t n, std::int64_t rows,
                                  std::int64_t columns) {
  switch (computes) {
    case matrix_kind::cholesky: {
      work third = work{1}.times(n).times(n).times(n);
      third.divisor = 3;
      return third;
    }
    case matrix_kind::lu: {
      work two_thirds = work{2}.times(n).times(n).times(n);
      two_thirds.divisor = 3;
      return two_thirds;
    }
    case matrix_kind::triangular_solve:
      return work{1}.times(n).times(n).times(columns);
    case matrix_kind::qr:
    case matrix_kind::eigh:
    case matrix_kind::svd:
    case matrix_kind::exponential:
      break;
  }
  return work{2}.times(rows).times(columns).times(n);
}

constexpr bool is_arithmetic(const operation* op) {
  return op != &copy_operation && op != &float_operation && op != &operation_of<cast_operation>;
}

/// batch * out * positions * in / groups * kernel: the multiplications of a convolution or of a transpose.
/// Those with padding are counted as well.
constexpr work multiplications_of(const node& y, const node& weight) {
  work w = element_count_of(y);
  for (int d = 1; d < weight.rank; ++d) w = w.times(weight.shape[d]);
  return w;
}

/// For each pair of a query and a key, also where the one does not attend to the other: two products for the
/// result, and for the gradient of a mask; for the gradients five, three of which are as wide as a key.
constexpr work attention_of(attention_kind computes, std::int64_t width, std::int64_t value_width) {
  switch (computes) {
    case attention_kind::result:
    case attention_kind::of_mask:
      return {2 * width + 2 * value_width};
    case attention_kind::gradients:
      return {6 * width + 4 * value_width};
  }
  return {};
}

/// Of all matrices of a batch.
constexpr work matrix_function_of(const node& y, const node& x) {
  work w = matrix_function_of(y.op->as<matrix_kind>(), x.shape[y.rank - 1], y.shape[y.rank - 2],
                              y.shape[y.rank - 1]);
  for (int d = 0; d + 2 < y.rank; ++d) w = w.times(y.shape[d]);
  return w;
}

template <class Graph>
constexpr const node& operand_of(const Graph& g, const node& n, int k) {
  return g.nodes[static_cast<std::size_t>(n.operands[k])];
}

/// Of all heads.
template <class Graph>
constexpr work attention_of(const Graph& g, const node& n) {
  const auto computes = n.op->as<attention_kind>();
  const attention_places places =
      attention_places_of(attention_scores_of(n), computes != attention_kind::result);
  const node &q = operand_of(g, n, 0), &v = operand_of(g, n, places.values);
  const std::int64_t width = q.shape[n.rank - 1],
                     value_width = v.shape[n.rank - 1] - (places.together() ? width : 0);
  work w = attention_of(computes, width, value_width);
  for (int d = 0; d + 2 < n.rank; ++d) w = w.times(q.shape[d]);
  return w.times(q.shape[n.rank - 2]).times(v.shape[n.rank - 2]);
}

/// Each element of each window. There is a window for each position, which an image has in its last operand.
template <class Graph>
constexpr work windows_of_pooling(const Graph& g, const node& n) {
  const pooling_windows p = pooling_of(n);
  const bool is_image = gives_image(n.op->as<pooling_kind>());
  work w = element_count_of(is_image ? operand_of(g, n, n.operand_count - 1) : n);
  for (int s = 0; s < p.windows.axes; ++s) w = w.times(p.windows.along[s].size);
  return w;
}

/// The operations of a node, in one iteration of its loop.
template <class Graph>
constexpr work operations_once(const Graph& g, const node& n) {
  const auto operand = [&](int k) -> const node& { return operand_of(g, n, k); };
  switch (n.op->kind) {
    case family::pointwise:
      return is_arithmetic(n.op) ? element_count_of(n) : work{};
    case family::reduction:
    case family::overlap:
    case family::scatter:
      return element_count_of(operand(0));
    case family::sort:
      return element_count_of(n);
    case family::prefix_scan:
      return element_count_of(n).times(n.op->as<prefix_scan_kind>() == prefix_scan_kind::recurrence ? 2 : 1);
    case family::product:
      return element_count_of(n).times(2).times(operand(0).shape[operand(0).rank - 1]);
    case family::matrix_function:
      return matrix_function_of(n, operand(0));
    case family::fourier:
      return transforms_of(n, operand(0));
    case family::attention:
      return attention_of(g, n);
    case family::convolution:
      switch (n.op->as<convolution_part>()) {
        case convolution_part::x:
          return multiplications_of(operand(0), operand(1)).times(2);
        case convolution_part::weight:
          return multiplications_of(operand(1), n).times(2);
        case convolution_part::y:
          return multiplications_of(n, operand(1)).times(2);
      }
      return {};
    case family::pooling:
      return windows_of_pooling(g, n);
    case family::input:
    case family::parameter:
    case family::state:
    case family::hyperparameter:
    case family::constant:
    case family::size:
    case family::iota:
    case family::view:
    case family::pad:
    case family::concat:
    case family::gather:
    case family::alias:
    case family::carry:
    case family::stacked:
      return {};
  }
  return {};
}

}  // namespace detail

/// The operations of a node, in all iterations of its loop.
template <class Graph>
constexpr work operations_of(const Graph& g, const node& n) {
  const work once = detail::operations_once(g, n);
  return n.region == 0 ? once : once.times(g.regions[static_cast<std::size_t>(n.region - 1)].count);
}

/// Of an instruction or a reduction of a fused kernel, what is shown of it.
struct described_operation {
  std::string_view name;  // empty: none
  bool is_arithmetic = false;
};
constexpr described_operation describe_operation(const operation* op) {
  if (op == nullptr) return {};
  return {op->name, detail::is_arithmetic(op)};
}

/// The operations of one run of a fused kernel; those of its instructions and of its stores are given.
constexpr work operations_of(const planned_fused_kernel& p,
                             array_view<const described_operation> instructions,
                             array_view<const described_operation> reductions) {
  work w;
  for (int k = 0; k < p.instructions; ++k)
    w.factor += instructions[static_cast<std::size_t>(p.first_instruction + k)].is_arithmetic ? 1 : 0;
  for (int k = 0; k < p.stores; ++k)
    w.factor += reductions[static_cast<std::size_t>(p.first_store + k)].is_arithmetic ? 1 : 0;
  for (int d = 0; d < p.rank; ++d) w = w.times(p.extents[d]);
  return w;
}
/// 2 m n k for each member of the batch.
constexpr work operations_of(const planned_product& p) {
  work w = work{2}.times(p.m).times(p.n).times(p.k);
  for (int d = 0; d < p.batch_rank; ++d) w = w.times(p.batch[d]);
  return w;
}
constexpr work operations_of(const planned_convolution& p) {
  work w = work{2}.times(p.batch).times(p.out).times(p.in);
  for (int s = 0; s < 2; ++s) w = w.times(p.positions[s]).times(p.kernel[s]);
  w.factor /= p.groups;
  return w;
}
constexpr work operations_of(const planned_pooling& p) {
  work w = work{1}.times(p.batch).times(p.channels);
  for (int s = 0; s < 2; ++s) w = w.times(p.positions[s]).times(p.kernel[s]);
  return w;
}
constexpr work operations_of(const planned_gather&) { return {}; }
namespace detail {
constexpr work iterations_of(const planned_axis_loop& p) {
  work w{1};
  for (int d = 0; d < p.rank; ++d) w = w.times(p.extents[d]);
  return w;
}
}  // namespace detail
constexpr work operations_of(const planned_scatter& p) { return detail::iterations_of(p); }
constexpr work operations_of(const planned_sort& p) { return detail::iterations_of(p); }
constexpr work operations_of(const planned_prefix_scan& p) {
  return detail::iterations_of(p).times(p.computes == prefix_scan_kind::recurrence ? 2 : 1);
}
constexpr work operations_of(const planned_fourier& p) {
  work numbers = work{1}.times(p.n);
  for (int d = 0; d < p.rank; ++d) numbers = numbers.times(p.extents[d]);
  return detail::transforms_of(numbers, p.n);
}
constexpr work operations_of(const planned_attention& p) {
  work w = detail::attention_of(p.computes, p.width, p.value_width);
  for (int d = 0; d < p.rank; ++d) w = w.times(p.extents[d]);
  return w.times(p.queries).times(p.keys);
}
constexpr work operations_of(const planned_matrix_function& p) {
  work w = detail::matrix_function_of(p.computes, p.columns, p.target_rows, p.target_columns);
  for (int d = 0; d < p.rank; ++d) w = w.times(p.extents[d]);
  return w;
}

}  // namespace tapeless
