// SPDX-License-Identifier: BSL-1.0
// What a plan is made of: fused kernels, matrix products and other commands, as plain values.
#pragma once

#include <tapeless/plan/access.hpp>

namespace tapeless {

/// Who owns a node's elements while the program runs.
enum class storage : std::uint8_t { none, input, parameter, state, hyperparameter, arena };

/// How an operand moves with the innermost loop, which is known to the compiler: one element on, not at
/// all, or by a stride; or it is a number, or the index along an axis.
enum class lane : std::uint8_t { contiguous, broadcast, strided, number, index };

/// An operand that a fused kernel reads.
struct planned_load {
  lane kind = lane::contiguous;
  element type = element::f32;
  access place;       // by loop axis; `base` is the node that owns the elements
  double number = 0;  // a constant's value
};

/// One operation of a fused kernel. Operands: a load k as -1 - k, an earlier instruction as its number.
struct planned_instruction {
  const operation* op = nullptr;
  element type = element::f32;
  int operands[max_operands] = {};
  int operand_count = 0;
};

/// A result that a fused kernel writes; where `reduction` is set, combined over the loop axes along which it
/// has stride 0.
struct planned_store {
  lane kind = lane::contiguous;
  element type = element::f32;
  int source = 0;  // as an instruction's operand
  const operation* reduction = nullptr;
  access place;
};

/// A fused kernel, one pass over memory: nested loops, with extents from the outermost to the innermost axis.
struct planned_fused_kernel {
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  unsigned reduced = 0;      // bit i: axis i is reduced
  unsigned ordered = 0;      // bit i: iterations of axis i write to the same elements, and stay on one thread
  bool accumulates = false;  // reductions go on from what is in memory
  int first_load = 0, loads = 0;
  int first_instruction = 0, instructions = 0;
  int first_store = 0, stores = 0;
};

/// [..., m, k] [..., k, n] -> [..., m, n]
struct planned_product {
  element type = element::f32;
  std::int64_t m = 0, n = 0, k = 0;
  int batch_rank = 0;
  std::int64_t batch[max_rank] = {};
  access a = {}, b = {}, c = {};  // by batch axis, then row and column
};

/// Computes one part of y[n, o, p] = sum over c, k of weight[o, c, k] * x[n, c, p*stride + k*dilation -
/// padding] from the other two, or the sum's transposes: x of [batch, in, image], weight of [out, in /
/// groups, kernel], y of [batch, out, positions], all contiguous.
struct planned_convolution {
  convolution_part computes = convolution_part::y;
  element type = element::f32;
  std::int64_t groups = 1;
  std::int64_t batch = 0, in = 0, out = 0;
  std::int64_t image[2] = {1, 1}, kernel[2] = {1, 1}, positions[2] = {1, 1};
  std::int64_t stride[2] = {1, 1}, dilation[2] = {1, 1}, padding[2] = {0, 0};
  access x = {}, weight = {}, y = {};

  constexpr const access& target() const {
    return computes == convolution_part::x ? x : computes == convolution_part::y ? y : weight;
  }
};

/// One of these for each channel of each sample; images are of [batch, channels, image], contiguous, the
/// others of [batch, channels, positions]. Operands are in the order x, y, then v or s.
struct planned_pooling {
  pooling_kind computes = pooling_kind::largest;
  element type = element::f32;
  bool counts_padding = true;  // whether padding is among the elements of a mean
  std::int64_t batch = 0, channels = 0;
  std::int64_t image[2] = {1, 1}, kernel[2] = {1, 1}, positions[2] = {1, 1};
  std::int64_t stride[2] = {1, 1}, padding[2] = {0, 0};
  int sources = 0;
  access source[3] = {}, target = {};
};

enum class walk : std::uint8_t { gather, scatter_add, flip, cumsum };

/// Elements one after the other, in the order of the loops, where an axis is gone along by an index, from its
/// end, or with a sum. In all accesses the stride of `axis` is along the axis of the node itself.
struct planned_walk {
  walk kind = walk::gather;
  element type = element::f32, index_type = element::i32;
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  int axis = 0;
  std::int64_t bound = 0;     // the axis's extent where indices pick from it
  std::int64_t count = 0;     // elements of the target
  bool from_the_end = false;  // of a cumulative sum
  access source = {}, index = {}, target = {};
};

/// The commands between a loop's begin and its end are run `count` times. It fills `stacks` nodes with its
/// iterations' values.
struct planned_loop {
  std::int64_t count = 0;
  bool reversed = false;
  int first_stack = 0, stacks = 0;
};

struct planned_command {
  enum class kind : std::uint8_t {
    fused_kernel,
    product,
    convolution,
    pooling,
    walk,
    loop_begin,
    loop_end
  } kind = kind::fused_kernel;
  int index = 0;
};

/// Memory in the arena that holds one node's elements from command `first` to command `last`.
struct planned_buffer {
  int node = -1;
  element type = element::f32;
  std::int64_t count = 0;  // elements
  int first = 0, last = 0;
};

/// Where a node's elements are: entry `index` of that kind of storage.
struct placement {
  storage kind = storage::none;
  int index = -1;
};

}  // namespace tapeless
