// SPDX-License-Identifier: BSL-1.0
// Calls that trainers and results of other frameworks have. Here each says what to write in its place.
#pragma once

#include <tapeless/expr/misuse.hpp>
#include <tapeless/train/program/output_names.hpp>

namespace tapeless {

struct fit_options;

namespace detail {

template <class...>
inline constexpr bool is_offered = false;

}  // namespace detail

/// A number of a trainer that looks like a member.
struct refused_setting {
  template <class T>
  void operator=(const T&) const {
    static_assert(
        detail::is_offered<T>,
        "tapeless: a trainer's numbers are set by name: net.set<\"learning_rate\">(0.1), and read by "
        "net.get<\"learning_rate\">()");
  }
  template <class T>
  operator T() const {
    static_assert(detail::is_offered<T>,
                  "tapeless: a trainer's numbers are read by name: net.get<\"learning_rate\">(), and set by "
                  "net.set<\"learning_rate\">(0.1)");
    return T();
  }
};

/// Calls of other frameworks that a trainer refuses. An empty base.
class framework_trainer_calls {
 public:
  template <class... X>
  no_output zero_grad(const X&...) const {
    static_assert(detail::is_offered<X...>,
                  "tapeless: leave net.zero_grad() out: each step makes its gradients anew; "
                  "net.discard_gradients() drops those of net.accumulate(...)");
    return {};
  }
  template <class... X>
  no_output eval(const X&...) const {
    static_assert(detail::is_offered<X...>,
                  "tapeless: leave net.eval() out: net.predict(...) and net.evaluate(...) compute as in "
                  "evaluation, without dropout and with running statistics; net.step(...) trains");
    return {};
  }
  template <class... X>
  no_output train(const X&...) const {
    static_assert(detail::is_offered<X...>,
                  "tapeless: leave net.train(...) out: net.step(\"x\"_t = x, \"y\"_t = y) trains on a batch, "
                  "tl::fit(net, dataset, {.epochs = 10}) on a data set");
    return {};
  }
  template <class... X>
  no_output fit(const X&...) const {
    return refuse_fit<X...>();
  }
  template <class Data, class... Callbacks>
  no_output fit(const Data&, const fit_options&, const Callbacks&...) const {
    return refuse_fit<Data>();
  }
  template <class... X>
  no_output to(const X&...) const {
    static_assert(detail::is_offered<X...>,
                  "tapeless: instead of net.to(...) say where it computes as it is made: "
                  "tl::trainer net{model, rule, tl::cuda{}}");
    return {};
  }
  template <class... X>
  no_output backward(const X&...) const {
    static_assert(
        detail::is_offered<X...>,
        "tapeless: instead of net.backward(...) write net.step(...), which computes the gradients and "
        "updates the parameters, or net.gradients(...) and net.apply()");
    return {};
  }
  static constexpr refused_setting learning_rate{};

 private:
  template <class... X>
  static no_output refuse_fit() {
    static_assert(detail::is_offered<X...>,
                  "tapeless: instead of net.fit(...) write tl::fit(net, dataset, {.epochs = 10}), where the "
                  "columns are named like the inputs: dataset.add(\"x\", {2}, x).add(\"y\", {}, y)");
    return {};
  }
};

/// What a result has not. It has no members of its own.
class framework_result_calls {
 public:
  template <class... X>
  no_output backward(const X&...) const {
    static_assert(detail::is_offered<X...>,
                  "tapeless: leave loss.backward() out: net.step(...) has computed the gradients and updated "
                  "the parameters; net.gradients(...) and net.apply() are the two apart");
    return {};
  }
  template <class... X>
  no_output item(const X&...) const {
    static_assert(detail::is_offered<X...>,
                  "tapeless: instead of result.item() write result.loss(), or result.get<\"y\">()[0] of an "
                  "output");
    return {};
  }
  /// Refuses a name in brackets.
  template <class Text>
  no_output operator[](const Text&) const {
    static_assert(compile_error<misuse<Text>::name_as_argument>::reported);
    return {};
  }
};

}  // namespace tapeless
