// SPDX-License-Identifier: BSL-1.0
// Copies of what a trainer's programs work on: what runs on them leaves the trainer as it is.
#pragma once

#include <cstring>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/train/inspect/described_program.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>

namespace tapeless::detail {

/// Memory for a program of one's own, with the values of a trainer's parameters, states and numbers.
template <class Policy>
class copied_memory {
 public:
  /// The program may have the parameters in another type than the trainer. States that a trainer does not
  /// hold yet are zero.
  template <class Net>
  TAPELESS_COLD copied_memory(Net& net, const described_program& program)
      : program_(program), resources_(net.shared_weights()->policy) {
    const auto& own = net.memory_of_next_step();
    parameters_ = list<std::byte*>(own.parameters.size());
    states_ = list<std::byte*>(own.states.size());
    numbers_ = list<double>(own.hyperparameters.size());
    allocate(net.parameter_descriptions());
    refresh(net);
  }
  copied_memory(const copied_memory&) = delete;
  copied_memory& operator=(const copied_memory&) = delete;

  /// Takes the trainer's present values.
  template <class Net>
  TAPELESS_COLD void refresh(Net& net) {
    const auto& own = net.memory_of_next_step();
    for (std::size_t i = 0; i < own.hyperparameters.size(); ++i) numbers_[i] = own.hyperparameters[i];
    copy(net.parameter_descriptions(), net.parameter_data(), own.states);
  }

  /// What a program is made with.
  program_memory<typename Policy::program::resources> for_program() {
    return {parameters_, states_, numbers_, &resources_};
  }
  /// Where parameters are, by their numbers; null where the program does not read one.
  array_view<std::byte* const> parameters() const { return parameters_; }

 private:
  const described_program& program_;
  typename Policy::resources resources_;
  typename Policy::memory block_;
  list<std::byte*> parameters_, states_;
  list<double> numbers_;

  static std::int64_t bytes_of(const described_node& n) {
    auto bytes = static_cast<std::int64_t>(size_of(n.type));
    for (int d = 0; d < n.rank; ++d) bytes *= n.shape[d];
    return bytes;
  }

  // Calls f(node, number, pointer) for each parameter and state of the program.
  template <class F>
  void for_each_tensor(const F& f) {
    for (std::size_t id = 0; id < program_.nodes.size(); ++id) {
      const described_node& n = program_.nodes[id];
      const auto i = static_cast<std::size_t>(program_.plan->place[id].index);
      if (n.kind == family::parameter) f(n, i, parameters_[i]);
      if (n.kind == family::state) f(n, i, states_[i]);
    }
  }

  // As a trainer has them: in the order of their numbers, also those that the program does not read.
  TAPELESS_COLD void allocate(array_view<const parameter_description> descriptions) {
    const auto parameters = static_cast<std::size_t>(parameters_.size());
    list<std::int64_t> bytes;
    bytes.assign(parameters_.size() + states_.size(), 0);
    for (std::size_t i = 0; i < parameters; ++i) bytes[i] = aligned(descriptions[i].bytes());
    for_each_tensor([&](const described_node& n, std::size_t i, std::byte*) {
      bytes[n.kind == family::state ? parameters + i : i] = aligned(bytes_of(n));
    });
    std::int64_t size = 0;
    for (const std::int64_t b : bytes) size += b;
    block_ = resources_.allocate(size);
    for_each_tensor([&](const described_node& n, std::size_t i, std::byte*& data) {
      data = block_.data();
      const std::size_t place = n.kind == family::state ? parameters + i : i;
      for (std::size_t k = 0; k < place; ++k) data += bytes[k];
    });
  }

  TAPELESS_COLD void copy(array_view<const parameter_description> descriptions,
                          array_view<std::byte* const> parameters, array_view<std::byte* const> states) {
    for_each_tensor([&](const described_node& n, std::size_t i, std::byte* data) {
      if (n.kind == family::parameter) {
        convert_elements(descriptions[i].type, parameters[i], n.type, data, descriptions[i].count);
      } else if (states[i] != nullptr) {
        std::memcpy(data, states[i], static_cast<std::size_t>(bytes_of(n)));
      }
    });
  }
};

/// A program whose run is observed.
template <class Program, class Observer>
class observed_program : public Program {
 public:
  observed_program(const plan_view& plan, const auto& kernels,
                   const program_memory<typename Program::resources>& memory, const Observer& observer)
      : Program(plan, kernels, memory), numbers_(memory.hyperparameters), observer_(observer) {}

  void run(array_view<const std::byte* const> inputs) {
    Program::run_observed(inputs, reinterpret_cast<const std::byte*>(numbers_.data()), observer_);
  }

 private:
  array_view<const double> numbers_;
  const Observer& observer_;
};

template <class Program>
concept can_be_observed =
    requires(Program& p, const std::byte* numbers) { p.run_observed({}, numbers, no_observer()); };

}  // namespace tapeless::detail
