// SPDX-License-Identifier: BSL-1.0
// A loop of one's own with a loader is a fit, bit for bit, whatever it reads.
#include <tapeless/data/split.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/loop/loader.hpp>

#include <string>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto label = tl::input<"label", std::int32_t, batch>;
  return tl::cross_entropy(tl::linear<"fc2", 3>(tl::tanh(tl::linear<"fc1", 6>(x))), label);
};
auto make_net() { return tl::trainer{model, tl::sgd({.learning_rate = 0.1f})}; }

struct generated {
  std::int64_t count;
  std::int64_t size() const { return count; }
  void read(std::int64_t i, tl::data::sample& s) const {
    s.get<float>("x")[0] = static_cast<float>(i % 7) / 7;
    s.get<float>("x")[1] = static_cast<float>(i % 5) / 5;
    s.get<std::int32_t>("label")[0] = static_cast<std::int32_t>(i % 3);
  }
};

}  // namespace

TEST_CASE("a loop with a loader is a fit") {
  auto net = make_net(), other = make_net();
  const tl::data::source from = generated{50};
  tl::data::loader batches(from, {.batch = 8, .seed = 4, .columns = tl::columns_of(net)});
  CHECK(batches.size() == 7);
  std::int64_t samples = 0;
  for (int pass = 0; pass < 3; ++pass)
    for (const tl::data::batch& b : batches.pass(pass)) {
      net.step("x"_t = b.get<float>("x"), "label"_t = b.get<std::int32_t>("label"));
      samples += b.size();
    }
  CHECK(samples == 150);
  tl::fit(other, from, {.epochs = 3, .batch = 8, .seed = 4});
  const auto mine = net.parameter<"fc1.weight">(), theirs = other.parameter<"fc1.weight">();
  CHECK(std::equal(mine.begin(), mine.end(), theirs.begin()));
}

TEST_CASE("a loader goes on in the middle of a pass, and through samples without an end") {
  const auto columns =
      std::vector{tl::data::column_of<std::int32_t>("label"), tl::data::column_of<float>("x", {2})};
  tl::data::loader finite(generated{10}, {.batch = 4, .columns = columns});
  std::vector<std::int64_t> sizes;
  for (const auto& b : finite.pass(5, 1)) sizes.push_back(b.size());
  CHECK(sizes == std::vector<std::int64_t>{4, 2});
  tl::data::loader infinite(generated{tl::data::endless}, {.batch = 4, .columns = columns});
  std::int64_t label = 0;
  for (const auto& b : infinite.pass(0)) {
    for (const std::int32_t l : b.get<std::int32_t>("label")) REQUIRE(l == label++ % 3);
    if (label == 40) break;
  }
}

TEST_CASE("a pass, and the batch where it begins, are counted from 0") {
  tl::data::dataset d;
  d.add<float>("x", {}, std::vector<float>(10));
  tl::data::loader batches(d, {.batch = 4});
  CHECK_THROWS_WITH(batches.pass(0, -1), "tapeless: loader: pass 0 from batch -1; both must be 0 or more");
  CHECK_THROWS_WITH(batches.pass(-1), "tapeless: loader: pass -1 from batch 0; both must be 0 or more");
  std::int64_t count = 0;
  for ([[maybe_unused]] const tl::data::batch& b : batches.pass(0, 7)) ++count;
  CHECK(count == 0);
}

TEST_CASE("the last batch is as it is told") {
  tl::data::dataset d;
  d.add<float>("x", {}, std::vector<float>(10));
  const auto sizes = [&](tl::data::last_batch last) {
    tl::data::loader batches(d, {.batch = 4, .last_batch = last});
    std::string text;
    for (const auto& b : batches.pass(0)) text += std::to_string(b.size()) + " ";
    return text;
  };
  CHECK(sizes(tl::data::last_batch::keep) == "4 4 2 ");
  CHECK(sizes(tl::data::last_batch::drop) == "4 4 ");
  CHECK(sizes(tl::data::last_batch::fill) == "4 4 4 ");
}

TEST_CASE("what a loader cannot be told") {
  const auto refused = [](const tl::data::source& from, tl::data::loader_options o,
                          const std::string& sentence) {
    REQUIRE_THROWS_WITH(tl::data::loader(from, o), contains(sentence));
  };
  tl::data::dataset d;
  refused(d, {}, "there are no samples");
  d.add<float>("x", {}, std::vector<float>(10));
  refused(d, {.batch = 0}, "batch is 0");
  refused(d, {.batch = 11, .last_batch = tl::data::last_batch::drop}, "10 samples make none of 11");
  refused(d, {.columns = {tl::data::column_of<float>("y")}},
          "no column \"y\" in the dataset, which has \"x\"");
  refused(generated{9}, {}, ".columns = tl::columns_of(net)");
}
