// SPDX-License-Identifier: BSL-1.0
// From the commands of a plan to the arguments of their kernels, once all extents are known.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/joined_loops.hpp>
#include <tapeless/run/common/moving_operands.hpp>

namespace tapeless {

/// What the kernels of one family are called with: an F::arguments for each of its commands.
class arguments_of_family {
 public:
  arguments_of_family() = default;
  arguments_of_family(const arguments_of_family&) = delete;
  arguments_of_family& operator=(const arguments_of_family&) = delete;
  ~arguments_of_family() {
    if (launcher_ != nullptr) launcher_->delete_arguments(items_);
  }

  /// The launcher must outlive it. Called once.
  void make(const detail::family_launcher& launcher) {
    items_ = launcher.make_arguments(launcher.count);
    launcher_ = &launcher;
  }
  void* items() const { return items_; }

 private:
  void* items_ = nullptr;
  const detail::family_launcher* launcher_ = nullptr;
};

/// The launch arguments of a plan's commands, by their numbers. The plan must outlive them. A program has
///   extent(e)       the value of an extent, as the plan numbers them
///   address(place)  where the elements of a placement are, unless it is an input or a hyperparameter
class launch_argument_tables {
 public:
  list<fused_kernel_arguments> fused_kernels;
  list<product_arguments> products;
  arguments_of_family families[kernel_families::size];  // by the family's place in the list
  list<list<std::byte*>> loops;                         // where the placements of loops' functions begin
  moving_operands moving;

  TAPELESS_COLD explicit launch_argument_tables(const plan_view& plan)
      : fused_kernels(plan.fused_kernels.size()),
        products(plan.products.size()),
        loops(plan.loops.size()),
        plan_(plan),
        operands_(plan.loads.size() + plan.stores.size()) {
    for (int place = 0; place < kernel_families::size; ++place)
      if (plan.launchers[place].count != 0) families[place].make(plan.launchers[place]);
  }

  /// Before all commands are made anew, in their order.
  TAPELESS_COLD void clear() {
    int room = operands_.size() + 3 * products.size();
    for (const detail::family_launcher& launcher : plan_.launchers)
      room += launcher.operands * static_cast<int>(launcher.count);
    moving.clear(room);
  }

  template <class Program>
  TAPELESS_COLD void make(const planned_command& command, const Program& program) {
    const auto i = static_cast<std::size_t>(command.index);
    switch (command.kind) {
      case planned_command::kind::fused_kernel:
        return make_fused_kernel(i, program);
      case planned_command::kind::product:
        return make_product(i, program);
      case planned_command::kind::of_family:
        return launch(static_cast<std::size_t>(command.family), i, launching<Program>(*this, program));
      case planned_command::kind::loop_begin:
        loop_ = i;
        return;
      case planned_command::kind::loop_end:
        return;
    }
  }

  /// A loop that is a function.
  template <class Program>
  TAPELESS_COLD void make_loop(std::size_t i, array_view<const placement> places, const Program& program) {
    loops[i].assign(static_cast<int>(places.size()), nullptr);
    for (std::size_t k = 0; k < places.size(); ++k) begin(places[k], 0, &loops[i][k], program);
  }

  /// A fused kernel that computes nothing: one that reduces has no results, unlike a sum of no elements.
  TAPELESS_COLD void make_empty(std::size_t fused_kernel) {
    fused_kernel_arguments& arguments = fused_kernels[fused_kernel];
    if (arguments.rank == 0) arguments.rank = 1;
    arguments.extents[0] = 0;
    arguments.reduced &= ~1u;
  }

 private:
  const plan_view& plan_;
  list<fused_kernel_operand> operands_;  // by fused kernel: its loads, then its stores
  std::size_t loop_ = 0;                 // whose commands are being made

  TAPELESS_COLD void launch(std::size_t family, std::size_t i, const launch_site& at) {
    const detail::family_launcher& launcher = plan_.launchers[family];
    launcher.launch(launcher.planned, families[family].items(), i, at);
  }

  // Sets where something starts, so many bytes behind a placement. An input's start is set anew for each run.
  template <class Program>
  TAPELESS_COLD void begin(const placement& p, std::int64_t bytes, std::byte** data, const Program& program) {
    if (p.kind == storage::input) {
      moving.add_start(data, p.index, bytes);
    } else if (p.kind == storage::hyperparameter) {
      moving.add_start(data, -1, bytes + 8 * p.index);
    } else {
      *data = moved(program.address(p), bytes);
    }
  }
  // The same of an operand. That of one that moves is set for each iteration.
  template <class Program>
  TAPELESS_COLD void place(const access& place, element type, std::byte** data, const Program& program) {
    const auto size = static_cast<std::int64_t>(size_of(type));
    const std::int64_t bytes = program.extent(place.offset) * size;
    if (place.iteration_stride != 0)
      data = moving.add_iteration_stride(loop_, data, program.extent(place.iteration_stride) * size);
    begin(plan_.place[static_cast<std::size_t>(place.base)], bytes, data, program);
  }
  // The same of any operand with strides, of which there are so many.
  template <class Operand, class Program>
  TAPELESS_COLD void place(Operand& o, int strides, const access& at, element type, const Program& program) {
    for (int d = 0; d < strides; ++d) o.strides[d] = program.extent(at.strides[d]);
    place(at, type, &o.data, program);
  }

  template <class Program>
  TAPELESS_COLD void make_fused_kernel(std::size_t i, const Program& program) {
    const planned_fused_kernel& p = plan_.fused_kernels[i];
    fused_kernel_operand* operands = operands_.data() + p.first_load + p.first_store;
    fused_kernel_arguments& arguments = fused_kernels[i];
    arguments = {.rank = p.rank,
                 .reduced = p.reduced,
                 .ordered = p.ordered,
                 .accumulates = p.accumulates,
                 .operands = operands,
                 .operand_count = p.loads + p.stores,
                 .instructions = p.instructions};
    for (int d = 0; d < p.rank; ++d) arguments.extents[d] = program.extent(p.extents[d]);
    for (int k = 0; k < p.loads; ++k)
      make_load(operands[k], plan_.loads[static_cast<std::size_t>(p.first_load + k)], p.rank, program);
    for (int k = 0; k < p.stores; ++k) {
      const run_store& store = plan_.stores[static_cast<std::size_t>(p.first_store + k)];
      fused_kernel_operand& o = operands[p.loads + k];
      o = {.size = static_cast<std::int64_t>(size_of(store.type))};
      place(o, p.rank, store.place, store.type, program);
    }
    if constexpr (Program::joins_loops) join_loops(arguments, operands);
  }

  template <class Program>
  TAPELESS_COLD void make_load(fused_kernel_operand& o, const planned_load& load, int rank,
                               const Program& program) {
    o = {.size = static_cast<std::int64_t>(size_of(load.type))};
    if (load.kind != lane::number && load.kind != lane::index)
      return place(o, rank, load.place, load.type, program);
    for (int d = 0; d < rank; ++d) o.strides[d] = program.extent(load.place.strides[d]);
    if (load.kind == lane::number) {
      o.number = load.place.offset < 0 ? static_cast<double>(program.extent(load.place.offset)) : load.number;
    } else {
      o.first_index = program.extent(load.place.offset);
      if (load.place.iteration_stride != 0)
        moving.add_iteration_stride(loop_, &o.first_index, program.extent(load.place.iteration_stride));
    }
  }

  template <class Program>
  TAPELESS_COLD void make_product(std::size_t i, const Program& program) {
    const planned_product& p = plan_.products[i];
    product_arguments& arguments = products[i];
    arguments = {.m = program.extent(p.m),
                 .n = program.extent(p.n),
                 .k = program.extent(p.k),
                 .ldc = program.extent(p.n),
                 .element_size = static_cast<std::int64_t>(size_of(p.type)),
                 .batch_rank = p.batch_rank};
    for (int d = 0; d < p.batch_rank; ++d)
      arguments.batches *= arguments.batch[d] = program.extent(p.batch[d]);
    place(arguments.a, p.batch_rank + 2, p.a, p.type, program);
    place(arguments.b, p.batch_rank + 2, p.b, p.type, program);
    place(arguments.c, p.batch_rank + 2, p.c, p.type, program);
  }

  template <class Program>
  class launching final : public launch_site {
   public:
    launching(launch_argument_tables& tables, const Program& program) : tables_(tables), program_(program) {}
    std::int64_t extent(std::int64_t e) const override { return program_.extent(e); }
    using launch_site::place;
    void place(const access& at, element type, std::byte** data) const override {
      tables_.place(at, type, data, program_);
    }

   private:
    launch_argument_tables& tables_;
    const Program& program_;
  };
};

}  // namespace tapeless
