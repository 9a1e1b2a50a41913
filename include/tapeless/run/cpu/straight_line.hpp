// SPDX-License-Identifier: BSL-1.0
// tl::straight_line: the CPU policy for small models whose extents are known while compiling.
#pragma once

#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/run/cpu/straight_line_plan.hpp>

namespace tapeless {

namespace cpu_kernels {

/// The kernels of a program, and all of it as one function where it is straight-line code.
struct straight_line_kernels : kernel_table {
  void (*run)(const bare_kernels::bare_memory&) = nullptr;
  array_view<const std::int64_t> parameters = {}, states = {};  // where it expects them
};

namespace detail {

template <class GraphBuilder>
constexpr straight_line_kernels find_straight_line_kernels() {
  straight_line_kernels k{kernels_of<GraphBuilder>};
  if constexpr (is_straight_line<GraphBuilder>()) {
    using layout = straight_line_layout<GraphBuilder>;
    k.run = &bare_kernels::bare_program<GraphBuilder, layout>::run;
    k.parameters = layout::parameters;
    k.states = layout::states;
  }
  return k;
}

}  // namespace detail

template <class GraphBuilder>
inline constexpr straight_line_kernels straight_line_kernels_of =
    detail::find_straight_line_kernels<GraphBuilder>();

/// Where tensors begin that are one after the other in memory; null where there are none.
class tensor_block {
 public:
  /// Tensors at these addresses, which are expected at these offsets; the first ones, whose size is nothing,
  /// may be elsewhere.
  tensor_block(array_view<std::byte* const> addresses, array_view<const std::int64_t> offsets) {
    std::size_t first = 0;
    while (first + 1 < offsets.size() && offsets[first + 1] == 0) ++first;
    for (std::size_t i = first; i + 1 < offsets.size(); ++i) {
      if (i == first) begin_ = addresses[i];
      is_whole_ = is_whole_ && addresses[i] == begin_ + offsets[i];
    }
  }
  std::byte* begin() const { return begin_; }
  bool is_whole() const { return is_whole_; }

 private:
  std::byte* begin_ = nullptr;
  bool is_whole_ = true;
};

/// Runs a plan as straight-line code where it can be, else through its tables.
class straight_line_program : public cpu::program {
  using base = cpu::program;

 public:
  using resources = base::resources;

  straight_line_program(const plan_view& plan, const straight_line_kernels& kernels,
                        const program_memory<resources>& memory)
      : base(plan, kernels, memory) {
    const tensor_block parameters(memory.parameters, kernels.parameters),
        states(memory.states, kernels.states);
    if (memory.others != nullptr || !parameters.is_whole() || !states.is_whole()) return;
    run_ = kernels.run;
    places_ = {nullptr, parameters.begin(), states.begin(), memory.hyperparameters.data(), nullptr};
  }

  void run(array_view<const std::byte* const> inputs) {
    if (run_ == nullptr) return base::run(inputs);
    [[maybe_unused]] const auto running = this->backend().begin_run();
    bare_kernels::bare_memory m = places_;
    m.inputs = inputs.data();
    m.arena = this->arena();
    run_(m);
  }

 private:
  void (*run_)(const bare_kernels::bare_memory&) = nullptr;
  bare_kernels::bare_memory places_ = {};
};

}  // namespace cpu_kernels

/// tl::cpu for small models: what has extents that are known while compiling, and little to compute, runs as
/// one function without tables, on the thread that calls it. Everything else runs as on tl::cpu.
struct straight_line : cpu {
  using program = cpu_kernels::straight_line_program;

  template <class GraphBuilder>
  static constexpr cpu_kernels::straight_line_kernels kernels =
      cpu_kernels::straight_line_kernels_of<GraphBuilder>;
};

}  // namespace tapeless
