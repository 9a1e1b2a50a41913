// SPDX-License-Identifier: BSL-1.0
// Matrix products that a library's routines do not take, such as those of rows that repeat: one thread for
// each element.
#pragma once

#include <array>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/kernel_key.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/gpu/kernels/finish_product.hpp>

namespace tapeless::thrust_kernels {

/// One element of a product.
template <class T>
struct product_element {
  product_arguments arguments;
  finishing<T> finish;
  constexpr void operator()(std::uint32_t item) const {
    const std::int64_t at = item, column = at % arguments.n, row = at / arguments.n % arguments.m;
    std::int64_t batch = at / arguments.n / arguments.m, a = 0, b = 0, c = 0;
    for (int d = arguments.batch_rank - 1; d >= 0; --d) {
      const std::int64_t member = batch % arguments.batch[d];
      a += member * arguments.a.strides[d];
      b += member * arguments.b.strides[d];
      c += member * arguments.c.strides[d];
      batch /= arguments.batch[d];
    }
    const int r = arguments.batch_rank;
    const auto* left =
        static_cast<const T*>(static_cast<const void*>(arguments.a.data)) + a + row * arguments.a.strides[r];
    const auto* right = static_cast<const T*>(static_cast<const void*>(arguments.b.data)) + b +
                        column * arguments.b.strides[r + 1];
    using number = computed_as<element_of<T>>;
    number sum = 0;
    for (std::int64_t k = 0; k < arguments.k; ++k)
      sum += static_cast<number>(left[k * arguments.a.strides[r + 1]]) *
             static_cast<number>(right[k * arguments.b.strides[r]]);
    static_cast<T*>(static_cast<void*>(arguments.c.data))[c + row * arguments.ldc + column] =
        static_cast<T>(finish(sum, at, column));
  }
};

template <class T, class Executor>
void multiply_by_element(const finished_product& f, Executor& executor) {
  const product_arguments& arguments = f.arguments;
  const std::int64_t count = arguments.batches * arguments.m * arguments.n;
  if (count > most_items)
    throw_error({"a matrix product of ", count, " elements is more than a launch takes, ", most_items});
  executor.for_each(count, product_element<T>{arguments, finishing<T>(f)});
}

namespace detail {

template <class GraphBuilder, class Executor, int... Product>
constexpr auto element_products(std::integer_sequence<int, Product...>) {
  return std::array<void (*)(const finished_product&, Executor&), sizeof...(Product)>{
      &multiply_by_element<storage_of<product_types_of<GraphBuilder>[Product]>, Executor>...};
}

}  // namespace detail

/// By element, the products of a program's plan.
template <class GraphBuilder, class Executor>
inline constexpr auto element_products_of = detail::element_products<GraphBuilder, Executor>(
    std::make_integer_sequence<int, static_cast<int>(product_types_of<GraphBuilder>.size())>{});

}  // namespace tapeless::thrust_kernels
