// SPDX-License-Identifier: BSL-1.0
// The function of tl::bare: a model's outputs, without what trains it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/run/bare/bare.hpp>
#include <tapeless/run/bare/bare_program.hpp>
#include <tapeless/train/bare/bare_parameters.hpp>
#include <tapeless/train/bare/bare_report.hpp>
#include <tapeless/train/bare/bare_result.hpp>
#include <tapeless/train/program/plain_inputs.hpp>
#include <tapeless/train/trainer/function_declaration.hpp>
#include <tapeless/train/trainer/training_progress.hpp>
#include <tapeless/train/trainer/weights_in_memory.hpp>

namespace tapeless {

template <class Net>
struct weights_to_share;

/// A model's outputs where there is no heap, no operating system and no library: f("x"_t = x).get<"y">().
/// All extents must be known while compiling. Its parameters, if it has some, are
///   function f{model, bare{}}                   in the object: initial values, until load reads others
///   function f{model, weights(flash), bare{}}   in the bytes of a file, and read where they are
/// With the second, the object holds the arena and where the bytes are. Its sizeof is known while compiling.
///
/// Nothing throws: what does not fit the model while compiling is a sentence; a call whose elements do not
/// fit, or whose weights are another model's, computes nothing and says so by result.is_valid(). A result is
/// a view of the function's memory, until its next call: one that is bound to that is not valid either, but
/// a copy of its elements. Not for several threads at once.
template <class Model, class Weights>
  requires(detail::can_run_bare<Model, Weights>())
class function<Model, bare, Weights> : public detail::bare_parameters_by<Model, Weights> {
  using parameters = detail::bare_parameters_by<Model, Weights>;
  struct layout {
    static constexpr auto& parameters = function::parameters::offsets;
    static constexpr std::int64_t states[1] = {};  // functions have none
  };

 public:
  using graph_builder = detail::bare_function_of<Model>;

  /// Parameters start from the seed, each by its own initializer.
  explicit function(Model, bare = {}, random_seed number = 0)
    requires std::is_same_v<Weights, own_weights>
      : parameters(number) {
    seed(number);
  }
  function(Model, weights_in_memory all, bare)
    requires std::is_same_v<Weights, weights_in_memory>
      : parameters(all) {
    seed(0);
  }
  template <class Other>
    requires std::is_same_v<Weights, own_weights>
  function(Model, const Other&, bare) : parameters(0) {
    static_assert(std::is_void_v<Other>,
                  "tapeless: a function on tl::bare takes its weights as bytes: tl::weights(array), or "
                  "tl::weights(data, size), of unsigned char or std::byte");
  }

  /// From the next call on, random numbers are those of this seed. Calls draw the same numbers until then.
  void seed([[maybe_unused]] random_seed number) {
    if constexpr (draws)
      numbers_.all[random_key_entry] =
          training_progress(number, parameters_of_model<Model>.size()).next_evaluation_key();
  }

  /// Computes the outputs, which can be read until the next call.
  template <class... Bindings>
  auto operator()(const Bindings&... bindings) {
    constexpr bool binds_all = detail::binds_what_it_must<Model, graph_builder, Bindings...>();
    const auto inputs = [&] {
      if constexpr (binds_all) return detail::plain_inputs<graph_builder>(bindings...);
      return detail::plain_inputs<graph_builder>();
    }();
    constexpr auto size = static_cast<std::size_t>(bare_kernels::arena_bytes_of<graph_builder>);
    bool is_valid = inputs.are_plain() && this->are_there();
    if constexpr (binds_all)
      is_valid = is_valid && inputs.template are_outside<Bindings...>(arena_.data(), size);
    const bare_kernels::bare_memory memory{inputs.data, this->data(), nullptr, numbers_.all, arena_.data()};
    if (is_valid) bare_kernels::bare_program<graph_builder, layout>::run(memory);
    return bare_result<graph_builder, layout>(
        {nullptr, memory.parameters, nullptr, memory.numbers, memory.arena}, is_valid);
  }
  template <class... X>
  bare_error_stub::result operator()(const X&...) const {
    refuse_const<X...>();
    return {};
  }

 private:
  static constexpr bool draws = numbers_read_by<graph_builder>.random_key;
  struct no_numbers {
    static constexpr const double* all = nullptr;
  };
  struct random_numbers {
    double all[first_rule_entry] = {};
  };

  [[no_unique_address]] std::conditional_t<draws, random_numbers, no_numbers> numbers_;
  [[no_unique_address]] detail::bare_bytes<bare_kernels::arena_bytes_of<graph_builder>> arena_;
};

template <class Model, class Weights>
  requires(!detail::can_run_bare<Model, Weights>())
class function<Model, bare, Weights> : public bare_error_stub {
 public:
  explicit function(Model, const auto&...) {
    static_cast<void>(sizeof(detail::bare_function_report<Model, Weights>));
  }
};

/// Arguments of which nothing is a function.
template <class Weights>
class function<detail::no_bare_model, bare, Weights> : public bare_error_stub {
 public:
  template <class... Given>
  explicit function(const Given&...) {
    static_assert(sizeof...(Given) > 9,
                  "tapeless: a function on tl::bare is tl::function f{model, tl::bare{}}, or {model, "
                  "tl::weights(bytes), tl::bare{}}, in this order; one without a policy, and other policies, "
                  "need tapeless/tapeless.hpp");
  }
};

// Worse than any other guide, those of other headers as well.
template <class Weights = own_weights>
function(...) -> function<detail::no_bare_model, bare, Weights>;
template <class Model>
function(Model, bare, random_seed = 0) -> function<Model, bare, own_weights>;
template <class Model>
function(Model, weights_in_memory, bare) -> function<Model, bare, weights_in_memory>;
template <class Model, class Net>
function(Model, weights_to_share<Net>, bare) -> function<Model, bare, own_weights>;

}  // namespace tapeless
