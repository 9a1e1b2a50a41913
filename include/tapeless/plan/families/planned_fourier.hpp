// SPDX-License-Identifier: BSL-1.0
// The kernel family of discrete Fourier transforms.
#pragma once

#include <cstddef>

#include <tapeless/error.hpp>
#include <tapeless/plan/families/kernel_family.hpp>

namespace tapeless {

/// `batch` transforms of n numbers, one behind the other.
struct fourier_arguments {
  std::int64_t batch = 0, n = 0;
  std::byte *source = nullptr, *target = nullptr;
  bool only_prepares = false;  // whether the kernel is to make what it keeps, and to compute nothing
};

/// What its kernels are told apart by.
struct fourier_key {
  fourier_kind computes;
  element type;
};

/// target(.., :) = the transform of source(.., :), as fourier_kind has it; both are contiguous.
struct planned_fourier {
  static constexpr family kind = family::fourier;
  static constexpr std::string_view label = "fourier transform";
  static constexpr bool has_expansion = false;
  static constexpr operand_layout layout = operand_layout::contiguous;
  static constexpr int operands = 2;
  using arguments = fourier_arguments;
  using key = fourier_key;

  fourier_kind computes = fourier_kind::forward;
  element type = element::f32;
  int rank = 0;  // of the batch
  std::int64_t extents[max_rank] = {};
  std::int64_t n = 0;
  access source = {}, result = {};

  static constexpr planned_fourier make(graph& g, int id) {
    const node& y = g.nodes[id];
    planned_fourier p{.computes = y.op->as<fourier_kind>(), .type = y.type};
    const bool whole = p.computes == fourier_kind::whole;
    p.rank = y.rank - (whole ? 1 : 2);
    for (int d = 0; d < p.rank; ++d) p.extents[d] = y.shape[d];
    p.n = (whole ? y : g.nodes[y.operands[0]]).shape[p.rank];
    resolve(g, y.operands[0], p.source);
    resolve(g, id, p.result);
    return p;
  }

  constexpr key kernel_key() const { return {computes, type}; }
  template <class F>
  constexpr void for_each_source(F f) const {
    f(source);
  }
  constexpr const access& target() const { return result; }
  template <class Launch>
  void launch(fourier_arguments& launched, Launch& at) const {
    launched.batch = 1;
    for (int d = 0; d < rank; ++d) launched.batch *= at.extent(extents[d]);
    launched.n = at.extent(n);
    if (launched.n < 1)
      throw_error(
          {"a Fourier transform is asked for of a signal of ", launched.n, " numbers, which has none"});
    at.place(source, type, &launched.source);
    at.place(result, type, &launched.target);
  }
};

/// How many numbers a transform of n numbers takes, or gives: a complex one counts as two.
constexpr std::int64_t source_numbers(fourier_kind computes, std::int64_t n) {
  switch (computes) {
    case fourier_kind::forward:
    case fourier_kind::backward:
      return 2 * n;
    case fourier_kind::half:
      return n;
    case fourier_kind::whole:
      return 2 * (n / 2 + 1);
  }
  return 0;
}
constexpr std::int64_t target_numbers(fourier_kind computes, std::int64_t n) {
  return source_numbers(computes == fourier_kind::half    ? fourier_kind::whole
                        : computes == fourier_kind::whole ? fourier_kind::half
                                                          : computes,
                        n);
}

}  // namespace tapeless
