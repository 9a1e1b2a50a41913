// SPDX-License-Identifier: BSL-1.0
// Forward mode: extends a graph by the tangent of a node, from the rules that reverse mode has. It uses `+`,
// cast and expand.
#pragma once

#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/graph/transform/reverse.hpp>

namespace tapeless {

namespace detail {

inline constexpr operation tangent_operation{"tangent", family::input};

/// Whether a node is computed from an earlier one.
constexpr bool is_made_of(const graph& g, int id, int earlier) {
  list<char> seen;
  list<int> waiting;
  seen.assign(id + 1, 0);
  waiting.push(id);
  for (int w = 0; w < waiting.size(); ++w) {
    const node& n = g.nodes[waiting[w]];
    for (int k = 0; k < n.operand_count; ++k) {
      const int operand = n.operands[k];
      if (operand == earlier) return true;
      if (operand > earlier && seen[operand] == 0) waiting.push(operand);
      seen[operand] = 1;
    }
  }
  return false;
}

// The cotangent's formula is linear in g: its own cotangent, with g as the unknown, is the Jacobian's
// product with the tangent. The unknown drops out of the result.
template <is_value Value>
constexpr value transposed(Value y, int k, const value* operands, value tangent) {
  graph& g = *y.builder;
  node unknown = y.get();
  unknown.op = &tangent_operation;
  unknown.operand_count = 0;
  set_leaf_number(unknown, y.id);
  const value u = y.insert(unknown);
  Value c = y.get().op->cotangent(k, u, operands, y);
  if (!c.exists()) return {};
  c = sum_to(c, shape_of(operands[k]));
  list<int> wrt, result;
  wrt.push(u.id);
  reverse(c, tangent, wrt, result);
  if (result[0] < 0) return {};
  if (is_made_of(g, result[0], u.id))
    return y.fail(text() << "the derivative of " << y.get().op->name
                         << " is not linear in its cotangent, so there is none along a direction (jvp, "
                            "forward mode): take grad or vjp");
  return {&g, result[0]};
}

template <is_value Value>
constexpr value tangent_through(Value y, int k, const value* operands, value tangent) {
  const node n = y.get();
  switch (n.op->structure) {
    case jacobian::diagonal:
      return n.op->cotangent(k, tangent, operands, y);
    case jacobian::linear: {
      node moved = n;
      moved.operands[k] = tangent.id;
      return y.insert(moved);
    }
    case jacobian::general:
      return transposed(y, k, operands, tangent);
    case jacobian::none:
      break;
  }
  return no_derivative(y);
}

/// The sweep from a node to y: a loop is followed by a loop of the tangents, which runs the same way.
template <is_value Value>
class forward_sweep {
 public:
  constexpr forward_sweep(Value y, value x, value tangent) : g_(*y.builder), last_(y.id) {
    list<int> wrt;
    wrt.push(x.id);
    mark_dependents(g_, last_, wrt, depends_);
    tangent_.assign(last_ + 1, -1);
    first_.assign(g_.regions.size() + 1, -1);
    for (int i = last_; i >= 0; --i) first_[g_.nodes[i].region] = i;
    if (x.id <= last_) tangent_[x.id] = tangent.id;
  }

  constexpr int run() {
    const int base = g_.region;
    for (int i = 0; i <= last_; ++i) {
      const int region = g_.nodes[i].region;
      if (region == base || region == 0) {
        visit(i);
      } else if (first_[region] == i) {
        run_loop(region);
      }
    }
    return tangent_[last_];
  }

 private:
  static constexpr int refused = -2;  // a tangent that nothing may need

  graph& g_;
  int last_;
  list<char> depends_;
  list<int> tangent_;
  list<int> first_;

  constexpr void visit(int i) {
    const Value v{&g_, i};
    if (tangent_[i] >= 0 || depends_[i] == 0 || leaves_loop(v.get())) return;
    // of the loop in whose body the derivative is asked for
    if (v.is(family::carry) || v.get().op == &graph::iteration_operation) {
      if (tangent_[v.operand(0).id] >= 0) tangent_[i] = refused;
      return;
    }
    value operands[max_operands];
    for (int k = 0; k < v.get().operand_count; ++k) operands[k] = v.operand(k);
    Value sum;
    for (int k = 0; k < v.get().operand_count; ++k) {
      if (tangent_[operands[k].id] == refused && v.get().op != &gradient_stop) no_derivative(operands[k]);
      if (tangent_[operands[k].id] < 0) continue;
      const Value part{tangent_through(v, k, operands, {&g_, tangent_[operands[k].id]})};
      if (!part.exists()) continue;
      const Value of_type{cast(part, v.type())};  // behind a cast; the formulas are those of cotangents
      sum = sum.exists() ? sum + of_type : of_type;
    }
    if (sum.exists()) tangent_[i] = expand(sum, shape_of(v)).id;
  }

  constexpr void run_loop(int region) {
    if (g_.region != 0) return loop_in_loop(g_);
    const loop_region loop = g_.regions[region - 1];
    const int outside = g_.region, count = g_.carries.size();
    g_.open_region({loop.count, loop.reversed, false});
    list<loop_carry> carries;  // of the loop, and of its tangent
    for (int k = 0; k < count; ++k) {
      const int carry = g_.carries[k].carry;
      if (g_.nodes[carry].region != region || carry > last_ || depends_[carry] == 0) continue;
      int start = tangent_[g_.nodes[carry].operands[0]];
      if (start < 0) {
        const int inside = g_.region;
        g_.region = outside;
        start = zeros_of<Value>(g_, carry).id;
        g_.region = inside;
      }
      carries.push({carry, tangent_[carry] = g_.carry(start)});
    }
    for (int i = 0; i <= last_; ++i) {
      const node n = g_.nodes[i];
      if (n.region != region) continue;
      if (n.op == &graph::iteration_operation) {
        if (tangent_[n.operands[0]] >= 0) tangent_[i] = g_.in_iteration(tangent_[n.operands[0]]);
      } else {
        visit(i);
      }
    }
    for (const loop_carry& c : carries) {
      const int next = tangent_[g_.next(c.carry)];
      g_.set_next(c.next, next >= 0 ? next : zeros_of<Value>(g_, c.carry).id);
    }
    for (int i = 0; i <= last_; ++i) {
      const node n = g_.nodes[i];
      if (!leaves_loop(n) || g_.nodes[n.operands[0]].region != region || tangent_[n.operands[0]] < 0)
        continue;
      const int inner = tangent_[n.operands[0]];
      if (n.op == &graph::last_operation) {
        tangent_[i] = g_.last_value(inner);
      } else {
        tangent_[i] = g_.stack(in_open_region(g_, inner));
      }
    }
    g_.region = outside;
  }
};

}  // namespace detail

/// The derivative of y along `tangent`, which is of x's shape: the Jacobian of y by x, times the tangent.
/// {} where y does not depend on x.
template <is_value Value>
constexpr value forward(Value y, value x, value tangent) {
  const int result = detail::forward_sweep<Value>(y, x, tangent).run();
  return result < 0 ? value{} : value{y.builder, result};
}

}  // namespace tapeless
