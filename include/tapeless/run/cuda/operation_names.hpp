// SPDX-License-Identifier: BSL-1.0
// What errors call a kernel and a program: the operations that it computes, and the model's name.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <tapeless/plan/plan.hpp>

namespace tapeless::cuda_kernels {

namespace detail {

/// "add, relu": the operations of one pass, each once.
template <class Stage>
constexpr text operations_of_pass(int pass) {
  constexpr auto& plan = plan_of<Stage>;
  const planned_pass& p = plan.passes[static_cast<std::size_t>(pass)];
  text t;
  const auto add = [&](std::string_view name) { t << (t.empty() ? "" : ", ") << name; };
  for (int k = 0; k < p.instructions; ++k) {
    const auto at = [&](int i) {
      return plan.instructions[static_cast<std::size_t>(p.first_instruction + i)].op;
    };
    bool listed = false;
    for (int i = 0; i < k; ++i) listed = listed || at(i) == at(k);
    if (!listed && t.size < 120) add(at(k)->name);
  }
  for (int k = 0; k < p.stores; ++k) {
    const operation* reduction = plan.stores[static_cast<std::size_t>(p.first_store + k)].reduction;
    if (reduction != nullptr && t.size < 120) add(reduction->name);
  }
  return t.empty() ? t << "copy" : t;
}

template <class Stage, int Pass>
inline constexpr auto pass_text = [] {
  constexpr text t = operations_of_pass<Stage>(Pass);
  std::array<char, static_cast<std::size_t>(t.size)> characters{};
  for (std::size_t i = 0; i < characters.size(); ++i) characters[i] = t.view()[i];
  return characters;
}();

template <class Stage, int... Pass>
constexpr auto operation_names(std::integer_sequence<int, Pass...>) {
  return std::array<std::string_view, sizeof...(Pass)>{
      std::string_view(pass_text<Stage, Pass>.data(), pass_text<Stage, Pass>.size())...};
}

/// The text of a type between the marks that this compiler puts around it.
template <class Type>
constexpr std::string_view type_text() {
  constexpr std::string_view whole = __PRETTY_FUNCTION__;
  constexpr std::size_t begin = whole.find("Type = ") + 7;
  constexpr std::size_t semicolon = whole.find("; std::string_view", begin);
  constexpr std::size_t end = semicolon != std::string_view::npos ? semicolon : whole.size() - 1;
  return whole.substr(begin, end - begin);
}

}  // namespace detail

template <class Stage>
inline constexpr auto operation_names_of = detail::operation_names<Stage>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<Stage>.passes.size())>{});

/// The model's type, or the stage's where it has no model.
template <class Stage>
inline constexpr std::string_view model_name_of = [] {
  if constexpr (requires { typename Stage::model; }) {
    return detail::type_text<typename Stage::model>();
  } else {
    return detail::type_text<Stage>();
  }
}();

}  // namespace tapeless::cuda_kernels
