// SPDX-License-Identifier: BSL-1.0
// What a product takes along, as machines see it; and a bias and a ReLU for products that were written
// without, where a library has no algorithm that adds them.
#pragma once

#include <array>
#include <utility>

#include <tapeless/run/calls.hpp>
#include <tapeless/run/description.hpp>
#include <tapeless/run/element_types.hpp>
#include <tapeless/run/thrust/bias_gradients.hpp>
#include <tapeless/run/thrust/index_space.hpp>

namespace tapeless::thrust_kernels {

/// Where a product's result goes, what is added to it, and where an operand's sums go.
struct finished_product {
  product_call call;
  const std::byte* bias = nullptr;
  bool relu = false;
  summed side = summed::nothing;
  std::byte* sums = nullptr;

  /// Whether the result is more than the product.
  bool has_epilogue() const { return bias != nullptr || relu; }
};

/// The product with its epilogue, of which `pass` is the call.
inline finished_product finished(const product_call& call, const epilogue& e, const pass_call& pass) {
  finished_product f{.call = call, .relu = e.relu};
  f.call.c.data = pass.operands[pass.operand_count - 1].data;
  if (e.bias >= 0) f.bias = pass.operands[e.bias].data;
  return f;
}

/// One element of a product that was written without its epilogue.
template <class T>
struct finish_element {
  product_call call;
  const T* bias;
  bool relu;
  std::int64_t begin;
  constexpr void operator()(std::uint32_t item) const {
    const std::int64_t at = begin + item;
    T& to = static_cast<T*>(static_cast<void*>(call.c.data))[at];
    using number = computed_as<element_of<T>>;
    auto x = static_cast<number>(to);
    if (bias != nullptr) x += static_cast<number>(bias[at % call.n]);
    to = static_cast<T>(relu ? positive_part(x) : x);
  }
};

/// Adds the epilogue to a product that has been written without, to where the epilogue stores.
template <class T, class Executor>
void finish_product(const finished_product& f, Executor& executor) {
  const std::int64_t count = f.call.batches * f.call.m * f.call.n;
  for (std::int64_t begin = 0; begin < count; begin += most_items)
    executor.for_each(count - begin < most_items ? count - begin : most_items,
                      finish_element<T>{f.call, reinterpret_cast<const T*>(f.bias), f.relu, begin});
}

namespace detail {

template <class Executor>
using product_finish = void (*)(const finished_product&, Executor&);

template <class Stage, class Executor, int Product>
constexpr product_finish<Executor> product_finish_of() {
  if constexpr (epilogues_of<Stage>[Product].exists) {
    return &finish_product<storage_of<product_types_of<Stage>[Product]>, Executor>;
  } else {
    return nullptr;
  }
}

template <class Stage, class Executor, int... Product>
constexpr auto product_finishes(std::integer_sequence<int, Product...>) {
  return std::array<product_finish<Executor>, sizeof...(Product)>{
      product_finish_of<Stage, Executor, Product>()...};
}

}  // namespace detail

/// What finishes the products of a stage's plan that have an epilogue; null for the others.
template <class Stage, class Executor>
inline constexpr auto product_finishes_of = detail::product_finishes<Stage, Executor>(
    std::make_integer_sequence<int, static_cast<int>(product_types_of<Stage>.size())>{});

}  // namespace tapeless::thrust_kernels
