// SPDX-License-Identifier: BSL-1.0
// What is bound to a program whose extents are known, all or for some of its code, where it can be read as it
// is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/plan.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/lines_on.hpp>
#include <tapeless/train/program/node_shape.hpp>

namespace tapeless::detail {

// Copies: a program that refers to the graph itself contains the code of all derivatives.
template <class GraphBuilder>
inline constexpr auto index_bounds_of = constant_graph_of<GraphBuilder>.index_bounds;
template <class GraphBuilder, class Lines, std::size_t Line, int Id>
inline constexpr auto shape_in_line = shape_with<GraphBuilder, Id>(Lines::template values<Line>());

/// Whether a count of elements tells all extents of a node: at most one of them is known at run time only.
template <class GraphBuilder>
constexpr bool is_told_by_count(int id) {
  const node& n = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)];
  int symbols = 0;
  for (int d = 0; d < n.rank; ++d) symbols += n.shape[d] < 0 ? 1 : 0;
  return symbols <= 1;
}

/// Whether elements are of the shape that an input has where the program's code number Line runs.
template <class GraphBuilder, class Lines, std::size_t Line, int Input>
[[gnu::always_inline]] inline bool has_shape(const bound_elements& e) {
  constexpr int id = plan_of<GraphBuilder>.inputs[Input];
  constexpr std::int64_t count = count_of_node<GraphBuilder>(id, Lines::template values<Line>());
  constexpr bool is_told = is_told_by_count<GraphBuilder>(id);
  if (e.count != count) return false;
  if (e.rank < 0) return is_told;
  constexpr auto& shape = shape_in_line<GraphBuilder, Lines, Line, id>;
  if (static_cast<std::size_t>(e.rank) != shape.size()) return false;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (e.shape[d] != shape[d]) return false;
  return true;
}

/// Whether elements can be an input's as they are: of its type, contiguous, not on a device alone, and none
/// out of range where they are indices.
template <class GraphBuilder, int Input>
[[gnu::always_inline]] inline bool is_plain(const bound_elements& e, const std::byte* data) {
  constexpr int id = plan_of<GraphBuilder>.inputs[Input];
  constexpr element type = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)].type;
  if (data == nullptr || e.type != type || e.strided_axes != 0) return false;
  if (e.device_data != nullptr) return false;
  if constexpr (is_integer(type)) {
    const auto* indices = reinterpret_cast<const storage_of<type>*>(data);
    for (const index_bound& b : index_bounds_of<GraphBuilder>)
      if (b.node == id) {
        const bool is_of_all = !b.elements.are_known();  // those that are meant are looked at elsewhere then
        for (std::int64_t i = 0; i < e.count; ++i) {
          const std::int64_t index = indices[i];
          if ((index < 0 || index >= b.bound) && index != b.ignored && (is_of_all || b.elements.has(i)))
            return false;
        }
      }
  }
  return true;
}

/// Where a program's inputs are, and whether all are plain for some of its code.
template <class GraphBuilder, class Lines = static_line>
struct plain_inputs {
  static constexpr std::size_t count = plan_of<GraphBuilder>.inputs.size();
  template <std::size_t Line = 0>
  static constexpr std::array<std::size_t, count> bytes = [] {
    std::array<std::size_t, count> all{};
    for (std::size_t i = 0; i < count; ++i) {
      const int id = plan_of<GraphBuilder>.inputs[i];
      all[i] = static_cast<std::size_t>(count_of_node<GraphBuilder>(id, Lines::template values<Line>())) *
               size_of(constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)].type);
    }
    return all;
  }();

  const std::byte* data[count + 1] = {};
  bool are_plain_for[Lines::count];  // each code

  /// The inputs are what a call binds.
  template <class... Bindings>
  [[gnu::always_inline]] explicit plain_inputs(const Bindings&... bindings) {
    for (bool& plain : are_plain_for) plain = Lines::are_told;
    (for_each_binding(bindings, [&](const auto& b) { this->bind(b); }), ...);
  }

  /// Those that other plain inputs have.
  plain_inputs(const std::array<const std::byte*, count + 1>& at,
               const std::array<bool, Lines::count>& plain_for) {
    for (std::size_t i = 0; i < at.size(); ++i) data[i] = at[i];
    for (std::size_t i = 0; i < plain_for.size(); ++i) are_plain_for[i] = plain_for[i];
  }

  /// Whether all are, for the code of that number.
  template <std::size_t Line = 0>
  [[gnu::always_inline]] bool are_plain() const {
    return are_plain_for[Line];
  }

  /// Whether all are, for some of its code.
  [[gnu::always_inline]] bool are_plain_for_some() const {
    bool some = false;
    for (const bool plain : are_plain_for) some = some || plain;
    return some;
  }

  /// Whether all are, and none has a byte among these.
  template <std::size_t Line = 0>
  [[gnu::always_inline]] bool are_plain_outside(const std::byte* begin, std::size_t size) const {
    if (!are_plain<Line>()) [[unlikely]]
      return false;
    for (std::size_t i = 0; i < count; ++i)
      if (bytes<Line>[i] == 0 || has_byte_among<Line>(i, begin, size)) [[unlikely]]
        return false;
    return true;
  }

  /// Whether none has a byte among these, of what Bindings bind: arrays and numbers, in memory of their own,
  /// need no look. Precondition: all extents are known, and all inputs are plain.
  template <class... Bindings>
  [[gnu::always_inline]] bool are_outside(const std::byte* begin, std::size_t size) const {
    return are_outside<Bindings...>(begin, size, std::make_index_sequence<count>{});
  }

  /// Calls `use` with them as a program's sorted inputs. Precondition: all are plain for some of its code.
  template <class Use>
  [[gnu::always_inline]] void use_sorted(const Use& use) const {
    use_sorted(use, std::make_index_sequence<Lines::count>{});
  }

  /// Runs a bound_program on them by code for which they are plain; false where there is none.
  template <class Program>
  [[gnu::always_inline]] bool run_plain(Program& program) const {
    return run_plain(program, std::make_index_sequence<Lines::count>{});
  }

 private:
  static constexpr bool is_static = plan_of<GraphBuilder>.extents.size() == 0;

  // Precondition: neither is empty.
  template <std::size_t Line>
  [[gnu::always_inline]] bool has_byte_among(std::size_t i, const std::byte* begin, std::size_t size) const {
    const std::size_t own = bytes<Line>[i];
    // from the first byte to the last one of the input
    const std::uintptr_t distance =
        reinterpret_cast<std::uintptr_t>(data[i]) + (own - 1) - reinterpret_cast<std::uintptr_t>(begin);
    return distance < size + (own - 1);
  }
  template <class... Bindings, std::size_t... Input>
  [[gnu::always_inline]] bool are_outside(const std::byte* begin, std::size_t size,
                                          std::index_sequence<Input...>) const {
    constexpr auto in_own_memory = are_in_own_memory<Bindings...>();
    const auto is_outside = [&]<std::size_t I>() TAPELESS_INLINED {
      if constexpr (in_own_memory[I] || bytes<>[I] == 0) return true;
      return size == 0 || !has_byte_among<0>(I, begin, size);
    };
    return (is_outside.template operator()<Input>() && ...);
  }
  template <class... Bindings>
  static constexpr std::array<bool, count + 1> are_in_own_memory() {
    std::array<bool, count + 1> all{};
    const auto add = [&](const auto& names) {
      for (const bound_name& b : names)
        if (const int i = input_index<GraphBuilder>(b.label); i >= 0)
          all[static_cast<std::size_t>(i)] = b.is_array || b.is_number;
    };
    (add(bound_names_of<Bindings>), ...);
    return all;
  }

  template <class Use, std::size_t... Line>
  [[gnu::always_inline]] void use_sorted(const Use& use, std::index_sequence<Line...>) const {
    [[maybe_unused]] const bool is_used =
        ((are_plain<Line>() && (use_sorted_at<Line>(use, std::to_array(data)), true)) || ...);
  }
  // What is plain is where it is, and all else is known: so a binding need not be in memory.
  template <std::size_t Line, class Use>
  [[gnu::noinline]] TAPELESS_COLD static void use_sorted_at(const Use& use,
                                                            std::array<const std::byte*, count + 1> at) {
    bindings_of<GraphBuilder> sorted;
    set_elements<Line>(sorted, at, std::make_index_sequence<count>{});
    use(sorted);
  }
  template <std::size_t Line, std::size_t... Input>
  static void set_elements(bindings_of<GraphBuilder>& sorted,
                           const std::array<const std::byte*, count + 1>& at, std::index_sequence<Input...>) {
    (set_elements<plan_of<GraphBuilder>.inputs[Input], Line>(sorted.inputs[Input], at[Input]), ...);
  }
  template <int Id, std::size_t Line>
  static void set_elements(bound_elements& e, const std::byte* at) {
    constexpr auto& shape = shape_in_line<GraphBuilder, Lines, Line, Id>;
    e.given = true;
    e.data = at;
    e.type = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(Id)].type;
    e.count = count_of_node<GraphBuilder>(Id, Lines::template values<Line>());
    e.rank = static_cast<int>(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) e.shape[d] = shape[d];
  }

  template <class Program, std::size_t... Line>
  [[gnu::always_inline]] bool run_plain(Program& program, std::index_sequence<Line...>) const {
    return ((are_plain<Line>() && run_plain_code<Line>(program)) || ...);
  }
  template <std::size_t Line, class Program>
  [[gnu::always_inline]] bool run_plain_code(Program& program) const {
    if constexpr (is_static) {
      return program.template run_plain<typename Lines::template builder<Line>>(data, bytes<Line>);
    } else {
      return program.run_plain(data, bytes<Line>, Line);
    }
  }

  template <name Name>
  [[gnu::always_inline]] void bind(const binding<Name>& b) {
    constexpr int index = input_index<GraphBuilder>(&interned<Name>);
    if constexpr (index >= 0) {
      if constexpr (has_one_element<index>(std::make_index_sequence<Lines::count>{})) {
        data[index] = b.data();
      } else {  // not a number in the binding, which can stay in registers so
        data[index] = b.elements().data;
      }
      check<index>(b.elements(), std::make_index_sequence<Lines::count>{});
    } else if constexpr (!is_static) {  // it tells an extent, perhaps
      for (bool& plain : are_plain_for) plain = false;
    }
  }
  template <int Input, std::size_t... Line>
  [[gnu::always_inline]] void check(const bound_elements& e, std::index_sequence<Line...>) {
    ((are_plain_for[Line] = are_plain_for[Line] && has_shape<GraphBuilder, Lines, Line, Input>(e) &&
                            is_plain<GraphBuilder, Input>(e, data[Input])),
     ...);
  }
  // In some code.
  template <int Input, std::size_t... Line>
  static constexpr bool has_one_element(std::index_sequence<Line...>) {
    constexpr int id = plan_of<GraphBuilder>.inputs[Input];
    return ((count_of_node<GraphBuilder>(id, Lines::template values<Line>()) == 1) || ...);
  }
};

// A binding is copied where it is sorted, so that it need not be in memory where it is not.
template <class Binding>
using passed_as = std::conditional_t<is_binding<Binding>, Binding, const Binding&>;
template <class Model, class GraphBuilder, class Run, class... Bindings>
[[gnu::noinline]] TAPELESS_COLD auto run_sorted(const Run& run, Bindings... bindings) {
  return run(sort_bindings<Model, GraphBuilder>(bindings...));
}

/// Calls `run` with what is bound to a program: plain inputs, where they are that, or sorted ones. A part
/// of what calls it: a step in straight-line code takes no longer than to write down what is bound.
template <class Policy, class Model, class GraphBuilder, class Run, class... Bindings>
[[gnu::always_inline]] inline auto with_inputs(const Run& run, const Bindings&... bindings) {
  using lines = lines_on<Policy, GraphBuilder>;
  constexpr bool in_line = lines::count > 0;
  if constexpr (in_line && binds_what_it_must<Model, GraphBuilder, Bindings...>()) {
    const plain_inputs<GraphBuilder, lines> inputs(bindings...);
    if (!inputs.are_plain_for_some()) [[unlikely]]
      return run_sorted<Model, GraphBuilder, Run, passed_as<Bindings>...>(run, bindings...);
    return run(inputs);
  } else {
    return run(sort_bindings<Model, GraphBuilder>(bindings...));
  }
}

}  // namespace tapeless::detail
