// SPDX-License-Identifier: BSL-1.0
// What a program's commands read and write.
#pragma once

#include <cstddef>

#include <tapeless/plan/plan_view.hpp>

namespace tapeless::detail {

/// Calls f with the node that owns each operand that the command reads.
template <class F>
constexpr void for_each_read(const plan_view& plan, const planned_command& command, const F& f) {
  const auto i = static_cast<std::size_t>(command.index);
  if (command.kind == planned_command::kind::fused_kernel) {
    const planned_fused_kernel& p = plan.fused_kernels[i];
    for (int k = p.first_load; k < p.first_load + p.loads; ++k) {
      const planned_load& l = plan.loads[static_cast<std::size_t>(k)];
      if (l.kind != lane::number && l.kind != lane::index) f(l.place.base);
    }
  } else if (command.kind == planned_command::kind::product) {
    f(plan.products[i].a.base), f(plan.products[i].b.base);
  } else if (command.kind == planned_command::kind::of_family) {
    for_family(kernel_families{}, command.family, [&]<class Family>() {
      plan.families.template of<Family>()[i].for_each_source([&](const access& a) { f(a.base); });
    });
  }
}

/// The same for what it writes.
template <class F>
constexpr void for_each_write(const plan_view& plan, const planned_command& command, const F& f) {
  const auto i = static_cast<std::size_t>(command.index);
  if (command.kind == planned_command::kind::fused_kernel) {
    const planned_fused_kernel& p = plan.fused_kernels[i];
    for (int k = p.first_store; k < p.first_store + p.stores; ++k)
      f(plan.stores[static_cast<std::size_t>(k)].place.base);
  } else if (command.kind == planned_command::kind::product) {
    f(plan.products[i].c.base);
  } else if (command.kind == planned_command::kind::of_family) {
    for_family(kernel_families{}, command.family,
               [&]<class Family>() { f(plan.families.template of<Family>()[i].target().base); });
  }
}

}  // namespace tapeless::detail
