// SPDX-License-Identifier: BSL-1.0
// initialized<kaiming_normal()>(model, names_like<"*.weight">): a model whose layers start otherwise.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tapeless/expr/fan_initializer.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/optim/wrappers/parameter_predicate.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless {

namespace detail {

constexpr initializer initializer_of(graph&, const node&, const initializer& start) { return start; }

/// In a loop whose iterations have weights of their own the first axis counts them.
constexpr initializer initializer_of(graph& g, const node& n, const fan_initializer& start) {
  const int first = g.initializers[initializer_number(n)].stacked ? 1 : 0;
  if (n.rank < first + 2) {
    text t;
    t << "the parameter \"" << n.label->view() << "\"";
    g.describe_shape(t, n);
    g.fail(t << " has no fans to start by: xavier and kaiming are for weights [out, in, ...]; choose them by "
                "tl::matrices");
    return {};
  }
  std::int64_t kernel = 1;
  for (int i = first + 2; i < n.rank; ++i) kernel *= n.shape[i];
  return start.of(n.shape[first + 1] * kernel, n.shape[first] * kernel);
}

}  // namespace detail

/// The same model, but for how the parameters start that P chooses. Where only the shape is asked for there
/// are no parameters yet.
template <auto Start, class P>
struct initialized_statement {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    bool is_any = false, is_chosen = false;
    for (node& n : g.nodes) {
      if (!is_trained(n)) continue;
      is_any = true;
      if (!detail::chooses<P>(n)) continue;
      is_chosen = true;
      initializer start = detail::initializer_of(g, n, Start);
      start.stacked = g.initializers[initializer_number(n)].stacked;
      set_leaf_number(n, detail::initializer_index(g, start));
    }
    if (is_any && !is_chosen)
      g.fail(detail::no_choice<P>(text() << "initialized is for no parameter at all", g));
    return x;
  }
};

template <class Model, auto Start, class P>
struct initialized_model {
  constexpr auto operator()() const { return make<initialized_statement<Start, P>>(Model{}()); }
};

/// The model whose parameters start as `Start` says where `which` chooses them, and otherwise as they did:
/// initialized<kaiming_normal()>(model), initialized<normal(0.02)>(model, names_like<"*.weight">). `Start` is
/// fill, uniform, normal, orthogonal, norm_of, values, xavier_... or kaiming_...; of several around one
/// another the outermost counts. That no parameter is chosen is an error, and that one is not of a shape that
/// `Start` is for.
template <auto Start, class Model, class P = detail::matrices_predicate>
constexpr auto initialized(Model, P = {}) {
  using start = std::remove_const_t<decltype(Start)>;
  constexpr bool starts = std::is_same_v<start, initializer> || std::is_same_v<start, fan_initializer>;
  static_assert(starts,
                "tapeless: initialized takes how parameters start, and which: "
                "tl::initialized<tl::normal(0.02)>(model, tl::names_like<\"*.weight\">)");
  static_assert(parameter_predicate<P>,
                "tapeless: initialized takes which parameters it is for: tl::matrices, "
                "tl::names_like<\"*.weight\">, or a lambda without captures of a name and a shape");
  if constexpr (!starts || !parameter_predicate<P> || !is_sound_model<Model>()) {
    return Model{};  // what is wrong with it says what takes it
  } else {
    return initialized_model<Model, Start, P>{};
  }
}

// Which parameters, in the wrong place.
template <auto Start, auto Which, class Model>
constexpr auto initialized(Model) {
  static_assert(sizeof(Model) == 0,
                "tapeless: initialized takes which parameters it is for behind the model: "
                "tl::initialized<tl::normal(0.02)>(model, tl::names_like<\"*.weight\">)");
  return Model{};
}

}  // namespace tapeless
