// SPDX-License-Identifier: BSL-1.0
// The tables of a plan: the one list of them.
#pragma once

#include <tapeless/graph/core/table_storage.hpp>
#include <tapeless/plan/commands.hpp>
#include <tapeless/plan/families/kernel_families.hpp>

namespace tapeless {

namespace detail {

template <class Storage, int Number, class Family>
struct family_table {
  typename Storage::template table<Family, Number> items{};
};

/// A table for each family, by numbers from First on.
template <class Storage, int First, class List>
struct family_tables;
template <class Storage, int First, class... F>
struct family_tables<Storage, First, family_list<F...>>
    : family_table<Storage, First + family_list<F...>::template place_of<F>, F>... {
  template <class Family>
  using table_of = family_table<Storage, First + family_list<F...>::template place_of<Family>, Family>;

  template <class Family>
  constexpr auto& of() {
    return static_cast<table_of<Family>&>(*this).items;
  }
  template <class Family>
  constexpr const auto& of() const {
    return static_cast<const table_of<Family>&>(*this).items;
  }
};

// The tables of families, of one to three plans: a pack of plans would take a function of its own for each
// family, of which programs have hundreds.
template <class... Family, class F, class A>
constexpr void for_each_family_table(family_list<Family...>, const F& f, A& a) {
  (f(a.template of<Family>()), ...);
}
template <class... Family, class F, class A, class B>
constexpr void for_each_family_table(family_list<Family...>, const F& f, A& a, B& b) {
  (f(a.template of<Family>(), b.template of<Family>()), ...);
}
template <class... Family, class F, class A, class B, class C>
constexpr void for_each_family_table(family_list<Family...>, const F& f, A& a, B& b, C& c) {
  (f(a.template of<Family>(), b.template of<Family>(), c.template of<Family>()), ...);
}

}  // namespace detail

/// The tables of a plan; Storage says how they are kept. A new one is a line here, and its name below.
template <class Storage>
struct plan_tables {
  template <class Item, int Number>
  using table = typename Storage::template table<Item, Number>;

  table<derived_extent, 0> extents{};
  table<planned_load, 1> loads{};
  table<planned_instruction, 2> instructions{};
  table<planned_store, 3> stores{};
  table<planned_fused_kernel, 4> fused_kernels{};
  table<planned_product, 5> products{};
  table<planned_loop, 6> loops{};
  table<planned_command, 7> commands{};
  table<planned_buffer, 8> buffers{};
  table<placement, 9> place{};  // by node
  table<int, 10> inputs{};      // their nodes
  table<int, 11> states{};
  detail::family_tables<Storage, 12, kernel_families> families{};  // the last: a table for each of them
};

/// Calls f with each table of a plan; or with the first tables of several plans, their second ones, and so
/// on. Better a function object than a lambda of a template, which would be compiled for each program.
template <class F, class... Plans>
constexpr void for_each_plan_table(const F& f, Plans&&... p) {
  f(p.extents...);
  f(p.loads...);
  f(p.instructions...);
  f(p.stores...);
  f(p.fused_kernels...);
  f(p.products...);
  f(p.loops...);
  f(p.commands...);
  f(p.buffers...);
  f(p.place...);
  f(p.inputs...);
  f(p.states...);
  detail::for_each_family_table(kernel_families{}, f, p.families...);
}

namespace detail {

constexpr int count_plan_tables() {
  int count = 0;
  for_each_plan_table([&](char) { ++count; }, plan_tables<in_bytes>{});
  return count;
}

}  // namespace detail

inline constexpr int plan_table_count = detail::count_plan_tables();
static_assert(sizeof(plan_tables<detail::in_bytes>) == plan_table_count, "a table is not visited");

}  // namespace tapeless
