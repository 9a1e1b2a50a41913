// SPDX-License-Identifier: BSL-1.0
// Computes the gradients of a step once more, on copies of a trainer's parameters and states.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/vectors/aligned_memory.hpp>
#include <tapeless/train/inspect/copied_memory.hpp>
#include <tapeless/train/inspect/gradient_program.hpp>
#include <tapeless/train/program/bound_program.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/inputs_without_elements.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless::detail {

/// A program for gradients, whatever the trainer.
struct some_gradient_probe {
  virtual ~some_gradient_probe() = default;
};

/// Computes the gradients of the step to come.
template <class Net>
class gradient_probe final : public some_gradient_probe {
 public:
  using policy = typename Net::policy_type;
  using program = ready_for<loss_and_gradients_builder<typename Net::model_type>, policy>;

  TAPELESS_COLD explicit gradient_probe(Net& net)
      : memory_(net, description_of<program>),
        program_(checked_plan_of<program>(), policy::template kernels<program>, memory_.for_program()) {}

  /// Where one begins: its address tells trainers apart.
  static constexpr char mark = 0;

  /// Calls f(name, type, elements, count) for the gradient of each parameter that has one.
  template <class F>
  TAPELESS_COLD void run(Net& net, const bindings_of<program>& inputs, F f) {
    memory_.refresh(net);
    program_.refuse_empty(inputs.inputs, inputs_without_elements<program>);
    program_.run(inputs.inputs, inputs.known_extents());
    const plan_view& plan = *description_of<program>.plan;
    for (std::size_t i = 1; i < plan.outputs.size(); ++i) {
      const run_node& n = plan.nodes[static_cast<std::size_t>(plan.outputs[i].node)];
      std::int64_t count = 1;
      for (int d = 0; d < n.rank; ++d) count *= n.shape[d];
      f(plan.outputs[i].label->view(), n.type, program_.output(i), count);
    }
  }

 private:
  copied_memory<policy> memory_;
  bound_program<typename policy::program> program_;
};

/// The inputs of one program, as they are bound to another one that has them all.
template <class To, class From>
bindings_of<To> bindings_from(const bindings_of<From>& from) {
  bindings_of<To> to;
  for (std::size_t i = 0; i < to.inputs.size(); ++i) {
    const auto& node = constant_graph_of<To>.nodes[static_cast<std::size_t>(plan_of<To>.inputs[i])];
    const int place = input_index<From>(node.label);
    if (place >= 0) to.inputs[i] = from.inputs[static_cast<std::size_t>(place)];
  }
  return to;
}

/// Whether gradients of a whole batch can be looked at; the compiler is stopped where not.
template <class Net>
constexpr bool can_probe_gradients() {
  if constexpr (std::derived_from<Net, error_stub>) {
    return false;  // its model's error has been reported
  } else {
    constexpr bool has_step = requires { typename Net::step_program; };
    static_assert(has_step,
                  "tapeless: statistics looks at the gradients of a trainer of one loss and one rule; of a "
                  "trainer with several losses it looks at parameters: net and no inputs in before_step");
    constexpr bool is_here = std::same_as<typename Net::policy_type::memory, cpu_kernels::aligned_memory>;
    static_assert(
        is_here,
        "tapeless: statistics computes the gradients of a whole batch on copies in the CPU's memory, but "
        "this trainer's parameters are on a device: give fit .physical_batch, which leaves the gradients "
        "of a batch to be read");
    return has_step && is_here;
  }
}

}  // namespace tapeless::detail
