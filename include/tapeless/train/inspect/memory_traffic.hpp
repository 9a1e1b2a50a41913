// SPDX-License-Identifier: BSL-1.0
// How many bytes the kernels of a plan move. Each operand of a kernel is moved once, as many elements as are
// looked at; what stays in a cache from one kernel to the next is not known here.
#pragma once

#include <tapeless/train/inspect/work.hpp>

namespace tapeless {

namespace detail {

/// The bytes of an operand with these strides in nested loops: along a stride of 0 the elements are the same.
constexpr work bytes_of(element type, const access& place, const std::int64_t* extents, int rank) {
  work w{static_cast<std::int64_t>(size_of(type))};
  for (int d = 0; d < rank; ++d)
    if (place.strides[d] != 0) w = w.times(extents[d]);
  return w;
}

constexpr work bytes_of_node(const plan_view& plan, int id) {
  if (static_cast<std::size_t>(id) >= plan.nodes.size()) return {};
  const run_node& n = plan.nodes[static_cast<std::size_t>(id)];
  work w = element_count_of(n);
  w.factor *= static_cast<std::int64_t>(size_of(n.type));
  return w;
}

/// Whether a kernel changes some elements of its target, which is the operand that it may overwrite.
template <class F>
constexpr bool is_in_place(const plan_view& plan, const F& planned) {
  if (planned.overwritten().base < 0) return false;
  const auto place = [&](const access& a) { return plan.place[static_cast<std::size_t>(a.base)]; };
  return place(planned.overwritten()) == place(planned.target());
}

}  // namespace detail

/// Calls read(bytes) and write(bytes) with the work that each operand of a command is to move, once.
template <class Read, class Write>
constexpr void for_each_movement(const plan_view& plan, const planned_command& command, Read read,
                                 Write write) {
  const auto i = static_cast<std::size_t>(command.index);
  switch (command.kind) {
    case planned_command::kind::fused_kernel: {
      const planned_fused_kernel& p = plan.fused_kernels[i];
      for (int k = 0; k < p.loads; ++k) {
        const planned_load& load = plan.loads[static_cast<std::size_t>(p.first_load + k)];
        if (load.kind != lane::number && load.kind != lane::index)
          read(detail::bytes_of(load.type, load.place, p.extents, p.rank), load.place.base);
      }
      for (int k = 0; k < p.stores; ++k) {
        const run_store& store = plan.stores[static_cast<std::size_t>(p.first_store + k)];
        const work bytes = detail::bytes_of(store.type, store.place, p.extents, p.rank);
        if (p.accumulates) read(bytes, store.place.base);
        write(bytes, store.place.base);
      }
      return;
    }
    case planned_command::kind::product: {
      const planned_product& p = plan.products[i];
      const auto bytes = [&](const access& a, std::int64_t rows, std::int64_t columns) {
        std::int64_t extents[max_rank] = {};
        for (int d = 0; d < p.batch_rank; ++d) extents[d] = p.batch[d];
        extents[p.batch_rank] = rows;
        extents[p.batch_rank + 1] = columns;
        return detail::bytes_of(p.type, a, extents, p.batch_rank + 2);
      };
      read(bytes(p.a, p.m, p.k), p.a.base);
      read(bytes(p.b, p.k, p.n), p.b.base);
      write(bytes(p.c, p.m, p.n), p.c.base);
      return;
    }
    case planned_command::kind::of_family:
      return for_family(kernel_families{}, command.family, [&]<class F>() {
        const F& planned = plan.families.template of<F>()[i];
        const int target = planned.target().base;
        if constexpr (requires { planned.overwritten(); })
          if (detail::is_in_place(plan, planned)) {  // the rest of the target stays as it is
            const work moved = detail::bytes_of_node(plan, planned.source.base);
            read(moved, planned.source.base);
            read(detail::bytes_of_node(plan, planned.index.base), planned.index.base);
            return void(write(moved, target));
          }
        bool is_first = true;
        planned.for_each_source([&](const access& a) {
          // what a gather does not pick is not looked at
          const bool is_picked_from = F::kind == family::gather && is_first;
          read(detail::bytes_of_node(plan, is_picked_from ? target : a.base), a.base);
          is_first = false;
        });
        write(detail::bytes_of_node(plan, target), target);
      });
    case planned_command::kind::loop_begin:
    case planned_command::kind::loop_end:
      return;
  }
}

}  // namespace tapeless
