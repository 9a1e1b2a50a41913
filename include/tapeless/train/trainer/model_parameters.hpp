// SPDX-License-Identifier: BSL-1.0
// The parameters of a model, by name, with their memory.
#pragma once

#include <cstdint>
#include <utility>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/train/binding/named_view.hpp>
#include <tapeless/train/program/initial_values.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/program/result.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless {

namespace detail {

template <const auto& Descriptions, bool Const, std::size_t I, class Memory>
auto view_in(const Memory& memory) {
  const auto view = memory.template view<Descriptions[I].type>(Descriptions[I], I);
  if constexpr (Const) {
    return view.as_const();
  } else {
    return view;
  }
}
/// Views of all tensors in such memory, with the names in their descriptions.
template <const auto& Descriptions, bool Const, class Memory, std::size_t... I>
auto views_of(const Memory& memory, std::index_sequence<I...>) {
  return named_views<
      std::conditional_t<Const, const storage_of<Descriptions[I].type>, storage_of<Descriptions[I].type>>...>(
      {Descriptions[I].label->view(), view_in<Descriptions, Const, I>(memory)}...);
}

}  // namespace detail

/// A model's parameters and buffers in memory of that kind; those of float are stored as another type where
/// one is given.
template <class Model, element StoredAs, class Memory>
class model_parameters {
 public:
  using memory_type = Memory;
  /// In the order in which the model mentions them.
  static constexpr const auto& descriptions = parameters_of_model<Model, StoredAs>;
  static constexpr std::size_t count = descriptions.size();

  /// They start from the seed, each by its own initializer.
  template <class Resources>
  model_parameters(Resources& resources, std::uint64_t seed) : memory_(descriptions, resources) {
    constexpr value_computation compute = value_computation_of(descriptions);
    initialize_parameters(descriptions, compute, memory_.pointers(), seed);
  }

  /// The parameter's place among all; where there is none of the name, the compiler is stopped.
  template <name Name>
  static constexpr int index_of() {
    constexpr int index = [] {
      for (std::size_t i = 0; i < count; ++i)
        if (descriptions[i].label == &interned<Name>) return static_cast<int>(i);
      return -1;
    }();
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("parameter", Name.view(), labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return index;
  }

  /// A view of a parameter's elements, which can be written to.
  template <name Name>
  auto view() const {
    if constexpr (constexpr int index = index_of<Name>(); index >= 0) {
      return memory_.template view<descriptions[index].type>(descriptions[index], index);
    } else {
      return error_stub_result();
    }
  }
  /// Views of all of them, with their names; for reading alone where they are const.
  template <bool Const = false>
  auto views() const {
    return detail::views_of<descriptions, Const>(memory_, std::make_index_sequence<count>{});
  }

  const parameter_memory<Memory>& memory() const { return memory_; }

 private:
  parameter_memory<Memory> memory_;

  static constexpr auto labels() {
    std::array<const name*, count> labels{};
    for (std::size_t i = 0; i < count; ++i) labels[i] = descriptions[i].label;
    return labels;
  }
};

}  // namespace tapeless
