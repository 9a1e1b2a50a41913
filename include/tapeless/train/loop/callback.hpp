// SPDX-License-Identifier: BSL-1.0
// What fit tells its callbacks, and what they can answer.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <tapeless/expr/contract.hpp>
#include <tapeless/train/loop/fit_progress.hpp>
#include <tapeless/train/loop/meter.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless {

class fit_state;
template <class GraphBuilder>
class batch_source;

namespace detail {

/// What is bound in a step of that trainer, as callbacks see it.
template <class Net>
struct batch_of_step {
  using type = void*;
};
template <class Net>
  requires requires { typename Net::step_program; }
struct batch_of_step<Net> {
  using type = batch_source<typename Net::step_program>;
};

template <class Callback, class Net, class Batch>
concept looks_at =
    requires(Callback& c, Net& net, const Batch& b, const fit_progress& p) { c.on_batch(net, b, p); };
template <class Callback, class Net>
concept looks_at_parts = requires { typename Net::accumulate_program; } &&
                         looks_at<Callback, Net, batch_source<typename Net::accumulate_program>>;

/// Has the names of a callback's functions. In a class that derives from a callback too, a name that the
/// callback has is ambiguous, be it that of a template or of overloads, whose address cannot be asked for.
struct names_of_callbacks {
  char on_begin, on_step, on_epoch_end, on_end, on_batch, on_gradients;
};
template <class Callback>
struct names_beside : names_of_callbacks {};  // of what no class can derive from, nothing is asked
template <class Callback>
  requires(std::is_class_v<Callback> && !std::is_final_v<Callback>)
struct names_beside<Callback> : Callback, names_of_callbacks {};

}  // namespace detail

/// What a callback may answer: nothing, or whether the fit goes on.
template <class Answer>
concept fit_answer = std::same_as<Answer, void> || std::same_as<Answer, bool>;

/// The contract of a callback of fit: a metric, or what is told how the fit goes on, or both. It has one or
/// more of
///   on_begin(progress)               before the first step
///   on_step(progress)                after each step; a lambda that takes the progress is called then, too
///   on_epoch_end(progress, report)   after each epoch and its validation
///   on_end(progress)                 after the last step; not where something throws
/// Each may take the trainer in front: on_step(auto& net, progress), [](auto& net, const fit_progress& p).
/// Each returns nothing, or a bool: false stops the fit, once all others have been told of the same.
///
/// Who looks into steps has
///   on_batch(net, batch, progress)   before each step, with what is bound to it: batch.get<"x">(), and
///                                    batch.inputs() for the trainer's calls on sorted bindings. Where fit
///                                    computes batches in parts, before each part, whose `batch` is of
///                                    another type.
///   on_gradients(net, progress)      where fit computes batches in parts, before the update: the gradients
///                                    of the batch, of ranks those of all samples since the last update, are
///                                    in net.collected_gradients(). Not where eager updates on several GPUs
///                                    are parts of the step
/// and answers nothing there.
///
/// A function with one of these names, even of a private base, takes these arguments: another is refused,
/// since it would never be called.
///
/// Who keeps a fit, to go on with it later, has further
///   resume(net, progress)            before all else: here the trainer and the fit may go back to a file
///   between_steps(net, progress)     after each step, when all have been told of it, and of its epoch's end:
///                                    what is kept here goes on bit for bit. It answers nothing.
/// Who has a state that such a fit goes on with has
///   label                            static, its name in the file (a metric has one anyway)
///   state(fit_state& s)              names each number: s("best", best_), s("waited", waited_)
/// and begins anew in on_begin only where the fit was not resumed (progress.resumed).
///
/// Who only shows or writes what others have measured has `static constexpr bool only_shows = true`: of
/// several processes that train together (data_parallel), only rank 0 tells it of the fit.
///
/// Laws: what it throws ends the fit, and leaves the trainer as the last whole step did. A callback is used
/// in its place, never copied: one with a name can be read when fit has returned.
template <class Callback, class Net = error_stub>
struct callback_contract {
  using subject = Callback;
  static constexpr std::string_view noun = "callback of fit";
  static constexpr bool begins = requires(Callback& c, Net& net, const fit_progress& p) {
    { c.on_begin(net, p) } -> fit_answer;
  } || requires(Callback& c, const fit_progress& p) {
    { c.on_begin(p) } -> fit_answer;
  };
  static constexpr bool steps = requires(Callback& c, Net& net, const fit_progress& p) {
    { c.on_step(net, p) } -> fit_answer;
  } || requires(Callback& c, const fit_progress& p) {
    { c.on_step(p) } -> fit_answer;
  };
  static constexpr bool is_called = requires(Callback& c, Net& net, const fit_progress& p) {
    { c(net, p) } -> fit_answer;
  } || requires(Callback& c, const fit_progress& p) {
    { c(p) } -> fit_answer;
  };
  static constexpr bool ends_epochs =
      requires(Callback& c, Net& net, const fit_progress& p, const epoch_report& r) {
        { c.on_epoch_end(net, p, r) } -> fit_answer;
      } || requires(Callback& c, const fit_progress& p, const epoch_report& r) {
        { c.on_epoch_end(p, r) } -> fit_answer;
      };
  static constexpr bool ends = requires(Callback& c, Net& net, const fit_progress& p) {
    { c.on_end(net, p) } -> fit_answer;
  } || requires(Callback& c, const fit_progress& p) {
    { c.on_end(p) } -> fit_answer;
  };
  static constexpr bool keeps =
      requires(Callback& c, Net& net, const fit_progress& p) { c.between_steps(net, p); };
  static constexpr bool takes_gradients =
      requires(Callback& c, Net& net, const fit_progress& p) { c.on_gradients(net, p); };
  static constexpr bool has_state = requires(Callback& c, fit_state& s) { c.state(s); };
  static constexpr bool has_label = requires { std::string_view(Callback::label); };
  using named = detail::names_beside<Callback>;
  static constexpr bool names_begin = !requires { &named::on_begin; } || requires { &Callback::on_begin; };
  static constexpr bool names_step = !requires { &named::on_step; } || requires { &Callback::on_step; };
  static constexpr bool names_epoch_end =
      !requires { &named::on_epoch_end; } || requires { &Callback::on_epoch_end; };
  static constexpr bool names_end = !requires { &named::on_end; } || requires { &Callback::on_end; };
  static constexpr bool names_batch = !requires { &named::on_batch; } || requires { &Callback::on_batch; };
  static constexpr bool names_gradients =
      !requires { &named::on_gradients; } || requires { &Callback::on_gradients; };
  static constexpr bool takes_batches = [] {
    if constexpr (detail::looks_at<Callback, Net, typename detail::batch_of_step<Net>::type>) {
      return true;
    } else if constexpr (names_batch) {  // asked only then, since it needs the program of parts
      return detail::looks_at_parts<Callback, Net>;
    } else {
      return false;
    }
  }();
  static constexpr demand demands[8] = {
      {begins || steps || is_called || ends_epochs || ends || keeps || takes_batches || takes_gradients ||
           is_metric<Callback>,
       "on_begin(progress), on_step(progress) or on_epoch_end(progress, report), a call with the progress, "
       "or "
       "what a metric has; each returns nothing or a bool"},
      {begins || !names_begin, "on_begin(const fit_progress&) with these arguments, void or bool"},
      {steps || !names_step, "on_step(const fit_progress&) with these arguments, void or bool"},
      {ends_epochs || !names_epoch_end,
       "on_epoch_end(const fit_progress&, const epoch_report&) with these arguments, void or bool"},
      {ends || !names_end, "on_end(const fit_progress&) with these arguments, void or bool"},
      {takes_batches || !names_batch,
       "on_batch(auto& net, const auto& batch, const fit_progress&) with these arguments"},
      {takes_gradients || !names_gradients,
       "on_gradients(auto& net, const fit_progress&) with these arguments"},
      {has_label || !has_state, "label, static, by which its state is found again"},
  };
};
template <class Callback, class Net = error_stub>
concept is_callback = is_kept<callback_contract<Callback, Net>>();

namespace detail {

/// What callbacks are told.
enum class fit_event { resume, begin, step, epoch_end, between_steps, end };

/// Whether the fit goes on.
template <class Call>
bool answer_of(Call call) {
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    return true;
  } else {
    return call();
  }
}

/// Tells one callback; whether the fit goes on. `now` is the epoch's report, or unfinished.
template <class Callback, class Net>
bool tell(Callback& c, fit_event when, Net& net, const fit_progress& p, const epoch_report& now) {
  switch (when) {
    case fit_event::resume:
      if constexpr (requires { c.resume(net, p); }) c.resume(net, p);
      break;
    case fit_event::begin:
      if constexpr (requires { c.on_begin(net, p); }) {
        return answer_of([&] { return c.on_begin(net, p); });
      } else if constexpr (requires { c.on_begin(p); }) {
        return answer_of([&] { return c.on_begin(p); });
      }
      break;
    case fit_event::step:
      if constexpr (requires { c.on_step(net, p); }) {
        return answer_of([&] { return c.on_step(net, p); });
      } else if constexpr (requires { c.on_step(p); }) {
        return answer_of([&] { return c.on_step(p); });
      } else if constexpr (requires { c(net, p); }) {
        return answer_of([&] { return c(net, p); });
      } else if constexpr (requires { c(p); }) {
        return answer_of([&] { return c(p); });
      }
      break;
    case fit_event::epoch_end:
      if constexpr (requires { c.on_epoch_end(net, p, now); }) {
        return answer_of([&] { return c.on_epoch_end(net, p, now); });
      } else if constexpr (requires { c.on_epoch_end(p, now); }) {
        return answer_of([&] { return c.on_epoch_end(p, now); });
      }
      break;
    case fit_event::between_steps:
      if constexpr (requires { c.between_steps(net, p); }) c.between_steps(net, p);
      break;
    case fit_event::end:
      if constexpr (requires { c.on_end(net, p); }) {
        return answer_of([&] { return c.on_end(net, p); });
      } else if constexpr (requires { c.on_end(p); }) {
        return answer_of([&] { return c.on_end(p); });
      }
      break;
  }
  return true;
}

}  // namespace detail

}  // namespace tapeless
