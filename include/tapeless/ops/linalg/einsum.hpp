// SPDX-License-Identifier: BSL-1.0
// einsum<"bij,bjk->bik">(a, b): sums of products, written with labels for axes.
#pragma once

#include <concepts>
#include <string_view>

#include <tapeless/ops/linalg/diagonal.hpp>
#include <tapeless/ops/linalg/einsum_equation.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

namespace detail {

/// A value whose axes have labels.
struct labelled {
  value x;
  axis_labels axes;
  constexpr std::int64_t extent(int label) const { return x.get().shape[axes.find(label)]; }
};

/// y with its axes in the order of `axes`, which are the same ones.
constexpr labelled ordered(labelled y, const axis_labels& axes) {
  int order[max_rank] = {};
  for (int i = 0; i < axes.count; ++i) order[i] = y.axes.find(axes.items[i]);
  return {permute(y.x, order), axes};
}

/// y summed over the axes for which `keep` does not hold.
template <class Keep>
constexpr labelled summed(labelled y, Keep keep) {
  unsigned axes = 0;
  for (int i = 0; i < y.axes.count; ++i)
    if (!keep(y.axes.items[i])) axes |= 1u << i;
  return {sum_operation::build(y.x, axes, false), y.axes.where(keep)};
}

/// y as [batch..., left, right], where left and right are one axis each.
constexpr value as_matrices(labelled y, const axis_labels& batch, const axis_labels& left,
                            const axis_labels& right) {
  // First in the order in which the groups begin in y: groups in one piece are joined without a copy.
  const axis_labels* groups[] = {&batch, &left, &right};
  const auto begin = [&](const axis_labels* group) {
    for (int i = 0; i < y.axes.count; ++i)
      if (group->has(y.axes.items[i])) return i;
    return max_rank;
  };
  for (int i = 1; i < 3; ++i)
    for (int j = i; j > 0 && begin(groups[j]) < begin(groups[j - 1]); --j) {
      const axis_labels* later = groups[j - 1];
      groups[j - 1] = groups[j];
      groups[j] = later;
    }
  axis_labels order;
  shape_list joined;
  int place[max_rank] = {};  // of the result's axes in `joined`
  for (const axis_labels* group : groups) {
    order.append(*group);
    std::int64_t extent = 1;
    for (int i = 0; i < group->count; ++i) {
      extent = y.x.builder->extents.multiply(extent, y.extent(group->items[i]));
      if (group != &batch) continue;
      place[i] = joined.rank;
      joined.extents[joined.rank++] = y.extent(group->items[i]);
    }
    if (group == &batch) continue;
    place[batch.count + (group == &left ? 0 : 1)] = joined.rank;
    joined.extents[joined.rank++] = extent;
  }
  return permute(reshape(ordered(y, order).x, joined), place);
}

/// Products of a's and b's elements, summed over the axes for which `keep` does not hold.
template <class Keep>
constexpr labelled contracted(labelled a, labelled b, Keep keep) {
  const auto in_a = [&](int l) { return a.axes.has(l); };
  const auto in_b = [&](int l) { return b.axes.has(l); };
  a = summed(a, [&](int l) { return keep(l) || in_b(l); });
  b = summed(b, [&](int l) { return keep(l) || in_a(l); });
  const axis_labels batch = a.axes.where([&](int l) { return in_b(l) && keep(l); });
  const axis_labels inner = a.axes.where([&](int l) { return in_b(l) && !keep(l); });
  const axis_labels left = a.axes.where([&](int l) { return !in_b(l); });
  const axis_labels right = b.axes.where([&](int l) { return !in_a(l); });
  axis_labels all = batch;
  all.append(left);
  all.append(right);
  const bool product = inner.count > 0 && left.count + right.count > 0;
  if (!product) all.append(inner);
  if (all.count > max_rank || (product && batch.count + 2 > max_rank))
    return {a.x.fail(text() << "einsum: a product of two operands has more than " << max_rank << " axes"),
            {}};
  // What stands in one operand only is an axis of extent 1 in the other.
  const auto shape_in = [&](auto has, labelled y, shape_list s) {
    for (int i = 0; i < all.count; ++i)
      if (has(all.items[i])) s.extents[i] = y.extent(all.items[i]);
    return s;
  };
  const shape_list ones{all.count, {1, 1, 1, 1, 1, 1, 1, 1}};
  if (product)
    return {reshape(matmul(as_matrices(a, batch, left, inner), as_matrices(b, batch, inner, right)),
                    shape_in(in_b, b, shape_in(in_a, a, ones))),
            all};
  const value x = reshape(ordered(a, all.where(in_a)).x, shape_in(in_a, a, ones));
  const value y = reshape(ordered(b, all.where(in_b)).x, shape_in(in_b, b, ones));
  return summed(labelled{x * y, all}, keep);
}

/// One sum of products, from the equation and its operands. A template, so that compilers pass over it where
/// it is not used.
template <std::same_as<value> Value>
class einsum_builder {
 public:
  constexpr einsum_builder(std::string_view equation, const Value* x, int count)
      : text_(equation), equation_(equation), graph_(*x[0].builder), fits_(true) {
    check_operands(x, count);
    if (fits_) check_output();
    for (int k = 0; k < count && fits_; ++k) take_diagonals(operands_[k]);
    if (fits_) check_extents();
  }

  constexpr value build() const {
    if (!fits_) return {&graph_, 0};
    labelled y = operands_[0];
    for (int k = 1; k < equation_.count; ++k)
      y = contracted(y, operands_[k], [&](int label) {
        bool needed = equation_.output.has(label);
        for (int later = k + 1; later < equation_.count; ++later)
          needed = needed || operands_[later].axes.has(label);
        return needed;
      });
    if (graph_.failed()) return y.x;
    return ordered(summed(y, [&](int label) { return equation_.output.has(label); }), equation_.output).x;
  }

 private:
  std::string_view text_;
  einsum_equation equation_;
  graph& graph_;
  bool fits_;
  labelled operands_[einsum_equation::max_inputs];

  constexpr text sentence() const { return text() << "einsum<\"" << text_ << "\">"; }
  constexpr void fail(const text& t) {
    graph_.fail(t);
    fits_ = false;
  }
  static constexpr text& describe(text& t, int label) {
    if (einsum_equation::is_of_ellipsis(label)) return t << "an axis of ...";
    const char name[] = {static_cast<char>(label), 0};
    return t << "the label " << name;
  }

  constexpr void check_operands(const value* x, int count) {
    if (equation_.wrong >= 0)
      return fail(sentence() << ": wrong at \"" << text_.substr(static_cast<std::size_t>(equation_.wrong))
                             << "\"; an equation has letters for axes, at most one ... in each term, at most "
                             << einsum_equation::max_inputs << " terms, and may have -> once");
    if (equation_.count != count)
      return fail(sentence() << " has " << equation_.count << " terms, but got " << count << " operands");
    int most = 0;
    for (int k = 0; k < count; ++k) {
      if (!require_kind("einsum", x[k], element_kind::numbers)) return void(fits_ = false);
      axis_labels& written = equation_.inputs[k];
      const bool open = written.has(einsum_equation::ellipsis);
      const int rest = x[k].rank() - written.count + (open ? 1 : 0);
      if (rest < 0 || (rest > 0 && !open)) {
        text t = sentence() << ": operand " << k + 1 << " has the shape ";
        graph_.describe_shape(t, x[k].get());
        return fail(t << ", but " << written.count - (open ? 1 : 0) << " labels");
      }
      written = without_ellipsis(written, rest);
      operands_[k] = {x[k], written};
      if (open && rest > most) most = rest;
    }
    if (equation_.has_output) {
      equation_.output = without_ellipsis(equation_.output, most);
    } else {
      equation_.find_output();
    }
  }

  constexpr void check_output() {
    const axis_labels& output = equation_.output;
    for (int i = 0; i < output.count; ++i) {
      bool known = false;
      for (const labelled& y : operands_) known = known || y.axes.has(output.items[i]);
      if (known && output.find(output.items[i]) == i) continue;
      text t = sentence() << ": ";
      return fail(describe(t, output.items[i])
                  << (known ? " stands twice in the result" : " of the result stands in no operand"));
    }
  }

  // A label that stands twice in one operand is an axis along which both indices are equal.
  constexpr void take_diagonals(labelled& y) {
    for (int j = 1; j < y.axes.count; ++j) {
      const int label = y.axes.items[j], i = y.axes.find(label);
      if (i == j) continue;
      axis_labels rest;
      int order[max_rank] = {};
      for (int k = 0; k < y.axes.count; ++k) {
        if (k == i || k == j) continue;
        order[rest.count] = k;
        rest.append(y.axes.items[k]);
      }
      order[rest.count] = i;
      order[rest.count + 1] = j;
      if (y.x.get().shape[i] != y.x.get().shape[j]) return extents_differ(label, y.x, i, y.x, j);
      rest.append(label);
      y = {diagonal(permute(y.x, order)), rest};
      j = 0;
    }
  }

  // Extents are equal, or broadcast: an operand with extent 1 is without that axis.
  constexpr void check_extents() {
    for (labelled& y : operands_)
      for (int i = y.axes.count - 1; i >= 0; --i)
        for (int k = 0; k < equation_.count; ++k) {
          const labelled& other = operands_[k];
          const int label = y.axes.items[i], j = other.axes.find(label);
          if (j < 0 || y.x.get().shape[i] == other.x.get().shape[j]) continue;
          if (other.x.get().shape[j] == 1) continue;
          if (y.x.get().shape[i] != 1) return extents_differ(label, y.x, i, other.x, j);
          y = summed(y, [&](int l) { return l != label; });
          break;
        }
  }

  constexpr void extents_differ(int label, value a, int i, value b, int j) {
    text t = sentence() << ": ";
    describe(t, label) << " has the extents ";
    graph_.extents.describe(t, a.get().shape[i]);
    t << " and ";
    graph_.extents.describe(t, b.get().shape[j]);
    fail(t);
  }
};

}  // namespace detail

template <name Equation>
struct einsum_statement {
  static constexpr std::string_view name = "einsum";
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    value operands[max_arguments];
    for (int i = 0; i < x.count; ++i) operands[i] = {&g, x.ids[i]};
    return node_list::only(detail::einsum_builder(Equation.view(), operands, x.count).build());
  }
};

/// Einstein's sum: every axis has a label, and the products of the operands' elements are summed over the
/// labels that the result does not have. einsum<"bij,bjk->bik">(a, b) is a batched matrix product,
/// einsum<"ij->ji">(x) a transpose, einsum<"ii->">(x) a trace. One to three operands, which are multiplied
/// from left to right, each time as a matrix product where labels are summed. Without "->", the result has
/// the labels that stand once, in alphabetical order. "..." stands for any axes, which come first in a result
/// that is not written. A label has one extent in all operands, or 1 where an operand broadcasts.
/// @formula y[result labels] = sum over the other labels of the product of the operands
/// @shapes one to three floating operands, a label for each axis -> the result's labels
/// @errors einsum
/// @torch torch.einsum
/// @jax jnp.einsum
/// @given a = [[1, 2], [3, 4]]; b = [[1, 0], [1, 1]]
/// @gives tl::einsum<"ij,jk->ik">(a, b) = [[3, 2], [7, 4]]
/// @gives tl::einsum<"ii->">(a) = 5
template <name Equation, is_value... X>
constexpr value einsum(value first, X... others) {
  node_list operands = node_list::only(first);
  (operands.append(node_list::only(others)), ...);
  return {first.builder, einsum_statement<Equation>::build_all(*first.builder, operands).ids[0]};
}
template <name Equation, expression_operand... X>
TAPELESS_FACTORY auto einsum(X... x) {
  return make<einsum_statement<Equation>>(x...);
}

}  // namespace tapeless
