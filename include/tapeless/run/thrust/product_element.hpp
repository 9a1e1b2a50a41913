// SPDX-License-Identifier: BSL-1.0
// Matrix products that a library's routines do not take, such as those of rows that repeat: one thread for
// each element.
#pragma once

#include <array>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/run/calls.hpp>
#include <tapeless/run/description.hpp>
#include <tapeless/run/element_types.hpp>
#include <tapeless/run/thrust/finish_product.hpp>

namespace tapeless::thrust_kernels {

/// One element of a product.
template <class T>
struct product_element {
  product_call call;
  finishing<T> finish;
  constexpr void operator()(std::uint32_t item) const {
    const std::int64_t at = item, column = at % call.n, row = at / call.n % call.m;
    std::int64_t batch = at / call.n / call.m, a = 0, b = 0, c = 0;
    for (int d = call.batch_rank - 1; d >= 0; --d) {
      const std::int64_t member = batch % call.batch[d];
      a += member * call.a.strides[d];
      b += member * call.b.strides[d];
      c += member * call.c.strides[d];
      batch /= call.batch[d];
    }
    const int r = call.batch_rank;
    const auto* left =
        static_cast<const T*>(static_cast<const void*>(call.a.data)) + a + row * call.a.strides[r];
    const auto* right =
        static_cast<const T*>(static_cast<const void*>(call.b.data)) + b + column * call.b.strides[r + 1];
    using number = computed_as<element_of<T>>;
    number sum = 0;
    for (std::int64_t k = 0; k < call.k; ++k)
      sum += static_cast<number>(left[k * call.a.strides[r + 1]]) *
             static_cast<number>(right[k * call.b.strides[r]]);
    static_cast<T*>(static_cast<void*>(call.c.data))[c + row * call.ldc + column] =
        static_cast<T>(finish(sum, at, column));
  }
};

template <class T, class Executor>
void multiply_by_element(const finished_product& f, Executor& executor) {
  const product_call& call = f.call;
  const std::int64_t count = call.batches * call.m * call.n;
  if (count > most_items)
    throw error({"a matrix product of ", count, " elements is more than a launch takes, ", most_items});
  executor.for_each(count, product_element<T>{call, finishing<T>(f)});
}

namespace detail {

template <class Stage, class Executor, int... Product>
constexpr auto element_products(std::integer_sequence<int, Product...>) {
  return std::array<void (*)(const finished_product&, Executor&), sizeof...(Product)>{
      &multiply_by_element<storage_of<product_types_of<Stage>[Product]>, Executor>...};
}

}  // namespace detail

/// By element, the products of a stage's plan.
template <class Stage, class Executor>
inline constexpr auto element_products_of = detail::element_products<Stage, Executor>(
    std::make_integer_sequence<int, static_cast<int>(product_types_of<Stage>.size())>{});

}  // namespace tapeless::thrust_kernels
