// SPDX-License-Identifier: BSL-1.0
// scatter<axis>(x, index, source), scatter_reduce<axis, reduce::amax>(x, index, source), put(x, index,
// source).
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/scatter_extreme.hpp>
#include <tapeless/ops/indexing/times_named.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/floor_divide.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/prod.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// What becomes of elements that are brought to one place.
enum class reduce : std::uint8_t { sum, prod, mean, amax, amin };

/// What is said beside scatter_reduce's operands: x's own element has no part in places that are named.
struct exclude_self_t {};
inline constexpr exclude_self_t exclude_self;

/// What is said beside put's operands: the source is added to x, not put in its place.
struct adding_t {};
inline constexpr adding_t adding;

namespace detail {

constexpr bool fits_scatter(value x, value index, value source, int axis) {
  return fits_gather(x, index, axis) && shape_of(index) == shape_of(source) && source.type() == x.type();
}
constexpr value scatter_misfit(std::string_view op, value x, value index, value source) {
  return do_not_fit(
      op, {{"x", x}, {"an index", index}, {"a source", source}},
      "integers of the source's shape, whose other axes are not longer than x's, and one element type");
}

constexpr value scattered_over(value x, value index, value source, int axis) {
  return where(times_named(index, axis, element::i32, shape_of(x)) > 0,
               scatter_add(index, source, axis, shape_of(x)), x);
}

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

template <int Axis>
struct scatter_statement {
  static constexpr std::string_view name = "scatter";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index), detail::as_vector(source)),
                     shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    if (!detail::fits_scatter(x, index, source, axis)) return detail::scatter_misfit(name, x, index, source);
    return detail::scattered_over(x, index, source, axis);
  }
};

template <int Axis, reduce By, bool WithSelf>
struct scatter_reduce_statement {
  static constexpr std::string_view name = "scatter_reduce";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index), detail::as_vector(source)),
                     shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0 || !detail::require_kind(name, x, element_kind::numbers)) return x;
    if (!detail::fits_scatter(x, index, source, axis)) return detail::scatter_misfit(name, x, index, source);
    if (By == reduce::mean && is_half(x.type()))
      return cast(build(cast(x, element::f32), index, cast(source, element::f32)), x.type());
    if (WithSelf) return with_self(x, index, source, axis);
    const value times = detail::times_named(index, axis, element::i32, shape_of(x));
    return where(times > 0, brought(x, index, source, axis), x);
  }

 private:
  static constexpr scatter_kind extreme = By == reduce::amax ? scatter_kind::largest : scatter_kind::smallest;

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

template <bool Accumulate>
struct put_statement {
  static constexpr std::string_view name = "put";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    graph& g = *x.builder;
    const shape_list all{1, {element_count(g, shape_of(x))}}, some{1, {element_count(g, shape_of(index))}};
    if (!detail::is_index(index) || element_count(g, shape_of(source)) != some.extents[0] ||
        source.type() != x.type())
      return detail::do_not_fit(name, {{"x", x}, {"an index", index}, {"a source", source}},
                                "as many integers as the source has elements, and one element type");
    const value line = reshape(x, all), places = reshape(index, some), brought = reshape(source, some);
    const value y = Accumulate ? line + scatter_add(places, brought, 0, all)
                               : detail::scattered_over(line, places, brought, 0);
    return reshape(y, shape_of(x));
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

/// x, with elements of the source in place of those that the index names among all of x's in row-major order;
/// of several for one place their sum. With adding behind the operands they are added to x's. Indices as
/// in gather.
/// @formula y = x; y.flat[index[i]] = source[i], or += source[i]
/// @shapes [..], integers and as many values -> x's shape
/// @errors indices
/// @torch torch.Tensor.put_
/// @jax jnp.put
/// @given x = [[1, 2], [3, 4]]; index = int64 [3, 0]; source = [7, 8]
/// @gives tl::put(x, index, source) = [[8, 2], [3, 7]]
/// @gives tl::put(x, index, source, tl::adding) = [[9, 2], [3, 11]]
TAPELESS_FACTORY auto put(operand auto x, operand auto index, operand auto source) {
  return make<put_statement<false>>(x, index, source);
}
TAPELESS_FACTORY auto put(operand auto x, operand auto index, operand auto source, adding_t) {
  return make<put_statement<true>>(x, index, source);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto scatter(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"scatter"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, source)"}>(x, more...);
}
template <auto... A, detail::called_with X, class... More>
  requires(sizeof...(A) < 2)
constexpr auto scatter_reduce(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"scatter_reduce"},
                             sentence{"its axis and its reduction are template arguments"},
                             sentence{"<0, tl::reduce::amax>(x, index, source)"}>(x, more...);
}

}  // namespace tapeless
