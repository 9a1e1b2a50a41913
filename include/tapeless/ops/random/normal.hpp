// SPDX-License-Identifier: BSL-1.0
// normal<"eps", T, E...>(), normal_like<"eps">(x), normal<"z">(mean, std): normally distributed numbers.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/random/named_draw.hpp>

namespace tapeless {

struct normal_distribution {
  static constexpr std::string_view name = "normal", like = "normal_like", first = "mean", second = "std";
  /// Standard normal numbers of the shape.
  template <tapeless::name Name>
  static constexpr value standard(graph& g, const shape_list& shape, element type) {
    return cast(detail::random_numbers<random_normal_operation>(g, shape, detail::stream_of<Name>()), type);
  }
  static constexpr value of(value mean, value std, value x) { return mean + std * x; }
};

/// Normally distributed numbers of the element type T and the shape [E...], without extents a scalar, of mean
/// 0 and standard deviation 1: finite, at most 8.21 in size, within 8 units in the last place of double, then
/// rounded to T. They are the same on every policy, and with any number of threads.
///
/// The name tells draws apart: in a step, each has numbers of its own, and each step and each iteration of a
/// scan new ones. A name that is used for two draws does not compile. In the body of repeat a draw of a shape
/// is the same one in each repetition, unless its name is name{"eps"} + I; one like or of a value that
/// changes must have such a name. They depend on the seed, the number of the model's parameters, the steps so
/// far and the name alone. evaluate and predict draw anew in each call, which changes nothing for the steps;
/// a function draws the same numbers in each call, until it is given another seed. checkpoint(x) draws the
/// same numbers again.
/// @formula y ~ N(0, 1); y = mean + std * eps with eps ~ N(0, 1)
/// @shapes -> T [E...]; mean and std of one floating type, whose shapes broadcast -> the common shape
/// @errors draw_name_used_twice draw_without_name draw_parameters draw_of_integers draws_as_in_pytorch
/// @torch torch.randn, torch.normal, torch.distributions.Normal(mean, std).rsample()
/// @jax jax.random.normal
/// @given mean = [0, 100]; std = [1, 0]
/// @gives tl::normal<"a", float, 3>() = [2.033, -0.1557, 1.292]
/// @gives tl::normal<"b">(mean, std) = [-0.2837, 100]
template <name Name, element_type T, extent... E>
constexpr auto normal() {
  return make_leaf<draw_statement<normal_distribution, Name, element_of<T>, E...>>();
}
/// Refuses a draw without a name.
template <class T, extent... E>
constexpr auto normal() {
  return detail::refuse_draw<T>();
}

/// The same in x's shape and element type, which is floating. One name for draws like two values does not
/// compile.
/// @formula y ~ N(0, 1)
/// @shapes floating [..] -> the same
/// @errors draw_name_used_twice draw_like_in_repeat draw_without_name draw_of_integers
/// @torch torch.randn_like
/// @jax jax.random.normal(key, x.shape)
/// @given x = [7, 7, 7]
/// @gives tl::normal_like<"c">(x) = [0.5509, -0.712, 0.5825]
template <name Name>
TAPELESS_FACTORY auto normal_like(operand auto x) {
  return make<draw_like_statement<normal_distribution, Name>>(x);
}
/// Refuses a draw without a name.
constexpr auto normal_like(operand auto x) { return detail::refuse_draw<decltype(x)>(); }

/// mean + std * eps with such numbers eps, of the shape that the two have together; they are of one floating
/// type, and one of them may be a number. Derivatives by mean and std are those of this formula (Kingma and
/// Welling, 2014).
template <name Name, class Mean, class Std>
  requires operands<Mean, Std>
TAPELESS_FACTORY auto normal(Mean mean, Std std) {
  return make<draw_of_statement<normal_distribution, Name>>(mean, std);
}

// Calls as in PyTorch, and without the element type, which are refused.
template <name Name, detail::called_with X>
constexpr auto normal(const X& x) {
  return detail::refuse_call<sentence{"normal"},
                             sentence{
                                 "it takes two operands, mean and std; a draw of the shape and type of x is"},
                             sentence{"_like<\"eps\">(x)"}>(x);
}
template <name Name, extent... E>
constexpr auto normal() {
  return detail::refuse_call<sentence{"normal"}, detail::draw_without_type,
                             sentence{"<\"eps\", float, 2, 3>()"}>(detail::known_by<Name, E...>{});
}
template <name, class T, extent... E, class... X>
  requires(sizeof...(X) > 0)
constexpr auto normal(const X&... x) {
  return detail::refuse_call<sentence{"normal"}, detail::draw_of_both,
                             sentence{"<\"eps\", float, 2, 3>() * 3_c + 1_c"}>(x...);
}

}  // namespace tapeless
