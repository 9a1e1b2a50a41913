// SPDX-License-Identifier: BSL-1.0
// tl::straight_line: the CPU policy for small models, whose programs are one function each.
#pragma once

#include <tapeless/run/bare/bare_locals.hpp>
#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/run/straight_line/straight_line_plan.hpp>
#include <tapeless/run/straight_line/straight_lines.hpp>

namespace tapeless {

namespace cpu_kernels {

/// All of a program: inputs, parameters, states, the numbers of a run and the arena.
using straight_line_function = void (*)(const std::byte* const*, std::byte*, std::byte*, const double*,
                                        std::byte*);

/// Where straight-line code has a buffer of the program's plan that is read after a run.
struct placed_output {
  std::size_t buffer = 0;
  std::int64_t offset = 0;
};

/// All of a program as one function, with these values of its plan's extents; -1 where one is not needed.
struct straight_line_code {
  straight_line_function run = nullptr;
  array_view<const std::int64_t> extents = {};
  std::int64_t arena_bytes = 0;
  array_view<const placed_output> outputs = {};
};

/// The kernels of a program, and all of it as one function where it is straight-line code.
struct straight_line_kernels : kernel_table {
  array_view<const straight_line_code> code = {};
  bool changes_states = false;
  array_view<const std::int64_t> parameters = {}, states = {};  // where the code expects them
};

namespace detail {

// One function, but for kernels whose loops are long. None of these overlaps another: what a kernel has
// written is still in a register for the next one.
template <class GraphBuilder>
[[gnu::flatten]] void run_straight_line(const std::byte* const* inputs, std::byte* __restrict parameters,
                                        std::byte* __restrict states, const double* __restrict numbers,
                                        std::byte* __restrict arena) {
  bare_kernels::bare_program<GraphBuilder, straight_line_layout<GraphBuilder>>::run(
      {inputs, parameters, states, numbers, arena});
}

/// The same as a part of what calls it, where it is short.
template <class GraphBuilder>
[[gnu::always_inline]] inline void run_where_called(const std::byte* const* inputs,
                                                    std::byte* __restrict parameters,
                                                    std::byte* __restrict states,
                                                    const double* __restrict numbers,
                                                    std::byte* __restrict arena) {
  if constexpr (bare_kernels::detail::is_short<GraphBuilder>()) {
    bare_kernels::bare_program<GraphBuilder, straight_line_layout<GraphBuilder>>::run_here(
        {inputs, parameters, states, numbers, arena});
  } else {
    run_straight_line<GraphBuilder>(inputs, parameters, states, numbers, arena);
  }
}

template <class GraphBuilder>
constexpr std::size_t count_placed_outputs() {
  std::size_t count = 0;
  for (const graph_output& o : constant_graph_of<GraphBuilder>.outputs)
    count += plan_of<GraphBuilder>.place[static_cast<std::size_t>(o.node)].kind == storage::arena ? 1 : 0;
  return count;
}
template <class GraphBuilder, class Line>
inline constexpr auto placed_outputs_of = [] {
  std::array<placed_output, count_placed_outputs<GraphBuilder>()> all{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < constant_graph_of<GraphBuilder>.outputs.size(); ++i) {
    const int node = constant_graph_of<GraphBuilder>.outputs[i].node;
    const placement own = plan_of<GraphBuilder>.place[static_cast<std::size_t>(node)];
    if (own.kind == storage::arena)
      all[count++] = {static_cast<std::size_t>(own.index), offsets_of_outputs<Line>()[i]};
  }
  return all;
}();

template <class GraphBuilder, class Lines, std::size_t... I>
constexpr auto code_of_lines(std::index_sequence<I...>) {
  return std::array<straight_line_code, sizeof...(I)>{
      straight_line_code{&run_straight_line<typename Lines::template builder<I>>, Lines::template values<I>(),
                         straight_line_layout<typename Lines::template builder<I>>::arena.back(),
                         placed_outputs_of<GraphBuilder, typename Lines::template builder<I>>}...};
}
template <class GraphBuilder, class Lines>
inline constexpr auto code_of = code_of_lines<GraphBuilder, Lines>(std::make_index_sequence<Lines::count>{});

template <class GraphBuilder, class Lines>
constexpr straight_line_kernels find_straight_line_kernels() {
  straight_line_kernels k{kernels_of<GraphBuilder>};
  if constexpr (Lines::count > 0) {
    using layout = straight_line_layout<GraphBuilder>;
    k.code = code_of<GraphBuilder, Lines>;
    k.parameters = layout::parameters;
    k.states = layout::states;
    k.changes_states = layout::states.back() > 0;
  }
  return k;
}

}  // namespace detail

template <class GraphBuilder, class Lines>
inline constexpr straight_line_kernels straight_line_kernels_of =
    detail::find_straight_line_kernels<GraphBuilder, Lines>();

/// Tensors that a program expects one after the other in memory.
class tensor_block {
 public:
  /// Tensors at these addresses, which are expected at these offsets from the first one that has a size.
  tensor_block(array_view<std::byte* const> addresses, array_view<const std::int64_t> offsets)
      : is_whole_(addresses.size() + 1 >= offsets.size()) {
    for (std::size_t i = 0; is_whole_ && i + 1 < offsets.size(); ++i) {
      if (offsets[i + 1] == 0) continue;
      if (begin_ == nullptr) begin_ = addresses[i];
      is_whole_ = addresses[i] != nullptr && addresses[i] == begin_ + offsets[i];
    }
  }
  /// Null where there are none.
  std::byte* begin() const { return begin_; }
  /// Whether they are where they are expected.
  bool is_whole() const { return is_whole_; }

 private:
  std::byte* begin_ = nullptr;
  bool is_whole_;
};

/// Runs a plan as straight-line code at the extents that have some, else through its tables.
class straight_line_program : public cpu::program {
  using base = cpu::program;

 public:
  using resources = base::resources;
  static constexpr bool can_leave_out = false;  // straight-line code is whole

  [[gnu::cold]] straight_line_program(const plan_view& plan, const straight_line_kernels& kernels,
                                      const program_memory<resources>& memory)
      : base(plan, kernels, memory) {
    const tensor_block parameters(memory.parameters, kernels.parameters),
        states(memory.states, kernels.states);
    if (memory.others != nullptr || !parameters.is_whole() || !states.is_whole()) return;
    code_ = kernels.code;
    flushes_denormals_ = kernels.changes_states && memory.resources->flush_denormals();
    parameters_ = parameters.begin();
    states_ = states.begin();
    numbers_ = memory.hyperparameters.data();
  }

  /// Whether it runs as straight-line code, as it was prepared last.
  bool is_straight_line() const { return run_ != nullptr; }
  /// Whether that is the code of this number.
  bool is_code(std::size_t i) const { return current_ == i; }

  template <class Symbols>
  [[gnu::cold]] void prepare(Symbols symbols) {
    this->set_extents(symbols);
    for (std::size_t i = 0; i < code_.size(); ++i)
      if (fits(code_[i])) return prepare_code(i);
    prepare_tables();
  }

  void run(array_view<const std::byte* const> inputs) {
    if (run_ == nullptr) return base::run(inputs);
    [[maybe_unused]] const flushed_denormals running(flushes_denormals_);
    run_(inputs.data(), parameters_, states_, numbers_, this->arena());
  }
  /// The same by that code, which the program was prepared for: without what other code may need.
  template <class Line>
  [[gnu::always_inline]] void run_in_line(array_view<const std::byte* const> inputs) {
    constexpr bool changes_states = straight_line_layout<Line>::states.back() > 0;
    if (run_ == nullptr || changes_states) return run(inputs);
    detail::run_straight_line<Line>(inputs.data(), parameters_, states_, numbers_, this->arena());
  }
  /// The same of code that changes nothing but the arena, which is there. Precondition: it is_code.
  template <class Line>
  [[gnu::always_inline]] void run_in_arena(const std::byte* const* inputs, std::byte* arena) {
    detail::run_where_called<Line>(inputs, parameters_, states_, numbers_, arena);
  }
  /// Command by command, through the tables, from here on until it is prepared again.
  template <class Observer>
  void run(array_view<const std::byte* const> inputs, Observer& observer) {
    if (run_ != nullptr) prepare_tables();
    base::run(inputs, observer);
  }
  template <class Observer>
  void run_observed(array_view<const std::byte* const> inputs, const std::byte* hyperparameters,
                    Observer&& observer) {
    if (run_ != nullptr) prepare_tables();
    base::run_observed(inputs, hyperparameters, observer);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  straight_line_function run_ = nullptr;
  bool flushes_denormals_ = false;
  std::byte *parameters_ = nullptr, *states_ = nullptr;
  const double* numbers_ = nullptr;
  std::size_t current_ = none;
  array_view<const straight_line_code> code_;

  bool fits(const straight_line_code& code) const {
    for (std::size_t k = 0; k < code.extents.size(); ++k)
      if (code.extents[k] >= 0 && code.extents[k] != this->extent(-1 - static_cast<std::int64_t>(k)))
        return false;
    return true;
  }
  [[gnu::cold]] void prepare_code(std::size_t i) {
    run_ = nullptr;  // where there is no memory
    current_ = none;
    this->hold_arena(code_[i].arena_bytes);
    for (const placed_output& o : code_[i].outputs) this->place_buffer(o.buffer, o.offset);
    run_ = code_[i].run;
    current_ = i;
  }
  [[gnu::cold]] void prepare_tables() {
    run_ = nullptr;
    current_ = none;
    base::prepare_tables();
  }
};

}  // namespace cpu_kernels

/// The CPU policy for small models. A program whose extents are all known while compiling, and that has
/// little to compute, runs as one function: its commands one after the other, with constant extents and
/// places, on the thread that calls it. One with run-time extents is compiled so once more for each of the
/// values At, straight_line_at<1, 32>{}, and runs as that function where it is called with them. A number is
/// the value of a model's only run-time extent; several are all named:
/// straight_line_at<extent_values{{"batch", 1}, {"time", 20}}>{}. Everything else runs as on tl::cpu: other
/// values, updates of gradients that were added up, and what takes more than some hundred microseconds.
///
/// Results are the same on every call, and differ from those of tl::cpu by rounding: sums and functions are
/// those of tl::bare.
template <extent_values... At>
struct straight_line_at {
  static_assert((At.is_sound() && ...),
                "tapeless: straight_line_at has values of run-time extents, each 1 or more, and for four "
                "names at most");

  /// As those of tl::cpu. Straight-line code flushes denormal numbers in programs that change states of the
  /// rule, which may fade into them.
  int threads = 0;
  bool flush_denormals = true;
  bool winograd = true;

  using program = cpu_kernels::straight_line_program;
  using memory = cpu::memory;
  /// What the programs of one trainer share.
  class resources : public cpu::resources {
   public:
    explicit resources(const straight_line_at& policy)
        : cpu::resources({policy.threads, policy.flush_denormals, policy.winograd}) {}
  };

  /// The straight-line code of a program, which runs if its tensors are where a trainer has them.
  template <class GraphBuilder>
  using in_line = cpu_kernels::straight_lines<GraphBuilder, At...>;
  template <class GraphBuilder>
  static constexpr cpu_kernels::straight_line_kernels kernels =
      cpu_kernels::straight_line_kernels_of<GraphBuilder, in_line<GraphBuilder>>;
};

/// The CPU policy for small models, with straight-line code where all extents are known while compiling, and
/// for one sample where one extent is not.
using straight_line = straight_line_at<1>;

}  // namespace tapeless
