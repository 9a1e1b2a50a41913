// SPDX-License-Identifier: BSL-1.0
// A model's parameters: their names and their memory.
#pragma once

#include <array>
#include <cstring>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/binding/tensor_view.hpp>

namespace tapeless {

/// What is known of a parameter while compiling.
struct parameter_description {
  const name* label = nullptr;
  element type = element::f32;
  int rank = 0;
  std::array<std::int64_t, max_rank> shape{};
  std::int64_t count = 1;
  initializer start;
  bool is_buffer = false;  // no rule changes it, and it has no state

  constexpr std::int64_t bytes() const { return count * static_cast<std::int64_t>(size_of(type)); }
  constexpr array_view<const std::int64_t> extents() const {
    return {shape.data(), static_cast<std::size_t>(rank)};
  }
};

namespace detail {

template <class Model>
constexpr int parameter_count = [] {
  int count = 0;
  for (const node& n : constant_graph_of<lower<Model>>.nodes)
    count += n.op->kind == family::parameter ? 1 : 0;
  return count;
}();

constexpr void describe(const node& n, parameter_description& p) {
  p.label = n.label;
  p.type = n.type;
  p.rank = n.rank;
  for (int d = 0; d < n.rank; ++d) {
    p.shape[static_cast<std::size_t>(d)] = n.shape[d];
    p.count *= n.shape[d];
  }
}

template <class Model, element StoredAs>
constexpr auto describe_parameters() {
  std::array<parameter_description, static_cast<std::size_t>(parameter_count<Model>)> all{};
  std::size_t i = 0;
  constexpr auto& g = constant_graph_of<lower<Model>>;
  for (const node& n : g.nodes) {
    if (n.op->kind != family::parameter) continue;
    parameter_description& p = all[i++];
    describe(n, p);
    p.is_buffer = is_buffer(n);
    if (StoredAs != element::number && p.type == element::f32 && !p.is_buffer) p.type = StoredAs;
    p.start = g.initializers[static_cast<std::size_t>(initializer_number(n))];
  }
  return all;
}

}  // namespace detail

/// A model's parameters, in the order in which the model mentions them; those of float are stored as another
/// type where one is given.
template <class Model, element StoredAs = element::number>
inline constexpr auto parameters_of_model = detail::describe_parameters<Model, StoredAs>();

namespace detail {

/// The gradients that are added up, of parameters: in float where these have 16 bits.
template <std::size_t N>
constexpr auto gradients_of(std::array<parameter_description, N> parameters) {
  for (parameter_description& p : parameters)
    if (is_half(p.type)) p.type = element::f32;
  return parameters;
}

}  // namespace detail

/// What is known of a rule's state while compiling; `of` is the number of its parameter, or -1.
struct state_description : parameter_description {
  int of = -1;
};

namespace detail {

template <class GraphBuilder, std::int64_t First>
constexpr int state_count = [] {
  int count = 0;
  for (const node& n : constant_graph_of<GraphBuilder>.nodes)
    count += n.op->kind == family::state && state_number(n) >= First ? 1 : 0;
  return count;
}();

template <class GraphBuilder, std::int64_t First>
constexpr auto describe_states() {
  std::array<state_description, static_cast<std::size_t>(state_count<GraphBuilder, First>)> all{};
  for (const node& n : constant_graph_of<GraphBuilder>.nodes) {
    if (n.op->kind != family::state || state_number(n) < First) continue;
    state_description& s = all[static_cast<std::size_t>(state_number(n) - First)];
    describe(n, s);
    s.of = parameter_of_state(n);
    s.start = constant_graph_of<GraphBuilder>.initializers[static_cast<std::size_t>(initializer_number(n))];
  }
  return all;
}

}  // namespace detail

/// The states of a program's rule, in the order of their numbers, the first of which is First.
template <class GraphBuilder, std::int64_t First>
inline constexpr auto states_of_rule = detail::describe_states<GraphBuilder, First>();

namespace detail {

inline void store_number(double x, element type, std::byte* to) {
  const auto store = [to](auto number) { std::memcpy(to, &number, sizeof(number)); };
  switch (type) {
    case element::f32:
      return store(static_cast<float>(x));
    case element::f64:
    case element::number:
      return store(x);
    case element::f16:
      return store(f16(x));
    case element::bf16:
      return store(bf16(x));
    case element::i32:
      return store(static_cast<std::int32_t>(x));
    case element::i64:
      return store(static_cast<std::int64_t>(x));
    case element::u8:
      return store(static_cast<std::uint8_t>(x));
    case element::boolean:
      return store(x != 0);
  }
}

inline void set_to_zero(array_view<const parameter_description> all, array_view<std::byte* const> data) {
  for (std::size_t i = 0; i < all.size(); ++i)
    std::memset(data[i], 0, static_cast<std::size_t>(all[i].bytes()));
}

}  // namespace detail

/// Memory for a list of parameters or of a rule's states: one block, with a pointer for each.
template <class Memory>
class parameter_memory {
 public:
  parameter_memory() = default;
  template <class Descriptions, class Resources>
  parameter_memory(const Descriptions& all, Resources& resources) {
    list<std::int64_t> sizes;
    std::int64_t size = 0;
    for (const parameter_description& p : all) size += sizes[sizes.push(detail::aligned(p.bytes()))];
    memory_ = resources.allocate(size);
    lay_out(sizes);
  }

  /// Where the elements can be read and written, until the next run.
  array_view<std::byte* const> pointers() const {
    memory_.data();
    return pointers_;
  }
  /// The same, for those who write to all elements; throws nothing.
  array_view<std::byte* const> pointers_to_overwrite() const {
    memory_.data_to_overwrite();
    return pointers_;
  }
  /// Where programs find them.
  array_view<std::byte* const> program_pointers() const { return program_pointers_; }

  /// A view of the elements of one of them, the type of which is Type.
  template <element Type>
  auto view(const parameter_description& p, std::size_t i) const {
    return tensor_view<storage_of<Type>>(reinterpret_cast<storage_of<Type>*>(pointers_[i]), p.extents(),
                                         memory_.copied_by());
  }
  std::byte* operator[](std::size_t i) const { return pointers()[i]; }
  bool is_empty() const { return pointers_.empty(); }
  /// Whether programs work on the same memory, so that to read it costs no copy.
  bool is_shared() const { return memory_.copied_by() == nullptr; }
  std::int64_t bytes() const { return memory_.size(); }

 private:
  Memory memory_;
  list<std::byte*> pointers_, program_pointers_;

  void lay_out(array_view<const std::int64_t> sizes) {
    std::byte *here = memory_.data(), *for_programs = memory_.program_data();
    for (const std::int64_t size : sizes) {
      pointers_.push(here);
      program_pointers_.push(for_programs);
      here += size;
      for_programs += size;
    }
  }
};

}  // namespace tapeless
