// SPDX-License-Identifier: BSL-1.0
// What expressions are taken for by those who know numbers: the sentences that say what to write instead.
#pragma once

#include <tapeless/expr/compile_error.hpp>

namespace tapeless {

struct erroneous;

/// The sentences, which depend on the expression's type only so that they are said where they are asked for.
template <class Chain>
struct misuse {
  static constexpr sentence assigned{
      "an expression's type is its computation, so `h = tanh(h)` cannot change it: "
      "give each result a name of its own, "
      "or loop by tl::repeat<N>(h, body) or tl::scan<N>(h, body), which is compiled once"};
  static constexpr sentence as_condition{
      "an expression is neither true nor false while the model is written: "
      "tl::where(condition, a, b) chooses element by element, in place of if, ?: and while; "
      "tl::max and tl::min stand for std's"};
  static constexpr sentence as_number{
      "an expression is no number while the model is written: use tl::exp, not std::exp, and so on; "
      "to see or print its elements, make it an output and ask the result"};
  static constexpr sentence without_operator{
      "expressions have no operators %, &, |, ^, ~, << and >>: tl::remainder(a, b), tl::bitwise_and(a, b), "
      "tl::bitwise_left_shift(a, b) and so on, by <tapeless/operations.hpp>"};
  static constexpr sentence axis_as_argument{
      "axes, extents and shares are template arguments, since they are known while compiling: "
      "tl::sum<1>(x), tl::softmax<1>(x), tl::reshape<3, 4>(x), tl::permute<1, 0>(x), tl::dropout<0.1>(x)"};
  static constexpr sentence truth_as_axis{
      "true and false are no axes: tl::sum<0>(x, tl::keep_dims) keeps the axes, and tl::var<0>(x, "
      "tl::correction<0>) divides by n"};
  static constexpr sentence extent_as_number{
      "a run-time extent is no number of a model: tl::size<0>(x) is how many elements x has along an axis"};
  static constexpr sentence derivative_of_no_expressions{
      "a derivative is of an expression by others, but got something else, a name or a function perhaps: "
      "tl::grad(y, x) is by the x that y is made from, tl::grad(y, tl::input<\"x\", float, 3>) by the input "
      "of that name, type and shape, tl::grad(f(x), x) of what a function makes"};
  static constexpr sentence checkpoint_of_function{
      "checkpoint takes what a function has made, not the function: tl::checkpoint(f(x))"};
  static constexpr sentence repeated_body_first{
      "tl::repeat<N>(x, body) and tl::scan<N>(x, body) take the body last, and the number of times as a "
      "template argument; tl::scan(body, carry, xs) goes along the first axis of xs"};
  static constexpr sentence draw_without_name{
      "a draw has a name, which tells it apart from others: tl::normal<\"eps\", float, 3>(), "
      "tl::uniform_like<\"u\">(x)"};
  static constexpr sentence taken_apart{
      "one expression is not taken apart: auto g = tl::grad(y, x), without brackets; "
      "auto [a, b] = tl::grad(y, u, v) has two, and tl::max<1>(x) has tl::argmax<1>(x) beside it"};
  static constexpr sentence pack_taken_apart{
      "what tl::pack puts together is one expression, which is not taken apart: a function that gives "
      "several values returns std::tuple{a, b, c}, which scan and vjp take, too"};
  static constexpr sentence joined_in_braces{
      "what is joined is given without braces, as arguments: tl::concat<1>(a, b), tl::stack<0>(a, b)"};
  static constexpr sentence no_outputs{
      "outputs takes what the model computes: tl::outputs(loss, tl::named<\"y\">(y))"};
  static constexpr sentence output_name_as_argument{
      "an output's name is a template argument: tl::named<\"logits\">(logits)"};
  static constexpr sentence inputs_in_braces{
      "inputs are given without braces, as arguments: net.step(\"x\"_t = x, \"y\"_t = y)"};
  static constexpr sentence const_call{
      "a trainer, as a function on tl::bare, computes in memory of its own, so it cannot be const where it "
      "is called: take it as auto& net, or call a tl::function f{model, tl::weights(net)}, which can"};
  static constexpr sentence name_as_argument{
      "a name is a template argument, since it is looked up while compiling: result.get<\"logits\">(), "
      "net.parameter<\"fc.weight\">(), net.set<\"learning_rate\">(0.1)"};
  static constexpr sentence number_assigned{
      "assign takes a value for each of the parameter's elements, as a std::vector or an array, but got one "
      "number: std::fill(view.begin(), view.end(), 0.f) of auto view = net.parameter<\"w\">() repeats it"};
  static constexpr sentence starts_at_number{
      "a parameter starts as an initializer says: tl::fill(0.5) in place of 0.5, or tl::normal(0.02)"};
  static constexpr sentence start_with_mean{
      "how a parameter starts has no mean: tl::normal(0.02) is of the standard deviation 0.02, around 0"};
  static constexpr sentence axis_is_missing{
      "the axis is a template argument, as in tl::concat<0>(a, b), tl::stack<0>(a, b), "
      "tl::gather<1>(x, index) and tl::cumsum<0>(x)"};
  static constexpr sentence indexed{
      "an expression is not indexed by [ ]: "
      "tl::at<0>(x) and tl::slice<axis, begin, end>(x) take a part of it"};
  static constexpr sentence called{
      "an expression is not called: an input has no parentheses, tl::input<\"x\", float, 3>"};
  static constexpr sentence walked_through{
      "an expression has no elements while the model is written, so no loop goes through them: "
      "tl::scan(body, carry, x) goes along its first axis, tl::at<I>(x) and tl::split<axis, parts>(x) take "
      "parts"};
};

}  // namespace tapeless
