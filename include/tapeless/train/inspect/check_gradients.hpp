// SPDX-License-Identifier: BSL-1.0
// check_gradients(net, bindings...): derivatives against differences, on a user's own model.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/run/cpu/vectors/aligned_memory.hpp>
#include <tapeless/train/inspect/copied_memory.hpp>
#include <tapeless/train/inspect/gradient_program.hpp>
#include <tapeless/train/inspect/text_table.hpp>
#include <tapeless/train/program/bound_program.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/inputs_without_elements.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/training_progress.hpp>

namespace tapeless {

struct gradient_check_options {
  int elements = 20;     ///< of each parameter, chosen at random; all where it has no more
  random_seed seed = 1;  ///< of the choice
};

/// A gradient beside a difference of the loss.
struct checked_gradient {
  double error = 0;  ///< see gradient_check
  std::string parameter;
  std::int64_t element = 0;  ///< of the parameter, in row-major order
  double gradient = 0, difference = 0;
  double uncertainty = 0;    ///< how far this difference is from the nearest one of another step
  std::int64_t checked = 0;  ///< elements of the parameter
};

/// The worst of all parameters, which is what this is itself, and the worst element of each.
///
/// The error of an element is |gradient - difference| divided by the larger of the two. Where that is more,
/// it is divided by a hundredth of the parameter's largest gradient, or by 300 times what rounding the loss
/// makes of a difference. A right derivative has an error of about 1e-3 or less in float, one that is wrong
/// by a factor of two has 0.5. Where the uncertainty is about as large as |gradient - difference|,
/// differences of several steps do not agree, as of a loss that is steep or rough: the error then says
/// nothing.
struct gradient_check : checked_gradient {
  std::vector<checked_gradient> parameters;
  double loss = 0;

  template <class Lazy = void>
  TAPELESS_COLD std::string table() const {
    detail::text_table table("lrrrrrr");
    table.add({"parameter", "checked", "worst element", "gradient", "difference", "uncertainty", "error"});
    table.add_line();
    for (const checked_gradient& p : parameters)
      table.add({p.parameter, join({p.checked}), join({p.element}), detail::printed("%.4g", p.gradient),
                 detail::printed("%.4g", p.difference), detail::printed("%.1e", p.uncertainty),
                 detail::printed("%.1e", p.error)});
    return table.text();
  }
};

namespace detail {

/// The elements of a parameter that are checked.
template <class Lazy = void>
TAPELESS_COLD std::vector<std::int64_t> elements_to_check(std::int64_t count, int wanted,
                                                          random_stream random) {
  std::vector<std::int64_t> all;
  if (count <= wanted) {
    for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
    return all;
  }
  for (int k = 0; k < wanted; ++k) {  // one of each of as many parts
    const std::int64_t begin = count * k / wanted, end = count * (k + 1) / wanted;
    all.push_back(begin + random.below(end - begin));
  }
  return all;
}

/// Compares gradients with differences; the program is run by calls of `loss()`.
class gradient_checker {
 public:
  /// The resolution of the loss's type, relative to it.
  gradient_checker(double loss, double resolution) : loss_(loss), resolution_(resolution) {}

  /// `data` is where the element is that the loss depends on.
  template <class Loss>
  TAPELESS_COLD void check(element type, std::byte* data, std::int64_t element, double gradient,
                           double largest, const Loss& loss, checked_gradient& worst) const {
    const double at = read_number(type, data);
    const double own = type == tapeless::element::f64 ? std::numeric_limits<double>::epsilon() : resolution_;
    // The cube root balances rounding, about epsilon / h, and curvature, about h^2. Where a kink is near, as
    // in relu, only a shorter step does not meet it.
    double best = above_all<double>;
    std::vector<double> differences;
    std::size_t chosen = 0;
    double step = std::cbrt(std::max(own, resolution_)) * std::max(1.0, std::abs(at));
    for (int shorter = 0; shorter < 4; ++shorter, step /= 4) {
      store_number(at + step, type, data);
      const double right = read_number(type, data), above = loss();
      store_number(at - step, type, data);
      const double left = read_number(type, data), below = loss();
      store_number(at, type, data);
      if (!(right > left)) break;
      const double d = (above - below) / (right - left);
      differences.push_back(d);
      const double rounding = resolution_ * std::max(std::abs(above), std::abs(below)) / (right - left);
      const double scale = std::max({std::abs(gradient), std::abs(d), largest / 100, 300 * rounding,
                                     std::numeric_limits<double>::min()});
      const double error = std::abs(gradient - d) / scale;
      if (!(error < best)) continue;
      best = error;
      chosen = differences.size() - 1;
    }
    if (!std::isfinite(gradient) || !std::isfinite(loss_)) best = above_all<double>;
    ++worst.checked;
    if (worst.checked > 1 && !(best > worst.error)) return;
    worst.error = best;
    worst.element = element;
    worst.gradient = gradient;
    worst.difference = differences.empty() ? 0 : differences[chosen];
    worst.uncertainty = above_all<double>;
    for (std::size_t i = 0; i < differences.size(); ++i)
      if (i != chosen)
        worst.uncertainty = std::min(worst.uncertainty, std::abs(differences[i] - differences[chosen]));
  }

 private:
  double loss_, resolution_;
};

/// Whether a trainer's gradients can be checked; the compiler is stopped where not.
template <class Net>
constexpr bool can_check_gradients() {
  if constexpr (std::derived_from<Net, error_stub>) {
    return false;  // its model's error has been reported
  } else {
    constexpr bool is_trainer = requires { typename Net::rule_type; };
    static_assert(is_trainer, "tapeless: check_gradients takes a trainer: a function has no gradients");
    constexpr bool has_step = !is_trainer || requires { typename Net::step_program; };
    static_assert(has_step,
                  "tapeless: check_gradients takes a trainer of one loss and one rule: check each loss of "
                  "several in a model of its own");
    if constexpr (is_trainer && has_step) {
      constexpr bool is_here = std::same_as<typename Net::policy_type::memory, cpu_kernels::aligned_memory>;
      static_assert(
          is_here,
          "tapeless: check_gradients changes single elements, which takes a trainer whose parameters "
          "are in the CPU's memory: check the model on tl::cpu{}");
      return is_here;
    }
    return false;
  }
}

template <class Program>
TAPELESS_COLD gradient_check check_program(bound_program<Program>& program,
                                           const described_program& description,
                                           array_view<const bound_elements> inputs,
                                           array_view<const bound_extent> extents,
                                           const gradient_check_options& options,
                                           array_view<std::byte* const> parameters) {
  const plan_view& plan = *description.plan;
  program.run(inputs, extents);
  const auto node_of_output = [&](std::size_t i) -> const run_node& {
    return plan.nodes[static_cast<std::size_t>(plan.outputs[i].node)];
  };
  const element loss_type = node_of_output(0).type;
  const auto loss = [&] { return read_number(loss_type, program.output(0)); };
  gradient_check all;
  all.loss = loss();
  std::vector<std::vector<double>> gradients(plan.outputs.size());
  for (std::size_t i = 1; i < plan.outputs.size(); ++i) {
    const run_node& n = node_of_output(i);
    std::int64_t count = 1;
    for (int d = 0; d < n.rank; ++d) count *= n.shape[d];
    for (std::int64_t k = 0; k < count; ++k)
      gradients[i].push_back(
          read_number(n.type, program.output(i) + k * static_cast<std::int64_t>(size_of(n.type))));
  }
  const double resolution = loss_type == element::f64 ? std::numeric_limits<double>::epsilon()
                                                      : std::numeric_limits<float>::epsilon();
  const gradient_checker checker(all.loss, resolution);
  for (std::size_t i = 1; i < plan.outputs.size(); ++i) {
    const name* label = plan.outputs[i].label;
    const described_node* parameter = nullptr;
    for (const described_node& n : description.nodes)
      if (n.kind == family::parameter && n.label == label) parameter = &n;
    checked_gradient worst;
    worst.parameter = std::string(label->view());
    double largest = 0;
    for (const double g : gradients[i]) largest = std::max(largest, std::abs(g));
    const auto count = static_cast<std::int64_t>(gradients[i].size());
    for (const std::int64_t k : elements_to_check(count, options.elements, random_stream(options.seed, i))) {
      if (parameter == nullptr) break;  // the loss does not read it, nor does its gradient
      std::byte* const data = parameters[static_cast<std::size_t>(parameter->parameter)] +
                              k * static_cast<std::int64_t>(size_of(parameter->type));
      checker.check(
          parameter->type, data, k, gradients[i][static_cast<std::size_t>(k)], largest,
          [&] {
            program.run(inputs, extents);
            return loss();
          },
          worst);
    }
    if (all.parameters.empty() || worst.error > all.error) static_cast<checked_gradient&>(all) = worst;
    all.parameters.push_back(std::move(worst));
  }
  return all;
}

}  // namespace detail

/// Compares the derivatives of a trainer's loss with central differences: the loss is computed again with
/// single elements of parameters a little larger and a little smaller. The loss is that of the next training
/// step on what is bound, with its random numbers (dropout) held fixed. The trainer stays as it is, bit for
/// bit.
///
///   const auto worst = tl::check_gradients(net, "x"_t = x, "y"_t = y);
///   std::printf("%.1e in %s\n", worst.error, worst.parameter.c_str());
///   std::puts(worst.table().c_str());
///
/// All is computed in the model's own types. Of several steps, the longest of which is the cube root of the
/// type's resolution, the one counts that agrees best. Parameters that the loss does not reach are left out.
/// Few samples are enough, and fast.
///
/// Throws the error that a step would throw because of what is bound.
template <class Net, bindable... Bindings>
TAPELESS_WARM gradient_check check_gradients(Net& net, const gradient_check_options& options,
                                             const Bindings&... bindings) {
  if constexpr (detail::can_check_gradients<Net>()) {
    if (options.elements < 1)
      throw_error({"check_gradients: elements is ", options.elements, "; it must be 1 or more"});
    using policy = typename Net::policy_type;
    using program = ready_for<loss_and_gradients_builder<typename Net::model_type>, policy>;
    auto inputs = detail::sort_bindings<typename Net::model_type, program>(bindings...);
    const described_program& description = description_of<program>;
    detail::copied_memory<policy> memory(net, description);
    bound_program<typename policy::program> checked(checked_plan_of<program>(),
                                                    policy::template kernels<program>, memory.for_program());
    checked.refuse_empty(inputs.inputs, inputs_without_elements<program>);
    return detail::check_program(checked, description, inputs.inputs, inputs.known_extents(), options,
                                 memory.parameters());
  } else {
    return {};
  }
}
template <class Net, bindable... Bindings>
gradient_check check_gradients(Net& net, const Bindings&... bindings) {
  return check_gradients(net, gradient_check_options(), bindings...);
}

}  // namespace tapeless
