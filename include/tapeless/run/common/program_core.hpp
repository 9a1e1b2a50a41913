// SPDX-License-Identifier: BSL-1.0
// Runs a plan on a backend. Nothing is allocated but where a run needs more memory than those before; one
// class for all programs of a backend, which differ in their constant tables only.
#pragma once

#include <cstddef>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/structural/attention_support.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/backend.hpp>
#include <tapeless/run/common/launch_argument_tables.hpp>
#include <tapeless/run/common/left_out_commands.hpp>
#include <tapeless/run/common/loop_function.hpp>
#include <tapeless/run/common/program_operands.hpp>

namespace tapeless {

/// A backend that has kernels for a family.
template <class Backend, class F>
concept runs_family = requires(Backend& m, std::size_t i, const F& planned, const typename F::arguments& a) {
  m.run(i, planned, a);
};
template <class Backend, class... F>
constexpr bool runs_windows(family_list<F...>) {
  static_assert(((runs_family<Backend, F> || F::has_expansion) && ...),
                "the backend has no kernels for a family that has no expansion");
  return runs_family<Backend, planned_convolution> && runs_family<Backend, planned_pooling>;
}

/// The attentions that a backend has kernels for: where it does not say, those of floats.
template <class Backend>
constexpr attention_support attention_of() {
  if constexpr (!runs_family<Backend, planned_attention>) {
    return attention_support::none;
  } else if constexpr (requires { Backend::attention; }) {
    return Backend::attention;
  } else {
    return attention_support::of_floats;
  }
}

/// Whom a run tells of its kernels: nobody, at no cost.
struct no_observer {
  constexpr void before(std::size_t) const {}
  constexpr void after(std::size_t) const {}
};

/// Of a backend that keeps backend_contract. The plan must outlive it.
template <class Backend>
class program_core : public program_operands<Backend> {
  using operands = program_operands<Backend>;

 public:
  /// Plans for other backends have products and fused kernels in their places.
  static constexpr bool whole_windows = runs_windows<Backend>(kernel_families{});
  static constexpr bool can_leave_out = true;  // commands that others do
  static constexpr bool joins_loops = requires { Backend::joins_loops; };
  static constexpr attention_support whole_attention = attention_of<Backend>();

  using operands::extent;
  using typename operands::resources;

  TAPELESS_COLD program_core(const plan_view& plan, const typename Backend::kernel_table& kernels,
                             const program_memory<resources>& memory);

  const Backend& backend() const { return backend_; }

  /// For the symbols' values, as set_extents takes them: where operands are, and what each command's kernel
  /// is called with.
  template <class Symbols>
  TAPELESS_COLD void prepare(Symbols symbols) {
    operands::set_extents(symbols);
    prepare_tables();
  }
  /// The same for extents that have their values.
  TAPELESS_COLD void prepare_tables() {
    operands::lay_out(backend_);
    arguments_.clear();
    for (std::size_t s = 0; s < plan_.commands.size(); ++s) {
      if (const loop_function* f = function_of(plan_.commands[s])) {
        arguments_.make_loop(static_cast<std::size_t>(plan_.commands[s].index), f->places, *this);
        s = end_of_loop(s);
        continue;
      }
      arguments_.make(plan_.commands[s], *this);
      if (left_out_.is_empty(s)) arguments_.make_empty(static_cast<std::size_t>(plan_.commands[s].index));
    }
    if constexpr (weighs) weigh();
    prepare_commands();
  }

  /// Runs all commands. inputs[i] is where the elements of the plan's input i are.
  void run(array_view<const std::byte* const> inputs) { run(inputs, operands::hyperparameters()); }
  void run(array_view<const std::byte* const> inputs, const std::byte* hyperparameters) {
    run_observed(inputs, hyperparameters, no_observer());
  }
  template <class Observer>
    requires requires(Observer& o) { o.after(0); }
  void run(array_view<const std::byte* const> inputs, Observer& observer) {
    run_observed(inputs, operands::hyperparameters(), observer);
  }
  /// The same, with observer.before(s) and observer.after(s) around command s, or around all commands that
  /// are run at once from s on.
  template <class Observer>
  void run_observed(array_view<const std::byte* const> inputs, const std::byte* hyperparameters,
                    Observer&& observer);

 private:
  struct nothing {};

  using operands::plan_;
  Backend backend_;
  launch_argument_tables arguments_;
  left_out_commands left_out_;

  auto begin_run() {
    if constexpr (requires { backend_.begin_run(); }) {
      return backend_.begin_run();
    } else {
      return nothing{};
    }
  }

  // A backend may have a function for the loop that a command begins.
  const loop_function* function_of([[maybe_unused]] const planned_command& command) const {
    if constexpr (requires { backend_.function_of_loop(0); })
      if (command.kind == planned_command::kind::loop_begin)
        return backend_.function_of_loop(static_cast<std::size_t>(command.index));
    return nullptr;
  }
  std::size_t end_of_loop(std::size_t s) const {
    while (plan_.commands[s].kind != planned_command::kind::loop_end) ++s;
    return s;
  }

  // A backend may look at all that there is to do before it prepares any of it.
  static constexpr bool weighs = requires { typename Backend::work; };
  TAPELESS_COLD void weigh() {
    typename Backend::work all;
    std::int64_t times = 1;
    for (const planned_command& command : plan_.commands) {
      const auto i = static_cast<std::size_t>(command.index);
      if (command.kind == planned_command::kind::loop_begin) times = extent(plan_.loops[i].count);
      if (command.kind == planned_command::kind::loop_end) times = 1;
      if (command.kind == planned_command::kind::fused_kernel) all.add(arguments_.fused_kernels[i], times);
      if (command.kind == planned_command::kind::product) all.add(arguments_.products[i], times);
    }
    backend_.weigh(all);
  }

  // A backend may keep what the products of a loop read in every iteration as its kernels read it.
  static constexpr bool keeps_operands = requires(Backend& b, product_arguments* p) {
    b.keep_nothing();
    b.keep_in_loop(0, 0, *p);
    b.begin_loop(0, p);
  };
  TAPELESS_COLD void prepare_commands() {
    if constexpr (keeps_operands) backend_.keep_nothing();
    int loop = -1;  // that the command is in
    for (std::size_t s = 0; s < plan_.commands.size(); ++s) {
      const planned_command& command = plan_.commands[s];
      const auto i = static_cast<std::size_t>(command.index);
      if (function_of(command) != nullptr) {
        s = end_of_loop(s);
        continue;
      }
      if (command.kind == planned_command::kind::loop_begin) loop = command.index;
      if (command.kind == planned_command::kind::loop_end) loop = -1;
      if (command.kind == planned_command::kind::product) prepare_product(i, loop);
      if (command.kind == planned_command::kind::of_family) prepare_family(command.family, i);
    }
  }
  TAPELESS_COLD void prepare_product(std::size_t i, [[maybe_unused]] int loop) {
    backend_.prepare(i, arguments_.products[i], plan_.products[i].type);
    if constexpr (keeps_operands) {
      const access& b = plan_.products[i].b;
      const storage kind = plan_.place[static_cast<std::size_t>(b.base)].kind;
      const bool is_same = b.iteration_stride == 0 && (kind == storage::parameter || kind == storage::input);
      if (loop >= 0 && is_same)
        backend_.keep_in_loop(static_cast<std::size_t>(loop), i, arguments_.products[i]);
    }
  }
  TAPELESS_COLD void prepare_family(int family, std::size_t i) {
    const void* all = arguments_.families[family].items();
    if constexpr (requires { backend_.prepare_family(family, i, all); }) {
      backend_.prepare_family(family, i, all);
    } else {
      const auto& families = plan_.families;
      for_family(kernel_families{}, family, [&]<class F>() {
        const F& planned = families.template of<F>()[i];
        const auto& arguments = static_cast<const typename F::arguments*>(all)[i];
        if constexpr (requires { backend_.prepare(i, planned, arguments); })
          backend_.prepare(i, planned, arguments);
      });
    }
  }
  void run_family(int family, std::size_t i) {
    const void* all = arguments_.families[family].items();
    if constexpr (requires { backend_.run_family(family, i, all); }) {
      backend_.run_family(family, i, all);
    } else {
      const auto& families = plan_.families;
      for_family(kernel_families{}, family, [&]<class F>() {
        if constexpr (runs_family<Backend, F>)
          backend_.run(i, families.template of<F>()[i], static_cast<const typename F::arguments*>(all)[i]);
      });
    }
  }

  void move_to_first(std::size_t loop) {
    const planned_loop& l = plan_.loops[loop];
    arguments_.moving.set_iteration(loop, l.reversed ? extent(l.count) - 1 : 0, l.reversed);
  }
};

// Behind the class, and so not inline: they need not be compiled in each program, see compiled.hpp.
template <class Backend>
program_core<Backend>::program_core(const plan_view& plan, const typename Backend::kernel_table& kernels,
                                    const program_memory<resources>& memory)
    : operands(plan, memory), backend_(kernels, *memory.resources), arguments_(plan) {
  if (memory.others != nullptr) left_out_ = {*memory.others, plan, backend_};
}

template <class Backend>
template <class Observer>
void program_core<Backend>::run_observed(array_view<const std::byte* const> inputs,
                                         const std::byte* hyperparameters, Observer&& observer) {
  [[maybe_unused]] const auto running = begin_run();
  arguments_.moving.set_starts(inputs, hyperparameters);
  const array_view<const planned_command> commands = plan_.commands;  // not read anew for each
  const bool leaves_out = left_out_.leaves_out();
  std::size_t begin = 0;
  std::int64_t iteration = 0;
  for (std::size_t s = 0; s < commands.size(); ++s) {
    if (leaves_out && left_out_.is_skipped(s)) continue;
    const planned_command& command = commands[s];
    const auto i = static_cast<std::size_t>(command.index);
    switch (command.kind) {
      case planned_command::kind::fused_kernel: {
        const std::size_t count = backend_.commands_at_once(command);
        observer.before(s);
        backend_.run_fused_kernel(commands.subspan(s, count), arguments_.fused_kernels.data());
        observer.after(s);
        s += count - 1;
        break;
      }
      case planned_command::kind::product: {
        const std::size_t count = backend_.commands_at_once(command);
        observer.before(s);
        backend_.run_product(commands.subspan(s, count), arguments_.products[i],
                             arguments_.fused_kernels.data());
        observer.after(s);
        s += count - 1;
        break;
      }
      case planned_command::kind::of_family:
        observer.before(s);
        run_family(command.family, i);
        observer.after(s);
        break;
      case planned_command::kind::loop_begin:
        if (const loop_function* f = function_of(command)) {
          observer.before(s + 1);
          f->run(arguments_.loops[i].data(), static_cast<std::ptrdiff_t>(extent(plan_.loops[i].count)));
          observer.after(s + 1);
          s = end_of_loop(s);
          break;
        }
        begin = s;
        iteration = 0;
        if constexpr (keeps_operands) backend_.begin_loop(i, arguments_.products.data());
        if (extent(plan_.loops[i].count) == 0)
          while (commands[s].kind != planned_command::kind::loop_end) ++s;
        else
          move_to_first(i);
        break;
      case planned_command::kind::loop_end:
        if (++iteration < extent(plan_.loops[i].count)) {
          arguments_.moving.next_iteration(i);
          s = begin;
        }
        break;
    }
  }
}

/// What stands in for the programs of a backend that lacks something: that is said of the backend alone.
template <class Backend>
  requires(!is_backend<Backend>)
class program_core<Backend> : contract_report<backend_contract<Backend>> {};
template <class Program>
inline constexpr bool stands_in = false;
template <class Backend>
inline constexpr bool stands_in<program_core<Backend>> = !is_backend<Backend>;

}  // namespace tapeless
