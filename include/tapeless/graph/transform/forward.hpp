// SPDX-License-Identifier: BSL-1.0
// Forward mode: extends a graph by the tangent of a node, from the rules that reverse mode has. It uses `+`,
// cast and expand.
#pragma once

#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/graph/transform/reverse.hpp>

namespace tapeless {

namespace detail {

inline constexpr operation tangent_operation{"tangent", family::input};

/// Marks what derivatives flow through from x to y: not what only an index or a condition of y is made of.
constexpr void mark_between(const graph& g, value x, value y, list<char>& between) {
  list<int> wrt;
  list<char> needed;
  wrt.push(x.id);
  mark_dependents(g, y.id, with_copies(g, wrt), between);
  needed.assign(y.id + 1, 0);
  needed[y.id] = 1;
  for (bool again = true; again;) {
    for (int i = y.id; i >= 0; --i) {
      const node& n = g.nodes[i];
      if (needed[i] == 0 || between[i] == 0) continue;
      for (int k = 0; k < n.operand_count; ++k) needed[n.operands[k]] = 1;
    }
    again = false;
    for (const loop_carry& c : g.carries)
      if (c.carry <= y.id && c.next <= y.id && needed[c.carry] != 0 && needed[c.next] == 0) {
        needed[c.next] = 1;
        again = true;
      }
  }
  for (int i = 0; i <= y.id; ++i)
    if (needed[i] == 0) between[i] = 0;
}

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

/// What stands for the cotangent of y.
constexpr value unknown_cotangent(value y) {
  node unknown = y.get();
  unknown.op = &tangent_operation;
  unknown.operand_count = 0;
  set_leaf_number(unknown, y.id);
  return y.insert(unknown);
}

/// In place of a tangent that cannot be computed: an error only where the result needs it.
inline constexpr int refused = -2;

// The cotangent's formula is linear in g: its own cotangent, with g as the unknown, is the Jacobian's
// product with the tangent. The unknown drops out of the result.
template <is_value Value>
constexpr value transposed(Value y, int k, const value* operands, value tangent) {
  graph& g = *y.builder;
  const value u = unknown_cotangent(y);
  Value c = y.get().op->cotangent(k, u, operands, y);
  if (!c.exists()) return {};
  c = sum_to(c, shape_of(operands[k]));
  list<int> wrt, result;
  wrt.push(u.id);
  reverse(c, tangent, wrt, result);
  if (result[0] < 0) return {};
  return {&g, is_made_of(g, result[0], u.id) ? refused : result[0]};
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
  return {y.builder, refused};
}

/// Whether y's derivative needs that of operand k.
constexpr bool is_derived_from(value y, int k, const value* operands) {
  const operation& op = *y.get().op;
  return op.cotangent == nullptr || op.cotangent(k, unknown_cotangent(y), operands, y).exists();
}

/// The sweep from a node to y: a loop is followed by a loop of the tangents, which runs the same way.
template <is_value Value>
class forward_sweep {
 public:
  constexpr forward_sweep(Value y, value x, value tangent) : g_(*y.builder), last_(y.id) {
    mark_between(g_, x, y, depends_);
    tangent_.assign(last_ + 1, -1);
    first_.assign(g_.regions.size() + 1, -1);
    for (int i = last_; i >= 0; --i)
      if (depends_[i] != 0) first_[g_.nodes[i].region] = i;
    const auto begin_at = [&](int id) {
      if (id <= last_) tangent_[id] = tangent.id;
    };
    begin_at(x.id);
    for_each_copy(g_, x.id, begin_at);
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
    if (tangent_[last_] == refused) refuse(last_);
    return tangent_[last_];
  }

 private:
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
      if (tangent_[v.operand(0).id] != -1) tangent_[i] = refused;
      return;
    }
    value operands[max_operands];
    const int count = v.get().operand_count;
    for (int k = 0; k < count; ++k) operands[k] = v.operand(k);
    for (int k = 0; k < count; ++k)
      if (tangent_[operands[k].id] == refused && is_derived_from(v, k, operands))
        return void(tangent_[i] = refused);
    Value sum;
    for (int k = 0; k < count; ++k) {
      if (tangent_[operands[k].id] < 0) continue;
      const Value part{tangent_through(v, k, operands, {&g_, tangent_[operands[k].id]})};
      if (part.id == refused) return void(tangent_[i] = refused);
      if (!part.exists()) continue;
      const Value of_type{cast(part, v.type())};  // behind a cast; the formulas are those of cotangents
      sum = sum.exists() ? sum + of_type : of_type;
    }
    if (sum.exists()) tangent_[i] = expand(sum, shape_of(v)).id;
  }

  /// Says why node `id` has no tangent: where its derivative comes from there is a node that has none, though
  /// its operands have.
  constexpr void refuse(int id) {
    for (int k = 0; k < g_.nodes[id].operand_count; ++k)
      if (tangent_[g_.nodes[id].operands[k]] == refused) {
        id = g_.nodes[id].operands[k];
        k = -1;
      }
    const value v{&g_, id};
    if (v.get().op->structure != jacobian::general || v.is(family::carry)) return void(no_derivative(v));
    v.fail(text() << "the derivative of " << v.get().op->name
                  << " is not linear in its cotangent, so there is none along a direction (jvp, "
                     "forward mode): take grad or vjp");
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
      if (start == refused) {
        tangent_[carry] = refused;
        continue;
      }
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
      if (n.region != region || depends_[i] == 0) continue;
      if (n.op == &graph::iteration_operation) {
        const int all = tangent_[n.operands[0]];
        tangent_[i] = all >= 0 ? g_.in_iteration(all) : all;
      } else {
        visit(i);
      }
    }
    for (const loop_carry& c : carries) {
      const int next = tangent_[g_.next(c.carry)];
      if (next == refused) refuse(g_.next(c.carry));
      g_.set_next(c.next, next >= 0 ? next : zeros_of<Value>(g_, c.carry).id);
    }
    for (int i = 0; i <= last_; ++i) {
      const node n = g_.nodes[i];
      if (depends_[i] == 0 || !leaves_loop(n) || g_.nodes[n.operands[0]].region != region) continue;
      const int inner = tangent_[n.operands[0]];
      if (inner < 0) {
        tangent_[i] = inner;
      } else if (n.op == &graph::last_operation) {
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
