// SPDX-License-Identifier: BSL-1.0
// checkpoint(x): memory for time: what x is made of is computed again where a derivative needs it.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/transform/recompute.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

struct checkpoint_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return x.insert(detail::unary_node(checkpoint_operation, x, shape_of(x)));
  }
};

namespace detail {

template <class F>
concept is_path = std::is_convertible_v<const F&, std::string_view> || requires(const F& f) { f.c_str(); };

}  // namespace detail

/// x itself. What lies between it and the checkpoints, inputs and parameters that it comes from is not kept
/// for the derivative but computed once more; random numbers are the same again. So h = checkpoint(block(h)),
/// layer after layer, keeps one value of each layer, and so does h = h + checkpoint(block(h)): what lies
/// behind a checkpoint and would be computed in three places or more is kept. Griewank and Walther, 2000;
/// Chen et al., 2016.
/// @formula y = x; what x comes from is computed again for the derivative
/// @shapes [..] -> [..]
/// @errors checkpoint_of_function
/// @torch torch.utils.checkpoint.checkpoint
/// @jax jax.checkpoint
/// @given x = [1, 2]
/// @gives tl::grad(tl::sum(tl::square(tl::checkpoint(tl::exp(x)))), x) = [14.78, 109.2]
constexpr value checkpoint(is_value auto x) { return make<checkpoint_statement>(x); }
TAPELESS_FACTORY auto checkpoint(expression_operand auto x) { return make<checkpoint_statement>(x); }
/// Refuses a function. What is a path is that of checkpoint(path, {...}), of fit.
template <class F, expression_operand... X>
  requires(!expression_operand<F> && !is_value<F> && !detail::is_path<F>)
constexpr auto checkpoint(const F&, const X&...) {
  static_assert(compile_error<misuse<F>::checkpoint_of_function>::reported);
  return erroneous{};
}

}  // namespace tapeless
