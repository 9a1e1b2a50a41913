// SPDX-License-Identifier: BSL-1.0
// csv_log and json_log: what their files hold after each epoch, in a fit that was resumed, and in a second
// one.
#include <tapeless/train/loop/observers/csv_log.hpp>
#include <tapeless/train/loop/observers/json_log.hpp>
#include <tapeless/train/loop/observers/plot.hpp>

#include <cmath>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using test::bytes_of;
using test::contains;

namespace {

tl::epoch_report report(std::int64_t updates, double loss) {
  tl::epoch_report r;
  r.updates = updates;
  r.seconds = 0.25;
  r.train.set("loss", {loss, 0.125});
  return r;
}

tl::epoch_report with_validation(std::int64_t updates, double loss) {
  tl::epoch_report r = report(updates, loss);
  r.validation.set("a \"b\", c", {std::nan(""), 0});
  return r;
}

tl::fit_progress resumed(const std::vector<tl::epoch_report>& history) {
  tl::fit_progress p;
  p.resumed = true;
  p.history = &history;
  return p;
}

}  // namespace

TEST_CASE("a line is there when its epoch is over") {
  const test::temporary_folder folder;
  const std::string csv = folder.write("log.csv", "from before"), json = folder.path("log.jsonl");
  tl::csv_log table(csv);
  tl::json_log lines(json);
  table.on_begin({});
  lines.on_begin({});
  CHECK(bytes_of(csv) == "epoch,updates,seconds\n");
  CHECK(bytes_of(json).empty());
  table.on_epoch_end({}, report(10, 0.5));
  lines.on_epoch_end({}, report(10, 0.5));
  const std::string header = "epoch,updates,seconds,train_loss,train_loss_uncertainty";
  CHECK(bytes_of(csv) == header + "\n1,10,0.25,0.5,0.125\n");
  const std::string first =
      "{\"epoch\":1,\"updates\":10,\"seconds\":0.25,\"train\":{\"loss\":{\"mean\":0.5,\"uncertainty\":0.125}}"
      ","
      "\"validation\":{}}\n";
  CHECK(bytes_of(json) == first);

  SECTION("a new measurement is a new column, which was empty before") {
    table.on_epoch_end({}, with_validation(20, 0.25));
    table.on_epoch_end({}, report(30, 0.125));
    CHECK(bytes_of(csv) ==
          header + ",\"validation_a \"\"b\"\", c\",\"validation_a \"\"b\"\", c_uncertainty\"\n" +
              "1,10,0.25,0.5,0.125,,\n2,20,0.25,0.25,0.125,nan,0\n3,30,0.25,0.125,0.125,,\n");
    lines.on_epoch_end({}, with_validation(20, 0.25));
    CHECK(contains("\"validation\":{\"a \\\"b\\\", c\":{\"mean\":null,\"uncertainty\":0}}}\n")
              .match(bytes_of(json)));
  }
  SECTION("an epoch that has a number of its own shows that one") {
    tl::epoch_report late = report(20, 0.25);
    late.number = 7;
    table.on_epoch_end({}, late);
    lines.on_epoch_end({}, late);
    CHECK(bytes_of(csv) == header + "\n1,10,0.25,0.5,0.125\n7,20,0.25,0.25,0.125\n");
    CHECK(bytes_of(json).starts_with(first + "{\"epoch\":7,"));
  }
  SECTION("a second fit with the same object goes on") {
    table.on_begin({});
    lines.on_begin({});
    table.on_epoch_end({}, report(20, 0.25));
    lines.on_epoch_end({}, report(20, 0.25));
    CHECK(bytes_of(csv) == header + "\n1,10,0.25,0.5,0.125\n2,20,0.25,0.25,0.125\n");
    CHECK(bytes_of(json).starts_with(first + "{\"epoch\":2,"));
  }
  SECTION("a fit that goes on from a checkpoint forgets what came after that") {
    const std::string until_here = bytes_of(csv), lines_until_here = bytes_of(json);
    table.on_epoch_end({}, report(20, 99));
    lines.on_epoch_end({}, report(20, 99));
    const std::vector<tl::epoch_report> history{report(10, 0.5)};
    tl::csv_log again(csv);
    tl::json_log lines_again(json);
    again.on_begin(resumed(history));
    lines_again.on_begin(resumed(history));
    CHECK(bytes_of(csv) == until_here);
    CHECK(bytes_of(json) == lines_until_here);
    again.on_epoch_end({}, report(20, 0.25));
    CHECK(bytes_of(csv) == until_here + "2,20,0.25,0.25,0.125\n");
  }
}

TEST_CASE("of several fits with the same object that are resumed, each keeps the lines of those before") {
  const test::temporary_folder folder;
  const std::string csv = folder.path("log.csv"), json = folder.path("log.jsonl"),
                    svg = folder.path("curves.svg"), svg_of_all = folder.path("all.svg");
  const std::vector<tl::epoch_report> first{report(10, 0.5), report(20, 0.25)},
      second{report(30, 0.75), report(40, 0.5)}, all{first[0], first[1], second[0], second[1]}, none;
  const auto check = [&](const std::vector<tl::fit_progress>& begins, std::vector<tl::epoch_report> shown) {
    tl::csv_log table(csv), table_of_all(folder.path("all.csv"));
    tl::json_log lines(json), lines_of_all(folder.path("all.jsonl"));
    tl::plot curves(svg), curves_of_all(svg_of_all);
    for (const tl::fit_progress& p : begins) {
      table.on_begin(p);
      lines.on_begin(p);
      curves.on_begin(p);
    }
    table_of_all.on_begin(resumed(shown));
    lines_of_all.on_begin(resumed(shown));
    curves_of_all.on_begin(resumed(shown));
    CHECK(bytes_of(csv) == bytes_of(folder.path("all.csv")));
    CHECK(bytes_of(json) == bytes_of(folder.path("all.jsonl")));
    CHECK(bytes_of(svg) == bytes_of(svg_of_all));
  };
  check({resumed(first), resumed(second)}, all);
  check({resumed(first), resumed(first)}, first);
  check({resumed(first), resumed(second), resumed(second)}, all);
  tl::fit_progress before_an_epoch = resumed(none);
  before_an_epoch.updates = 25;
  check({resumed(first), before_an_epoch}, first);
  check({resumed(all), before_an_epoch}, first);
}

TEST_CASE("a log that cannot be written is an error before the first step") {
  tl::csv_log table("/no/such/folder/log.csv");
  tl::json_log lines("/no/such/folder/log.jsonl");
  CHECK_THROWS_WITH(table.on_begin({}), contains("/no/such/folder/log.csv"));
  CHECK_THROWS_WITH(lines.on_begin({}), contains("/no/such/folder/log.jsonl"));
}
