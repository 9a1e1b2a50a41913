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
    of_family,  // one of the kernel families that are listed in families.hpp
    loop_begin,
    loop_end
  } kind = kind::fused_kernel;
  int index = 0;
  int family = -1;  // its place in that list

  /// Whether it is a fused kernel or a product, of which a backend may launch several at once.
  constexpr bool may_be_launched_with_others() const {
    return kind == kind::fused_kernel || kind == kind::product;
  }
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
  friend constexpr bool operator==(const placement&, const placement&) = default;
};

}  // namespace tapeless
