// SPDX-License-Identifier: BSL-1.0
// Views of sources, of a dataset's and of a user's own: some samples, in another order, several times.
#include <tapeless/data/concat.hpp>
#include <tapeless/data/resample.hpp>
#include <tapeless/data/split.hpp>
#include <tapeless/data/subset.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "data/views.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
namespace data = tl::data;
using data::source;
using test::error_of, test::numbered, test::numbered_source;
using numbers = std::vector<std::int64_t>;

namespace {

numbers all(const source& from) { return test::all_of<std::int64_t>(from, "n"); }
numbers sorted(numbers n) {
  std::sort(n.begin(), n.end());
  return n;
}
numbers both(const data::split_samples& s) {
  numbers n = all(s.train);
  for (const std::int64_t i : all(s.validation)) n.push_back(i);
  return sorted(n);
}
const source ten[] = {numbered(10), numbered_source{10}};

}  // namespace

TEST_CASE("a subset has the samples that it is told, in that order", "[data]") {
  for (const source& from : ten) {
    CHECK(all(data::subset(from, {3, 0, 9, 3})) == numbers{3, 0, 9, 3});
    CHECK(all(data::subset(data::subset(from, {3, 0, 9}), {2, 1})) == numbers{9, 0});
    CHECK(data::subset(from, {}).size() == 0);
    CHECK(error_of([&] { data::subset(from, {10}); }).find("no sample 10 among 10") != std::string::npos);
    CHECK(error_of([&] { data::subset(from, {-1}); }).find("no sample -1") != std::string::npos);
    CHECK(all(data::take(from, 3)) == numbers{0, 1, 2});
    CHECK(data::take(from, 30).size() == 10);
    CHECK(all(data::skip(from, 7)) == numbers{7, 8, 9});
    CHECK(data::skip(from, 30).size() == 0);
    CHECK(error_of([&] { data::take(from, -1); }).find("count is -1") != std::string::npos);
    CHECK(error_of([&] { data::skip(from, -1); }).find("count is -1") != std::string::npos);
  }
}

TEST_CASE("of samples without an end, some are taken and some are skipped", "[data]") {
  const source stream = numbered_source();
  CHECK(all(data::take(stream, 2)) == numbers{0, 1});
  const source later = data::skip(stream, 5);
  CHECK(later.is_endless());
  CHECK(all(data::take(later, 2)) == numbers{5, 6});
  const std::string problem = "the data have no end";
  CHECK(error_of([&] { data::split(stream, 0.2); }).find(problem) != std::string::npos);
  CHECK(error_of([&] { data::shuffle(stream, 1); }).find(problem) != std::string::npos);
  CHECK(error_of([&] { data::k_folds(stream, 2); }).find(problem) != std::string::npos);
  CHECK(error_of([&] { data::resample(stream, {}); }).find(problem) != std::string::npos);
  CHECK(error_of([&] { data::concat(stream, stream); }).find("behind data without an end") !=
        std::string::npos);
}

TEST_CASE("an order depends on the seed and the size alone", "[data]") {
  const numbers one = all(data::shuffle(ten[0], 1));
  CHECK(one != all(ten[0]));
  CHECK(sorted(one) == all(ten[0]));
  CHECK(all(data::shuffle(ten[1], 1)) == one);
  CHECK(all(data::shuffle(ten[0], 2)) != one);
}

TEST_CASE("a split holds a share back, and keeps the order of the rest", "[data]") {
  for (const source& from : ten) {
    const auto [train, validation] = data::split(from, 0.3, 7);
    CHECK(all(train).size() == 7);
    CHECK(all(validation).size() == 3);
    CHECK(all(train) == sorted(all(train)));
    CHECK(both({train, validation}) == all(from));
    CHECK(all(data::split(from, 0.3, 7).validation) == all(validation));
    CHECK(all(data::split(ten[0], 0.3, 7).validation) == all(validation));
    CHECK(data::split(from, 0).validation.size() == 0);
    CHECK(data::split(from, 1).train.size() == 0);
  }
  CHECK(all(data::split(numbered(100), 0.5, 1).train) != all(data::split(numbered(100), 0.5, 2).train));
  CHECK(error_of([] { data::split(ten[0], 1.5); }).find("the share is 1.5") != std::string::npos);
  CHECK(error_of([] { data::split(ten[0], std::nan("")); }).find("the share is") != std::string::npos);
}

TEST_CASE("each sample is held back in one of k folds", "[data]") {
  const auto folds = data::k_folds(ten[0], 3, 5);
  REQUIRE(folds.size() == 3);
  numbers held_back;
  for (const auto& fold : folds) {
    CHECK(both(fold) == all(ten[0]));
    CHECK(fold.validation.size() >= 3);
    CHECK(fold.validation.size() <= 4);
    for (const std::int64_t i : all(fold.validation)) held_back.push_back(i);
  }
  CHECK(sorted(held_back) == all(ten[0]));
  CHECK(data::k_folds(ten[0], 10).size() == 10);
  CHECK(error_of([] { data::k_folds(ten[0], 11); }).find("from 2 to the number of samples, 10") !=
        std::string::npos);
  CHECK(error_of([] { data::k_folds(ten[0], 1); }).find("k is 1") != std::string::npos);
}

TEST_CASE("sources stand one behind the other", "[data]") {
  const source all_parts = data::concat(numbered(3), numbered_source{2}, data::dataset(), ten[0]);
  CHECK(all_parts.size() == 15);
  CHECK(all(all_parts) == numbers{0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(test::column_of<std::int64_t>(all_parts, "n", {14, 0, 4, 3, 5, 6, 2}) ==
        numbers{9, 0, 1, 0, 0, 1, 2});
  CHECK(data::concat(ten[0], numbered_source()).is_endless());
  CHECK(all_parts.reader() == data::reader::runs_ahead);
  data::dataset other, more = numbered(4);
  other.add<float>("n", {}, {1});
  more.add<float>("x", {}, {1, 2, 3, 4});
  CHECK(test::missing_in(error_of([&] { data::concat(numbered(3), other); }),
                         {"column \"n\" is std::int64_t [] in one source and float [] in another"}) == "");
  const source mixed = data::concat(more, numbered(3));
  CHECK(mixed.find("n") != nullptr);
  CHECK(mixed.find("x") == nullptr);  // which only one of them has
}

TEST_CASE("samples are drawn by their weights, others in each pass", "[data]") {
  const source drawn =
      data::resample(ten[0], std::vector<double>{0, 1, 0, 0, 3, 0, 0, 0, 0, 0}, {.count = 4000, .seed = 3});
  CHECK(drawn.size() == 4000);
  const numbers first = all(drawn), second = test::all_of<std::int64_t>(drawn, "n", 1);
  const auto ones = std::count(first.begin(), first.end(), 1),
             fours = std::count(first.begin(), first.end(), 4);
  CHECK(ones + fours == 4000);
  CHECK(std::abs(static_cast<double>(ones) - 1000) < 5 * std::sqrt(4000 * 0.25 * 0.75));
  CHECK(first != second);
  CHECK(test::column_of<std::int64_t>(drawn, "n", {7}) == numbers{first[7]});  // wherever it is read
  CHECK(data::resample(ten[0], std::vector<double>(10, 2.0)).size() == 10);
  const auto problem = [](std::vector<double> weights, data::resample_options o = {}) {
    return error_of([&] { data::resample(ten[0], weights, o); });
  };
  CHECK(problem({1, 2}).find("expected 10 weights") != std::string::npos);
  CHECK(problem(std::vector<double>(10)).find("positive sum") != std::string::npos);
  CHECK(problem(std::vector<double>(10, -1)).find("a weight is -1") != std::string::npos);
  CHECK(problem(std::vector<double>(10, INFINITY)).find("a weight is inf") != std::string::npos);
  CHECK(problem(std::vector<double>(10, 1), {.count = -1}).find("count is -1") != std::string::npos);
}

TEST_CASE("weights of Eigen's are read with their strides", "[data]") {
  Eigen::MatrixXd weights(2, 3);
  weights << 0, 0, 1, 1, 0, 0;
  const auto drawn = [&](const auto& w) { return all(data::resample(numbered(3), w, {.count = 50})); };
  CHECK(drawn(weights.row(0)) == numbers(50, 2));
  CHECK(drawn(weights.row(1)) == numbers(50, 0));
  CHECK(drawn(Eigen::VectorXd(weights.row(0))) == numbers(50, 2));
}

TEST_CASE("classes come equally often, however rare they are", "[data]") {
  const auto check = []<class Label>(Label rare) {
    data::dataset set = numbered(100);
    std::vector<Label> label(100);
    label[17] = rare;
    set.add("label", {}, label);
    const auto drawn = test::all_of<Label>(data::balance_classes(set, "label", {.count = 2000}), "label");
    const auto count = std::count(drawn.begin(), drawn.end(), rare);
    CHECK(std::abs(static_cast<double>(count) - 1000) < 5 * std::sqrt(2000 * 0.25));
  };
  check(std::uint8_t{5});
  check(std::int8_t{-5});
  check(std::int16_t{-500});
  check(std::int32_t{-5});
  check(std::uint32_t{4294967295u});
  check(std::int64_t{5});
  data::dataset wrong = numbered(100);
  wrong.add("wrong", {}, std::vector<float>(100)).add("pairs", {2}, std::vector<std::int32_t>(200));
  for (const char* name : {"wrong", "pairs"})
    CHECK(error_of([&] { data::balance_classes(wrong, name); }).find("expected integers") !=
          std::string::npos);
  CHECK(error_of([&] { data::balance_classes(wrong, "none"); }).find("do not tell of a column \"none\"") !=
        std::string::npos);
}
