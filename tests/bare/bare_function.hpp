// SPDX-License-Identifier: BSL-1.0
// A model's outputs on tl::bare, as tl::function has them on other policies.
#pragma once

#include <cstdint>
#include <utility>

#include <tapeless/train/bare/bare_trainer.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace test {

template <class Model>
class bare_function {
 public:
  bare_function() { initialize(std::make_index_sequence<all_.size()>{}); }

  template <class... Bindings>
  auto operator()(const Bindings&... bindings) {
    const tl::detail::plain_inputs<graph_builder> inputs(bindings...);
    REQUIRE(inputs.are_plain());
    numbers_[tl::random_key_entry] = tl::training_progress(0, all_.size()).next_evaluation_key();
    const tl::bare_kernels::bare_memory memory{inputs.data, parameters_.data(), nullptr, numbers_,
                                               arena_.data()};
    tl::bare_kernels::bare_program<graph_builder, layout>::run(memory);
    return tl::bare_result<graph_builder, layout>(memory, true);
  }

 private:
  using graph_builder = tl::detail::bare_ready<tl::forward_graph_builder<Model>>;
  static constexpr const auto& all_ = tl::parameters_of_model<Model>;
  struct layout {
    static constexpr auto parameters = tl::bare_kernels::detail::lay_out_tensors(all_);
    static constexpr std::int64_t states[1] = {};  // functions have none
  };

  double numbers_[tl::first_rule_entry] = {};
  tl::detail::bare_bytes<layout::parameters[all_.size()]> parameters_;
  tl::detail::bare_bytes<tl::bare_kernels::arena_bytes_of<graph_builder>> arena_;

  template <std::size_t... I>
  void initialize(std::index_sequence<I...>) {
    (tl::bare_kernels::initialize<all_[I].type, all_[I].start.kind>(
         parameters_.data() + layout::parameters[I], all_[I].count, all_[I].start.value, 0, I),
     ...);
  }
};

}  // namespace test
