// SPDX-License-Identifier: BSL-1.0
// A product's epilogue, as backends see it; and the same work after the product, if a library has no
// algorithm with the epilogue.
#pragma once

#include <array>
#include <utility>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/kernel_key.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/gpu/kernels/index_space.hpp>
#include <tapeless/run/gpu/launch/bias_gradients.hpp>

namespace tapeless::thrust_kernels {

/// Where a product's result goes, what becomes of it, and where an operand's sums go.
struct finished_product {
  product_arguments arguments;
  activation then = activation::none;
  const std::byte* bias = nullptr;
  std::byte* argument = nullptr;  // of a GELU: where it is kept, or has been; its rows are contiguous
  summed side = summed::nothing;
  std::byte* sums = nullptr;

  /// Whether the result is more than the product.
  bool has_epilogue() const { return bias != nullptr || then != activation::none; }
};

/// The product with its epilogue, which is `fused_kernel`.
inline finished_product finished(const product_arguments& arguments, const epilogue& e,
                                 const fused_kernel_arguments& fused_kernel) {
  const auto data = [&](int operand) { return operand < 0 ? nullptr : fused_kernel.operands[operand].data; };
  finished_product f{
      .arguments = arguments, .then = e.then, .bias = data(e.bias), .argument = data(e.argument)};
  f.arguments.c.data = data(e.result);
  return f;
}

/// What becomes of a product's elements.
template <class T>
class finishing {
 public:
  using number = computed_as<element_of<T>>;

  explicit finishing(const finished_product& f)
      : then_(f.then),
        bias_(static_cast<const T*>(static_cast<const void*>(f.bias))),
        argument_(static_cast<T*>(static_cast<void*>(f.argument))) {}

  /// Of the element of the result with that number, in that column.
  constexpr number operator()(number x, std::int64_t at, std::int64_t column) const {
    if (bias_ != nullptr) x += static_cast<number>(bias_[column]);
    switch (then_) {
      case activation::relu:
        return positive_part(x);
      case activation::gelu:
        if (argument_ != nullptr) argument_[at] = static_cast<T>(x);
        return gelu_tanh_operation::apply(x);
      case activation::gelu_gradient:
        return x * gelu_tanh_slope_operation::apply(static_cast<number>(argument_[at]));
      case activation::none:
        break;
    }
    return x;
  }

 private:
  activation then_;
  const T* bias_;
  T* argument_;
};

/// One element of a product that was written without its epilogue.
template <class T>
struct finish_element {
  T* data;
  std::int64_t columns;
  finishing<T> finish;
  std::int64_t begin;
  constexpr void operator()(std::uint32_t item) const {
    const std::int64_t at = begin + item;
    data[at] = static_cast<T>(finish(static_cast<typename finishing<T>::number>(data[at]), at, at % columns));
  }
};

/// Adds the epilogue to a product that has been written without, to where the epilogue stores.
template <class T, class Executor>
void finish_product(const finished_product& f, Executor& executor) {
  const std::int64_t count = f.arguments.batches * f.arguments.m * f.arguments.n;
  for (std::int64_t begin = 0; begin < count; begin += most_items)
    executor.for_each(count - begin < most_items ? count - begin : most_items,
                      finish_element<T>{static_cast<T*>(static_cast<void*>(f.arguments.c.data)),
                                        f.arguments.n, finishing<T>(f), begin});
}

namespace detail {

template <class Executor>
using product_finish = void (*)(const finished_product&, Executor&);

template <class GraphBuilder, class Executor, int Product>
constexpr product_finish<Executor> product_finish_of() {
  if constexpr (epilogues_of<GraphBuilder>[Product].exists) {
    return &finish_product<storage_of<product_types_of<GraphBuilder>[Product]>, Executor>;
  } else {
    return nullptr;
  }
}

template <class GraphBuilder, class Executor, int... Product>
constexpr auto product_finishes(std::integer_sequence<int, Product...>) {
  return std::array<product_finish<Executor>, sizeof...(Product)>{
      product_finish_of<GraphBuilder, Executor, Product>()...};
}

}  // namespace detail

/// What finishes the products of a program's plan that have an epilogue; null for the others.
template <class GraphBuilder, class Executor>
inline constexpr auto product_finishes_of = detail::product_finishes<GraphBuilder, Executor>(
    std::make_integer_sequence<int, static_cast<int>(product_types_of<GraphBuilder>.size())>{});

}  // namespace tapeless::thrust_kernels
