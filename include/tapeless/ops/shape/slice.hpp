// SPDX-License-Identifier: BSL-1.0
// slice<axis, begin, end, step>(x): every step-th element along one axis.
#pragma once

#include <limits>
#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/shape/pad.hpp>

namespace tapeless {

struct slice_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const slice_places s = slice_of(y.get());
    return pad(g, s.axis, s.begin, s.step, x[0].get().shape[s.axis]);
  }
  static constexpr operation op{"slice", view_kind::slice, jacobian::linear, &cotangent_of};
};

namespace detail {

/// Whether an axis has so many elements from `begin` on; run-time extents are checked when they are known.
constexpr bool lies_inside(std::int64_t extent, std::int64_t begin, std::int64_t step, std::int64_t count) {
  if (!extent_table::is_literal(extent) || !extent_table::is_literal(begin) ||
      !extent_table::is_literal(count))
    return true;
  return step > 0 && (count == 0 || begin + (count - 1) * step < extent);
}

}  // namespace detail

/// Element i of the result along the axis is element begin + i * step of x. Negative bounds count from the
/// end; those of slice<..> lie inside of the axis, where Python moves them inside.
/// @formula y_i = x_(Begin + i Step)
/// @shapes [.., n, ..] -> [.., (End - Begin) / Step rounded up, ..]
/// @errors reported_once shapes axis_and_bounds slice_to_extent
/// @torch x[begin:end:step]
/// @jax x[begin:end:step]
/// @given x = [[1, 2, 3, 4], [5, 6, 7, 8]]
/// @gives tl::slice<1, 1, -1>(x) = [[2, 3], [6, 7]]
/// @gives tl::slice<1, 0, tl::to_end, 2>(x) = [[1, 3], [5, 7]]
constexpr value slice(value x, int axis, std::int64_t begin, std::int64_t step, std::int64_t count) {
  axis = detail::axis_of("slice", x, axis);
  if (axis < 0) return x;
  if (!detail::lies_inside(x.get().shape[axis], begin, step, count))
    return x.fail(detail::shape_sentence("slice", x) << ": it has no " << count << " elements from " << begin
                                                     << " on in steps of " << step << " along axis " << axis);
  if (begin == 0 && step == 1 && count == x.get().shape[axis]) return x;
  node n = detail::unary_node(slice_operation::op, x, shape_of(x));
  n.shape[axis] = count;
  set_slice(n, {axis, begin, step});
  return x.insert(n);
}

/// As a slice's end: up to the axis's own end.
inline constexpr std::int64_t to_end = std::numeric_limits<std::int64_t>::max();

/// As Python's x[begin:end:step] along one axis: negative bounds count from the end, begin behind end is
/// empty. Bounds must lie inside, which Python does not ask: they are numbers of the program, so one outside
/// is a mistake. Those of a run-time extent are checked when the extent is known.
template <int Axis, std::int64_t Begin, std::int64_t End, std::int64_t Step>
struct slice_statement {
  static constexpr std::string_view name = "slice";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (Step > 0) return {};
    return text() << name << " takes a step of 1 or more, but got " << Step
                  << "; flip<axis>(x) turns an axis around";
  }
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    extent_table& extents = x.builder->extents;
    const std::int64_t extent = x.get().shape[axis];
    if (extent_table::is_literal(extent)) {
      if (!is_inside(Begin, extent) || (End != to_end && !is_inside(End, extent)))
        return x.fail(outside(detail::shape_sentence(name, x), axis, extent));
      const std::int64_t begin = from_begin(Begin, extent), end = from_begin(End, extent);
      return slice(x, axis, begin, Step, steps(end - begin));
    }
    if constexpr (Begin < 0 && End >= 0 && End != to_end) {
      return x.fail(detail::shape_sentence(name, x)
                    << ": axis " << Axis << " has a run-time extent, along which it cannot go from " << Begin
                    << " to " << End << ": one counts from the end, the other does not");
    } else if constexpr (Begin < 0) {
      return slice(x, axis, extents.subtract(extent, -Begin), Step, steps(from_end - Begin));
    } else if constexpr (from_end <= 0) {
      const std::int64_t room = extents.subtract(extent, Begin - from_end);
      return slice(x, axis, Begin, Step, extents.divide(extents.add(room, Step - 1), Step));
    } else {
      return slice(x, axis, Begin, Step, steps(End - Begin));
    }
  }

 private:
  static constexpr std::int64_t from_end = End == to_end ? 0 : End < 0 ? End : 1;  // 1: counted otherwise
  static constexpr bool is_inside(std::int64_t bound, std::int64_t extent) {
    return bound >= -extent && bound <= extent;
  }
  static constexpr text outside(text t, int axis, std::int64_t extent) {
    t << ": it goes from " << Begin << " to ";
    End == to_end ? t << "the end" : t << End;
    return t << " along axis " << axis << ", whose bounds lie in " << -extent << " to " << extent;
  }
  static constexpr std::int64_t from_begin(std::int64_t bound, std::int64_t extent) {
    return bound == to_end ? extent : bound < 0 ? bound + extent : bound;
  }
  static constexpr std::int64_t steps(std::int64_t room) { return room <= 0 ? 0 : (room + Step - 1) / Step; }
};

namespace detail {

template <auto Bound>
concept is_extent = std::is_same_v<std::remove_cv_t<decltype(Bound)>, extent>;

}  // namespace detail

/// The same with a run-time extent as a bound: as the end it may be the axis's own, which is to_end.
template <int Axis, auto Begin, auto End, std::int64_t Step>
struct slice_to_extent_statement {
  static constexpr std::string_view name = "slice";
  static constexpr int arity = 1;
  static constexpr text refusal() { return slice_statement<Axis, 0, to_end, Step>::refusal(); }
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    if constexpr (!detail::is_extent<Begin>)
      if (x.builder->extents.number(End) == x.get().shape[axis])
        return slice_statement<Axis, Begin, to_end, Step>::build(x);
    text t = detail::shape_sentence(name, x);
    t << ": the run-time extent ";
    x.builder->extents.describe(t, bound(x.builder->extents));
    return x.fail(t << " is no bound of axis " << Axis
                    << ": bounds are numbers, those below 0 count from the "
                    << "end, tl::to_end is the axis's own end");
  }

 private:
  static constexpr std::int64_t bound(extent_table& extents) {
    if constexpr (detail::is_extent<Begin>) {
      return extents.number(Begin);
    } else {
      return extents.number(End);
    }
  }
};

/// Elements Begin, Begin + Step, ... before End along the axis: slice<1, 0, -1>(x), slice<0, 0, 10, 2>(x),
/// slice<0, 1, to_end>(x).
template <int Axis, std::int64_t Begin, std::int64_t End, std::int64_t Step = 1>
constexpr value slice(is_value auto x) {
  return make<slice_statement<Axis, Begin, End, Step>>(x);
}
template <int Axis, std::int64_t Begin, std::int64_t End, std::int64_t Step = 1>
TAPELESS_FACTORY auto slice(expression_operand auto x) {
  return make<slice_statement<Axis, Begin, End, Step>>(x);
}
template <int Axis, auto Begin, auto End, std::int64_t Step = 1>
  requires(detail::is_extent<Begin> || detail::is_extent<End>)
TAPELESS_FACTORY auto slice(operand auto x) {
  return make<slice_to_extent_statement<Axis, Begin, End, Step>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous slice(detail::any_expression, detail::axis_as_argument, ...) { return {}; }
template <int>
constexpr erroneous slice(detail::any_expression, detail::axis_as_argument, ...) {
  return {};
}

}  // namespace tapeless
