// SPDX-License-Identifier: BSL-1.0
// An operation: what kind of work it is, which one of its kind, and the formula of its derivative.
#pragma once

#include <cstdint>
#include <string_view>

#include <tapeless/graph/core/name.hpp>

namespace tapeless {

struct value;
struct node;

/// What kind of work a node is: a policy has one kernel family for each kind that is not a leaf or a view.
enum class family : std::uint8_t {
  input,            // bound when the program runs
  parameter,        // owned by the trainer
  state,            // what a rule keeps for a parameter
  hyperparameter,   // a number in the run-time buffer
  constant,         // a number in the program
  size,             // an extent as a number
  iota,             // the index along one axis
  pointwise,        // element by element, with broadcasting
  reduction,        // over some axes
  product,          // matrix product over the last two axes
  convolution,      // over one or two spatial axes, and its transposes
  pooling,          // over windows of one or two spatial axes
  view,             // the operand's elements, seen otherwise
  pad,              // the operand within zeros
  concat,           // the operands end to end
  overlap,          // windows, added up where they overlap
  gather,           // elements picked from places along an axis
  scatter,          // elements brought to places along an axis
  prefix_scan,      // each element combined with all before it along an axis
  sort,             // where the elements along an axis stand in their order
  matrix_function,  // of whole matrices, the last two axes: factors, solutions, exponentials
  fourier,          // discrete Fourier transforms along the last axis of complex or real numbers
  attention,        // attention without scores in memory, and its gradients
  alias,            // the operand itself, with another derivative
  carry,            // what one iteration of a loop hands to the next; the operand is what the first one gets
  stacked           // the operand's values in all iterations of its loop, along a new first axis
};

/// Where a node's elements are from.
enum class element_source : std::uint8_t {
  binding,  // memory that is there before the program runs
  number,   // a number that is known before the step's first kernel
  index,    // its place along an axis
  kernel,   // memory of its own, which a kernel fills
  loop,     // memory of its own, which the iterations of a loop fill
  operand   // the operand's
};
constexpr element_source source_of(family f) {
  switch (f) {
    case family::input:
    case family::parameter:
    case family::state:
      return element_source::binding;
    case family::hyperparameter:
    case family::constant:
    case family::size:
      return element_source::number;
    case family::iota:
      return element_source::index;
    case family::pointwise:
    case family::reduction:
    case family::product:
    case family::convolution:
    case family::pooling:
    case family::pad:
    case family::concat:
    case family::overlap:
    case family::gather:
    case family::scatter:
    case family::prefix_scan:
    case family::matrix_function:
    case family::sort:
    case family::fourier:
    case family::attention:
      return element_source::kernel;
    case family::carry:
    case family::stacked:
      return element_source::loop;
    case family::view:
    case family::alias:
      return element_source::operand;
  }
  return element_source::kernel;
}

/// The shape of an operation's Jacobian decides how forward mode goes through it.
enum class jacobian : std::uint8_t {
  none,      // no derivative exists: an error in the path
  diagonal,  // the cotangent's formula, applied to a tangent, is the tangent's
  linear,    // linear in each operand alone: the operation itself carries tangents
  general    // neither: forward mode transposes the cotangent's formula
};

// The operations of the families that have several which plans and kernels tell apart. A switch over one of
// these has no default, so that the compiler names what a new operation still lacks.

enum class view_kind : std::uint8_t {
  reshape,    // the same elements in row-major order, in another shape
  permute,    // the axes in another order
  expand,     // repeated along axes
  slice,      // every step-th element along one axis
  windows,    // all windows along one axis
  iteration,  // the present iteration's element along the first axis
  last        // a carry's value when its loop is over
};

enum class reduction_kind : std::uint8_t { sum, product, largest, smallest };  // of the elements along axes

/// What a convolution is linear in, and which of the three an operation computes: its operand, its weight,
/// its result.
enum class convolution_part : std::uint8_t { x, weight, y };

/// What a pooling computes, of images x and v, and of numbers y and s at the positions of the windows:
enum class pooling_kind : std::uint8_t {
  largest,  // y[p] = the largest x[i] of window p
  tied,     // s[p] = the sum of v[i], or without it of ones, over i in window p with x[i] = y[p]
  shared,   // v[i] = the sum of s[p] over the windows p that hold i, with x[i] = y[p]: the transpose in v
  mean,     // s[p] = the mean of v[i] over window p
  spread    // v[i] = the sum of s[p] / (elements of p) over the windows p that hold i: the transpose
};

/// Whether the result is an image.
constexpr bool gives_image(pooling_kind p) {
  switch (p) {
    case pooling_kind::largest:
    case pooling_kind::tied:
    case pooling_kind::mean:
      return false;
    case pooling_kind::shared:
    case pooling_kind::spread:
      return true;
  }
  return false;
}

enum class gather_kind : std::uint8_t {
  by_index,  // from the place that an index says
  flip       // from the end
};

enum class scatter_kind : std::uint8_t {
  // of all elements that an index brings to a place
  add,       // the sum; 0 of none
  largest,   // the largest; -infinity of none, of integers the lowest one
  smallest,  // the smallest; infinity of none, of integers the highest one
  replace    // the last one; of none, what the third operand has there. An index below 0 brings it nowhere
};

enum class prefix_scan_kind : std::uint8_t {
  sum,        // y[i] = x[i] + y[i-1]
  product,    // y[i] = x[i] y[i-1]
  largest,    // y[i] = the larger of x[i] and y[i-1]
  recurrence  // y[i] = x[i] + a[i] y[i-1]; from the end, y[i] = x[i] + a[i+1] y[i+1]
};

/// What is computed of a matrix a. Several factors stand below one another in one result, and below them what
/// the kernel needs memory for.
enum class matrix_kind : std::uint8_t {
  cholesky,     // [n, n] -> the lower triangle l of a = l l^T
  lu,           // [n, n] -> [n + 1, n]: l without its ones and u, in one square; whose row of a each row is
  qr,           // [m, n] -> [m + n, n], m >= n: q; r
  eigh,         // [n, n] -> [2 n + 1, n]: eigenvectors as columns; eigenvalues, ascending; memory
  svd,          // [m, n] -> [m + n + 1, n], m >= n: u; singular values, descending; v
  exponential,  // [n, n] -> [3 n, n]: e^a; memory
  triangular_solve  // [n, n] and b [n, k] -> x [n, k] with a x = b
};

/// A discrete Fourier transform of n numbers without any factor, along the last axis. Complex numbers are
/// pairs along an axis of 2 behind it; s is 2 pi i / n.
enum class fourier_kind : std::uint8_t {
  forward,   // complex [n] -> complex [n]: y[k] = sum of x[j] e^(-s j k)
  backward,  // complex [n] -> complex [n]: y[k] = sum of x[j] e^(s j k)
  half,      // real [n] -> complex [n / 2 + 1]: the first ones of forward; the others are their conjugates
  whole      // complex [n / 2 + 1] -> real [n]: backward of these and of their conjugates
};

/// What is computed of queries q [n, width], keys k [m, width] and values v [m, any], where p is the softmax
/// of scale q k^T along the keys:
enum class attention_kind : std::uint8_t {
  result,  // [n, attention_columns(any)]: p v; then the largest score m, and 1 / the sum of all e^(score - m)
  gradients,  // of q, k and v, below one another, from v's, the result and its gradient, side by side
  of_mask     // [n, m]: of what is added to the scores, from the same
};

/// The family whose operations an enumeration lists.
constexpr family family_of(view_kind) { return family::view; }
constexpr family family_of(reduction_kind) { return family::reduction; }
constexpr family family_of(convolution_part) { return family::convolution; }
constexpr family family_of(pooling_kind) { return family::pooling; }
constexpr family family_of(gather_kind) { return family::gather; }
constexpr family family_of(scatter_kind) { return family::scatter; }
constexpr family family_of(prefix_scan_kind) { return family::prefix_scan; }
constexpr family family_of(matrix_kind) { return family::matrix_function; }
constexpr family family_of(fourier_kind) { return family::fourier; }
constexpr family family_of(attention_kind) { return family::attention; }

/// An enumeration of the operations of one family.
template <class Kind>
concept operation_kind = requires(Kind k) { family_of(k); };

/// Whether the family's operations are listed by an enumeration of their own.
constexpr bool has_kinds(family f) {
  switch (f) {
    case family::view:
    case family::reduction:
    case family::convolution:
    case family::pooling:
    case family::gather:
    case family::scatter:
    case family::prefix_scan:
    case family::matrix_function:
    case family::fourier:
    case family::attention:
      return true;
    case family::input:
    case family::parameter:
    case family::state:
    case family::hyperparameter:
    case family::constant:
    case family::size:
    case family::iota:
    case family::pointwise:
    case family::product:
    case family::pad:
    case family::concat:
    case family::overlap:
    case family::sort:
    case family::alias:
    case family::carry:
    case family::stacked:
      return false;
  }
  return false;
}

namespace detail {

// Not constexpr: the compiler's error names them.
inline void this_family_needs_a_kind() {}
inline void the_operation_is_of_another_family() {}

}  // namespace detail

/// Which operation one is: its family, and in a family of several its place in their enumeration.
struct operation_identity {
  family kind;
  std::uint8_t place = 0;

  constexpr operation_identity(family f) : kind(f) {
    if (has_kinds(f)) detail::this_family_needs_a_kind();
  }
  template <operation_kind Kind>
  constexpr operation_identity(Kind k) : kind(family_of(k)), place(static_cast<std::uint8_t>(k)) {}
};

/// An operation and the formula of its derivative. Two operations are equal if they have one address.
struct operation {
  /// The cotangent of operand k, from that of the result g, the operands and the result y; {} where it is
  /// zero. May be of the result's shape where the operand was broadcast.
  using cotangent_function = value (*)(int k, value g, const value* operands, value y);
  /// The result in terms of other operations, for backends that have no kernel for this one.
  using expansion_function = value (*)(const value* operands, const node& y);

  constexpr operation(std::string_view label, operation_identity identity, jacobian known = jacobian::none,
                      cotangent_function derivative = nullptr, expansion_function others = nullptr,
                      bool brief = false)
      : name(label),
        hash(hash_of(label)),
        kind(identity.kind),
        place(identity.place),
        structure(known),
        cotangent(derivative),
        expansion(others),
        is_brief(brief) {}

  /// Which one of its family it is. Precondition: it is of that family.
  template <operation_kind Kind>
  constexpr Kind as() const {
    if (kind != family_of(Kind{})) detail::the_operation_is_of_another_family();
    return static_cast<Kind>(place);
  }
  template <operation_kind Kind>
  constexpr bool is(Kind k) const {
    return kind == family_of(k) && place == static_cast<std::uint8_t>(k);
  }

  std::string_view name;  // as messages have it; nothing is decided by it
  std::uint64_t hash;     // the name's, for the tables of nodes
  family kind;
  std::uint8_t place;  // in its family's enumeration
  jacobian structure;
  cotangent_function cotangent;
  expansion_function expansion;
  bool is_brief;  // it takes less time than to read its result from memory, and rounds nothing of others
};

}  // namespace tapeless
