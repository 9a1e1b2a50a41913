// SPDX-License-Identifier: BSL-1.0
// fit: the ready-made loop over a data set.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>

#include <tapeless/data/source.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/made_later.hpp>
#include <tapeless/train/loop/fit_history.hpp>
#include <tapeless/train/loop/fit_loop_of.hpp>
#include <tapeless/train/loop/fit_options.hpp>
#include <tapeless/train/loop/fit_programs.hpp>

namespace tapeless {

namespace detail {

template <bool InParts, class Net, class Options, class... Callbacks>
TAPELESS_WARM fit_history run_fit(Net& net, const data::source& from, const Options& options,
                                  Callbacks&... callbacks) {
  if constexpr (can_fit<InParts, Net, Callbacks...>()) {
    check_options(all_options(options), from);
    std::tuple<Callbacks&...> all(callbacks...);
    using fit_of_all = fit_loop_of<Net, InParts, Callbacks...>;
    if constexpr (is_one_of_several<Net>) {
      return net.group().or_broken([&] {
        const auto alone = net.keep_others_out();
        made_later<fit_of_all> f;
        net.group().together("the start of fit", 0, [&] { f.emplace(net, from, all_options(options), all); });
        return f->run();
      });
    } else {
      const auto alone = net.keep_others_out();
      return fit_of_all(net, from, all_options(options), all).run();
    }
  } else {
    return {};
  }
}

}  // namespace detail

/// Trains on a data set whose columns are named like the model's inputs, in batches in random order.
/// Callbacks are metrics, observers, or a lambda that takes a fit_progress. Metrics, such as accuracy, are
/// measured on the training batches as they go by and on those for validation; progress_bar is an observer.
/// Any of them may stop the fit, see callback_contract. They are used in their place: what a metric with a
/// name has measured last can be read afterwards. Returns a report for each epoch; if `steps` is given, for
/// each tenth of the steps, or each pass over the data if that is shorter.
///
/// A fit goes on where the trainer's last one stopped, also from a checkpoint: two fits of two epochs are one
/// of four, bit for bit. A pass goes over all samples once, and passes are counted over all fits of the
/// trainer. The order of the samples in pass k depends on `seed` and k, the choice of those held back on
/// `split_seed` alone. If the last fit stopped in the middle of a pass that had as many batches, this one
/// makes the rest of that pass as its first epoch; otherwise it begins the next pass. With start_epoch it
/// begins with the pass of that number. To resume an interrupted fit as the same fit, give both the callback
/// checkpoint.
///
/// A fit is one call of the trainer: from its begin to its end other threads' calls are errors. Its callbacks
/// may call the trainer.
///
/// Throws an error if the data do not fit the model. What throws, callbacks too, leaves the trainer as the
/// last whole step did; on a GPU, running statistics may have seen a batch's first parts.
template <class Net, class... Callbacks>
fit_history fit(Net& net, const data::source& from, const fit_options& options, Callbacks&&... callbacks) {
  return detail::run_fit<false>(net, from, options, callbacks...);
}
/// The same, where `physical_batch` is given: larger batches are computed in parts of that size, whose
/// gradients are added up before the update. The loss may be a mean, a sum or a weighted mean of samples, see
/// loss_over_samples; of any other, parts count by their samples.
template <class Net, class Options = fit_in_parts_options, class... Callbacks>
  requires std::same_as<Options, fit_in_parts_options>
fit_history fit(Net& net, const data::source& from, const Options& options, Callbacks&&... callbacks) {
  return detail::run_fit<true>(net, from, options, callbacks...);
}

// Inputs and targets without the names that the model has for them.
template <class Net, class X, class Y>
  requires(!std::is_convertible_v<const Y&, const fit_options&> && !std::same_as<Y, fit_in_parts_options>)
fit_history fit(Net&, const X&, const Y&, const fit_options& = {}) {
  static_assert(
      std::is_void_v<Y>,
      "tapeless: fit takes one data set, whose columns are named like the inputs: data::dataset all; "
      "all.add(\"x\", {2}, x).add(\"y\", {}, y); fit(net, all, options)");
  return {};
}

}  // namespace tapeless
