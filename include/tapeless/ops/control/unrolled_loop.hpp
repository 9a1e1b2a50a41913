// SPDX-License-Identifier: BSL-1.0
// What a loop in the body of another loop is made of, one iteration after the other.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless::detail {

constexpr value argument_cotangent(int, value g, const value*, value) { return g; }

/// A value as the argument of an iteration: a node of its own. So a derivative by one argument does not go
/// through another one that is, or is made of, the same value.
inline constexpr operation argument_operation{"argument", family::alias, jacobian::diagonal,
                                              &argument_cotangent};

/// Post-condition: a node that no other argument is.
constexpr int insert_argument(value x) {
  node n = unary_node(argument_operation, x, shape_of(x));
  set_leaf_number(n, x.builder->nodes.size());
  return x.insert(n).id;
}

/// [count, ...] -> [...]: what iteration i gets.
constexpr value element_of_iteration(value x, std::int64_t i) {
  shape_list part{x.rank() - 1};
  for (int axis = 1; axis < x.rank(); ++axis) part.extents[axis - 1] = x.get().shape[axis];
  return reshape(slice(x, 0, i, 1, 1), part);
}

/// [...] of all iterations -> [count, ...]. Four at a time, and again, so that each is copied few times.
constexpr value stack_of(graph& g, list<int> parts) {
  for (int& id : parts) {
    shape_list shape = shape_of({&g, id});
    for (int axis = shape.rank++; axis > 0; --axis) shape.extents[axis] = shape.extents[axis - 1];
    shape.extents[0] = 1;
    id = reshape(value{&g, id}, shape).id;
  }
  while (parts.size() > 1) {
    list<int> joined;
    for (int i = 0; i < parts.size(); i += most_joined) {
      value group[most_joined];
      int count = 0;
      while (count < most_joined && i + count < parts.size()) {
        group[count] = {&g, parts[i + count]};
        ++count;
      }
      joined.push(concat(group, count, 0).id);
    }
    parts = std::move(joined);
  }
  return {&g, parts[0]};
}

/// The most operations that a loop in the body of another one is unrolled to. Compilers take a minute for
/// them and their derivatives, and five for twice as many.
inline constexpr std::int64_t most_unrolled_operations = 4096;

/// Called in each of `count` iterations, whose nodes are those from `first` on. False where all together are
/// too many, which the second one tells: it shares with the first what is the same in all. The graph has the
/// error then.
constexpr bool can_be_so_many(graph& g, std::string_view loop, int first, std::int64_t i,
                              std::int64_t count) {
  const std::int64_t each = g.nodes.size() - first;
  if (i != 1 || each == 0 || count <= most_unrolled_operations / each) return true;
  g.fail(text() << loop << " in the body of scan is unrolled: " << count << " iterations of " << each
                << " operations are " << count * each << ", but at most " << most_unrolled_operations
                << " may be unrolled: write one scan over the iterations of both loops, whose carry begins "
                   "anew where the inner one would, or take fewer iterations");
  return false;
}

/// While one lives, nodes are built for one iteration of a loop that is unrolled in the body of another one.
class unrolled_iteration {
 public:
  constexpr unrolled_iteration(graph& g, std::int64_t count, std::int64_t i, bool has_own_parameters)
      : g_(g), before_(g.unrolled) {
    g.unrolled = {before_.count * count, before_.iteration * count + i,
                  before_.have_own_parameters || has_own_parameters};
  }
  unrolled_iteration(const unrolled_iteration&) = delete;
  unrolled_iteration& operator=(const unrolled_iteration&) = delete;
  constexpr ~unrolled_iteration() { g_.unrolled = before_; }

 private:
  graph& g_;
  unrolled_iterations before_;
};

}  // namespace tapeless::detail
