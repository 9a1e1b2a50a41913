// SPDX-License-Identifier: BSL-1.0
// What ends a fit: a limit of time or of updates, Ctrl-C or SIGTERM, a loss that is no number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>
#include <tapeless/train/loop/fit_loop.hpp>

namespace tapeless {

struct stop_after_options {
  double seconds = above_all<double>;                               ///< of this call of fit
  std::int64_t updates = std::numeric_limits<std::int64_t>::max();  ///< of the trainer, in all its fits
};

/// A callback of fit that ends it after the step in which a limit is reached: the one that a job's time sets,
/// say. A fit that goes on from a checkpoint has its seconds anew.
class stop_after {
 public:
  explicit stop_after(stop_after_options o) : limits_(o) {
    if (!(o.seconds >= 0))
      throw_error(
          {"stop_after: seconds is ", detail::number_text(o.seconds).digits, "; it must be 0 or more"});
    if (o.updates < 0) throw_error({"stop_after: updates is ", o.updates, "; it must be 0 or more"});
  }
  bool on_begin(const fit_progress& p) const { return p.updates < limits_.updates; }
  bool on_step(const fit_progress& p) const {
    return p.seconds < limits_.seconds && p.updates < limits_.updates;
  }

 private:
  stop_after_options limits_;
};

/// A callback of fit: Ctrl-C (SIGINT) or SIGTERM ends the fit after the current step, and fit returns; the
/// second of a kind does what it does without. history.interrupted() tells. See interruption; checkpoint does
/// the same.
class stop_on_interrupt {
 public:
  void on_begin(const fit_progress& p) const { p.loop->stop_on_interrupt(); }
};

/// A callback of fit that ends it by an error where a batch's loss is infinite or no number: which step it
/// was, and which samples were in the batch. The update of that step has been made.
class stop_on_nonfinite {
 public:
  void on_step(const fit_progress& p) const {
    if (!std::isfinite(p.loss)) [[unlikely]]
      refuse(p);
  }

 private:
  [[noreturn]] TAPELESS_COLD static void refuse(const fit_progress& p) {
    constexpr std::size_t most = 16;
    std::string samples;
    for (std::size_t i = 0; i < std::min(p.samples.size(), most); ++i)
      append(samples, {i == 0 ? "" : ", ", p.samples[i]});
    if (p.samples.size() > most) append(samples, {" and ", p.samples.size() - most, " more"});
    throw_error({"fit: the loss of step ", p.step, " of epoch ", p.epoch + 1, ", after which there are ",
                 p.updates, " updates, is ",
                 std::isnan(p.loss) ? "nan"
                 : p.loss > 0       ? "inf"
                                    : "-inf",
                 "; the batch has the samples number ", samples});
  }
};

}  // namespace tapeless
