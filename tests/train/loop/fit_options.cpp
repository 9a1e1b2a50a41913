// SPDX-License-Identifier: BSL-1.0
// What a fit cannot be told is refused by name; options of both kinds mean the same.
#include "catch.hpp"

#include <limits>
#include <vector>

#include <tapeless/train/loop/fit_options.hpp>

namespace tl = tapeless;
using tl::detail::all_options, tl::detail::check_options;

namespace {

tl::data::dataset samples(std::size_t count) {
  tl::data::dataset d;
  d.add("x", {}, std::vector<float>(count));
  return d;
}

void refused(const tl::fit_in_parts_options& options, const std::string& sentence) {
  REQUIRE_THROWS_WITH(check_options(options, samples(3)), test::contains(sentence));
}

}  // namespace

TEST_CASE("options at the ends of what is possible are taken") {
  CHECK_NOTHROW(check_options({}, samples(1)));
  CHECK_NOTHROW(check_options({.epochs = 0, .batch = 1}, samples(1)));
  CHECK_NOTHROW(check_options({.epochs = 5, .start_epoch = 5}, samples(1)));
  CHECK_NOTHROW(check_options({.batch = 100, .validation_split = 0.999}, samples(1)));
}

TEST_CASE("options that cannot be meant are refused") {
  REQUIRE_THROWS_WITH(check_options({}, tl::data::dataset()), test::contains("the data set is empty"));
  refused({.batch = 0}, "batch is 0; it must be 1 or more");
  refused({.physical_batch = -1}, "physical_batch is -1");
  refused({.epochs = -1}, "epochs is -1; it must be 0 or more");
  refused({.steps = -2}, "steps is -2; it must be 0 or more");
  refused({.start_epoch = -1}, "start_epoch is -1");
  refused({.epochs = 10, .start_epoch = 32}, "start_epoch is 32, but there are 10 epochs in all");
  refused({10, 32}, "start_epoch is 32");  // meant as epochs and batch
  refused({.start_epoch = 1, .steps = 10}, "leave one out");
  refused({.validation = samples(2), .validation_split = 0.5}, "leave one of the two out");
  refused({.validation_split = 1}, "validation_split is 1; it must be at least 0 and below 1");
  refused({.validation_split = -0.1}, "validation_split is -0.1");
  refused({.validation_split = std::numeric_limits<double>::quiet_NaN()}, "validation_split");
}

TEST_CASE("the options of a whole fit are those of one in parts, with whole batches") {
  const tl::fit_in_parts_options o = all_options(tl::fit_options{.epochs = 2,
                                                                 .start_epoch = 1,
                                                                 .steps = 3,
                                                                 .batch = 4,
                                                                 .validation = samples(2),
                                                                 .validation_split = 0.5,
                                                                 .seed = 6,
                                                                 .split_seed = 7,
                                                                 .shuffle = false,
                                                                 .last_batch = tl::data::last_batch::fill});
  CHECK(o.epochs == 2);
  CHECK(o.start_epoch == 1);
  CHECK(o.steps == 3);
  CHECK(o.batch == 4);
  CHECK(o.physical_batch == 0);
  CHECK(o.validation.size() == 2);
  CHECK(o.validation_split == 0.5);
  CHECK(o.seed == 6);
  CHECK(o.split_seed == 7);
  CHECK_FALSE(o.shuffle);
  CHECK(o.last_batch == tl::data::last_batch::fill);
}
