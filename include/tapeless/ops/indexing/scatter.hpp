// SPDX-License-Identifier: BSL-1.0
// scatter<axis>(x, index, source): elements in place of those that an index names along one axis.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/indexing/times_named.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

namespace detail {

/// make(x, index, source, axis), where the source's elements fit the places that the index names along the
/// axis that was asked for.
template <class Make>
constexpr value with_elements(std::string_view op, int asked, value x, value index, value source, Make make) {
  if (is_axis_of_scalar(x, asked))
    return reshape(with_elements(op, asked, as_vector(x), as_vector(index), as_vector(source), make),
                   shape_of(x));
  const int axis = axis_of(op, x, asked);
  if (axis < 0) return x;
  if (!fits_gather(x, index, axis) || !(shape_of(index) == shape_of(source)) || source.type() != x.type())
    return do_not_fit(
        op, {{"x", x}, {"an index", index}, {"a source", source}},
        "integers of the source's shape, whose other axes are not longer than x's, and one element type");
  return make(x, index, source, axis);
}

constexpr value scattered_over(value x, value index, value source, int axis) {
  return where(times_named(index, axis, element::i32, shape_of(x)) > 0,
               scatter_add(index, source, axis, shape_of(x)), x);
}

}  // namespace detail

template <int Axis>
struct scatter_statement {
  static constexpr std::string_view name = "scatter";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    return detail::with_elements(name, Axis, x, index, source, detail::scattered_over);
  }
};

/// x, with elements of the source in place of those that the index names: for axis 0 and two axes
/// y[index[i][j]][j] = source[i][j]; of several for one place their sum. Indices as in gather.
/// @formula y = x; y[index[i][j]][j] = source[i][j], for axis 0
/// @shapes [..], integers and values of one shape -> x's shape
/// @errors indices indexing_as_in_pytorch
/// @torch torch.scatter
/// @jax x.at[index].set(source)
/// @given x = [1, 2, 3]; index = int64 [2, 0]; source = [7, 8]
/// @gives tl::scatter<0>(x, index, source) = [8, 2, 7]
template <int Axis>
TAPELESS_FACTORY auto scatter(operand auto x, operand auto index, operand auto source) {
  return make<scatter_statement<Axis>>(x, index, source);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto scatter(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"scatter"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, source)"}>(x, more...);
}

}  // namespace tapeless
