// SPDX-License-Identifier: BSL-1.0
// The parameters of a trainer's model, by name and all of them: read, written and given other values.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/error.hpp>
#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/misuse.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/train/program/parameter_description.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/float_copies.hpp>
#include <tapeless/train/trainer/trained_weights.hpp>
#include <tapeless/train/trainer/trainer_access.hpp>

namespace tapeless {

/// The calls of all trainers that concern parameters, whose descriptions Parameters has, a model_parameters.
/// It has no members of its own.
template <class Trainer, class Parameters>
class trainer_parameters {
 public:
  /// A view of a parameter's elements, which can be written to.
  template <name Name>
  auto parameter() {
    return self().weights_->parameters.template view<Name>();
  }
  /// Of a trainer that is const, for reading alone.
  template <name Name>
  auto parameter() const {
    const auto view = self().weights_->parameters.template view<Name>();
    if constexpr (std::is_same_v<std::remove_const_t<decltype(view)>, error_stub_result>) {
      return view;
    } else {
      return view.as_const();
    }
  }
  /// Refuses a name as an argument.
  template <class Text>
  error_stub_result parameter(const Text&) const {
    static_assert(compile_error<misuse<Text>::name_as_argument>::reported);
    return {};
  }
  /// Gives a parameter, and its float copy under mixed precision, these values. Throws an error where there
  /// are more or fewer of them than elements, or averaged_weights() stand in for the parameters.
  template <name Name, class Values>
  void assign(const Values& values) {
    Trainer& net = static_cast<Trainer&>(*this);
    detail::require_own_weights(net);
    const auto own = this->template parameter<Name>();
    if (std::size(values) != own.size())
      throw_error({"assign: the parameter \"", Name.view(), "\" has ", own.size(), " elements, but ",
                   std::size(values), " are given"});
    [[maybe_unused]] const auto changing = begin_change();
    const auto copy = [&](auto* to) {
      for (const auto& x : values) *to++ = static_cast<std::remove_pointer_t<decltype(to)>>(x);
    };
    copy(own.data());
    if constexpr (detail::keeps_masters<Trainer>) {
      constexpr auto index = static_cast<std::size_t>(Parameters::template index_of<Name>());
      if (std::byte* master = net.master_data(index)) copy(reinterpret_cast<float*>(master));
    }
  }

  /// Refuses one number for all elements.
  template <name Name, class Number>
    requires std::is_arithmetic_v<Number>
  void assign(const Number&) {
    static_assert(compile_error<misuse<Number>::number_assigned>::reported);
  }

  /// Views of all parameters with their names, in the order in which the model mentions them:
  /// for (auto& p : net.parameters()) std::cout << p.name() << p.size() << p[0].
  auto parameters() { return self().weights_->parameters.views(); }
  auto parameters() const { return self().weights_->parameters.template views<true>(); }

  /// Whether averages are in the parameters' place.
  bool averages_stand_in() const { return self().weights_->are_averages; }
  /// Throws an error where they are.
  void require_own_weights() const {
    if (averages_stand_in())
      throw_error(
          "averaged_weights() stand in for the parameters: let them go before a step, assign, soft_update, "
          "load, put_back, a checkpoint or a snapshot");
  }

  /// What is known of the parameters while compiling, in the order in which the model mentions them.
  static constexpr array_view<const parameter_description> parameter_descriptions() {
    return Parameters::descriptions;
  }
  /// Where the parameters' elements are.
  array_view<std::byte* const> parameter_data() const {
    const auto stay = self().enter();
    return self().weights_->parameters.memory().pointers();
  }
  // As long as what it returns lives, they are being changed, and other threads are kept out. Throws an error
  // where a function reads them.
  [[nodiscard]] weights_change begin_change() { return {self().enter(), self().weights_}; }
  /// Whether the programs work there, so that to ask for it costs no copy.
  bool parameters_are_shared() const { return self().weights_->parameters.memory().is_shared(); }

 private:
  auto& self() const { return trainer_access::own_of(static_cast<const Trainer&>(*this)); }
};

}  // namespace tapeless
