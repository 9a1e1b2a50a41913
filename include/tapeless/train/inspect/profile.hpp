// SPDX-License-Identifier: BSL-1.0
// profile(net, bindings...), profiler: how long each kernel of a step takes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/inspect/copied_memory.hpp>
#include <tapeless/train/inspect/described_net.hpp>
#include <tapeless/train/inspect/kernel_text.hpp>
#include <tapeless/train/inspect/step_profile.hpp>
#include <tapeless/train/loop/callback.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/inputs_without_elements.hpp>

namespace tapeless {

struct profile_options {
  int steps = 30;          ///< that are measured
  machine_peak peak = {};  ///< what kernels are compared with; measured where nothing is given
};

namespace detail {

/// Looks at the clock before and after each kernel.
class kernel_clock {
 public:
  void before(std::size_t command) const { add(command, steady_seconds()); }
  void after(std::size_t) const { calls_.back().end = steady_seconds(); }
  void clear() { calls_.clear(); }
  const std::vector<traced_call>& calls() const { return calls_; }

 private:
  mutable std::vector<traced_call> calls_;
  void add(std::size_t command, double begin) const {
    calls_.push_back({static_cast<int>(command), begin, begin});
  }
};

TAPELESS_COLD inline double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The kernels of a program, without their times.
template <class Program>
TAPELESS_COLD std::vector<profiled_kernel> kernels_to_profile(const described_program& program,
                                                              const Program& prepared) {
  std::vector<bound_extent> extents;
  for (std::size_t k = 0; k < program.plan->extents.size(); ++k)
    if (const derived_extent& e = program.plan->extents[k]; e.kind == extent_kind::symbol)
      extents.push_back({e.symbol, prepared.extent(-1 - static_cast<std::int64_t>(k)), nullptr});
  const known_extents known{program.plan->extents, extents};
  const program_layers layers(program);
  std::vector<profiled_kernel> kernels;
  for (described_kernel& d : describe_kernels(program, layers, known)) {
    profiled_kernel k;
    k.command = static_cast<int>(kernels.size());
    k.kind = std::move(d.kind);
    k.operations = std::move(d.operations);
    k.shape = std::move(d.shape);
    k.phase = name_of(d.part);
    if (d.layer >= 0) k.layer = layers.names()[static_cast<std::size_t>(d.layer)];
    k.flops = d.flops.constant();
    k.bytes = d.bytes_read.constant() + d.bytes_written.constant();
    kernels.push_back(std::move(k));
  }
  return kernels;
}

/// Sets the times from the calls of some steps. What is no kernel, or runs together with one before it, goes.
TAPELESS_COLD inline void set_times(step_profile& p, const std::vector<std::vector<traced_call>>& steps) {
  std::vector<std::vector<double>> seconds(p.kernels.size());
  for (const std::vector<traced_call>& step : steps) {
    std::vector<double> sums(p.kernels.size());
    for (const traced_call& c : step) sums[static_cast<std::size_t>(c.kernel)] += c.end - c.begin;
    for (std::size_t k = 0; k < sums.size(); ++k) seconds[k].push_back(sums[k]);
  }
  for (const traced_call& c : steps.back()) ++p.kernels[static_cast<std::size_t>(c.kernel)].calls;
  std::vector<int> place(p.kernels.size(), -1);
  std::vector<profiled_kernel> kernels;
  for (std::size_t k = 0; k < p.kernels.size(); ++k) {
    profiled_kernel& from = p.kernels[k];
    if (from.calls == 0 && !kernels.empty()) {  // at once with the one before
      kernels.back().flops += from.flops;
      kernels.back().bytes += from.bytes;
    }
    if (from.calls == 0) continue;
    from.seconds = median_of(seconds[k]);
    place[k] = static_cast<int>(kernels.size());
    kernels.push_back(std::move(from));
  }
  p.kernels = std::move(kernels);
  for (const traced_call& c : steps.back())
    p.trace.push_back({place[static_cast<std::size_t>(c.kernel)], c.begin - steps.back().front().begin,
                       c.end - steps.back().front().begin});
}

/// Whether a trainer's step can be profiled; the compiler is stopped where not.
template <class Net>
constexpr bool can_profile() {
  if constexpr (std::derived_from<Net, error_stub>) {
    return false;  // its model's error has been reported
  } else {
    constexpr bool has_step = requires { typename Net::step_program; };
    static_assert(
        has_step,
        "tapeless: profile measures a trainer's step; a trainer with several losses has several, and "
        "a function has none");
    if constexpr (has_step) {
      constexpr bool is_observed = can_be_observed<typename Net::policy_type::program>;
      static_assert(
          is_observed,
          "tapeless: profile looks at the clock between kernels, and this policy starts all of them at "
          "once: profile a trainer on tl::cpu{}, or use the profiler of the device");
      return is_observed;
    }
    return false;
  }
}

template <class Policy>
machine_peak peak_for(const machine_peak& given, const Policy& policy) {
  if (given.flops > 0 || given.bandwidth > 0) return given;
  if constexpr (requires { policy.threads; }) return measure_peak(policy.threads);
  return {};
}

/// The profile of a step on inputs that are sorted already. Precondition: can_profile<Net>().
template <class Net>
TAPELESS_WARM step_profile profile_on(Net& net, const profile_options& options,
                                      const bindings_of<typename Net::step_program>& inputs) {
  using program = typename Net::step_program;
  using policy = typename Net::policy_type;
  using observed = observed_program<typename policy::program, kernel_clock>;
  if (options.steps < 1) throw_error({"profile: steps is ", options.steps, "; it must be 1 or more"});
  const described_program& description = description_of<program>;
  copied_memory<policy> memory(net, description);
  kernel_clock clock;
  bound_program<observed> timed(checked_plan_of<program>(), policy::template kernels<program>,
                                memory.for_program(), clock);
  bound_program<typename policy::program> plain(checked_plan_of<program>(), policy::template kernels<program>,
                                                memory.for_program());
  make_observable<policy, program>(timed.program());
  timed.refuse_empty(inputs.inputs, inputs_without_elements<program>);
  timed.run(inputs.inputs, inputs.known_extents());  // makes it ready, and is not counted
  plain.run(inputs.inputs, inputs.known_extents());
  std::vector<std::vector<traced_call>> steps;
  std::vector<double> seconds;
  for (int i = 0; i < options.steps; ++i) {
    clock.clear();
    timed.run(inputs.inputs, inputs.known_extents());
    steps.push_back(clock.calls());
    const double begin = steady_seconds();
    plain.run(inputs.inputs, inputs.known_extents());
    seconds.push_back(steady_seconds() - begin);
  }
  step_profile p;
  p.kernels = kernels_to_profile(description, timed.program());
  set_times(p, steps);
  p.seconds = median_of(seconds);
  p.steps = options.steps;
  p.peak = peak_for(options.peak, net.shared_weights()->policy);
  return p;
}

}  // namespace detail

/// Runs the next step some times on copies of a trainer's parameters and states, and measures each kernel:
/// the trainer stays as it is. What comes back prints as a table and as a trace for Chrome or Perfetto:
///
///   const auto p = tl::profile(net, "x"_t = x, "y"_t = y);
///   std::puts(p.table().c_str());
///   p.save_trace("step.json");
///
/// Where the policy is tl::cpu, kernels are compared with what the machine reaches in a matrix product and in
/// a copy of memory, or with the peak that is given. Steps that are not profiled have no clocks in them.
///
/// Throws the error that a step would throw because of what is bound.
template <class Net, bindable... Bindings>
step_profile profile(Net& net, const profile_options& options, const Bindings&... bindings) {
  if constexpr (detail::can_profile<Net>()) {
    using program = typename Net::step_program;
    return detail::profile_on(net, options,
                              detail::sort_bindings<typename Net::model_type, program>(bindings...));
  } else {
    return {};
  }
}
template <class Net, bindable... Bindings>
step_profile profile(Net& net, const Bindings&... bindings) {
  return profile(net, profile_options(), bindings...);
}

struct profiler_options {
  std::int64_t every = 0;  ///< updates from one profile to the next; 0: the first batch alone
  int steps = 30;          ///< as in profile_options
  machine_peak peak = {};
};

/// A callback of fit that profiles the step on the batch which is being trained on: the first one that it is
/// told of, and each after `every` further updates.
///
///   tl::profiler timed;
///   tl::fit(net, data, {.epochs = 5}, timed);
///   std::puts(timed.profiles()[0].table().c_str());
///
/// A profile takes the time of 2 + 2 * steps steps, on copies: what is trained is the same without it, bit
/// for bit. The peak of the machine is measured once, which takes about a second.
class profiler {
 public:
  /// Throws an error where a number makes no sense.
  TAPELESS_COLD explicit profiler(const profiler_options& options = {}) : options_(options) {
    if (options.every < 0) throw_error({"profiler: every is ", options.every, "; it must be 0 or more"});
    if (options.steps < 1) throw_error({"profiler: steps is ", options.steps, "; it must be 1 or more"});
  }

  template <class Net, class Batch>
  void on_batch(Net& net, const Batch& batch, const fit_progress&) {
    if constexpr (detail::can_profile<Net>()) {
      constexpr bool is_whole = std::is_same_v<Batch, typename detail::batch_of_step<Net>::type>;
      static_assert(is_whole,
                    "tapeless: profiler measures a step, but fit computes its batches in parts "
                    "(physical_batch): leave one of the two out");
      if constexpr (is_whole) {
        const bool is_due = profiles_.empty() || (options_.every > 0 && net.steps() >= next_);
        if (!is_due) return;
        next_ = net.steps() + options_.every;
        profiles_.push_back(detail::profile_on(net, {options_.steps, options_.peak}, batch.inputs()));
        options_.peak = profiles_.back().peak;
      }
    }
  }

  /// What was measured, in the order of steps.
  const std::vector<step_profile>& profiles() const { return profiles_; }

 private:
  profiler_options options_;
  std::int64_t next_ = 0;  // the number of updates after which the next one is due
  std::vector<step_profile> profiles_;
};

}  // namespace tapeless
