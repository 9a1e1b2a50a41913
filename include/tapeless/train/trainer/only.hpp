// SPDX-License-Identifier: BSL-1.0
// only<"mean">(model): a model of some of another one's outputs.
#pragma once

#include <type_traits>

#include <tapeless/expr/lower.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/train/program/output_names.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless {

/// Leaves the named outputs. The value is the first of them; where only the shape is asked for no output is
/// named yet, and it is the operand's.
template <name... Names>
struct only_statement {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    list<graph_output> left;
    for (const name* label : {&interned<Names>...})
      if (const int i = detail::output_index_in(g, label); i >= 0) left.push(g.outputs[i]);
    if (left.empty()) return node_list::only({&g, x.ids[0]});
    g.outputs.clear();
    for (const graph_output& o : left) g.outputs.push(o);
    return node_list::only({&g, left[0].node});
  }
};

template <class Model, name... Names>
struct only_model {
  constexpr auto operator()() const { return make<only_statement<Names...>>(Model{}()); }
};

/// The model whose outputs are those of the given names, with all that they need and nothing else: a function
/// of it wants no labels, and computes no loss. tl::function f{tl::only<"y">(model), tl::weights(net)}
template <name... Names, class Model>
constexpr auto only(Model) {
  static_assert(sizeof...(Names) > 0, "tapeless: only takes the names of outputs: tl::only<\"y\">(model)");
  if constexpr (sizeof...(Names) == 0 || !is_sound_model<Model>()) {
    return Model{};  // what is wrong with it says what takes it
  } else {
    constexpr bool exist = ((detail::output_index_of<lower<Model>, Names>() >= 0) && ...);
    return std::conditional_t<exist, only_model<Model, Names...>, Model>{};
  }
}

}  // namespace tapeless
