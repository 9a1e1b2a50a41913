// SPDX-License-Identifier: BSL-1.0
// From the steps of a plan to calls of kernels, once all extents are known.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/graph/list.hpp>
#include <tapeless/plan/view.hpp>
#include <tapeless/run/moving_operands.hpp>

namespace tapeless {

/// The calls of a plan's steps, by their numbers. A program has
///   extent(e)       the value of an extent, as the plan numbers them
///   address(node)   where the elements are that a node owns, unless it is an input or a hyperparameter
class call_tables {
 public:
  list<pass_call> passes;
  list<product_call> products;
  list<convolution_call> convolutions;
  list<pooling_call> poolings;
  list<walk_call> walks;
  moving_operands moving;

  explicit call_tables(const plan_view& plan)
      : passes(plan.passes.size()),
        products(plan.products.size()),
        convolutions(plan.convolutions.size()),
        poolings(plan.poolings.size()),
        walks(plan.walks.size()),
        plan_(plan),
        operands_(plan.loads.size() + plan.stores.size()) {}

  /// Before all steps are made anew, in their order.
  void clear() {
    moving.clear(operands_.size() + 3 * (products.size() + convolutions.size() + walks.size()) +
                 4 * poolings.size());
  }

  template <class Program>
  void make(const planned_step& step, const Program& program) {
    const auto i = static_cast<std::size_t>(step.index);
    switch (step.kind) {
      case planned_step::kind::pass:
        return make_pass(i, program);
      case planned_step::kind::product:
        return make_product(i, program);
      case planned_step::kind::convolution:
        return make_convolution(i, program);
      case planned_step::kind::pooling:
        return make_pooling(i, program);
      case planned_step::kind::walk:
        return make_walk(i, program);
      case planned_step::kind::loop_begin:
        loop_ = i;
        return;
      case planned_step::kind::loop_end:
        return;
    }
  }

 private:
  plan_view plan_;
  list<pass_operand> operands_;  // by pass: its loads, then its stores
  std::size_t loop_ = 0;         // whose steps are being made

  // Sets where an operand starts. An input's start is set anew for each run, that of an operand that moves
  // for each turn.
  template <class Program>
  void place(const access& place, element type, std::byte** data, const Program& program) {
    const auto size = static_cast<std::int64_t>(size_of(type));
    const std::int64_t bytes = program.extent(place.offset) * size;
    if (place.turn != 0) data = moving.add_turns(loop_, data, program.extent(place.turn) * size);
    const placement& p = plan_.place[static_cast<std::size_t>(place.owner)];
    if (p.kind == storage::input) {
      moving.add_start(data, p.index, bytes);
    } else if (p.kind == storage::hyperparameter) {
      moving.add_start(data, -1, bytes + 8 * p.index);
    } else {
      *data = moved(program.address(place.owner), bytes);
    }
  }
  // The same of any operand with strides, of which there are so many.
  template <class Operand, class Program>
  void place(Operand& o, int strides, const access& at, element type, const Program& program) {
    for (int d = 0; d < strides; ++d) o.strides[d] = program.extent(at.strides[d]);
    place(at, type, &o.data, program);
  }

  template <class Program>
  void make_pass(std::size_t i, const Program& program) {
    const planned_pass& p = plan_.passes[i];
    pass_operand* operands = operands_.data() + p.first_load + p.first_store;
    pass_call& call = passes[i];
    call = {.rank = p.rank,
            .reduced = p.reduced,
            .ordered = p.ordered,
            .accumulates = p.accumulates,
            .operands = operands,
            .operand_count = p.loads + p.stores};
    for (int d = 0; d < p.rank; ++d) call.extents[d] = program.extent(p.extents[d]);
    for (int k = 0; k < p.loads; ++k)
      make_load(operands[k], plan_.loads[static_cast<std::size_t>(p.first_load + k)], p.rank, program);
    for (int k = 0; k < p.stores; ++k) {
      const run_store& store = plan_.stores[static_cast<std::size_t>(p.first_store + k)];
      pass_operand& o = operands[p.loads + k];
      o = {.size = static_cast<std::int64_t>(size_of(store.type))};
      place(o, p.rank, store.place, store.type, program);
    }
  }

  template <class Program>
  void make_load(pass_operand& o, const planned_load& load, int rank, const Program& program) {
    o = {.size = static_cast<std::int64_t>(size_of(load.type))};
    if (load.kind != lane::number && load.kind != lane::index)
      return place(o, rank, load.place, load.type, program);
    for (int d = 0; d < rank; ++d) o.strides[d] = program.extent(load.place.strides[d]);
    if (load.kind == lane::number) {
      o.number = load.place.offset < 0 ? static_cast<double>(program.extent(load.place.offset)) : load.number;
    } else {
      o.first_index = program.extent(load.place.offset);
      if (load.place.turn != 0) moving.add_turns(loop_, &o.first_index, program.extent(load.place.turn));
    }
  }

  template <class Program>
  void make_product(std::size_t i, const Program& program) {
    const planned_product& p = plan_.products[i];
    product_call& call = products[i];
    call = {.m = program.extent(p.m),
            .n = program.extent(p.n),
            .k = program.extent(p.k),
            .ldc = program.extent(p.n),
            .element_size = static_cast<std::int64_t>(size_of(p.type)),
            .batch_rank = p.batch_rank};
    for (int d = 0; d < p.batch_rank; ++d) call.batches *= call.batch[d] = program.extent(p.batch[d]);
    place(call.a, p.batch_rank + 2, p.a, p.type, program);
    place(call.b, p.batch_rank + 2, p.b, p.type, program);
    place(call.c, p.batch_rank + 2, p.c, p.type, program);
  }

  // Whether a kernel fits into its image may be known from now on only.
  static void require_room(const char* operation, std::int64_t span, std::int64_t image,
                           std::int64_t padding) {
    if (span > image + 2 * padding)
      throw error({operation, "'s kernel spans ", span, " elements, but the run-time extent there is ", image,
                   ", with a padding of ", padding});
  }

  template <class Program>
  void make_convolution(std::size_t i, const Program& program) {
    const planned_convolution& c = plan_.convolutions[i];
    convolution_call& call = convolutions[i];
    call = {.computes = c.computes,
            .groups = c.groups,
            .batch = program.extent(c.batch),
            .in = program.extent(c.in),
            .out = program.extent(c.out)};
    for (int s = 0; s < 2; ++s) {
      call.image[s] = program.extent(c.image[s]);
      call.kernel[s] = program.extent(c.kernel[s]);
      call.positions[s] = program.extent(c.positions[s]);
      call.stride[s] = c.stride[s];
      call.dilation[s] = c.dilation[s];
      call.padding[s] = c.padding[s];
      require_room("a convolution", c.dilation[s] * (call.kernel[s] - 1) + 1, call.image[s], c.padding[s]);
    }
    place(c.x, c.type, &call.x, program);
    place(c.weight, c.type, &call.weight, program);
    place(c.y, c.type, &call.y, program);
  }

  template <class Program>
  void make_pooling(std::size_t i, const Program& program) {
    const planned_pooling& p = plan_.poolings[i];
    pooling_call& call = poolings[i];
    call = {.computes = p.computes,
            .counts_padding = p.counts_padding,
            .batch = program.extent(p.batch),
            .channels = program.extent(p.channels),
            .sources = p.sources};
    for (int s = 0; s < 2; ++s) {
      call.image[s] = program.extent(p.image[s]);
      call.kernel[s] = p.kernel[s];
      call.positions[s] = program.extent(p.positions[s]);
      call.stride[s] = p.stride[s];
      call.padding[s] = p.padding[s];
      require_room("a pool", p.kernel[s], call.image[s], p.padding[s]);
    }
    for (int k = 0; k < p.sources; ++k) place(p.source[k], p.type, &call.source[k], program);
    place(p.target, p.type, &call.target, program);
  }

  template <class Program>
  void make_walk(std::size_t i, const Program& program) {
    const planned_walk& w = plan_.walks[i];
    walk_call& call = walks[i];
    call = {.rank = w.rank, .axis = w.axis, .bound = program.extent(w.bound), .from_the_end = w.from_the_end};
    for (int d = 0; d < w.rank; ++d) call.extents[d] = program.extent(w.extents[d]);
    call.target_count = program.extent(w.count);
    place(call.source, w.rank, w.source, w.type, program);
    if (w.index.owner >= 0)
      place(call.index, w.rank, w.index, plan_.nodes[static_cast<std::size_t>(w.index.owner)].type, program);
    place(call.target, w.rank, w.target, w.type, program);
  }
};

}  // namespace tapeless
