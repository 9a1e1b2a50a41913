// SPDX-License-Identifier: BSL-1.0
#include <catch.hpp>
#include <cmath>
#include <numeric>
#include <tapeless/train/loop/measurement.hpp>
#include <vector>

using tapeless::measurement;
using test::Approx;

namespace {

double mean_of(const std::vector<double>& all) {
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

// The textbook's: the root of the sample variance over the number of samples.
double standard_error(const std::vector<double>& all) {
  double sum = 0;
  for (double x : all) sum += (x - mean_of(all)) * (x - mean_of(all));
  const double n = static_cast<double>(all.size());
  return std::sqrt(sum / (n - 1) / n);
}

}  // namespace

TEST_CASE("the mean of groups of equal size has the standard error of their means") {
  const std::vector<double> means{0.5, 0.25, 0.75, 0.625, 0.375, 0.55};
  for (const std::int64_t size : {1, 32}) {
    tapeless::mean_of_groups groups;
    for (double mean : means) groups.add(mean, size);
    CHECK(groups.get().mean == Approx(mean_of(means)));
    CHECK(groups.get().uncertainty == Approx(standard_error(means)));
  }
}

TEST_CASE("a smaller last group weighs less") {
  tapeless::mean_of_groups groups;
  groups.add(1, 100);
  groups.add(2, 100);
  groups.add(4, 50);
  CHECK(groups.get().mean == Approx((100 * 1.0 + 100 * 2.0 + 50 * 4.0) / 250));
  // weighted variance 1.2, (sum w)^2 / sum w^2 = 25/9 groups
  CHECK(groups.get().uncertainty == Approx(std::sqrt(1.2 / (25.0 / 9 - 1))).margin(1e-9));
}

TEST_CASE("one group or none has no uncertainty") {
  tapeless::mean_of_groups groups;
  CHECK(groups.get().mean == 0);
  CHECK(groups.get().uncertainty == 0);
  groups.add(3, 7);
  CHECK(groups.get().mean == 3);
  CHECK(groups.get().uncertainty == 0);
  groups.add(100, 0);  // no samples, no group
  CHECK(groups.get().mean == 3);
  CHECK(groups.get().uncertainty == 0);
}

TEST_CASE("groups may count less than not at all, or all of them not at all") {
  tapeless::mean_of_groups groups;
  CHECK(!groups.all_left_out());
  groups.add_weighted(std::nan(""), 0);
  CHECK(groups.all_left_out());
  groups.add_weighted(3, 1);
  groups.add_weighted(5, -1);  // of these two the mean is none
  groups.add_weighted(4, 2);
  CHECK(!groups.all_left_out());
  CHECK(groups.get().mean == 3);  // (3 - 5 + 8) / 2
  CHECK(groups.get().uncertainty == 0);
}

TEST_CASE("equal groups have no uncertainty, far from zero too") {
  tapeless::mean_of_groups groups;
  for (int i = 0; i < 1000; ++i) groups.add(1e9, 10);
  CHECK(groups.get().mean == 1e9);
  CHECK(groups.get().uncertainty == 0);
}

TEST_CASE("equal groups have exactly their mean and no uncertainty, whatever they weigh") {
  for (double mean : {0.1, 0.2, 0.7, 1.3})
    for (int n = 2; n <= 12; ++n)
      for (double other : {static_cast<double>(n), 1.0, 0.3, 1e-20, 1e20}) {
        tapeless::mean_of_groups groups;
        for (int i = 0; i < 4; ++i) groups.add_weighted(mean, i % 2 == 0 ? n : other);
        CHECK(groups.get().mean == mean);
        CHECK(groups.get().uncertainty == 0);
      }
  tapeless::mean_of_groups heavy;  // the second leaves nothing of the first
  heavy.add_weighted(0.1, 1e-20);
  heavy.add_weighted(0.7, 3);
  CHECK(heavy.get().mean == Approx(0.7));
  CHECK(heavy.get().uncertainty == 0);
}

TEST_CASE("small differences far from zero are not lost") {
  tapeless::mean_of_groups groups;
  std::vector<double> means;
  for (int i = 0; i < 1000; ++i) means.push_back(i % 2 == 0 ? 0.25 : 0.75);
  for (double mean : means) groups.add(1e9 + mean, 10);
  CHECK(groups.get().mean == Approx(1e9 + 0.5).epsilon(1e-15));
  CHECK(groups.get().uncertainty == Approx(standard_error(means)).epsilon(1e-6));
}

TEST_CASE("a loss that is no number is not hidden") {
  tapeless::mean_of_groups groups;
  groups.add(1, 10);
  groups.add(std::nan(""), 10);
  groups.add(1, 10);
  CHECK(std::isnan(groups.get().mean));
}

TEST_CASE("a loss that is infinite makes the mean infinite, whatever follows it") {
  tapeless::mean_of_groups groups;
  for (const double mean : {1.0, HUGE_VAL, 2.0}) groups.add(mean, 1);
  CHECK(groups.get().mean == HUGE_VAL);
  CHECK(groups.get().uncertainty == 0);
  groups.add(-HUGE_VAL, 1);
  CHECK(std::isnan(groups.get().mean));
}

TEST_CASE("a share has the standard error of the binomial distribution") {
  const measurement m = tapeless::share_of(97, 100);
  CHECK(m.mean == Approx(0.97));
  CHECK(m.uncertainty == Approx(std::sqrt(0.97 * 0.03 / 100)));
  CHECK(tapeless::share_of(0, 10).mean == 0);
  CHECK(tapeless::share_of(10, 10).mean == 1);
  CHECK(tapeless::share_of(10, 10).uncertainty == 0);
  CHECK(tapeless::share_of(0, 0).mean == 0);
  CHECK(tapeless::share_of(0, 0).uncertainty == 0);
}

TEST_CASE("a report keeps its measurements' order, and a name's latest value") {
  tapeless::report r;
  CHECK(r.empty());
  r.set("loss", {1, 0.5});
  r.set("accuracy", {0.5, 0.25});
  r.set("loss", {0.75, 0.125});
  CHECK_FALSE(r.empty());
  CHECK(r["loss"].mean == 0.75);
  CHECK(r["loss"].uncertainty == 0.125);
  std::vector<std::string> names;
  for (const auto& [name, m] : r) names.push_back(name);
  CHECK(names == std::vector<std::string>{"loss", "accuracy"});
}

TEST_CASE("an unknown measurement's error names those that there are") {
  tapeless::report r;
  CHECK_THROWS_AS(r["loss"], tapeless::error);
  CHECK_THROWS_WITH(r["loss"], "tapeless: there is no measurement named \"loss\"; there is none");
  r.set("loss", {});
  r.set("accuracy", {});
  CHECK_THROWS_WITH(r["acuracy"],
                    "tapeless: there is no measurement named \"acuracy\"; there is \"loss\", \"accuracy\"");
}
