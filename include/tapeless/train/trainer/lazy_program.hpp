// SPDX-License-Identifier: BSL-1.0
// A program of a trainer, which is made when it is first needed.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/made_later.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/train/binding/struct_binding.hpp>
#include <tapeless/train/program/bound_program.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/inputs_without_elements.hpp>
#include <tapeless/train/program/plain_inputs.hpp>
#include <tapeless/train/program/result.hpp>

namespace tapeless {

/// Whether a program takes a batch without samples, which would turn parameters into NaN.
enum class empty_inputs { taken, refused };

/// Whether run_alone is called.
enum class code_alone { unused, used };

/// The program of a graph builder on a policy. It works on the trainer's memory, which is the same in all
/// calls. The class alone asks for no plan: it may never be run.
template <class GraphBuilder, class Policy, empty_inputs Empty, code_alone Alone = code_alone::unused>
class lazy_program {
  using lines = detail::lines_on<Policy, GraphBuilder>;

 public:
  using inputs = bindings_of<GraphBuilder>;
  using memory = program_memory<typename Policy::program::resources>;
  using result_type = result<GraphBuilder, typename Policy::program>;

  template <class... Observer>
  result_type run(const memory& m, const inputs& in, Observer&... observer) {
    forget_arenas();
    make(m);
    if constexpr (sizeof...(Observer) > 0) detail::make_observable<Policy, GraphBuilder>(program_->program());
    refuse_empty(in);
    program_->run(in.inputs, in.known_extents(), observer...);
    return last_result();
  }

  /// The same on inputs that are plain for some of its straight-line code.
  template <class Lines>
  [[gnu::always_inline]] result_type run(const memory& m,
                                         const detail::plain_inputs<GraphBuilder, Lines>& in) {
    if (!program_ || !in.run_plain(*program_)) [[unlikely]]
      in.use_sorted([&](const inputs& sorted) { run(m, sorted); });
    if constexpr (changes_arena_alone) note_arenas(std::make_index_sequence<lines::count>{});
    return last_result();
  }

  /// Runs straight-line code that changes nothing but its arena. Returns nothing, and nothing is run, where
  /// there is none, or something needs a look first: then run does what is to be done.
  template <class Lines>
  [[gnu::always_inline]] made_later<result_type> run_alone(
      const detail::plain_inputs<GraphBuilder, Lines>& in) {
    if constexpr (changes_arena_alone) return run_code_alone<0>(in);
    return {};
  }

  /// Post-condition: a run on these inputs will not throw because of them, whatever is written to them.
  void make_ready(const memory& m, inputs& in) {
    forget_arenas();
    make(m);
    refuse_empty(in);
    program_->check(in.inputs, in.known_extents());
    program_->keep(in.inputs);
  }

  /// Precondition of both: the program has run.
  result_type last_result() const { return result_type(*program_); }
  const bound_program<typename Policy::program>& bound() const { return *program_; }
  bound_program<typename Policy::program>& bound() {
    forget_arenas();
    return *program_;
  }

 private:
  // Asks for the graph only where there is such code.
  static constexpr bool changes_arena_alone = [] {
    if constexpr (Alone == code_alone::unused) {
      return false;
    } else if constexpr (lines::count == 0) {
      return false;
    } else {
      return constant_graph_of<GraphBuilder>.effects.size() == 0;
    }
  }();
  static constexpr std::size_t most_arenas =
      Alone == code_alone::unused ? 0 : detail::most_lines_on<Policy>();

  made_later<bound_program<typename Policy::program>> program_;
  // By the code's number where the arena is of the code that has run last, if it is one that changes nothing
  // else; null of the others.
  std::array<std::byte*, most_arenas> arenas_{};

  void forget_arenas() {
    for (std::byte*& arena : arenas_) arena = nullptr;
  }
  template <std::size_t... Line>
  void note_arenas(std::index_sequence<Line...>) {
    const auto& program = program_->program();
    ((arenas_[Line] = program.is_code(Line) ? program.arena() : nullptr), ...);
  }
  template <std::size_t Line, class Inputs>
  [[gnu::always_inline]] made_later<result_type> run_code_alone(const Inputs& in) {
    std::byte* const arena = arenas_[Line];
    if (arena != nullptr && in.template are_plain_outside<Line>(arena, lines::template arena_bytes<Line>))
        [[likely]] {
      using builder = typename lines::template builder<Line>;
      const run_stamp stamp = program_->template run_in_arena<builder>(in.data, arena);
      typename result_type::places places{};
      for (std::size_t i = 0; i < places.size(); ++i) {
        constexpr auto& offsets = lines::template output_offsets<Line>;
        if (offsets[i] >= 0) places[i] = arena + offsets[i];
      }
      return result_type(*program_, stamp, places);
    }
    if constexpr (Line + 1 < lines::count) return run_code_alone<Line + 1>(in);
    return {};
  }

  void refuse_empty([[maybe_unused]] const inputs& in) const {
    if constexpr (Empty == empty_inputs::refused && plan_of<GraphBuilder>.inputs.size() > 0)
      program_->refuse_empty(in.inputs, inputs_without_elements<GraphBuilder>);
  }

  void make(const memory& m) {
    if (!program_) make_first(m);
  }
  // Of its own, so that steps do not hold its code.
  [[gnu::noinline]] TAPELESS_COLD void make_first(const memory& m) {
    program_.emplace(checked_plan_of<GraphBuilder>(), Policy::template kernels<GraphBuilder>, m);
  }
};

}  // namespace tapeless
