// SPDX-License-Identifier: BSL-1.0
// Runs a plan on a machine. Nothing is allocated but when extents change; one class for all programs of a
// machine, which differ in their constant tables only.
#pragma once

#include <cstddef>
#include <vector>

#include <tapeless/plan/view.hpp>
#include <tapeless/run/calls.hpp>

namespace tapeless {

/// Where a program's operands are that it does not own, and what it shares with its trainer's others.
template <class Resources>
struct program_memory {
  std::span<std::byte* const> parameters;  // by the parameter's number
  std::span<std::byte* const> states;      // by the state's number
  std::span<const double> hyperparameters;
  Resources* resources = nullptr;
};

/// A machine has
///   kernel_table                   what it knows of a program's steps while compiling
///   resources                      what the programs of one trainer share
///   memory                         of the arena, made by resources.allocate(bytes)
///   prepare(i, call, type)         makes product number i ready, whose extents are known from now on
///   steps_at_once(step)            how many steps it runs at once from this pass or product on
///   run_pass(steps, calls)         runs a pass, and those that are run at once with it
///   run_product(steps, call, calls)   runs a product, and the passes that are run at once with it
///   run_walk(i, call)
/// and, where it runs convolutions as they are,
///   prepare_convolution(i, call, type)   makes convolution number i ready
///   run_convolution(i, call)
template <class Machine>
class program_core {
 public:
  /// Plans for other machines have products and passes in their places.
  static constexpr bool whole_convolutions =
      requires(Machine m, std::size_t i, const convolution_call& call) { m.run_convolution(i, call); };

  using resources = typename Machine::resources;

  program_core(const plan_view& plan, const typename Machine::kernel_table& kernels,
               const program_memory<resources>& memory)
      : plan_(plan),
        machine_(kernels, *memory.resources),
        memory_(memory),
        extents_(plan.extents.size(), -1),
        offsets_(plan.buffers.size()),
        operands_(plan.loads.size() + plan.stores.size()),
        passes_(plan.passes.size()),
        products_(plan.products.size()),
        convolutions_(plan.convolutions.size()),
        walks_(plan.walks.size()) {}

  program_core(const program_core&) = delete;
  program_core& operator=(const program_core&) = delete;

  const plan_view& plan() const { return plan_; }
  std::int64_t extent(std::int64_t e) const {
    return e >= 0 ? e : extents_[static_cast<std::size_t>(-1 - e)];
  }
  std::int64_t arena_bytes() const { return arena_.size(); }
  const Machine& machine() const { return machine_; }

  /// Lays the arena out for the symbols' values; symbols(k) gives that of derived extent k, a symbol.
  template <class Symbols>
  void prepare(Symbols symbols) {
    evaluate_extents(plan_.extents, symbols, extents_);
    lay_out();
    patches_.clear();
    movers_.clear();
    movers_.reserve(operands_.size() +
                    3 * (products_.size() + convolutions_.size() + walks_.size()));  // patches point into it
    for (const planned_step& step : plan_.steps) {
      const auto i = static_cast<std::size_t>(step.index);
      if (step.kind == planned_step::kind::loop_begin) loop_ = i;
      if (step.kind == planned_step::kind::pass) prepare_pass(i);
      if (step.kind == planned_step::kind::product) prepare_product(i);
      if (step.kind == planned_step::kind::convolution) prepare_convolution(i);
      if (step.kind == planned_step::kind::walk) prepare_walk(i);
    }
  }

  /// Runs all steps. inputs[i] is where the elements of the plan's input i are.
  void run(std::span<const std::byte* const> inputs) {
    run(inputs, reinterpret_cast<const std::byte*>(memory_.hyperparameters.data()));
  }
  void run(std::span<const std::byte* const> inputs, const std::byte* hyperparameters) {
    for (const patch& p : patches_) {
      const std::byte* start = p.source < 0 ? hyperparameters : inputs[static_cast<std::size_t>(p.source)];
      *p.target = moved(const_cast<std::byte*>(start), p.bytes);
    }
    std::size_t begin = 0;
    std::int64_t turn = 0;
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      const planned_step& step = plan_.steps[s];
      const auto i = static_cast<std::size_t>(step.index);
      switch (step.kind) {
        case planned_step::kind::pass: {
          const std::size_t count = machine_.steps_at_once(step);
          machine_.run_pass(plan_.steps.subspan(s, count), passes_.data());
          s += count - 1;
          break;
        }
        case planned_step::kind::product: {
          const std::size_t count = machine_.steps_at_once(step);
          machine_.run_product(plan_.steps.subspan(s, count), products_[i], passes_.data());
          s += count - 1;
          break;
        }
        case planned_step::kind::convolution:
          if constexpr (whole_convolutions) machine_.run_convolution(i, convolutions_[i]);
          break;
        case planned_step::kind::walk:
          machine_.run_walk(i, walks_[i]);
          break;
        case planned_step::kind::loop_begin:
          begin = s;
          turn = 0;
          if (extent(plan_.loops[i].count) == 0)
            while (plan_.steps[s].kind != planned_step::kind::loop_end) ++s;
          else
            move_to(i, turn);
          break;
        case planned_step::kind::loop_end:
          if (++turn < extent(plan_.loops[i].count)) {
            move_to(i, turn);
            s = begin;
          }
          break;
      }
    }
  }

  /// Where the elements of an output can be read, until the next run.
  const std::byte* output(int id) const { return address(id); }

  /// Where a node's elements are, of a node that owns some and is no input.
  std::byte* address(int id) const {
    const placement& p = plan_.place[static_cast<std::size_t>(id)];
    const auto i = static_cast<std::size_t>(p.index);
    switch (p.kind) {
      case storage::parameter:
        return memory_.parameters[i];
      case storage::state:
        return memory_.states[i];
      case storage::hyperparameter:
        return reinterpret_cast<std::byte*>(const_cast<double*>(memory_.hyperparameters.data() + i));
      case storage::arena:
        return arena_.program_data() + offsets_[i];
      case storage::input:
      case storage::none:
        break;
    }
    return nullptr;
  }

 private:
  /// A pointer that is set anew for each run, because it depends on where the caller's elements are.
  struct patch {
    std::byte** target;
    int source;  // an input, or -1: the hyperparameters
    std::int64_t bytes;
  };

  /// An operand that moves from turn to turn of a loop: its pointer, or its first index.
  struct mover {
    std::size_t loop;
    std::byte** data;
    std::int64_t* index;
    std::byte* base;
    std::int64_t first_index;
    std::int64_t step;  // in bytes, or in indices
  };

  plan_view plan_;
  Machine machine_;
  program_memory<resources> memory_;
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> offsets_;
  std::vector<pass_operand> operands_;  // by pass: its loads, then its stores
  std::vector<pass_call> passes_;
  std::vector<product_call> products_;
  std::vector<convolution_call> convolutions_;
  std::vector<walk_call> walks_;
  std::vector<patch> patches_;
  std::vector<mover> movers_;
  std::size_t loop_ = 0;  // whose steps are being prepared
  typename Machine::memory arena_;

  // What lives during one of the steps that are run at once lives during all of them.
  std::vector<planned_buffer> lifetimes() const {
    std::vector<planned_buffer> buffers(plan_.buffers.begin(), plan_.buffers.end());
    const int steps = static_cast<int>(plan_.steps.size());
    for (int first = 0, last = 0; first < steps; first = last + 1) {
      const planned_step& step = plan_.steps[static_cast<std::size_t>(first)];
      last = first;
      if (step.kind == planned_step::kind::pass || step.kind == planned_step::kind::product)
        last += static_cast<int>(machine_.steps_at_once(step)) - 1;
      if (last == first) continue;
      for (planned_buffer& b : buffers) {
        if (b.first > first && b.first <= last) b.first = first;
        if (b.last >= first && b.last < last) b.last = last;
      }
    }
    return buffers;
  }

  void lay_out() {
    const std::vector<planned_buffer> buffers = lifetimes();
    std::vector<int> active(buffers.size());
    std::vector<arena_block> free(buffers.size() + 1);
    const auto bytes = [&](int i) {
      const planned_buffer& b = buffers[static_cast<std::size_t>(i)];
      return extent(b.count) * static_cast<std::int64_t>(size_of(b.type));
    };
    const std::int64_t size = assign_offsets(buffers.data(), static_cast<int>(buffers.size()), bytes,
                                             offsets_.data(), active.data(), free.data());
    if (size <= arena_.size()) return;
    arena_ = {};  // gives the old one back first
    arena_ = memory_.resources->allocate(size);
  }

  // Sets where an operand starts. An input's start is set anew for each run, that of an operand that moves
  // for each turn.
  void place(const access& place, element type, std::byte** data) {
    const auto size = static_cast<std::int64_t>(size_of(type));
    const std::int64_t bytes = extent(place.offset) * size;
    if (place.turn != 0) {
      movers_.push_back({loop_, data, nullptr, nullptr, 0, extent(place.turn) * size});
      data = &movers_.back().base;
    }
    const placement& p = plan_.place[static_cast<std::size_t>(place.owner)];
    if (p.kind == storage::input) {
      patches_.push_back({data, p.index, bytes});
    } else if (p.kind == storage::hyperparameter) {
      patches_.push_back({data, -1, bytes + 8 * p.index});
    } else {
      *data = moved(address(place.owner), bytes);
    }
  }

  void move_to(std::size_t loop, std::int64_t turn) {
    const planned_loop& l = plan_.loops[loop];
    const std::int64_t at = l.reversed ? extent(l.count) - 1 - turn : turn;
    for (const mover& m : movers_) {
      if (m.loop != loop) continue;
      if (m.data != nullptr) *m.data = moved(m.base, at * m.step);
      if (m.index != nullptr) *m.index = m.first_index + at * m.step;
    }
  }

  void prepare_pass(std::size_t i) {
    const planned_pass& p = plan_.passes[i];
    pass_operand* operands = operands_.data() + p.first_load + p.first_store;
    pass_call& call = passes_[i];
    call = {.rank = p.rank,
            .reduced = p.reduced,
            .ordered = p.ordered,
            .accumulates = p.accumulates,
            .operands = operands,
            .operand_count = p.loads + p.stores};
    for (int d = 0; d < p.rank; ++d) call.extents[d] = extent(p.extents[d]);
    for (int k = 0; k < p.loads; ++k) {
      const planned_load& load = plan_.loads[static_cast<std::size_t>(p.first_load + k)];
      pass_operand& o = operands[k];
      o = {.size = static_cast<std::int64_t>(size_of(load.type))};
      for (int d = 0; d < p.rank; ++d) o.strides[d] = extent(load.place.strides[d]);
      if (load.kind == lane::number) {
        o.number = load.place.offset < 0 ? static_cast<double>(extent(load.place.offset)) : load.number;
      } else if (load.kind == lane::index) {
        o.first_index = extent(load.place.offset);
        if (load.place.turn != 0)
          movers_.push_back(
              {loop_, nullptr, &o.first_index, nullptr, o.first_index, extent(load.place.turn)});
      } else {
        place(load.place, load.type, &o.data);
      }
    }
    for (int k = 0; k < p.stores; ++k) {
      const run_store& store = plan_.stores[static_cast<std::size_t>(p.first_store + k)];
      pass_operand& o = operands[p.loads + k];
      o = {.size = static_cast<std::int64_t>(size_of(store.type))};
      for (int d = 0; d < p.rank; ++d) o.strides[d] = extent(store.place.strides[d]);
      place(store.place, store.type, &o.data);
    }
  }

  void prepare_product(std::size_t i) {
    const planned_product& p = plan_.products[i];
    product_call& call = products_[i];
    call = {.m = extent(p.m),
            .n = extent(p.n),
            .k = extent(p.k),
            .ldc = extent(p.n),
            .element_size = static_cast<std::int64_t>(size_of(p.type)),
            .batch_rank = p.batch_rank};
    for (int d = 0; d < p.batch_rank; ++d) call.batches *= call.batch[d] = extent(p.batch[d]);
    set_operand(call.a, p.a, p);
    set_operand(call.b, p.b, p);
    set_operand(call.c, p.c, p);
    machine_.prepare(i, call, p.type);
  }

  // Extents of images may be known from now on only.
  void prepare_convolution(std::size_t i) {
    const planned_convolution& c = plan_.convolutions[i];
    convolution_call& call = convolutions_[i];
    call = {.computes = c.computes,
            .groups = c.groups,
            .batch = extent(c.batch),
            .in = extent(c.in),
            .out = extent(c.out)};
    for (int s = 0; s < 2; ++s) {
      call.image[s] = extent(c.image[s]);
      call.kernel[s] = extent(c.kernel[s]);
      call.positions[s] = extent(c.positions[s]);
      call.stride[s] = c.stride[s];
      call.dilation[s] = c.dilation[s];
      call.padding[s] = c.padding[s];
      const std::int64_t last = c.dilation[s] * (call.kernel[s] - 1);
      if (last >= call.image[s] + 2 * c.padding[s])
        throw error({"a convolution's kernel spans ", last + 1,
                     " elements, but the run-time extent there is ", call.image[s], " with a padding of ",
                     c.padding[s]});
    }
    place(c.x, c.type, &call.x);
    place(c.weight, c.type, &call.weight);
    place(c.y, c.type, &call.y);
    if constexpr (whole_convolutions) machine_.prepare_convolution(i, call, c.type);
  }

  void prepare_walk(std::size_t i) {
    const planned_walk& w = plan_.walks[i];
    walk_call& call = walks_[i];
    call = {.rank = w.rank, .axis = w.axis, .bound = extent(w.bound), .from_the_end = w.from_the_end};
    for (int d = 0; d < w.rank; ++d) call.extents[d] = extent(w.extents[d]);
    call.target_count = extent(w.count);
    const auto set = [&](walk_operand& o, const access& place, element type) {
      for (int d = 0; d < w.rank; ++d) o.strides[d] = extent(place.strides[d]);
      this->place(place, type, &o.data);
    };
    set(call.source, w.source, w.type);
    if (w.index.owner >= 0)
      set(call.index, w.index, plan_.nodes[static_cast<std::size_t>(w.index.owner)].type);
    set(call.target, w.target, w.type);
  }

  void set_operand(product_operand& o, const access& place, const planned_product& p) {
    for (int d = 0; d < p.batch_rank + 2; ++d) o.strides[d] = extent(place.strides[d]);
    this->place(place, p.type, &o.data);
  }
};

}  // namespace tapeless
