// SPDX-License-Identifier: BSL-1.0
// statistics: a callback of fit that looks at weights, their updates and gradients.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/train/inspect/gradient_probe.hpp>
#include <tapeless/train/inspect/text_table.hpp>
#include <tapeless/train/loop/callback.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

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
  element_statistics weight;    ///< after the step
  element_statistics gradient;  ///< that the step was made with; 0 where none is computed
  double update_to_weight = 0;  ///< |change in the step| / |weight before it|; 0 where that was 0
};

/// Of all parameters, after a step.
struct sampled_statistics {
  std::int64_t step = 0;       ///< the number of updates so far
  bool has_gradients = false;  ///< whether somebody gave the batch
  std::vector<parameter_statistics> parameters;
};

struct statistics_options {
  std::int64_t every = 100;  ///< steps
};

namespace detail {

TAPELESS_COLD inline element_statistics statistics_of(element type, const std::byte* data,
                                                      std::int64_t count) {
  element_statistics s;
  std::int64_t zeros = 0;
  double squares = 0;
  s.least = above_all<double>;
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

TAPELESS_COLD inline std::string statistics_table(const sampled_statistics& s) {
  const bool gradients = s.has_gradients;
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

/// |is - was| / |was|; 0 where that was 0.
TAPELESS_COLD inline double relative_change(const parameter_description& d, const std::byte* was,
                                            const std::byte* is) {
  double change = 0, norm = 0;
  for (std::int64_t k = 0; k < d.count; ++k) {
    const std::int64_t at = k * static_cast<std::int64_t>(size_of(d.type));
    const double before = read_number(d.type, was + at), now = read_number(d.type, is + at);
    change += (now - before) * (now - before);
    norm += before * before;
  }
  return norm > 0 ? std::sqrt(change / norm) : 0;
}

}  // namespace detail

/// A callback of fit that looks at a trainer's parameters after every so many updates: their norms, least and
/// largest elements, the share of zeros, and how large the step's change was beside them, which is about 1e-3
/// where training goes well. It looks at the gradients of the batch that the step was made with, too.
///
///   tl::statistics seen({.every = 100});
///   tl::fit(net, data, {.epochs = 5}, seen);
///   std::puts(seen.table().c_str());
///
/// A step consumes its gradients in the kernels of its update, so that they are computed once more, on
/// copies: a step that is looked at takes another forward and backward pass, one in `every`. Where fit
/// computes batches in parts (physical_batch) the gradients are there, and are only read; they are times the
/// loss scale then, where there is one. Of a rule that takes the gradients of several batches, accumulate(n,
/// rule), they are those of the last one. What is trained is the same without it, bit for bit. Steps between
/// cost nothing but a comparison.
///
/// In a loop of one's own:
///   seen.before_step(net, "x"_t = x, "y"_t = y);
///   net.step("x"_t = x, "y"_t = y);
///   seen.after_step(net);
/// Where nothing is bound, it looks at parameters alone.
class statistics {
 public:
  /// Throws an error where no step would be looked at.
  TAPELESS_COLD explicit statistics(const statistics_options& options = {}) : options_(options) {
    if (options.every < 1) throw_error({"statistics: every is ", options.every, "; it must be 1 or more"});
  }

  template <class Net, bindable... Bindings>
  void before_step(Net& net, const Bindings&... bindings) {
    if (!begin(net)) return;
    if constexpr (sizeof...(Bindings) > 0)
      if constexpr (detail::can_probe_gradients<Net>()) {
        using program = typename detail::gradient_probe<Net>::program;
        probe(net, detail::sort_bindings<typename Net::model_type, program>(bindings...));
      }
  }
  template <class Net>
  void after_step(Net& net) {
    if (looked_at_ != 0 && looked_at_ == net.steps()) look(net);
  }

  // As a callback.
  template <class Net>
  void on_batch(Net& net, const typename detail::batch_of_step<Net>::type& batch, const fit_progress&) {
    if (!begin(net)) return;
    if constexpr (detail::can_probe_gradients<Net>())
      probe(net, detail::bindings_from<typename detail::gradient_probe<Net>::program>(batch.inputs()));
  }
  template <class Net>
  void on_gradients(Net& net, const fit_progress&) {
    if (!begin(net)) return;
    const auto data = net.collected_gradients();
    const auto descriptions = Net::gradient_descriptions();
    for (std::size_t i = 0; i < data.size(); ++i)
      add_gradient(descriptions[i].label->view(), descriptions[i].type, data[i], descriptions[i].count);
  }
  template <class Net>
  void on_step(Net& net, const fit_progress&) {
    after_step(net);
  }

  /// What was seen, in the order of steps.
  const std::vector<sampled_statistics>& samples() const { return samples_; }
  /// What was seen last, as a table; empty before that.
  TAPELESS_COLD std::string table() const {
    return samples().empty() ? std::string() : detail::statistics_table(samples().back());
  }

 private:
  statistics_options options_;
  sole_owner<detail::some_gradient_probe> probe_;
  const char* trainer_ = nullptr;               // that the probe is for
  std::int64_t looked_at_ = 0;                  // the number of updates after the step that is looked at
  std::vector<std::vector<std::byte>> before_;  // weights before it
  std::vector<parameter_statistics> gradients_;
  std::vector<sampled_statistics> samples_;

  // Whether the step to come is looked at; its weights are kept then.
  template <class Net>
  bool begin(Net& net) {
    if ((net.steps() + 1) % options_.every != 0) return false;
    looked_at_ = net.steps() + 1;
    gradients_.clear();
    keep(Net::parameter_descriptions(), net.parameter_data());
    return true;
  }

  TAPELESS_COLD void keep(array_view<const parameter_description> all, array_view<std::byte* const> data) {
    before_.resize(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) before_[i].assign(data[i], data[i] + all[i].bytes());
  }

  template <class Net>
  TAPELESS_COLD void probe(Net& net,
                           const bindings_of<typename detail::gradient_probe<Net>::program>& inputs) {
    using own_probe = detail::gradient_probe<Net>;
    if (trainer_ != &own_probe::mark) {
      probe_.reset(new own_probe(net));
      trainer_ = &own_probe::mark;
    }
    static_cast<own_probe&>(*probe_).run(
        net, inputs, [this](std::string_view name, element type, const std::byte* data, std::int64_t count) {
          add_gradient(name, type, data, count);
        });
  }

  TAPELESS_COLD void add_gradient(std::string_view name, element type, const std::byte* data,
                                  std::int64_t count) {
    gradients_.emplace_back().parameter = name;
    gradients_.back().gradient = detail::statistics_of(type, data, count);
  }

  template <class Net>
  TAPELESS_COLD void look(Net& net) {
    look_at(Net::parameter_descriptions(), net.parameter_data());
  }

  TAPELESS_COLD void look_at(array_view<const parameter_description> all, array_view<std::byte* const> data) {
    sampled_statistics s{.step = looked_at_, .has_gradients = !gradients_.empty(), .parameters = {}};
    looked_at_ = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
      const parameter_description& d = all[i];
      if (!is_floating(d.type)) continue;
      parameter_statistics p;
      p.parameter = std::string(d.label->view());
      p.weight = detail::statistics_of(d.type, data[i], d.count);
      p.update_to_weight = detail::relative_change(d, before_[i].data(), data[i]);
      for (const parameter_statistics& g : gradients_)
        if (g.parameter == p.parameter) p.gradient = g.gradient;
      s.parameters.push_back(std::move(p));
    }
    samples_.push_back(std::move(s));
  }
};

}  // namespace tapeless
