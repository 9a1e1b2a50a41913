// SPDX-License-Identifier: BSL-1.0
#include <catch.hpp>
#include <cstdio>
#include <limits>
#include <tapeless/train/loop/observers/progress_bar.hpp>
#include <vector>

namespace tl = tapeless;
using tl::detail::text_of;

namespace {

double now = 0;
double fake_clock() { return now; }

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// What a progress bar writes, in a temporary file.
class output {
 public:
  output() : file_(std::tmpfile()) { REQUIRE(file_ != nullptr); }
  ~output() { std::fclose(file_); }
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  std::FILE* file() const { return file_; }
  std::string text() const {
    std::string all;
    std::rewind(file_);
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) all += static_cast<char>(c);
    return all;
  }

 private:
  std::FILE* file_;
};

/// The lines as they are seen one after the other, without what controls the terminal.
std::vector<std::string> lines_of(std::string text) {
  const std::string clear = "\033[K";
  for (std::size_t i = text.find(clear); i != std::string::npos; i = text.find(clear))
    text.erase(i, clear.size());
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\r' || c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  std::erase(lines, "");
  return lines;
}

tl::report sensible_report() {
  tl::report r;
  r.set("loss", {0.0712345, 0.0012});
  r.set("accuracy", {0.97812, 0.0031});
  return r;
}

/// A whole fit, each of whose steps takes `seconds`.
void play(tl::progress_bar bar, int epochs, std::int64_t steps, double seconds, const tl::report& train,
          const tl::report& validation) {
  tl::fit_progress p{.epochs = epochs, .steps = steps, .train = &train};
  for (p.epoch = 0; p.epoch < epochs; ++p.epoch) {
    for (p.step = 1; p.step <= steps; ++p.step) {
      now += seconds;
      bar.on_step(p);
    }
    p.step = steps;
    bar.on_epoch_end(p, {train, validation});
  }
}

}  // namespace

TEST_CASE("a terminal's line has the epoch, a bar, the measurements and the time left") {
  output out;
  now = 100;
  tl::progress_bar bar(out.file(), true, 80, &fake_clock);
  const tl::report train = sensible_report();
  tl::fit_progress p{.epoch = 0, .epochs = 4, .step = 1, .steps = 100, .train = &train};
  now = 200;  // the first step, which makes the program ready, took long
  bar.on_step(p);
  p.epoch = 1;
  p.step = 51;  // 150 steps later
  now = 215;
  bar.on_step(p);
  const auto lines = lines_of(out.text());
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("ETA ?") != std::string::npos);
  // 400 steps in all, 151 are done, 0.1 s each
  CHECK(lines[1] == "epoch 2/4 [===>  ]  51%  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031  ETA 0:25");
  CHECK(out.text().ends_with("\033[K"));
}

TEST_CASE("the time left counts a shorter last epoch") {
  output out;
  now = 0;
  tl::progress_bar bar(out.file(), true, 80, &fake_clock);
  tl::fit_progress p{.epoch = 0, .epochs = 1, .step = 1, .steps = 11};
  bar.on_step(p);
  now = 50;
  p.step = 6;
  bar.on_step(p);
  CHECK(lines_of(out.text()).back().find("ETA 0:50") != std::string::npos);
}

TEST_CASE("a terminal's line is drawn at most ten times a second") {
  output out;
  now = 0;
  const tl::report train = sensible_report();
  play(tl::progress_bar(out.file(), true, 80, &fake_clock), 1, 10000, 0.001, train, {});
  const auto lines = lines_of(out.text());
  CHECK(lines.size() >= 90);
  CHECK(lines.size() <= 102);
}

TEST_CASE("no line on a terminal is wider than that, or than 80 columns") {
  tl::report huge, long_names, many;
  huge.set("loss", {-1.23456789e300, 1e299});
  huge.set("accuracy", {1.5e-300, 1e-310});
  huge.set("nan", {not_a_number, infinity});
  long_names.set(std::string(200, 'n'), {0.5, 0.1});
  long_names.set("loss", {0.5, 0.1});
  for (int i = 0; i < 30; ++i) many.set("metric" + std::to_string(i), {i * 1e3, 0.001});
  for (const tl::report& r : {sensible_report(), huge, long_names, many, tl::report{}})
    for (const int columns : {0, 1, 2, 5, 10, 20, 40, 60, 79, 80, 81, 500})
      for (const bool terminal : {true, false})
        for (const double seconds : {0.0, 0.5, 1e4, 1e9, 1e300}) {
          output out;
          now = 0;
          const int epochs = seconds > 1 ? 1000000000 : 3;
          const tl::fit_progress p{.epoch = epochs - 1, .epochs = epochs, .step = 7, .steps = 7, .train = &r};
          tl::progress_bar bar(out.file(), terminal, columns, &fake_clock);
          play(bar, 3, 4, seconds, r, r);
          bar.on_step(p);
          bar.on_epoch_end(p, {r, r});
          const int widest = columns > 0 && columns < 80 ? columns : 80;
          for (const std::string& line : lines_of(out.text())) {
            CAPTURE(columns, terminal, seconds, line);
            if (terminal) REQUIRE(tl::detail::columns_of(line) <= widest);
          }
        }
}

TEST_CASE("where measurements do not fit, they lose digits first") {
  using tl::detail::fitted_measurements_text;
  const tl::report r = sensible_report();
  CHECK(fitted_measurements_text(r, 46, false) == "  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031");
  for (const int room : {45, 42})
    CHECK(fitted_measurements_text(r, room, false) == "  loss 0.071+-0.001  accuracy 0.978+-0.003");
  for (const int room : {41, 28})
    CHECK(fitted_measurements_text(r, room, false) == "  loss 0.071  accuracy 0.978");
  CHECK(fitted_measurements_text(r, 27, false) == "  loss 0.071");
  CHECK(fitted_measurements_text(r, 27, true) == "  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031");
}

TEST_CASE("on a terminal, what fits with the fewest digits only is left out from the right") {
  tl::report r = sensible_report();
  r.set("top5 accuracy", {0.99912, 0.00031});
  r.set("f1", {0.5, 0.1});
  output out;
  now = 0;
  tl::progress_bar(out.file(), true, 66, &fake_clock).on_step({.steps = 10, .train = &r});
  const std::string text = out.text();
  CHECK(text.find("accuracy 0.978") != std::string::npos);
  CHECK(text.find("top5") == std::string::npos);
  CHECK(text.find("f1") == std::string::npos);
}

TEST_CASE("no log loses a measurement") {
  tl::report r = sensible_report();
  for (int i = 0; i < 30; ++i) r.set("metric" + std::to_string(i), {i * 1e3, 0.001});
  output out;
  now = 0;
  play(tl::progress_bar(out.file(), false, 0, &fake_clock), 2, 25, 1, r, r);
  const auto lines = lines_of(out.text());
  REQUIRE(lines.size() == 8);
  for (const std::string& line : lines)
    for (const auto& [name, m] : r) CHECK(line.find("  " + name + " " + text_of(m)) != std::string::npos);
}

TEST_CASE("an epoch whose line is a column too long keeps its accuracy") {
  const tl::report r = [] {
    tl::report all;
    all.set("loss", {0.15112, 0.0047});
    all.set("accuracy", {0.94061, 0.0025});
    return all;
  }();
  output out;
  now = 0;
  tl::progress_bar bar(out.file(), false, 0, &fake_clock);
  bar.on_begin({.epochs = 60});
  now = 0.00161;
  bar.on_epoch_end({.epoch = 9, .epochs = 60, .train = &r}, {r, r});
  CHECK(lines_of(out.text()) ==
        std::vector<std::string>{
            "epoch 10/60  train       loss 0.1511+-0.0047  accuracy 0.9406+-0.0025  1.61 ms",
            "             validation  loss 0.1511+-0.0047  accuracy 0.9406+-0.0025"});
}

TEST_CASE("an epoch's end leaves the measurements and the time it took") {
  output out;
  now = 0;
  tl::progress_bar bar(out.file(), true, 80, &fake_clock);
  const tl::report r = sensible_report();
  tl::fit_progress p{.epochs = 2, .step = 10, .steps = 10, .train = &r};
  bar.on_begin(p);
  now = 4.2;
  bar.on_epoch_end(p, {r, {}});
  CHECK(lines_of(out.text()) ==
        std::vector<std::string>{"epoch 1/2  train  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031  4.2 s"});
  CHECK(out.text().ends_with("\033[K\n"));
  p.epoch = 1;
  now = 204.2;
  bar.on_epoch_end(p, {r, r});  // too long for one line
  CHECK(lines_of(out.text()) ==
        std::vector<std::string>{"epoch 1/2  train  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031  4.2 s",
                                 "epoch 2/2  train       loss 0.0712+-0.0012  accuracy 0.9781+-0.0031  3:20",
                                 "           validation  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031"});
}

TEST_CASE("elsewhere there are plain lines: each epoch, and every ten seconds") {
  output out;
  now = 0;
  const tl::report r = sensible_report();
  play(tl::progress_bar(out.file(), false, 0, &fake_clock), 2, 25, 1, r, {});
  const std::string text = out.text();
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.find('\033') == std::string::npos);
  CHECK(text.find('[') == std::string::npos);
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == 6);  // two within each epoch, and its end
  CHECK(lines[0] == "epoch 1/2  44%  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031  ETA 0:39");
  CHECK(lines[2] == "epoch 1/2  train  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031  24 s");
  CHECK(lines[5] == "epoch 2/2  train  loss 0.0712+-0.0012  accuracy 0.9781+-0.0031  25 s");
}

TEST_CASE("a file is no terminal") {
  output out;
  const tl::report r = sensible_report();
  play(tl::progress_bar(out.file()), 2, 3, 0, r, r);
  CHECK(out.text().find('\r') == std::string::npos);
  CHECK(lines_of(out.text()).size() == 4);
}

TEST_CASE("control characters in a name do no harm") {
  tl::report r;
  r.set("a\r\n\033b", {0.5, 0.1});
  output out;
  play(tl::progress_bar(out.file(), false, 0, &fake_clock), 1, 1, 0, r, {});
  CHECK(out.text().find("a???b 0.50+-0.10") != std::string::npos);
}

TEST_CASE("an empty epoch or fit is shown without a division by zero") {
  output out;
  now = 0;
  tl::progress_bar bar(out.file(), true, 80, &fake_clock);
  bar.on_step({.epochs = 0});
  CHECK(lines_of(out.text()).back().find("100%") != std::string::npos);
}

TEST_CASE("one object can watch several fits") {
  output out;
  now = 0;
  tl::progress_bar bar(out.file(), false, 0, &fake_clock);
  const tl::report r = sensible_report();
  tl::fit_progress p{.step = 1, .steps = 2, .train = &r};
  for (int fit = 0; fit < 2; ++fit) {
    bar.on_begin(p);
    p.step = 1;
    bar.on_step(p);
    now += 3;
    p.step = 2;
    bar.on_step(p);
    bar.on_epoch_end(p, {r, {}});
    now += 1000;
  }
  for (const std::string& line : lines_of(out.text())) CHECK(line.ends_with("  3 s"));
}
