// SPDX-License-Identifier: BSL-1.0
// A program of a trainer, which is made when it is first needed.
#pragma once

#include <optional>

#include <tapeless/run/common/program_core.hpp>
#include <tapeless/train/program/bound_program.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/inputs_without_elements.hpp>
#include <tapeless/train/program/plain_inputs.hpp>
#include <tapeless/train/program/result.hpp>

namespace tapeless {

/// Whether a program takes a batch without samples, which would turn parameters into NaN.
enum class empty_inputs { taken, refused };

/// What a call binds: plain inputs, if they are, and what else calls a function with sorted ones.
template <class GraphBuilder, class Lines, class Sorted>
struct plain_call {
  detail::plain_inputs<GraphBuilder, Lines> inputs;
  Sorted sorted;
};

/// The program of a graph builder on a policy. It works on the trainer's memory, which is the same in all
/// calls.
template <class GraphBuilder, class Policy, empty_inputs Empty>
class lazy_program {
 public:
  using inputs = bindings_of<GraphBuilder>;
  using memory = program_memory<typename Policy::program::resources>;
  using result_type = result<GraphBuilder, typename Policy::program>;

  template <class... Observer>
  result_type run(const memory& m, const inputs& in, Observer&... observer) {
    make(m);
    refuse_empty(in);
    program_->run(in.inputs, in.known_extents(), observer...);
    return last_result();
  }

  /// The same on what a call binds: `sorted` calls what it is given with that as inputs, where plain ones do
  /// not do.
  template <class Lines, class Sorted>
  [[gnu::always_inline]] result_type run(const memory& m,
                                         const plain_call<GraphBuilder, Lines, Sorted>& call) {
    if (!program_ || !call.inputs.run_plain(*program_)) [[unlikely]]
      call.sorted([&](const inputs& in) { run(m, in); });
    return last_result();
  }

  /// Post-condition: a run on these inputs will not throw because of them, whatever is written to them.
  void make_ready(const memory& m, inputs& in) {
    make(m);
    refuse_empty(in);
    program_->check(in.inputs, in.known_extents());
    program_->keep(in.inputs);
  }

  /// Precondition of both: the program has run.
  result_type last_result() const { return result_type(*program_); }
  const bound_program<typename Policy::program>& bound() const { return *program_; }
  bound_program<typename Policy::program>& bound() { return *program_; }

 private:
  std::optional<bound_program<typename Policy::program>> program_;

  void refuse_empty([[maybe_unused]] const inputs& in) const {
    if constexpr (Empty == empty_inputs::refused && plan_of<GraphBuilder>.inputs.size() > 0)
      program_->refuse_empty(in.inputs, inputs_without_elements<GraphBuilder>);
  }

  void make(const memory& m) {
    if (!program_) make_first(m);
  }
  // Of its own, so that steps do not hold its code.
  [[gnu::cold, gnu::noinline]] void make_first(const memory& m) {
    program_.emplace(checked_plan_of<GraphBuilder>(), Policy::template kernels<GraphBuilder>, m);
  }
};

}  // namespace tapeless
