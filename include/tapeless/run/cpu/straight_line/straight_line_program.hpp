// SPDX-License-Identifier: BSL-1.0
// Runs a plan as straight-line code.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/run/cpu/straight_line/straight_line_code.hpp>
#include <tapeless/run/cpu/threads/denormals.hpp>

namespace tapeless::cpu_kernels {

/// Runs a plan as straight-line code at the extents that have some, else as Tables, a program that goes
/// through tables.
template <class Tables>
class straight_line_program : public Tables {
 public:
  using typename Tables::resources;
  static constexpr bool can_leave_out = false;  // straight-line code is whole

  template <class Kernels>
  [[gnu::cold]] straight_line_program(const plan_view& plan, const Kernels& kernels,
                                      const program_memory<resources>& memory)
      : Tables(plan, kernels, memory),
        flushes_denormals_(kernels.flushes_denormals && memory.resources->flush_denormals()),
        updates_(kernels.updates),
        code_(kernels.code) {
    if (code_.empty()) return;
    parameters_ = tensor_block(memory.parameters, kernels.parameters);
    states_ = tensor_block(memory.states, kernels.states);
    works_on_copies_ = parameters_.is_copied() || states_.is_copied();
    numbers_ = memory.hyperparameters.data();
  }

  /// Whether it runs as straight-line code, as it was prepared last.
  bool is_straight_line() const { return run_ != nullptr; }
  /// Whether that is the code of this number, on the tensors themselves.
  bool is_code(std::size_t i) const { return current_ == i; }

  template <class Symbols>
  [[gnu::cold]] void prepare(Symbols symbols) {
    this->set_extents(symbols);
    for (std::size_t i = 0; i < code_.size(); ++i)
      if (fits(code_[i])) return prepare_code(i);
    prepare_tables();
  }

  void run(array_view<const std::byte* const> inputs) {
    if (run_ == nullptr) return Tables::run(inputs);
    [[maybe_unused]] const flushed_denormals running(flushes_denormals_);
    if (works_on_copies_) parameters_.fetch(), states_.fetch();
    run_(inputs.data(), parameters_.begin(), states_.begin(), numbers_, this->arena());
    if (works_on_copies_ && updates_) parameters_.bring_back(), states_.bring_back();
  }
  /// The same of a static program, whose code Line is: without what other code may need.
  template <class Line>
  [[gnu::always_inline]] void run_in_line(array_view<const std::byte* const> inputs) {
    constexpr bool may_flush = flushes_denormals_in<Line>();
    if (current_ == none || may_flush) return run(inputs);
    detail::run_straight_line<Line>(inputs.data(), parameters_.begin(), states_.begin(), numbers_,
                                    this->arena());
  }
  /// The same of code that changes nothing but the arena, which is there. Precondition: it is_code.
  template <class Line>
  [[gnu::always_inline]] void run_in_arena(const std::byte* const* inputs, std::byte* arena) {
    detail::run_where_called<Line>(inputs, parameters_.begin(), states_.begin(), numbers_, arena);
  }

  /// Those of a static program, straight_line_commands_of: before its runs are observed.
  void know_commands(array_view<const straight_line_command> commands) { commands_ = commands; }
  /// Command by command, with the same bits. Code for some values of run-time extents is not used any more,
  /// but tables, until the program is prepared again.
  template <class Observer>
  void run(array_view<const std::byte* const> inputs, Observer& observer) {
    if (!commands_.empty() && run_ != nullptr) return run_commands(inputs, numbers_, observer);
    if (run_ != nullptr) prepare_tables();
    Tables::run(inputs, observer);
  }
  template <class Observer>
  void run_observed(array_view<const std::byte* const> inputs, const std::byte* hyperparameters,
                    Observer&& observer) {
    if (!commands_.empty() && run_ != nullptr)
      return run_commands(inputs, reinterpret_cast<const double*>(hyperparameters), observer);
    if (run_ != nullptr) prepare_tables();
    Tables::run_observed(inputs, hyperparameters, observer);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  straight_line_function run_ = nullptr;
  tensor_block parameters_, states_;
  const double* numbers_ = nullptr;
  std::size_t current_ = none;
  bool flushes_denormals_, updates_, works_on_copies_ = false;
  array_view<const straight_line_code> code_;
  array_view<const straight_line_command> commands_;

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
    if (!works_on_copies_) current_ = i;
  }
  [[gnu::cold]] void prepare_tables() {
    run_ = nullptr;
    current_ = none;
    Tables::prepare_tables();
  }

  template <class Observer>
  [[gnu::cold]] void run_commands(array_view<const std::byte* const> inputs, const double* numbers,
                                  Observer& observer) {
    [[maybe_unused]] const flushed_denormals running(flushes_denormals_);
    parameters_.fetch();
    states_.fetch();
    const bare_kernels::bare_memory memory{inputs.data(), parameters_.begin(), states_.begin(),
                                           numbers,       this->arena(),       this->arena()};
    const auto run_command = [&](std::size_t s, std::int64_t iteration) {
      observer.before(s);
      commands_[s](memory, iteration);
      observer.after(s);
    };
    for (std::size_t s = 0; s < commands_.size(); ++s) {
      if (commands_[s] != nullptr) {
        run_command(s, 0);
        continue;
      }
      const planned_loop& loop = this->plan().loops[static_cast<std::size_t>(this->plan().commands[s].index)];
      const std::size_t first = s + 1;
      while (commands_[++s] != nullptr) {
      }
      for (std::int64_t i = 0; i < loop.count; ++i)
        for (std::size_t k = first; k < s; ++k) run_command(k, loop.reversed ? loop.count - 1 - i : i);
    }
    if (updates_) parameters_.bring_back(), states_.bring_back();
  }
};

}  // namespace tapeless::cpu_kernels
