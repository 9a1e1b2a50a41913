// SPDX-License-Identifier: BSL-1.0
// Which sums of a fused kernel are computed together with a product, rounded once, where a machine has an
// instruction for that. So it is chosen here, by the kernel key alone, and not by compilers, which see
// different parts of a kernel.
#pragma once

#include <array>
#include <type_traits>

#include <tapeless/graph/core/element.hpp>
#include <tapeless/run/common/kernel_key.hpp>

namespace tapeless {

/// What an instruction is a part of: a b + c, a b - c or c - a b.
struct product_in_sum {
  bool is_in_sum = false;  // the product, which is not computed by itself
  bool has_product = false;
  bool subtracts_product = false, subtracts_other = false;
  int a = 0, b = 0, other = 0;  // operands, as in instruction_key
};

namespace detail {

template <class Operation>
inline constexpr int code_of = pointwise_code(&operation_of<Operation>);

constexpr bool is_product(const instruction_key& i) {
  return i.code == code_of<mul_operation> || i.code == code_of<square_operation>;
}
constexpr bool is_sum(const instruction_key& i) {
  return (i.code == code_of<add_operation> || i.code == code_of<sub_operation>) &&
         (i.type == element::f32 || i.type == element::f64);
}

constexpr int operand_of(const instruction_key& i, int k) { return k == 0 ? i.a : k == 1 ? i.b : i.c; }

/// How often a kernel reads what instruction number `i` computes.
template <std::size_t Instructions, std::size_t Stores>
constexpr int times_read(const std::array<instruction_key, Instructions>& instructions,
                         const std::array<store_key, Stores>& stores, int i) {
  int times = 0;
  for (const instruction_key& reader : instructions)
    for (int k = 0; k < reader.count; ++k) times += operand_of(reader, k) == i ? 1 : 0;
  for (const store_key& s : stores) times += s.source == i ? 1 : 0;
  return times;
}

template <std::size_t Instructions, std::size_t Stores>
constexpr std::array<product_in_sum, Instructions> find_products_in_sums(
    const std::array<instruction_key, Instructions>& instructions,
    const std::array<store_key, Stores>& stores) {
  std::array<product_in_sum, Instructions> all{};
  for (std::size_t i = 0; i < Instructions; ++i) {
    const instruction_key& sum = instructions[i];
    if (!is_sum(sum)) continue;
    for (int k = 0; k < 2 && !all[i].has_product; ++k) {
      const int p = operand_of(sum, k);
      if (p < 0) continue;
      const instruction_key& product = instructions[static_cast<std::size_t>(p)];
      if (!is_product(product) || product.type != sum.type) continue;
      if (times_read(instructions, stores, p) != 1) continue;
      const bool subtracts = sum.code == code_of<sub_operation>;
      all[static_cast<std::size_t>(p)].is_in_sum = true;
      all[i] = {.has_product = true,
                .subtracts_product = subtracts && k == 1,
                .subtracts_other = subtracts && k == 0,
                .a = product.a,
                .b = product.count > 1 ? product.b : product.a,
                .other = operand_of(sum, 1 - k)};
    }
  }
  return all;
}

}  // namespace detail

/// The sum of which such a part says what it is made of; f(a, b, c) is a b + c.
template <product_in_sum Part, class X, class MultiplyAdd>
[[gnu::always_inline]] inline X sum_with_product(X a, X b, X other, const MultiplyAdd& f) {
  if constexpr (Part.subtracts_product) {
    return f(-a, b, other);
  } else if constexpr (Part.subtracts_other) {
    return f(a, b, -other);
  } else {
    return f(a, b, other);
  }
}

/// By an instruction's number, of the kernels of a key. Not for kernels whose numbers are of several types:
/// they compute each instruction by itself.
template <class Key>
inline constexpr auto products_in_sums = std::array<product_in_sum, 0>{};
template <load_key... L, instruction_key... I, store_key... S, bool InnermostReduced>
inline constexpr auto products_in_sums<
    kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>> =
    detail::find_products_in_sums(std::array<instruction_key, sizeof...(I)>{I...},
                                  std::array<store_key, sizeof...(S)>{S...});

}  // namespace tapeless
