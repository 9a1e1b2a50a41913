// SPDX-License-Identifier: BSL-1.0
// Runs a plan on a backend. Nothing is allocated but when extents change; one class for all programs of a
// backend, which differ in their constant tables only.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/structural/attention_support.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/backend.hpp>
#include <tapeless/run/common/launch_argument_tables.hpp>
#include <tapeless/run/common/left_out_commands.hpp>

namespace tapeless {

/// Where a program's operands are that it does not own, and what it shares with its trainer's others.
template <class Resources>
struct program_memory {
  array_view<std::byte* const> parameters;  // by the parameter's number
  array_view<std::byte* const> states;      // by the state's number
  array_view<const double> hyperparameters;
  Resources* resources = nullptr;
  const left_to_others* others = nullptr;  // where they do something
};

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
class program_core {
 public:
  /// Plans for other backends have products and fused kernels in their places.
  static constexpr bool whole_windows = runs_windows<Backend>(kernel_families{});
  static constexpr bool can_leave_out = true;  // commands that others do
  static constexpr bool joins_loops = requires { Backend::joins_loops; };
  static constexpr attention_support whole_attention = attention_of<Backend>();

  using resources = typename Backend::resources;

  TAPELESS_COLD program_core(const plan_view& plan, const typename Backend::kernel_table& kernels,
                             const program_memory<resources>& memory);

  program_core(const program_core&) = delete;
  program_core& operator=(const program_core&) = delete;

  const plan_view& plan() const { return plan_; }
  std::int64_t extent(std::int64_t e) const {
    return e >= 0 ? e : extents_[static_cast<std::size_t>(-1 - e)];
  }
  std::int64_t arena_bytes() const { return arena_.size(); }
  const Backend& backend() const { return backend_; }

  /// Lays the arena out for the symbols' values; symbols(k) gives that of derived extent k, a symbol.
  template <class Symbols>
  TAPELESS_COLD void prepare(Symbols symbols) {
    set_extents(symbols);
    prepare_tables();
  }
  /// The two halves of it.
  template <class Symbols>
  TAPELESS_COLD void set_extents(Symbols symbols) {
    if (const int k = evaluate_extents(plan_.extents, symbols, extents_); k >= 0) refuse_extents(k, symbols);
  }
  TAPELESS_COLD void prepare_tables() {
    lay_out();
    arguments_.clear();
    if constexpr (keeps_operands) backend_.keep_nothing();
    int loop = -1;  // that the command is in
    for (std::size_t s = 0; s < plan_.commands.size(); ++s) {
      const planned_command& command = plan_.commands[s];
      if (command.kind == planned_command::kind::loop_begin) loop = command.index;
      if (command.kind == planned_command::kind::loop_end) loop = -1;
      const auto i = static_cast<std::size_t>(command.index);
      arguments_.make(command, *this);
      if (left_out_.is_empty(s)) arguments_.make_empty(i);
      if (command.kind == planned_command::kind::product) prepare_product(i, loop);
      if (command.kind == planned_command::kind::of_family) prepare_family(command.family, i);
    }
  }

  /// Runs all commands. inputs[i] is where the elements of the plan's input i are.
  void run(array_view<const std::byte* const> inputs) {
    run(inputs, reinterpret_cast<const std::byte*>(memory_.hyperparameters.data()));
  }
  void run(array_view<const std::byte* const> inputs, const std::byte* hyperparameters) {
    run_observed(inputs, hyperparameters, no_observer());
  }
  template <class Observer>
    requires requires(Observer& o) { o.after(0); }
  void run(array_view<const std::byte* const> inputs, Observer& observer) {
    run_observed(inputs, reinterpret_cast<const std::byte*>(memory_.hyperparameters.data()), observer);
  }
  /// The same, with observer.before(s) and observer.after(s) around command s, or around all commands that
  /// are run at once from s on.
  template <class Observer>
  void run_observed(array_view<const std::byte* const> inputs, const std::byte* hyperparameters,
                    Observer&& observer);

  /// Whether a run, or what prepares it, may change these bytes or give them back.
  bool overwrites(array_view<const std::byte> bytes) const {
    if (overlap(bytes, {arena_.program_data(), static_cast<std::size_t>(arena_.size())})) return true;
    if (!overlap(bytes, shared_)) return false;
    for (std::size_t id = 0; id < plan_.nodes.size(); ++id)
      if (is_shared(id) && overlap(bytes, bytes_of(id))) return true;
    return false;
  }

  /// Where the arena begins, once extents are known.
  std::byte* arena() const { return arena_.program_data(); }
  /// Where the elements of an output can be read, until the next run.
  const std::byte* output(int id) const { return address(id); }
  /// The same of an output whose place is known while compiling.
  const std::byte* output_at(const placement& p) const { return address(p); }

  /// For code that lays the arena out itself, until it is prepared again: so many bytes at least, and where
  /// in them a buffer is that is read after a run.
  TAPELESS_COLD void hold_arena(std::int64_t bytes) {
    if (bytes <= arena_.size()) return;
    arena_ = {};  // gives the old one back first
    arena_ = memory_.resources->allocate(bytes);
  }
  void place_buffer(std::size_t buffer, std::int64_t offset) { offsets_[buffer] = offset; }

  /// Where a node's elements are, of a node that owns some and is no input.
  std::byte* address(int id) const { return address(plan_.place[static_cast<std::size_t>(id)]); }
  std::byte* address(const placement& p) const {
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
  struct nothing {};

  const plan_view& plan_;
  Backend backend_;
  program_memory<resources> memory_;
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> offsets_;
  launch_argument_tables arguments_;
  typename Backend::memory arena_;
  left_out_commands left_out_;
  array_view<const std::byte> shared_;  // from the first to the last of the parameters and states

  auto begin_run() {
    if constexpr (requires { backend_.begin_run(); }) {
      return backend_.begin_run();
    } else {
      return nothing{};
    }
  }

  // A backend may keep what the products of a loop read in every iteration as its kernels read it.
  static constexpr bool keeps_operands = requires(Backend& b, product_arguments* p) {
    b.keep_nothing();
    b.keep_in_loop(0, 0, *p);
    b.begin_loop(0, p);
  };
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
      for_family(kernel_families{}, family, [&]<class F>() {
        const F& planned = plan_.families.template of<F>()[i];
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
      for_family(kernel_families{}, family, [&]<class F>() {
        if constexpr (runs_family<Backend, F>)
          backend_.run(i, plan_.families.template of<F>()[i],
                       static_cast<const typename F::arguments*>(all)[i]);
      });
    }
  }

  // As std::less has it, whose header brings maps and more.
  static bool before(const std::byte* a, const std::byte* b) { return std::compare_three_way{}(a, b) < 0; }
  static bool overlap(array_view<const std::byte> a, array_view<const std::byte> b) {
    return !a.empty() && !b.empty() && before(a.begin(), b.end()) && before(b.begin(), a.end());
  }
  bool is_shared(std::size_t id) const {
    return plan_.place[id].kind == storage::parameter || plan_.place[id].kind == storage::state;
  }
  array_view<const std::byte> bytes_of(std::size_t id) const {
    std::int64_t bytes = static_cast<std::int64_t>(size_of(plan_.nodes[id].type));
    for (int d = 0; d < plan_.nodes[id].rank; ++d) bytes *= extent(plan_.nodes[id].shape[d]);
    return {address(static_cast<int>(id)), static_cast<std::size_t>(bytes)};
  }
  TAPELESS_COLD void find_shared() {
    shared_ = {};
    for (std::size_t id = 0; id < plan_.nodes.size(); ++id) {
      if (!is_shared(id)) continue;
      const array_view<const std::byte> b = bytes_of(id);
      const std::byte* begin =
          shared_.empty() || before(b.begin(), shared_.begin()) ? b.begin() : shared_.begin();
      const std::byte* end = shared_.empty() || before(shared_.end(), b.end()) ? b.end() : shared_.end();
      shared_ = {begin, static_cast<std::size_t>(end - begin)};
    }
  }

  template <class Symbols>
  [[noreturn]] TAPELESS_COLD void refuse_extents(int k, Symbols symbols) const {
    std::string given;
    for (std::size_t s = 0; s <= static_cast<std::size_t>(k); ++s)
      if (plan_.extents[s].kind == extent_kind::symbol)
        append(given,
               {given.empty() ? "" : ", ", "\"", plan_.extents[s].symbol->view(), "\" = ", symbols(s)});
    throw_error(
        {"the run-time extents are too large: with ", given, ", a tensor has more than 2^48 elements"});
  }

  // What lives during one of the commands that are run at once lives during all of them.
  TAPELESS_COLD void find_lifetimes(list<planned_buffer>& buffers) const {
    for (const planned_buffer& b : plan_.buffers) buffers.push(b);
    const int commands = static_cast<int>(plan_.commands.size());
    for (int first = 0, last = 0; first < commands; first = last + 1) {
      const planned_command& command = plan_.commands[static_cast<std::size_t>(first)];
      last = first;
      if (command.kind == planned_command::kind::fused_kernel ||
          command.kind == planned_command::kind::product)
        last += static_cast<int>(backend_.commands_at_once(command)) - 1;
      if (last == first) continue;
      for (planned_buffer& b : buffers) {
        if (b.first > first && b.first <= last) b.first = first;
        if (b.last >= first && b.last < last) b.last = last;
      }
    }
  }

  TAPELESS_COLD void lay_out() {
    list<planned_buffer> buffers;
    find_lifetimes(buffers);
    list<arena_slot> slots(plan_.buffers.size());
    const auto bytes = [&](int i) {
      const planned_buffer& b = buffers[i];
      return extent(b.count) * static_cast<std::int64_t>(size_of(b.type));
    };
    hold_arena(assign_offsets(buffers.data(), buffers.size(), bytes, offsets_.data(), slots.data()));
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
    : plan_(plan),
      backend_(kernels, *memory.resources),
      memory_(memory),
      extents_(plan.extents.size(), -1),
      offsets_(plan.buffers.size()),
      arguments_(plan) {
  find_shared();
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
