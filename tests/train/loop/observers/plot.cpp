// SPDX-License-Identifier: BSL-1.0
// plot and curves_svg: axes, what is drawn of odd numbers, and when the file is written.
#include <tapeless/train/loop/observers/plot.hpp>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using test::bytes_of;
using test::contains;
using tl::detail::axis_of;
using tl::detail::plot_axis;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string labels_of(const std::vector<tl::detail::plot_tick>& ticks) {
  std::string text;
  for (const auto& t : ticks) text += (text.empty() ? "" : " ") + t.label;
  return text;
}

std::string ticks_of(double low, double high, int most = 5) {
  return labels_of(plot_axis{low, high}.ticks(most));
}

std::string logarithmic_ticks_of(double low, double high, int most = 5) {
  return labels_of(plot_axis{low, high, true}.ticks(most));
}

int count(const std::string& text, std::string_view part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::vector<tl::epoch_report> losses(const std::vector<double>& train, double uncertainty = 0) {
  std::vector<tl::epoch_report> history;
  for (const double x : train) history.emplace_back().train.set("loss", {x, uncertainty});
  return history;
}

/// Whether every element of the text that begins also ends, and no number is none.
void check_svg(const std::string& text) {
  REQUIRE(text.starts_with("<svg "));
  REQUIRE(text.ends_with("</svg>\n"));
  int depth = 0;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    REQUIRE(end != std::string::npos);
    if (text[at + 1] == '/') {
      --depth;
    } else if (text[end - 1] != '/') {
      ++depth;
    }
    REQUIRE(depth >= 0);
  }
  CHECK(depth == 0);
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("inf") == std::string::npos);
}

}  // namespace

TEST_CASE("numbers stand at round places") {
  CHECK(ticks_of(0, 1) == "0 0.2 0.4 0.6 0.8 1.0");
  CHECK(ticks_of(0.93, 1.01) == "0.94 0.96 0.98 1.00");
  CHECK(ticks_of(-3, 4) == "\u22122 0 2 4");
  CHECK(ticks_of(12, 980) == "200 400 600 800");
  CHECK(ticks_of(0, 4e6) == "0 10\u2076 2\u00b710\u2076 3\u00b710\u2076 4\u00b710\u2076");
  CHECK(ticks_of(0, 3e-7) == "0 10\u207b\u2077 2\u00b710\u207b\u2077 3\u00b710\u207b\u2077");
  CHECK(labels_of(plot_axis{1, 200}.whole_ticks(5)) == "1 50 100 150 200");
  CHECK(labels_of(plot_axis{1, 12}.whole_ticks(6)) == "1 2 4 6 8 10 12");
  CHECK(labels_of(plot_axis{1, 2}.whole_ticks(6)) == "1 2");
  CHECK(labels_of(plot_axis{0.5, 1.5}.whole_ticks(6)) == "1");
}

TEST_CASE("a logarithmic axis has powers of ten, and of few of them their parts") {
  CHECK(logarithmic_ticks_of(0.009, 11) == "0.01 0.1 1 10");
  CHECK(logarithmic_ticks_of(0.05, 2.5) == "0.05 0.1 0.5 1");
  CHECK(logarithmic_ticks_of(0.4, 6) == "0.5 1 2 5");
  CHECK(logarithmic_ticks_of(1e-12, 1e3, 4) == "10\u207b\u00b9\u00b2 10\u207b\u2078 10\u207b\u2074 1");
}

TEST_CASE("a scale is logarithmic where a linear one would show half of a curve on the ground") {
  const std::vector<double> decay{50, 20, 5, 1, 0.5, 0.3, 0.2, 0.2, 0.2}, rise{0.01, 0.4, 0.7, 0.8, 0.9};
  CHECK(axis_of(decay, {}, tl::plot_scale::fitting).is_logarithmic);
  CHECK_FALSE(axis_of(rise, {}, tl::plot_scale::fitting).is_logarithmic);
  CHECK_FALSE(axis_of({3, 2, 1.5, 1.2, 1.1}, {}, tl::plot_scale::fitting).is_logarithmic);
  CHECK_FALSE(axis_of({50, 1, 0.5, 0, 0.1, -0.1}, {}, tl::plot_scale::fitting).is_logarithmic);
  CHECK_FALSE(axis_of(decay, {}, tl::plot_scale::linear).is_logarithmic);
  CHECK(axis_of(rise, {}, tl::plot_scale::logarithmic).is_logarithmic);
  CHECK_FALSE(axis_of({-1, 0}, {}, tl::plot_scale::logarithmic).is_logarithmic);
}

TEST_CASE("an axis shows all numbers, shares up to 1, and of errors what does not hide them") {
  const plot_axis shares = axis_of({0.1, 0.5, 0.7, 0.9, 0.99}, {-5, 5}, tl::plot_scale::linear);
  CHECK(shares.low == 0);
  CHECK(shares.high == 1);
  const plot_axis loss = axis_of({1, 2, 3, 4, 11}, {0, 1000}, tl::plot_scale::linear);
  CHECK(loss.low == 0);
  CHECK(loss.high > 11);
  CHECK(loss.high < 15);
  for (const double same : {0.0, 1.0, 7.0, -7.0, 1e-300, 1e299}) {
    const plot_axis axis = axis_of({same, same, same, same, same}, {same}, tl::plot_scale::fitting);
    CHECK(axis.low < axis.high);
    CHECK(axis.place(same) >= 0);
    CHECK(axis.place(same) <= 1);
    CHECK_FALSE(axis.ticks(5).empty());
  }
}

TEST_CASE("a picture has a panel for each measurement, a legend, and the last values") {
  std::vector<tl::epoch_report> history = losses({2, 1, 0.5}, 0.1);
  for (tl::epoch_report& r : history) {
    r.validation.set("loss", {1.234, 0});
    r.train.set("mean_<squared>_error", {3, 0});
  }
  const std::string text = tl::curves_svg(history, {.title = "A & B"});
  check_svg(text);
  for (const char* part : {">training</text>", ">validation</text>", "standard error</text>", ">loss</text>",
                           ">mean &lt;squared&gt; error</text>", ">A &amp; B</text>", ">0.500</text>",
                           ">1.23</text>", "width='800'", "prefers-color-scheme"})
    CHECK(contains(part).match(text));
  CHECK(count(text, "<clipPath") == 2);
  CHECK(contains("width='1000' height='700'").match(tl::curves_svg(history, {.width = 1000, .height = 700})));
  check_svg(tl::curves_svg(history, {.width = 1, .height = -1}));
}

TEST_CASE("any numbers make a picture") {
  const double nan = std::nan("");
  check_svg(tl::curves_svg({}));
  for (const std::vector<double>& train : {std::vector<double>{1},
                                           {nan},
                                           {infinity, nan},
                                           {1, nan, 2, 3},
                                           {nan, 1},
                                           {1, nan},
                                           {0, 0},
                                           {1e308, -1e308},
                                           {1e-320, 1e-310},
                                           {1e299, -1e299}})
    for (const double uncertainty : {0.0, 0.5, nan, infinity, 1e308})
      for (const auto scale : {tl::plot_scale::fitting, tl::plot_scale::logarithmic})
        check_svg(tl::curves_svg(losses(train, uncertainty), {.scale = scale}));
}

TEST_CASE("NaN is a gap in a curve") {
  CHECK(count(tl::curves_svg(losses({3, 2, 1, 2})), "fill='none'") == 1);
  CHECK(count(tl::curves_svg(losses({3, 2, std::nan(""), 1, 2})), "fill='none'") == 2);
}

TEST_CASE("epochs that have numbers of their own stand there") {
  auto history = losses({3, 2, 1});
  const std::string from_one = tl::curves_svg(history);
  for (std::size_t i = 0; i < history.size(); ++i) history[i].number = static_cast<std::int64_t>(41 + i);
  const std::string text = tl::curves_svg(history);
  check_svg(text);
  CHECK_FALSE(contains(">41</text>").match(from_one));
  CHECK(contains(">41</text>").match(text));
  CHECK(contains(">43</text>").match(text));
  const auto path_of = [](const std::string& svg) {
    const std::size_t begin = svg.find("<path d='", svg.find("<g clip-path"));
    return svg.substr(begin, svg.find("'", begin + 9) - begin);
  };
  CHECK(path_of(text) == path_of(from_one));  // the curve is where it was
}

TEST_CASE("of very many epochs a picture has as many points as it has room for, with all extremes") {
  std::vector<double> all(50000, 1);
  all[12345] = 9;
  const auto history = losses(all);
  const std::string text = tl::curves_svg(history, {.scale = tl::plot_scale::linear});
  check_svg(text);
  CHECK(count(text, "L") > 400);
  CHECK(count(text, "L") < 1200);
  const tl::detail::plot_area area{0, 0, 500, 100, {1, 50000}, {0, 9}};
  const std::string curve = tl::detail::curve<tl::epoch_report>(history, &tl::epoch_report::train, "loss")
                                .svg(area, "train", "red", 0);
  CHECK(count(curve, " 0L") == 1);  // the one at the upper end
}

TEST_CASE("the file is there after each epoch, and goes on with a resumed fit") {
  const test::temporary_folder folder;
  const std::string path = folder.path("curves.svg");
  tl::plot first(path, {.title = "first"});
  first.on_begin(tl::fit_progress{});
  check_svg(bytes_of(path));
  const auto history = losses({3, 2, 1});
  for (const tl::epoch_report& r : history) first.on_epoch_end({}, r);
  first.on_end(tl::fit_progress{});
  CHECK(bytes_of(path) == tl::curves_svg(history, {.title = "first"}));

  tl::plot second(path, {.title = "first"});
  const auto before = losses({3, 2});
  tl::fit_progress p;
  p.resumed = true;
  p.history = &before;
  second.on_begin(p);
  CHECK(bytes_of(path) == tl::curves_svg(before, {.title = "first"}));
  second.on_epoch_end({}, history.back());
  second.on_end(tl::fit_progress{});
  CHECK(bytes_of(path) == tl::curves_svg(history, {.title = "first"}));
  CHECK(folder.size() == 1);
  CHECK_THROWS_WITH(tl::plot("/no/such/folder/curves.svg").on_begin(tl::fit_progress{}),
                    contains("/no/such/folder"));
}
