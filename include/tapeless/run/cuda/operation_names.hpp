// SPDX-License-Identifier: BSL-1.0
// What errors call a kernel and a program: the operations that it computes, and the model's name.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tapeless/graph/core/type_text.hpp>
#include <tapeless/plan/plan.hpp>

namespace tapeless::cuda_kernels {

namespace detail {

/// "add, relu": the operations of one fused kernel, each once.
template <class Plan>
constexpr text operations_of(const Plan& plan, std::size_t fused_kernel) {
  const planned_fused_kernel& p = plan.fused_kernels[fused_kernel];
  text t;
  const auto add = [&](const operation* op) {
    if (t.size < 120) t << (t.empty() ? "" : ", ") << op->name;
  };
  const auto at = [&](int i) {
    return plan.instructions[static_cast<std::size_t>(p.first_instruction + i)].op;
  };
  for (int k = 0; k < p.instructions; ++k) {
    bool listed = false;
    for (int i = 0; i < k; ++i) listed = listed || at(i) == at(k);
    if (!listed) add(at(k));
  }
  for (int k = 0; k < p.stores; ++k)
    if (const operation* op = plan.stores[static_cast<std::size_t>(p.first_store + k)].reduction;
        op != nullptr)
      add(op);
  return t.empty() ? t << "copy" : t;
}

template <class GraphBuilder>
constexpr std::size_t names_length() {
  std::size_t length = 0;
  for (std::size_t i = 0; i != plan_of<GraphBuilder>.fused_kernels.size(); ++i)
    length += static_cast<std::size_t>(operations_of(plan_of<GraphBuilder>, i).size);
  return length;
}

/// All fused kernels' names in one array, and where each one ends.
template <std::size_t Length, std::size_t FusedKernels>
struct name_table {
  std::array<char, Length> characters{};
  std::array<std::size_t, FusedKernels> ends{};
};

template <class GraphBuilder>
constexpr auto make_name_table() {
  name_table<names_length<GraphBuilder>(), plan_of<GraphBuilder>.fused_kernels.size()> table;
  std::size_t end = 0;
  for (std::size_t i = 0; i != table.ends.size(); ++i) {
    const text t = operations_of(plan_of<GraphBuilder>, i);
    for (const char c : t.view()) table.characters[end++] = c;
    table.ends[i] = end;
  }
  return table;
}
template <class GraphBuilder>
inline constexpr auto name_table_of = make_name_table<GraphBuilder>();

template <class GraphBuilder>
constexpr auto operation_names() {
  constexpr auto& table = name_table_of<GraphBuilder>;
  std::array<std::string_view, table.ends.size()> names;
  std::size_t begin = 0;
  for (std::size_t i = 0; i != names.size(); ++i) {
    names[i] = {table.characters.data() + begin, table.ends[i] - begin};
    begin = table.ends[i];
  }
  return names;
}

}  // namespace detail

template <class GraphBuilder>
inline constexpr auto operation_names_of = detail::operation_names<GraphBuilder>();

/// The model's type, or the graph builder's where it has no model.
template <class GraphBuilder>
inline constexpr std::string_view model_name_of = [] {
  if constexpr (requires { typename GraphBuilder::model; }) {
    return tapeless::detail::type_text<typename GraphBuilder::model>();
  } else {
    return tapeless::detail::type_text<GraphBuilder>();
  }
}();

}  // namespace tapeless::cuda_kernels
