// SPDX-License-Identifier: BSL-1.0
// tl::straight_line: the CPU policy for small models, whose programs are one function each.
#pragma once

#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/run/straight_line/straight_line_plan.hpp>

namespace tapeless {

namespace cpu_kernels {

/// All of a program: inputs, parameters, states, the numbers of a run and the arena.
using straight_line_function = void (*)(const std::byte* const*, std::byte*, std::byte*, const double*,
                                        std::byte*);

/// The kernels of a program, and all of it as one function where it is straight-line code.
struct straight_line_kernels : kernel_table {
  straight_line_function run = nullptr;
  bool changes_states = false;
  array_view<const std::int64_t> parameters = {}, states = {};  // where it expects them
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

template <class GraphBuilder>
constexpr straight_line_kernels find_straight_line_kernels() {
  straight_line_kernels k{kernels_of<GraphBuilder>};
  if constexpr (is_straight_line<GraphBuilder>()) {
    using layout = straight_line_layout<GraphBuilder>;
    k.run = &run_straight_line<GraphBuilder>;
    k.parameters = layout::parameters;
    k.states = layout::states;
    k.changes_states = layout::states[layout::states.size() - 1] > 0;
  }
  return k;
}

}  // namespace detail

template <class GraphBuilder>
inline constexpr straight_line_kernels straight_line_kernels_of =
    detail::find_straight_line_kernels<GraphBuilder>();

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

/// Runs a plan as straight-line code where it can be, else through its tables.
class straight_line_program : public cpu::program {
  using base = cpu::program;

 public:
  using resources = base::resources;
  static constexpr bool can_leave_out = false;  // straight-line code is whole

  straight_line_program(const plan_view& plan, const straight_line_kernels& kernels,
                        const program_memory<resources>& memory)
      : base(plan, kernels, memory) {
    const tensor_block parameters(memory.parameters, kernels.parameters),
        states(memory.states, kernels.states);
    if (memory.others != nullptr || !parameters.is_whole() || !states.is_whole()) return;
    run_ = kernels.run;
    flushes_denormals_ = kernels.changes_states && memory.resources->flush_denormals();
    parameters_ = parameters.begin();
    states_ = states.begin();
    numbers_ = memory.hyperparameters.data();
  }

  /// Whether it runs as straight-line code.
  bool is_straight_line() const { return run_ != nullptr; }

  void run(array_view<const std::byte* const> inputs) {
    if (run_ == nullptr) return base::run(inputs);
    [[maybe_unused]] const flushed_denormals running(flushes_denormals_);
    run_(inputs.data(), parameters_, states_, numbers_, this->arena());
  }
  /// The same of the program of that graph builder, which runs as straight-line code if its tensors are where
  /// a trainer has them: without what other programs may need.
  template <class GraphBuilder>
  [[gnu::always_inline]] void run_in_line(array_view<const std::byte* const> inputs) {
    constexpr straight_line_kernels kernels = straight_line_kernels_of<GraphBuilder>;
    if (run_ == nullptr || kernels.changes_states) return run(inputs);
    detail::run_straight_line<GraphBuilder>(inputs.data(), parameters_, states_, numbers_, this->arena());
  }

 private:
  straight_line_function run_ = nullptr;
  bool flushes_denormals_ = false;
  std::byte *parameters_ = nullptr, *states_ = nullptr;
  const double* numbers_ = nullptr;
};

}  // namespace cpu_kernels

/// The CPU policy for small models. A program whose extents are all known while compiling, and that has
/// little to compute, runs as one function: its commands one after the other, with constant extents and
/// places, on the thread that calls it. Everything else runs as on tl::cpu: run-time extents, updates of
/// gradients that were added up, and what takes more than some hundred microseconds.
///
/// Results are the same on every call, and differ from those of tl::cpu by rounding: sums and functions are
/// those of tl::bare.
struct straight_line {
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
    explicit resources(const straight_line& policy)
        : cpu::resources({policy.threads, policy.flush_denormals, policy.winograd}) {}
  };

  /// Whether a program runs as straight-line code, if its tensors are where a trainer has them.
  template <class GraphBuilder>
  static constexpr bool runs_in_line = cpu_kernels::is_straight_line<GraphBuilder>();
  template <class GraphBuilder>
  static constexpr cpu_kernels::straight_line_kernels kernels =
      cpu_kernels::straight_line_kernels_of<GraphBuilder>;
};

}  // namespace tapeless
