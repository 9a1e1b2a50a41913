// SPDX-License-Identifier: BSL-1.0
// chain(t1, t2, ...): gradient transformations one after the other, first to last: a rule.
#pragma once

#include <utility>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/optim/base/repeated_labels.hpp>
#include <tapeless/optim/base/update_rule.hpp>
#include <tapeless/optim/transforms/parts_of_chain.hpp>

namespace tapeless {

namespace detail {

/// f of all, one after the other: a fold expression of more than 256 clang refuses, and a partition's chain
/// has three transformations for each of its groups.
template <class F, class... T>
constexpr void for_each_in_order([[maybe_unused]] const F& f, T&... all) {
  [[maybe_unused]] const int done[] = {0, (f(all), 0)...};
}

// Values one after the other, for less of the compiler's time than std::tuple takes.
template <class Indices, class... T>
struct transform_list;
template <std::size_t I, class T>
struct listed_transform {
  T value;
};
template <std::size_t... I, class... T>
struct transform_list<std::index_sequence<I...>, T...> : listed_transform<I, T>... {
  template <class F>
  constexpr auto call(const F& f) const {
    return f(static_cast<const listed_transform<I, T>*>(this)->value...);
  }
  template <class F>
  constexpr void for_each(const F& f) {
    for_each_in_order(f, static_cast<listed_transform<I, T>*>(this)->value...);
  }
  template <class F>
  constexpr void for_each(const F& f) const {
    for_each_in_order(f, static_cast<const listed_transform<I, T>*>(this)->value...);
  }
};

template <std::size_t I, class T>
constexpr const T& transform_at(const listed_transform<I, T>& one) {
  return one.value;
}

/// Whether a transformation, or a rule, makes nothing of the parameter's gradient.
template <class T>
constexpr bool leaves_out([[maybe_unused]] const node& parameter) {
  if constexpr (requires { T::leaves_out(parameter); }) {
    return T::leaves_out(parameter);
  } else {
    return false;
  }
}

/// transform_all for the parameters that are chosen, as if there were no others.
template <class Transform, class Chooses>
constexpr void transform_some(list<rule_context>& parameters, Chooses chooses) {
  list<rule_context> chosen;
  for (const rule_context& c : parameters)
    if (chooses(c.owned().get())) chosen.push(c);
  if (chosen.size() == 0) return;
  Transform::transform_all(chosen);
  int n = 0;
  for (rule_context& c : parameters)
    if (chooses(c.owned().get())) c = chosen[n++];
}

}  // namespace detail

/// A rule: the gradient goes through all transformations; what comes out is added to the parameter.
template <class... Transforms>
class chain_rule {
 public:
  static constexpr std::size_t size = sizeof...(Transforms);
  static constexpr bool waits_for_all_gradients = [] {
    for (const bool one : {false, needs_all_gradients<Transforms>...})
      if (one) return true;
    return false;
  }();
  static constexpr int hyper_count = [] {
    std::size_t count = 0;
    for (const std::size_t one : {std::size_t{0}, Transforms::hyper_names.size()...}) count += one;
    return static_cast<int>(count);
  }();

  explicit chain_rule(Transforms... transforms) : transforms_{{std::move(transforms)}...} {}

  /// Builds the updates of all parameters from their gradients.
  static constexpr void update(list<rule_context>& parameters) {
    int first_hyper = 0;
    [[maybe_unused]] const int done[] = {0, (apply<Transforms>(parameters, first_hyper), 0)...};
    for (rule_context& c : parameters) c.set(c.parameter(), c.parameter() + c.update());
  }

  /// Whether the parameter's gradient does not count, so that the loss need not depend on it.
  static constexpr bool leaves_out(const node& parameter) {
    for (const bool one : {false, detail::leaves_out<Transforms>(parameter)...})
      if (one) return true;
    return false;
  }

  /// The names of all hyperparameters, first to last. Of a transformation that is there several times they
  /// have its label before them: "trace.momentum", "trace_2.momentum".
  static constexpr std::array<name, hyper_count> hyper_names() {
    std::array<name, hyper_count> all{};
    std::array<detail::labelled_part, sizeof...(Transforms)> parts{};
    std::size_t n = 0, part = 0;
    const auto append = [&](std::string_view label, const auto& names) {
      parts[part++] = {label, n, names.size()};
      for (const name& one : names) all[n++] = one;
    };
    [[maybe_unused]] const int done[] = {
        0, (append(detail::label_of<Transforms>(), Transforms::hyper_names), 0)...};
    detail::tell_apart(all, parts);
    return all;
  }

  static constexpr auto hyper_ranges() {
    return detail::joined_ranges(detail::ranges_of_hypers<Transforms>()...);
  }

  /// Sets all hyperparameters of that name, in whatever group, or the one whose full name it is.
  void set(std::string_view name_or_full, const hyperparameter& to) {
    [[maybe_unused]] static constexpr auto names = hyper_names();
    const detail::wanted_name wanted(name_or_full, names.size(),
                                     [](std::size_t i) { return names[i].view(); });
    std::size_t n = 0;
    transforms_.for_each([&](auto& t) {
      for (hyperparameter& h : t.hypers)
        if (wanted.means(names[n++].view())) h = to;
    });
  }

  /// Writes the values for a step, counted from 0.
  void write(std::int64_t step, array_view<double> values) const {
    std::size_t n = 0;
    transforms_.for_each([&](const auto& t) {
      for (const hyperparameter& h : t.hypers) values[n++] = h.at(step);
    });
  }

  void describe(rule_description& d) const {
    [[maybe_unused]] static constexpr auto names = hyper_names();
    std::size_t n = 0;
    d.begin("chain");
    transforms_.for_each([&](const auto& t) {
      describe_transform(t, array_view<const name>(names).subspan(n, t.hypers.size()), d);
      n += t.hypers.size();
    });
    d.end();
  }

  /// Transformation number I, from 0 on.
  template <std::size_t I>
  const auto& part() const {
    return detail::transform_at<I>(transforms_);
  }
  /// f of all transformations.
  template <class F>
  auto call(const F& f) const {
    return transforms_.call(f);
  }

 private:
  detail::transform_list<std::index_sequence_for<Transforms...>, Transforms...> transforms_;

  template <class Transform>
  static constexpr void apply(list<rule_context>& parameters, int& first_hyper) {
    constexpr int count = static_cast<int>(Transform::hyper_names.size());
    if constexpr (requires { Transform::check(parameters[0].owned()); })
      Transform::check(parameters[0].owned());
    for (rule_context& c : parameters) c.begin_transform(first_hyper, count);
    if constexpr (needs_all_gradients<Transform>) {
      detail::transform_some<Transform>(parameters, [](const node& n) { return !leaves_out(n); });
    } else {
      for (rule_context& c : parameters) c.set_update(Transform::transform(c, c.update()));
    }
    first_hyper += count;
  }
};

namespace detail {

template <class... Chains>
struct concatenated;
template <class... A>
struct concatenated<chain_rule<A...>> {
  using type = chain_rule<A...>;
};
template <class... A, class... B, class... More>
struct concatenated<chain_rule<A...>, chain_rule<B...>, More...>
    : concatenated<chain_rule<A..., B...>, More...> {};

struct place_in_chain {
  std::size_t chain = 0, part = 0;
};
/// Where the parts of a chain are that is made of chains of so many parts.
template <std::size_t All, std::size_t... Counts>
inline constexpr std::array<place_in_chain, All> places_in_chains = [] {
  std::array<place_in_chain, All> all{};
  std::size_t n = 0, chain = 0;
  for (const std::size_t count : {Counts...}) {
    for (std::size_t part = 0; part < count; ++part) all[n++] = {chain, part};
    ++chain;
  }
  return all;
}();

/// All at once: with a type for each chain of some of them, names of functions would be endless.
template <class... Chains>
auto joined(const Chains&... chains) {
  using whole = typename concatenated<Chains...>::type;
  const transform_list<std::index_sequence_for<Chains...>, Chains...> all{{chains}...};
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr auto& places = places_in_chains<whole::size, Chains::size...>;
    return whole(transform_at<places[I].chain>(all).template part<places[I].part>()...);
  }(std::make_index_sequence<whole::size>());
}
template <class T>
auto as_chain(T t) {
  if constexpr (is_chain_rule<T>) {
    return t;
  } else {
    return chain_rule<T>(std::move(t));
  }
}

}  // namespace detail

/// The rule that sends the gradient through the transformations, first to last. A rule that is itself a chain
/// can be one of them: chain(add_decayed_weights(1e-4f), adam({})); two whole rules cannot. One may be there
/// several times: of chain(trace({.decay = 0.9}), trace({.decay = 0.5}), ...) the second one's state is
/// "trace_2.buffer", the first one's "trace.buffer" as always; set<"trace.momentum"> and
/// set<"trace_2.momentum"> mean one each, set<"momentum"> both.
template <class... T>
auto chain(T... t) {
  if constexpr (!detail::can_be_chained<T...>()) {
    return erroneous{};
  } else if constexpr (!(is_chain_rule<T> || ...)) {
    return chain_rule<T...>(std::move(t)...);
  } else {
    return detail::joined(detail::as_chain(std::move(t))...);
  }
}

}  // namespace tapeless
