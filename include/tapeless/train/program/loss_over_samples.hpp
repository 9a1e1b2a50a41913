// SPDX-License-Identifier: BSL-1.0
// How a model's loss puts its samples together: what parts of a batch count in the whole.
#pragma once

#include <cstdint>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/extent.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/ops/pointwise/add.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/div.hpp>
#include <tapeless/ops/pointwise/mul.hpp>
#include <tapeless/ops/pointwise/neg.hpp>
#include <tapeless/ops/pointwise/sub.hpp>

namespace tapeless {

enum class over_samples : std::uint8_t {
  none,      // what does not depend on samples
  count,     // on how many there are, alone
  each,      // numbers of each sample
  mean,      // their mean
  sum,       // their sum
  weighted,  // their sum over one of weights, through which no derivative flows
  other
};

/// What a loss is, the node of the weights' sum, and the run-time extent that a mean divides by.
struct loss_over_samples {
  over_samples kind = over_samples::none;
  int weight = -1;
  const name* samples = nullptr;
  friend constexpr bool operator==(const loss_over_samples&, const loss_over_samples&) = default;
};

/// What the loss of a part counts in that of the whole, and its gradients, from the numbers that the two
/// divide by. Where nothing counts, both are 0 / 0.
constexpr double share_in_loss(over_samples kind, double part, double whole) {
  if (kind == over_samples::sum) return 1;
  const double share = whole == 0 ? 1 : part / whole;
  return share - share == 0 ? share : 1;  // of weights that are no numbers, neither is the loss one
}

/// What the loss of a batch counts in the mean over batches, from the number that it divides by: sums are
/// reported as a batch's.
constexpr double weight_in_mean(over_samples kind, double weight) {
  return kind == over_samples::sum ? 1 : weight;
}

namespace detail {

/// Finds what each node is, in order. What has a run-time extent has an axis of samples.
template <class Graph>
class samples_in_graph {
 public:
  constexpr explicit samples_in_graph(const Graph& g) : g_(g) {
    for (int i = 0; i < static_cast<int>(g.nodes.size()); ++i) {
      found_.push(of(i));
      power_.push(power(i));
      grows_.push(grows(i));
      moves_.push(moves(i));
      is_drawn_.push(is_drawn(i));
    }
  }
  constexpr loss_over_samples of_loss() const { return found_[g_.outputs[0].node]; }

 private:
  using kind = over_samples;
  const Graph& g_;
  list<loss_over_samples> found_;
  list<int> power_;   // of the number of samples, times a constant: what depends on that number alone
  list<char> grows_;  // whether it grows with the number of samples, as their sum does, and a mean does not
  list<char> moves_;  // whether derivatives by parameters flow through it
  list<char> is_drawn_;  // whether random numbers are in it

  constexpr const node& at(int i) const { return g_.nodes[static_cast<std::size_t>(i)]; }
  constexpr bool has_samples(const node& n) const {
    for (int d = 0; d < n.rank; ++d)
      if (n.shape[d] < 0) return true;
    return false;
  }
  constexpr bool is_number_of_samples(std::int64_t e) const {
    for (const node& n : g_.nodes)
      if (n.op->kind == family::input && n.rank > 0 && n.shape[0] < 0 &&
          mentions_extent(g_.extents, e, -1 - n.shape[0]))
        return true;
    return false;
  }
  // The only number of samples that an extent is made of, or a node of counts.
  constexpr const name* samples_in(std::int64_t e) const {
    if (!is_number_of_samples(e)) return nullptr;
    const derived_extent& d = g_.extents[static_cast<std::size_t>(-1 - e)];
    if (d.kind == extent_kind::symbol) return d.symbol;
    return only(samples_in(d.left), samples_in(d.right));
  }
  constexpr const name* samples_in(const node& n) const {
    const name* all = found_[n.operands[0]].samples;
    for (int k = 1; k < n.operand_count; ++k) all = only(all, found_[n.operands[k]].samples);
    return all;
  }
  static constexpr const name* only(const name* a, const name* b) {
    if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
    return a == b ? a : nullptr;
  }
  static constexpr int no_power = 100;
  static constexpr int added_powers(int a, int b) {
    return a == no_power || b == no_power ? no_power : a + b;
  }
  static constexpr int inverse_power(int p) { return p == no_power ? no_power : -p; }
  constexpr int power_of_extent(std::int64_t e) const {
    if (!is_number_of_samples(e)) return 0;
    const derived_extent& d = g_.extents[static_cast<std::size_t>(-1 - e)];
    if (d.kind == extent_kind::symbol) return 1;
    if (d.kind != extent_kind::product) return no_power;
    return added_powers(power_of_extent(d.left), power_of_extent(d.right));
  }
  constexpr int power(int i) const {
    const node& n = at(i);
    if (found_[i].kind != kind::count) return found_[i].kind == kind::none ? 0 : no_power;
    if (n.op->kind == family::size) return power_of_extent(extent_of(n));
    const int a = power_[n.operands[0]];
    if (n.op->kind != family::pointwise || is_same_but_for_sign(n)) return a;
    if (n.operand_count != 2) return no_power;
    const int b = power_[n.operands[1]];
    if (n.op == &operation_of<mul_operation>) return added_powers(a, b);
    return n.op == &operation_of<div_operation> ? added_powers(a, inverse_power(b)) : no_power;
  }
  static constexpr bool is_same_but_for_sign(const node& n) {
    return n.op == &operation_of<cast_operation> || n.op == &operation_of<neg_operation>;
  }
  constexpr bool any_operand(const node& n, const list<char>& which) const {
    for (int k = 0; k < n.operand_count; ++k)
      if (which[n.operands[k]]) return true;
    return false;
  }
  constexpr bool grows(int i) const {
    const kind k = found_[i].kind;
    return k == kind::count || k == kind::sum ||
           ((k == kind::each || k == kind::other) && any_operand(at(i), grows_));
  }
  constexpr bool moves(int i) const {
    const node& n = at(i);
    if (n.op == &gradient_stop || !is_floating(n.type)) return false;
    return is_trained(n) || n.op->kind == family::carry || any_operand(n, moves_);
  }
  constexpr bool is_drawn(int i) const {
    return at(i).op->kind == family::hyperparameter || any_operand(at(i), is_drawn_);
  }

  constexpr loss_over_samples of(int i) const {
    const node& n = at(i);
    if (has_samples(n)) return {any_operand(n, grows_) ? kind::other : kind::each};
    if (n.op->kind == family::size)
      return {is_number_of_samples(extent_of(n)) ? kind::count : kind::none, -1, samples_in(extent_of(n))};
    if (n.op->kind == family::carry) return {kind::other};
    bool any = false, counts = true;
    for (int k = 0; k < n.operand_count; ++k) {
      any = any || found_[n.operands[k]].kind != kind::none;
      counts = counts && found_[n.operands[k]].kind <= kind::count;
    }
    if (!any) return {kind::none};
    const loss_over_samples a = found_[n.operands[0]];
    switch (n.op->kind) {
      case family::alias:
        return a;
      case family::view:
        return a.kind == kind::each ? loss_over_samples{kind::other} : a;
      case family::reduction:
        return of_reduction(n, a);
      case family::pointwise:
        return counts ? loss_over_samples{kind::count, -1, samples_in(n)} : of_pointwise(n, a);
      default:
        return {kind::other};
    }
  }
  static constexpr loss_over_samples of_reduction(const node& n, loss_over_samples a) {
    if (!n.op->is(reduction_kind::sum)) return {kind::other};
    return a.kind == kind::each ? loss_over_samples{kind::sum} : a;
  }
  constexpr loss_over_samples of_pointwise(const node& n, loss_over_samples a) const {
    if (is_same_but_for_sign(n)) return a;
    if (n.operand_count != 2) return {kind::other};
    const loss_over_samples b = found_[n.operands[1]];
    if (n.op == &operation_of<add_operation> || n.op == &operation_of<sub_operation>) return added(a, b);
    const int a_power = power_[n.operands[0]], b_power = power_[n.operands[1]];
    if (n.op == &operation_of<mul_operation>)
      return a.kind <= b.kind ? times(a, a_power, b) : times(b, b_power, a);
    if (n.op != &operation_of<div_operation>) return {kind::other};
    if (b.kind != kind::sum) return times(b, inverse_power(b_power), a);
    const int weight = n.operands[1];
    const bool is_one_number = at(weight).rank == 0;
    if (a.kind != kind::sum || !is_one_number || moves_[weight] || is_drawn_[weight]) return {kind::other};
    return {kind::weighted, weight};
  }
  // What is the same for all parts is counted once in a mean, but once for each part in a sum.
  static constexpr loss_over_samples added(loss_over_samples a, loss_over_samples b) {
    if (a == b && a.kind != kind::count) return a;
    const loss_over_samples one = a.kind == kind::none ? b : a, two = a.kind == kind::none ? a : b;
    const bool is_mean = one.kind == kind::mean || one.kind == kind::weighted;
    return is_mean && two.kind == kind::none ? one : loss_over_samples{kind::other};
  }
  static constexpr loss_over_samples times(loss_over_samples factor, int power, loss_over_samples x) {
    if (factor.kind == kind::none) return x;
    if (factor.kind != kind::count || factor.samples == nullptr) return {kind::other};  // none, or several
    if (power == 0) return x;
    if (x.kind == kind::sum && power == -1) return {kind::mean, -1, factor.samples};
    if (x.kind == kind::mean && power == 1 && x.samples == factor.samples) return {kind::sum};
    return {kind::other};
  }
};

// Whether run-time extents are those of samples: the first ones of inputs, or beside one.
template <class Graph>
constexpr bool counts_samples(const Graph& g) {
  bool any = false;
  for (const node& n : g.nodes) {
    if (n.op->kind != family::input || n.rank == 0) continue;
    any = any || n.shape[0] < 0;
    for (int d = 1; d < n.rank; ++d)
      if (n.shape[d] < 0 && n.shape[0] >= 0) return false;
  }
  return any;
}

template <class Model>
constexpr loss_over_samples find_loss_over_samples() {
  constexpr auto& g = constant_graph_of<lower<Model>>;
  return counts_samples(g) ? samples_in_graph(g).of_loss() : loss_over_samples{over_samples::mean};
}

}  // namespace detail

/// How the loss of a model puts samples together. One whose numbers of samples are known while compiling is
/// taken for a mean.
template <class Model>
inline constexpr loss_over_samples loss_over_samples_of = detail::find_loss_over_samples<Model>();

}  // namespace tapeless
