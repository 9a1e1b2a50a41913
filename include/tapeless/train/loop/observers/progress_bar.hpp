// SPDX-License-Identifier: BSL-1.0
// progress_bar: shows on a terminal, or in a log file, how a fit goes.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

#include <tapeless/clock.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/fit_progress.hpp>
#include <tapeless/train/loop/measurement_text.hpp>

namespace tapeless {

namespace detail {

/// "  name mean+-uncertainty" for as many measurements, from the left, as fit into `room` columns.
TAPELESS_COLD inline std::string measurements_text(const report& r, int room, int digits) {
  std::string text;
  for (const auto& [name, m] : r) {
    std::string one = join({"  ", name, " ", text_of(m, digits)});
    for (char& c : one)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    room -= columns_of(one);
    if (room < 0) break;
    text += one;
  }
  return text;
}

/// All measurements in `room` columns, with as many digits as there is room for. Where even short numbers do
/// not fit, the last measurements are left out, or, with `all`, the text is as long as it has to be.
TAPELESS_COLD inline std::string fitted_measurements_text(const report& r, int room, bool all) {
  constexpr int unlimited = 1 << 30;
  for (const int digits : {2, 1, 0})
    if (std::string text = measurements_text(r, unlimited, digits); columns_of(text) <= room) return text;
  return all ? measurements_text(r, unlimited, 2) : measurements_text(r, room, 0);
}

/// Whether a line on this stream can be drawn again.
TAPELESS_WARM inline bool is_terminal(std::FILE* out) {
#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
  const char* kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) != "dumb" && ::isatty(::fileno(out)) == 1;
#else
  return static_cast<void>(out), false;
#endif
}

/// The terminal's width, or 0 where it is not known.
TAPELESS_COLD inline int terminal_columns(std::FILE* out) {
#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
  winsize size{};
  if (::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0) return size.ws_col;
#endif
  return static_cast<void>(out), 0;
}

}  // namespace detail

/// A callback of fit. On a terminal it draws one line again and again, with the epoch, a bar, the training
/// measurements so far and the estimated time until the fit ends. Elsewhere it writes plain lines. At an
/// epoch's end the measurements stay. Where they do not fit into 80 columns, or the terminal's width, they
/// are shown with fewer digits. What still does not fit is left out on a terminal, and makes a longer line
/// elsewhere.
class progress_bar {
 public:
  static constexpr bool only_shows = true;

  /// Seconds since any fixed moment.
  using clock_function = double (*)();

  explicit progress_bar(std::FILE* out = stderr) : progress_bar(out, detail::is_terminal(out)) {}
  /// `columns` is the terminal's width; 0: ask it.
  progress_bar(std::FILE* out, bool terminal, int columns = 0, clock_function now = &detail::steady_seconds)
      : out_(out), terminal_(terminal), columns_(columns), now_(now) {}

  /// Before the first step.
  void on_begin(const fit_progress&) {
    begin_epoch(now_());
    has_first_ = false;
  }

  /// After each step.
  void on_step(const fit_progress& p) {
    const double now = now_();
    if (!has_first_ || (p.epoch == 0 && p.step <= 1)) {  // a fit that is resumed has it later
      if (!begun_) begin_epoch(now);
      has_first_ = true;
      // The first step made the program ready: it says little about the others.
      first_ = now;
      done_at_first_ = done(p);
    }
    if (now - last_line_ < (terminal_ ? 0.1 : 10)) return;
    last_line_ = now;
    draw(p, now);
  }

  /// After an epoch and its validation.
  TAPELESS_WARM void on_epoch_end(const fit_progress& p, const epoch_report& r) { end_epoch(p, r); }

 private:
  std::FILE* out_;
  bool terminal_;
  int columns_;
  clock_function now_;
  bool begun_ = false, has_first_ = false;
  double begin_ = 0;          // of this epoch
  double first_ = 0;          // when the fit's first step was done
  double done_at_first_ = 0;  // steps
  double last_line_ = -1e300;

  template <class = compiled_once>
  TAPELESS_COLD void draw(const fit_progress& p, double now);

  template <class = compiled_once>
  TAPELESS_COLD void end_epoch(const fit_progress& p, const epoch_report& r);

  void begin_epoch(double now) {
    begun_ = true;
    begin_ = now;
    if (!terminal_) last_line_ = now;
  }

  // The last column stays free: some terminals go to the next line as soon as it is written.
  int width() const {
    int columns = columns_ > 0 ? columns_ : terminal_ ? detail::terminal_columns(out_) : 80;
    if (columns <= 0) columns = 80;
    return std::min(columns, 80) - 1;
  }

  static double done(const fit_progress& p) {
    return static_cast<double>(p.epoch) * static_cast<double>(p.steps) + static_cast<double>(p.step);
  }

  TAPELESS_COLD static std::string epoch_text(const fit_progress& p) {
    return detail::printed("epoch %d/%d", p.epoch + 1, p.epochs);
  }

  // Seconds until the end, if all steps take as long as those since the first one did on average.
  double seconds_left(const fit_progress& p, double now) const {
    const double steps = done(p), left = static_cast<double>(p.epochs) * static_cast<double>(p.steps) - steps;
    if (left <= 0) return 0;
    return steps > done_at_first_ ? (now - first_) / (steps - done_at_first_) * left : -1;
  }

  /// epoch 2/5 [=====>     ]  50%  loss 0.0712+-0.0012  ETA 0:12
  TAPELESS_COLD std::string bar_line(const fit_progress& p, double now) const {
    constexpr int shortest = 5, longest = 20;
    const int all = width();
    const double share = p.steps > 0 ? static_cast<double>(p.step) / static_cast<double>(p.steps) : 1;
    const std::string head = epoch_text(p);
    const std::string percent = detail::printed(" %3d%%", static_cast<int>(100 * share));
    const std::string left = join({"  ETA ", detail::clock_text(seconds_left(p, now))});
    const int fixed = detail::columns_of(join({head, percent, left}));
    const int frame = terminal_ ? 3 : 0;  // " [" and "]"; a log shows no bar
    const int room = all - fixed - frame - (terminal_ ? shortest : 0);
    if (room < 0 && terminal_) return short_line(head, percent, left, all);
    const std::string numbers =
        p.train == nullptr ? "" : detail::fitted_measurements_text(*p.train, room, !terminal_);
    const int length = std::min(longest, all - fixed - frame - detail::columns_of(numbers));
    return join({head, terminal_ ? bar(share, length) : "", percent, numbers, left});
  }

  // Where there is no room for a bar.
  TAPELESS_COLD static std::string short_line(const std::string& head, const std::string& percent,
                                              const std::string& left, int all) {
    std::string line = head;
    for (const std::string* more : {&percent, &left})
      if (detail::columns_of(line) + detail::columns_of(*more) <= all) append(line, {*more});
    return line.substr(0, static_cast<std::size_t>(std::max(all, 0)));
  }

  TAPELESS_COLD static std::string bar(double share, int length) {
    const auto all = static_cast<std::size_t>(length);
    const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * length);
    std::string inside(all, ' ');
    for (std::size_t i = 0; i < full; ++i) inside[i] = '=';
    if (full < all) inside[full] = '>';
    return join({" [", inside, "]"});
  }

  TAPELESS_COLD std::string line_of(std::string_view head, const report& r, std::string_view tail) const {
    const int all = width(), room = all - detail::columns_of(head) - detail::columns_of(tail);
    const std::string numbers = detail::fitted_measurements_text(r, std::max(room, 0), !terminal_);
    const std::string line = join({head, numbers, tail});
    return room < 0 && terminal_ ? line.substr(0, static_cast<std::size_t>(std::max(all, 0))) : line;
  }

  TAPELESS_COLD void write(std::string_view before, std::string_view text, std::string_view after) const {
    const std::string line = join({before, text, after});
    std::fwrite(line.data(), 1, line.size(), out_);
    std::fflush(out_);
  }
};

template <class>
void progress_bar::draw(const fit_progress& p, double now) {
  if (terminal_) {
    write("\r", bar_line(p, now), "\033[K");
  } else {
    write("", bar_line(p, now), "\n");
  }
}

template <class>
void progress_bar::end_epoch(const fit_progress& p, const epoch_report& r) {
  const double now = now_();
  const std::string_view before = terminal_ ? "\r" : "", after = terminal_ ? "\033[K\n" : "\n";
  const std::string head = epoch_text(p), indent(static_cast<std::size_t>(detail::columns_of(head)), ' ');
  const std::string time = join({"  ", detail::duration_text(now - begin_)});
  constexpr int unlimited = 1 << 30, digits = 2;
  const std::string both = join({head, "  train", detail::measurements_text(r.train, unlimited, digits),
                                 r.validation.empty() ? "" : "  validation",
                                 detail::measurements_text(r.validation, unlimited, digits), time});
  if (detail::columns_of(both) <= width()) {
    write(before, both, after);
  } else {
    write(before, line_of(join({head, "  train     "}), r.train, time), after);
    if (!r.validation.empty())
      write(before, line_of(join({indent, "  validation"}), r.validation, ""), after);
  }
  begin_epoch(now);
  begun_ = p.epoch + 1 < p.epochs;  // another fit may use this object
}

}  // namespace tapeless
