// SPDX-License-Identifier: BSL-1.0
// names_like<"*.weight">, matrices: which parameters, chosen while compiling. A function object of one's own
// chooses as well.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/graph.hpp>
#include <tapeless/graph/core/text.hpp>
#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/optim/base/name_pattern.hpp>

namespace tapeless {

/// What chooses parameters: any function object without a state that can be called in a constant expression
/// with a parameter's name and extents, such as a lambda.
template <class P>
concept parameter_predicate = std::is_empty_v<P> && std::is_default_constructible_v<P> &&
                              std::is_invocable_r_v<bool, P, std::string_view, std::span<const std::int64_t>>;

namespace detail {

template <name... Patterns>
struct names_like_predicate {
  constexpr bool operator()(std::string_view label, std::span<const std::int64_t>) const {
    return (fits(Patterns.view(), label) || ...);
  }
  static constexpr name group = sizeof...(Patterns) == 1 ? (name() + ... + Patterns) : name();
  static constexpr void describe(text& t) {
    int n = 0;
    ((t << (n++ == 0 ? "" : ", ") << "\"" << Patterns.view() << "\""), ...);
  }
};

struct matrices_predicate {
  static constexpr name group = "matrices";
  constexpr bool operator()(std::string_view, std::span<const std::int64_t> shape) const {
    return shape.size() >= 2;
  }
  static constexpr void describe(text& t) { t << "two axes or more"; }
};

/// What P chooses, as a group of that name.
template <name Group, class P>
struct named_group : P {
  static constexpr name group = Group;
};

/// What a group is called whose parameters P chooses: nothing where P is a lambda, or several patterns.
template <class P>
constexpr name group_of() {
  if constexpr (requires { P::group; }) {
    return P::group;
  } else {
    return {};
  }
}

/// What P chooses and none before it has.
template <class P, class... Before>
struct chosen_by {
  static constexpr name hyperparameters_group = group_of<P>();
  constexpr bool operator()(std::string_view label, std::span<const std::int64_t> shape) const {
    return P{}(label, shape) && !(Before{}(label, shape) || ...);
  }
  static constexpr void describe(text& t) {
    if constexpr (requires { P::describe(t); }) P::describe(t);
  }
};

/// What one of them chooses. For a partition's groups one stands in the other, so that the groups' types are
/// no longer for each one more.
template <class... P>
struct chosen_by_any {
  constexpr bool operator()(std::string_view label, std::span<const std::int64_t> shape) const {
    return (P{}(label, shape) || ...);
  }
};

/// What is left.
template <class... Before>
struct rest_of {
  static constexpr name hyperparameters_group = sizeof...(Before) == 0 ? name() : name("rest");
  static constexpr bool may_be_empty = true;
  constexpr bool operator()(std::string_view label, std::span<const std::int64_t> shape) const {
    return !(Before{}(label, shape) || ...);
  }
};

template <class P>
constexpr bool chooses(const node& n) {
  return P{}(n.label->view(),
             array_view<const std::int64_t>(n.shape, static_cast<std::size_t>(n.rank)).span());
}

/// WHAT: of "a.weight"[3, 2], "a.bias"[3], none fits "b.*"
template <class P>
constexpr text no_choice(text what, const graph& g) {
  what << ": of ";
  bool is_first = true;
  for (const node& n : g.nodes) {
    if (!is_trained(n)) continue;
    what << (is_first ? "\"" : ", \"") << n.label->view() << "\"";
    g.describe_shape(what, n);
    is_first = false;
  }
  what << ", none ";
  if constexpr (requires { P::describe(what); }) {
    what << "fits ";
    P::describe(what);
  } else {
    what << "is chosen";
  }
  return what;
}

}  // namespace detail

/// Chooses the parameters whose name fits one of the patterns, in which * stands for any characters and ? for
/// any one: names_like<"*.weight">, names_like<"norm*", "*.bias">.
template <name... Patterns>
inline constexpr detail::names_like_predicate<Patterns...> names_like{};

/// Chooses the parameters of two axes or more: neither biases nor the weights of norms.
inline constexpr detail::matrices_predicate matrices{};

}  // namespace tapeless
