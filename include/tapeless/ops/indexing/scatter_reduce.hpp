// SPDX-License-Identifier: BSL-1.0
// scatter_reduce<axis, reduce::amax>(x, index, source): elements that an index brings to one place, reduced.
#pragma once

#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/scatter.hpp>
#include <tapeless/ops/indexing/scatter_extreme.hpp>
#include <tapeless/ops/indexing/times_named.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/floor_divide.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/prod.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// What becomes of elements that are brought to one place.
enum class reduce : std::uint8_t { sum, prod, mean, amax, amin };

/// What is said beside scatter_reduce's operands: x's own element has no part in places that are named.
struct exclude_self_t {};
inline constexpr exclude_self_t exclude_self;

namespace detail {

/// For each element of x, its product with all that is brought there: x and these as lines along a new last
/// axis, which the product goes over. An element that goes elsewhere is 1.
/// Precondition: the index's other axes are x's, or integers.
constexpr value multiplied_by_place(value x, value index, value source, int axis) {
  graph& g = *x.builder;
  // The kernel of times_named finds those among computed indices that are none.
  const value named = is_bound(index) ? value{} : times_named(index, axis, element::i32, shape_of(x)) > 0;
  index = checked_index(index, x.get().shape[axis]);
  for (int i = 0; i < x.rank(); ++i) {
    const std::int64_t extent = x.get().shape[i];
    if (i == axis || index.get().shape[i] == extent) continue;
    index = pad(index + 1, i, 0, 1, extent) - 1;  // what is not there goes nowhere
    source = pad(source, i, 0, 1, extent);
  }
  // [.., n, ..] as [.., n, .., 1]; [.., m, ..] as [.., 1, .., m]
  shape_list one = shape_of(x), brought = shape_of(index);
  const std::int64_t m = brought.extents[axis];
  one.extents[one.rank++] = 1;
  brought.extents[axis] = 1;
  brought.extents[brought.rank++] = m;
  shape_list all = one;
  all.extents[all.rank - 1] = m;
  const auto along_last = [&](value v) {
    int axes[max_rank] = {};
    int count = 0;
    for (int i = 0; i < v.rank(); ++i)
      if (i != axis) axes[count++] = i;
    axes[count] = axis;
    return reshape(permute(v, axes), brought);
  };
  const value here = make_iota(g, all, axis, index.type()) == along_last(index);
  const value lines[] = {reshape(x, one), where(here, along_last(source), make_constant(g, 1, x.type()))};
  const value y = prod_operation::build(concat(lines, 2, all.rank - 1), 1u << (all.rank - 1), false);
  return named.exists() ? where(named, y, x) : y;
}

}  // namespace detail

template <int Axis, reduce By, bool WithSelf>
struct scatter_reduce_statement {
  static constexpr std::string_view name = "scatter_reduce";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    if (!detail::require_kind(name, x, element_kind::numbers)) return x;
    return detail::with_elements(name, Axis, x, index, source, reduced);
  }

 private:
  static constexpr scatter_kind extreme = By == reduce::amax ? scatter_kind::largest : scatter_kind::smallest;

  static constexpr value reduced(value x, value index, value source, int axis) {
    if (By == reduce::mean && is_half(x.type()))
      return cast(reduced(cast(x, element::f32), index, cast(source, element::f32), axis), x.type());
    if (WithSelf) return with_self(x, index, source, axis);
    const value times = detail::times_named(index, axis, element::i32, shape_of(x));
    return where(times > 0, brought(x, index, source, axis), x);
  }
  // Of whole numbers the next one below, as PyTorch has it.
  static constexpr value mean_of(value sum, value count) {
    return is_floating(sum.type()) ? sum / count : floor_divide(sum, count);
  }
  static constexpr value with_self(value x, value index, value source, int axis) {
    if constexpr (By == reduce::sum) return x + brought(x, index, source, axis);
    if constexpr (By == reduce::mean) {
      const value times = detail::times_named(index, axis, x.type(), shape_of(x));
      return mean_of(x + scatter_add(index, source, axis, shape_of(x)), times + 1);
    }
    if constexpr (By == reduce::amax || By == reduce::amin)
      return scatter_extreme<extreme>(x, index, source, axis, shape_of(x));
    if constexpr (By == reduce::prod) {
      if (x.rank() == max_rank)
        return x.fail(detail::shape_sentence(name, x) << ": it takes fewer axes, for prod");
      return detail::multiplied_by_place(x, index, source, axis);
    }
  }
  // Of what is brought to x's places alone, where anything is.
  static constexpr value brought(value x, value index, value source, int axis) {
    if constexpr (By == reduce::sum) return scatter_add(index, source, axis, shape_of(x));
    if constexpr (By == reduce::mean) {
      const value times = detail::times_named(index, axis, x.type(), shape_of(x));
      return mean_of(scatter_add(index, source, axis, shape_of(x)), where(times == 0, 1, times));
    }
    if constexpr (By == reduce::amax || By == reduce::amin)
      return scatter_extreme<extreme>({}, index, source, axis, shape_of(x));
    if constexpr (By == reduce::prod)
      return with_self(expand(make_constant(*x.builder, 1, x.type()), shape_of(x)), index, source, axis);
  }
};

/// For each element of x, what is made of it and of all elements of the source that the index brings there:
/// their sum, product, mean, or the largest or smallest, which share the derivative where they are equal.
/// scatter_add is reduce::sum. With exclude_self behind the operands x's own element has no part where the
/// index brings some. The mean of whole numbers is rounded down. For prod, each place goes through the whole
/// axis of the source: n m steps for n places and m elements.
/// @formula y[k][j] = x[k][j] reduced with all source[i][j] with index[i][j] = k, for axis 0
/// @shapes [..], integers and values of one shape -> x's shape
/// @errors indices indexing_as_in_pytorch
/// @torch torch.scatter_reduce
/// @jax x.at[index].max(source)
/// @given x = [1, 2, 3]; index = int64 [2, 0, 2]; source = [4, 5, 6]
/// @gives tl::scatter_reduce<0, tl::reduce::amax>(x, index, source) = [5, 2, 6]
/// @gives tl::scatter_reduce<0, tl::reduce::mean>(x, index, source) = [3, 2, 4.333]
/// @gives tl::scatter_reduce<0, tl::reduce::mean>(x, index, source, tl::exclude_self) = [5, 2, 5]
template <int Axis, reduce By>
TAPELESS_FACTORY auto scatter_reduce(operand auto x, operand auto index, operand auto source) {
  return make<scatter_reduce_statement<Axis, By, true>>(x, index, source);
}
template <int Axis, reduce By>
TAPELESS_FACTORY auto scatter_reduce(operand auto x, operand auto index, operand auto source,
                                     exclude_self_t) {
  return make<scatter_reduce_statement<Axis, By, false>>(x, index, source);
}

// Calls as in PyTorch, which are refused.
template <auto... A, detail::called_with X, class... More>
  requires(sizeof...(A) < 2)
constexpr auto scatter_reduce(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"scatter_reduce"},
                             sentence{"its axis and its reduction are template arguments"},
                             sentence{"<0, tl::reduce::amax>(x, index, source)"}>(x, more...);
}

}  // namespace tapeless
