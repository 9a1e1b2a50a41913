// SPDX-License-Identifier: BSL-1.0
// A model's function whose passes have one operation each.
#pragma once

#include "program.hpp"

namespace laws {

template <class Model>
struct unfused_stage {
  static constexpr int largest_group = 1;
  static constexpr void build(tl::graph& g) { tl::ready<tl::forward_stage<Model>>::build(g); }
};

template <class Model>
class unfused {
 public:
  using stage = unfused_stage<Model>;

  unfused() { tl::initialize(tl::parameters_of_model<Model>, parameters_.pointers(), 0); }

  template <class... Bindings>
  auto operator()(const Bindings&... bindings) {
    const tl::bindings_of<stage> sorted = tl::detail::sort_bindings<Model, stage>(bindings...);
    program_.run(sorted.inputs, sorted.known_extents());
    return tl::result<stage, tl::cpu::program>(program_);
  }

 private:
  tl::cpu::resources resources_{tl::cpu{}};
  tl::parameter_memory<tl::cpu::memory> parameters_{tl::parameters_of_model<Model>, tl::arena_alignment};
  tl::bound_program<tl::cpu::program> program_{
      tl::checked_plan_of<stage>(), tl::cpu::kernels<stage>,
      tl::cpu::program_memory{parameters_.pointers(), {}, nullptr, resources_.team()}};
};

}  // namespace laws
