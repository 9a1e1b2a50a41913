// SPDX-License-Identifier: BSL-1.0
// Which matrix products take the passes behind them along: a bias, a ReLU or a GELU, or the latter's
// gradient, which a library computes while it writes the product. Ordinary constexpr code over a plan's
// tables.
//
// The gradient of a ReLU stays a pass: the masks that cuBLASLt keeps for it count 0 as positive, where the
// derivative is 0 here. Its GELU is that by tanh; the other one stays a pass.
#pragma once

#include <array>

#include <tapeless/ops/primitives.hpp>
#include <tapeless/run/thrust/launch_tables.hpp>

namespace tapeless::thrust_kernels {

/// The last thing that is done to a product. gelu_gradient: it is multiplied by the slope of a GELU, of an
/// argument that has been kept.
enum class activation : std::uint8_t { none, relu, gelu, gelu_gradient };

/// An operand of one of the passes behind a product: its loads, then its stores.
struct pass_place {
  int pass = -1, operand = -1;
  constexpr bool exists() const { return pass >= 0; }
};

inline constexpr int most_passes_behind = 2;

/// What is done to a product before it is written: c = then(a b + bias).
struct epilogue {
  int passes = 0;  // that the product takes along, right behind it; at most most_passes_behind
  activation then = activation::none;
  pass_place result = {};    // where c goes
  pass_place bias = {};      // where there is one
  pass_place argument = {};  // of a GELU: where it is kept, or has been, if it is
  constexpr bool exists() const { return passes > 0; }
};

namespace detail {

constexpr bool computes_in_float(element type) { return type == element::f32 || is_half(type); }

/// Follows the passes behind a product as far as a library can do what they do.
class epilogue_finder {
 public:
  constexpr epilogue_finder(const launch_tables& t, int step)
      : t_(t), step_(step), product_(t.products[t.steps[step].index]) {}

  constexpr epilogue find() {
    const access& c = product_.c;
    if (!computes_in_float(product_.type) || c.offset != 0 || c.turn != 0 || !is_in_arena(c.owner)) return {};
    take(c.owner);
    if (e_.passes == 1 && e_.then == activation::none) take(stored_);
    return e_;
  }

 private:
  const launch_tables& t_;
  int step_;
  const planned_product& product_;
  epilogue e_;
  int stored_ = -1;  // the node that the last pass taken along stores

  constexpr bool is_in_arena(int node) const { return t_.place[node].kind == storage::arena; }
  constexpr const planned_buffer& buffer(int node) const { return t_.buffers[t_.place[node].index]; }
  constexpr bool is_last_read(int node) const { return buffer(node).last == step_ + 1 + e_.passes; }

  /// The next pass, where it is one.
  constexpr const planned_pass& pass() const { return t_.pass_at(step_ + 1 + e_.passes); }
  constexpr const planned_load& load(int source) const { return t_.loads[pass().first_load - 1 - source]; }
  constexpr const planned_instruction& instruction(int source) const {
    return t_.instructions[pass().first_instruction + source];
  }
  constexpr pass_place place_of(int source) const { return {e_.passes, -1 - source}; }

  // Whether the next pass goes over as many elements as the product has, in rows that are as long or in one.
  constexpr bool has_shape() const {
    const planned_pass& p = pass();
    const std::int64_t count = buffer(product_.c.owner).count;
    if (p.reduced != 0 || p.accumulates || p.stores != 1) return false;
    if (p.rank == 1) return p.extents[0] == count;
    if (p.rank != 2 || p.extents[1] != product_.n) return false;
    if (product_.batch_rank == 0) return p.extents[0] == product_.m;
    const int target = t_.stores[p.first_store].place.owner;
    return is_in_arena(target) && buffer(target).count == count;
  }
  // Whether it goes over all elements there, side by side.
  constexpr bool is_whole(const access& a, element type) const {
    const bool by_rows =
        pass().rank == 1 ? a.strides[0] == 1 : a.strides[0] == product_.n && a.strides[1] == 1;
    return by_rows && a.turn == 0 && type == product_.type;
  }
  constexpr bool is_whole(int source) const {
    return source < 0 && load(source).kind == lane::contiguous &&
           is_whole(load(source).place, load(source).type);
  }
  constexpr bool is_bias(int source) const {
    if (source >= 0 || pass().rank != 2) return false;
    const planned_load& l = load(source);
    return l.kind == lane::contiguous && l.type == product_.type && l.place.strides[0] == 0 &&
           l.place.turn == 0;
  }
  constexpr bool is_node(int source, int node) const {
    return is_whole(source) && load(source).place.owner == node && load(source).place.offset == 0;
  }

  // Takes the next pass along, if all that it does is what e_ can still hold, of a node that nobody reads
  // later but as what a GELU was taken of.
  constexpr void take(int node) {
    if (!t_.is_pass(step_ + 1 + e_.passes) || !has_shape()) return;
    const planned_store& s = t_.stores[pass().first_store];
    if (!is_whole(s.place, s.type)) return;
    epilogue e = e_;
    int instructions = 0;
    int at = before_activation(s.source, e, instructions);
    if (e.then != activation::gelu_gradient && !e_.exists()) at = before_bias(at, e, instructions);
    const int loads = 1 + (e.bias.pass == e_.passes ? 1 : 0) + (e.then == activation::gelu_gradient ? 1 : 0);
    if (instructions == 0 || instructions != pass().instructions || loads != pass().loads ||
        !is_node(at, node) || (e_.exists() && e.then != activation::gelu))
      return;
    if (!is_last_read(node)) {
      if (e.then != activation::gelu || (e.bias.exists() && !e_.exists())) return;
      e.argument = place_of(at);
    }
    e.result = {e_.passes, pass().loads};
    ++e.passes;
    e_ = e;
    stored_ = s.place.offset == 0 && is_in_arena(s.place.owner) ? s.place.owner : -1;
  }

  // The source that the pass's activation is taken of: `at` itself where there is none.
  constexpr int before_activation(int at, epilogue& e, int& instructions) const {
    if (at < 0 || instruction(at).type != product_.type) return at;
    const planned_instruction& i = instruction(at);
    if (i.op == &operation_of<relu_rule> || i.op == &operation_of<gelu_tanh_rule>) {
      e.then = i.op == &operation_of<relu_rule> ? activation::relu : activation::gelu;
      ++instructions;
      return i.operands[0];
    }
    if (i.op != &operation_of<mul_rule>) return at;
    for (int k = 0; k < 2; ++k) {
      const int slope = i.operands[k];
      if (slope < 0 || instruction(slope).op != &operation_of<gelu_tanh_slope_rule> ||
          !is_whole(instruction(slope).operands[0]))
        continue;
      e.then = activation::gelu_gradient;
      e.argument = place_of(instruction(slope).operands[0]);
      instructions += 2;
      return i.operands[1 - k];
    }
    return at;
  }
  // The same of its bias.
  constexpr int before_bias(int at, epilogue& e, int& instructions) const {
    if (at < 0 || instruction(at).type != product_.type || instruction(at).op != &operation_of<add_rule>)
      return at;
    for (int k = 0; k < 2; ++k) {
      const int bias = instruction(at).operands[k];
      if (!is_bias(bias)) continue;
      e.bias = place_of(bias);
      ++instructions;
      return instruction(at).operands[1 - k];
    }
    return at;
  }
};

}  // namespace detail

/// Of the step, where it is a product.
constexpr epilogue epilogue_of(const launch_tables& t, int step) {
  return t.is_product(step) ? detail::epilogue_finder(t, step).find() : epilogue{};
}

namespace detail {

template <class Stage>
constexpr auto epilogues() {
  std::array<epilogue, plan_of<Stage>.products.size()> all{};
  const launch_tables t = launch_tables_of<Stage>();
  for (int s = 0; s < t.step_count; ++s)
    if (t.is_product(s)) all.data()[t.steps[s].index] = epilogue_of(t, s);
  return all;
}

}  // namespace detail

/// By product.
template <class Stage>
inline constexpr auto epilogues_of = detail::epilogues<Stage>();

}  // namespace tapeless::thrust_kernels
