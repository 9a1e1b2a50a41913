// SPDX-License-Identifier: BSL-1.0
// statistics(net, ...): a callback of fit that looks at weights, their updates and gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/inspect/check_gradients.hpp>
#include <tapeless/train/inspect/copied_memory.hpp>
#include <tapeless/train/inspect/gradient_program.hpp>
#include <tapeless/train/inspect/text_table.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/program/call.hpp>

namespace tapeless {

/// Of the elements of a tensor.
struct element_statistics {
  double norm = 0;  ///< sqrt(sum x^2)
  double least = 0, most = 0;
  double zeros = 0;  ///< the share of elements that are exactly 0
  std::int64_t nonfinite = 0;
};

/// Of one parameter, after a step.
struct parameter_statistics {
  std::string parameter;
  element_statistics weight, gradient;  ///< the gradient's are 0 where none is computed
  double update_to_weight = 0;          ///< |change in the step| / |weight before it|; 0 where that was 0
};

/// Of all parameters, after a step.
struct sampled_statistics {
  std::int64_t step = 0;  ///< the number of updates so far
  std::vector<parameter_statistics> parameters;
};

struct statistics_options {
  std::int64_t every = 100;  ///< steps
};

namespace detail {

[[gnu::cold]] inline element_statistics statistics_of(element type, const std::byte* data,
                                                      std::int64_t count) {
  element_statistics s;
  std::int64_t zeros = 0;
  double squares = 0;
  s.least = std::numeric_limits<double>::infinity();
  s.most = -s.least;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = read_number(type, data + i * static_cast<std::int64_t>(size_of(type)));
    if (!std::isfinite(x)) {
      ++s.nonfinite;
      continue;
    }
    squares += x * x;
    zeros += x == 0 ? 1 : 0;
    s.least = std::min(s.least, x);
    s.most = std::max(s.most, x);
  }
  if (count == s.nonfinite) s.least = s.most = 0;
  s.norm = std::sqrt(squares);
  s.zeros = count > 0 ? static_cast<double>(zeros) / static_cast<double>(count) : 0;
  return s;
}

[[gnu::cold]] inline std::string statistics_table(const sampled_statistics& s, bool gradients) {
  text_table table(gradients ? "lrrrrrrrrr" : "lrrrrr");
  std::vector<std::string> head{"parameter", "|w|", "min", "max", "zeros", "|dw|/|w|"};
  if (gradients) head.insert(head.end(), {"|g|", "min", "max", "zeros"});
  table.add(head);
  table.add_line();
  const auto add = [](std::vector<std::string>& cells, const element_statistics& e) {
    cells.push_back(e.nonfinite > 0 ? join({e.nonfinite, " not finite"}) : printed("%.3g", e.norm));
    cells.push_back(printed("%.3g", e.least));
    cells.push_back(printed("%.3g", e.most));
    cells.push_back(printed("%.1f %%", 100 * e.zeros));
  };
  for (const parameter_statistics& p : s.parameters) {
    std::vector<std::string> cells{p.parameter};
    add(cells, p.weight);
    cells.push_back(printed("%.1e", p.update_to_weight));
    if (gradients) add(cells, p.gradient);
    table.add(std::move(cells));
  }
  return join({"after step ", s.step, "\n", table.text()});
}

/// Computes no gradients.
struct no_probe {};

/// Computes the gradients of the loss of some samples.
template <class Net>
class gradient_probe {
 public:
  using policy = typename Net::policy_type;
  using program = ready_for<loss_and_gradients_builder<typename Net::model_type>, policy>;

  template <class... Bindings>
  [[gnu::cold]] explicit gradient_probe(Net& net, const Bindings&... bindings)
      : inputs_(sort_bindings<typename Net::model_type, program>(bindings...)),
        memory_(net, description_of<program>),
        program_(checked_plan_of<program>(), policy::template kernels<program>, memory_.for_program()) {
    program_.refuse_empty(inputs_.inputs);
    program_.check(inputs_.inputs, inputs_.known_extents());
    program_.keep(inputs_.inputs);
    for (bound_elements& e : inputs_.inputs) {
      samples_.emplace_back(e.data, e.data + e.count * static_cast<std::int64_t>(size_of(e.type)));
      e.data = samples_.back().data();
    }
  }
  gradient_probe(const gradient_probe&) = delete;
  gradient_probe& operator=(const gradient_probe&) = delete;

  /// Sets the statistics of the gradients, by the names of parameters.
  [[gnu::cold]] void measure(Net& net, std::vector<parameter_statistics>& all) {
    memory_.refresh(net);
    program_.run(inputs_.inputs, inputs_.known_extents());
    const plan_view& plan = *description_of<program>.plan;
    for (std::size_t i = 1; i < plan.outputs.size(); ++i) {
      const run_node& n = plan.nodes[static_cast<std::size_t>(plan.outputs[i].node)];
      std::int64_t count = 1;
      for (int d = 0; d < n.rank; ++d) count *= n.shape[d];
      for (parameter_statistics& p : all)
        if (p.parameter == plan.outputs[i].label->view())
          p.gradient = statistics_of(n.type, program_.output(i), count);
    }
  }

 private:
  bindings_of<program> inputs_;
  std::vector<std::vector<std::byte>> samples_;  // what is bound
  copied_memory<policy> memory_;
  bound_program<typename policy::program> program_;
};

/// What copies of one callback share.
template <class Net, class Probe>
struct statistics_state {
  Net& net;
  statistics_options options;
  std::unique_ptr<Probe> probe;
  std::vector<std::vector<std::byte>> before;  // weights before the step that is looked at
  std::vector<sampled_statistics> samples;

  bool is_looked_at(std::int64_t step) const { return step > 0 && step % options.every == 0; }

  [[gnu::cold]] void keep_weights() {
    const array_view<std::byte* const> data = net.parameter_data();
    before.resize(data.size());
    for (std::size_t i = 0; i < data.size(); ++i)
      before[i].assign(data[i], data[i] + net.parameter_descriptions()[i].bytes());
  }

  [[gnu::cold]] void look() {
    sampled_statistics s{.step = net.steps(), .parameters = {}};
    const array_view<std::byte* const> data = net.parameter_data();
    for (std::size_t i = 0; i < data.size(); ++i) {
      const parameter_description& d = net.parameter_descriptions()[i];
      if (!is_floating(d.type)) continue;
      parameter_statistics p;
      p.parameter = std::string(d.label->view());
      p.weight = statistics_of(d.type, data[i], d.count);
      double change = 0, norm = 0;
      for (std::int64_t k = 0; k < d.count && i < before.size(); ++k) {
        const std::int64_t at = k * static_cast<std::int64_t>(size_of(d.type));
        const double was = read_number(d.type, before[i].data() + at), is = read_number(d.type, data[i] + at);
        change += (is - was) * (is - was);
        norm += was * was;
      }
      p.update_to_weight = norm > 0 ? std::sqrt(change / norm) : 0;
      s.parameters.push_back(std::move(p));
    }
    if constexpr (!std::is_same_v<Probe, no_probe>)
      if (probe) probe->measure(net, s.parameters);
    samples.push_back(std::move(s));
  }
};

}  // namespace detail

/// A callback of fit; see statistics(net, ...). Copies of one share what they have seen.
template <class Net, class Probe>
class training_statistics {
 public:
  [[gnu::cold]] training_statistics(Net& net, const statistics_options& options, std::unique_ptr<Probe> probe)
      : state_(std::make_shared<detail::statistics_state<Net, Probe>>(
            detail::statistics_state<Net, Probe>{net, options, std::move(probe), {}, {}})) {
    if (options.every < 1) throw_error({"statistics: every is ", options.every, "; it must be 1 or more"});
  }

  void on_begin(const fit_progress&) { begin(); }
  void on_step(const fit_progress&) { after_step(); }

  /// In a loop of one's own: before the first step, and after each.
  void begin() {
    if (state_->is_looked_at(state_->net.steps() + 1)) state_->keep_weights();
  }
  TAPELESS_WARM void after_step() {
    if (state_->is_looked_at(state_->net.steps())) state_->look();
    begin();
  }

  /// What was seen, in the order of steps.
  const std::vector<sampled_statistics>& samples() const { return state_->samples; }
  /// What was seen last, as a table; empty before that.
  [[gnu::cold]] std::string table() const {
    if (samples().empty()) return {};
    return detail::statistics_table(samples().back(), !std::is_same_v<Probe, detail::no_probe>);
  }

 private:
  std::shared_ptr<detail::statistics_state<Net, Probe>> state_;
};

/// A callback of fit that looks at a trainer's parameters after every so many steps: their norms, least and
/// largest elements, the share of zeros, and how large the step's change was beside them, which is about 1e-3
/// where training goes well. Where samples are bound, it keeps a copy of them, and also looks at the
/// gradients of their loss, with the parameters as they are after the step.
///
///   auto seen = tl::statistics(net, {.every = 100}, "x"_t = x, "y"_t = y);
///   tl::fit(net, data, {.epochs = 5}, seen);
///   std::puts(seen.table().c_str());
///
/// The trainer must live as long, too. Steps between cost nothing but a comparison.
template <class Net, bindable... Bindings>
TAPELESS_WARM auto statistics(Net& net, const statistics_options& options, const Bindings&... bindings) {
  if constexpr (sizeof...(Bindings) == 0) {
    return training_statistics<Net, detail::no_probe>(net, options, nullptr);
  } else if constexpr (detail::can_check_gradients<Net>()) {
    using probe = detail::gradient_probe<Net>;
    return training_statistics<Net, probe>(net, options, std::make_unique<probe>(net, bindings...));
  }
}

}  // namespace tapeless
