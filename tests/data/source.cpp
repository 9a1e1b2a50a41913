// SPDX-License-Identifier: BSL-1.0
// Sources of samples: datasets, and users' own types in their forms.
#include <tapeless/data/source.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catch.hpp"
#include "contracts.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using tl::data::column_of, tl::data::source;

namespace {

/// Sample i is (i, 10 i) and the label i % 3.
struct one_by_one {
  std::int64_t size() const { return 100; }
  void read(std::int64_t i, tl::data::sample& s) const {
    s.get<float>("x")[0] = static_cast<float>(i);
    s.get<float>("x")[1] = static_cast<float>(10 * i);
    if (s.has("y")) s.get<std::int32_t>("y")[0] = static_cast<std::int32_t>(i % 3);
  }
};

struct all_at_once {
  std::int64_t size() const { return tl::data::endless; }
  std::vector<tl::data::column_description> columns() const {
    return {column_of<float>("x", {2}), column_of<std::int32_t>("y")};
  }
  void fetch(std::span<const std::int64_t> samples, tl::data::batch& b) {
    const auto x = b.get<float>("x");
    const auto y = b.get<std::int32_t>("y");
    for (std::size_t k = 0; k < samples.size(); ++k) {
      x[2 * k] = static_cast<float>(samples[k]);
      x[2 * k + 1] = static_cast<float>(10 * samples[k]);
      y[k] = static_cast<std::int32_t>(samples[k] % 3);
    }
    ++calls;
  }
  int calls = 0;
};

tl::data::dataset table() {
  tl::data::dataset d;
  std::vector<float> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 100; ++i) {
    x.push_back(static_cast<float>(i));
    x.push_back(static_cast<float>(10 * i));
    y.push_back(i % 3);
  }
  d.add("x", {2}, x).add("y", {}, y);
  return d;
}

const std::vector<tl::data::column_description> both{column_of<float>("x", {2}),
                                                     column_of<std::int32_t>("y")};

std::string read(const source& from, const std::vector<std::int64_t>& samples,
                 tl::data::batch_memory& memory) {
  memory.resize(static_cast<std::int64_t>(samples.size()), 0);
  tl::data::batch into(memory);
  from.read(samples, into);
  std::string text;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    text += std::to_string(static_cast<int>(into.get<float>("x")[2 * k])) + " " +
            std::to_string(static_cast<int>(into.get<float>("x")[2 * k + 1]));
    if (memory.find("y") != nullptr && memory.find("y")->is_asked_for)
      text += " " + std::to_string(into.get<std::int32_t>("y")[k]);
    text += "; ";
  }
  return text;
}

struct has_size {
  std::int64_t size() const { return 0; }
};
struct has_read {
  void read(std::int64_t, tl::data::sample&) {}
};
struct has_fetch {
  void fetch(tl::array_view<const std::int64_t>, tl::data::batch&) const {}
};
struct has_changing_columns {
  std::vector<tl::data::column_description> columns() { return {}; }
};
struct has_wrong_columns {
  std::string columns() const { return "x, y"; }
};

}  // namespace

TEST_CASE("sources of all kinds are read alike", "[data]") {
  for (const source& from : {source(table()), source(one_by_one()), source(all_at_once())}) {
    tl::data::batch_memory memory(both);
    CHECK(read(from, {3, 0, 99, 3}, memory) == "3 30 0; 0 0 0; 99 990 0; 3 30 0; ");
    CHECK(read(from, {}, memory).empty());
    CHECK(read(from, {50}, memory) == "50 500 2; ");
    tl::data::batch_memory of_one(std::vector{both[0]});
    CHECK(read(from, {7, 8}, of_one) == "7 70; 8 80; ");
  }
}

TEST_CASE("a source says what it is", "[data]") {
  const source none, set = table(), own = one_by_one(), stream = all_at_once();
  CHECK(none.size() == 0);
  CHECK(none.columns().empty());
  CHECK(set.size() == 100);
  CHECK(set.describes_all());
  REQUIRE(set.find("y") != nullptr);
  CHECK(*set.find("y") == both[1]);
  CHECK(set.find("z") == nullptr);
  CHECK(set.reader() == tl::data::reader::copies);
  CHECK(own.size() == 100);
  CHECK_FALSE(own.describes_all());
  CHECK(own.find("x") == nullptr);
  CHECK(own.reader() == tl::data::reader::runs_ahead);
  CHECK(stream.is_endless());
  CHECK(stream.describes_all());
  CHECK(*stream.find("x") == both[0]);
}

TEST_CASE("copies share what they were made of, which goes with the last of them", "[data]") {
  struct counted {
    std::shared_ptr<int> owned;
    std::int64_t size() const { return *owned; }
    void read(std::int64_t, tl::data::sample&) const {}
  };
  const auto count = std::make_shared<int>(5);
  {
    source a = counted{count};
    CHECK(count.use_count() == 2);
    source b = a, c;
    c = b;
    a = source();
    CHECK(a.size() == 0);
    CHECK(c.size() == 5);
    const source d = std::move(b);
    CHECK(d.size() == 5);
    c = std::move(c);
    CHECK(count.use_count() == 2);
  }
  CHECK(count.use_count() == 1);
}

TEST_CASE("what can only be moved is a source, too", "[data]") {
  struct owner {
    std::unique_ptr<int> owned;
    std::int64_t size() const { return *owned; }
    void read(std::int64_t, tl::data::sample&) const {}
  };
  CHECK(source(owner{std::make_unique<int>(3)}).size() == 3);
}

TEST_CASE("what a source does wrong is said", "[data]") {
  struct forgetful {
    std::int64_t size() const { return 9; }
    void read(std::int64_t i, tl::data::sample& s) const {
      if (i != 4) s.get<float>("x")[0] = 1;
    }
  };
  struct misspelt {
    std::int64_t size() const { return 9; }
    void read(std::int64_t, tl::data::sample& s) const { s.get<float>("xx"); }
  };
  struct mistyped {
    std::int64_t size() const { return 9; }
    void fetch(std::span<const std::int64_t>, tl::data::batch& b) const { b.get<double>("x"); }
  };
  struct negative : has_read {
    std::int64_t size() const { return -1; }
  };
  tl::data::batch_memory memory(std::vector{column_of<float>("x", {2})});
  const auto error_of = [&](const source& from) {
    return test::error_of([&] { read(from, {3, 4}, memory); });
  };
  CHECK(error_of(forgetful()).find("did not write column \"x\" (float [2]) of sample 4") !=
        std::string::npos);
  CHECK(error_of(misspelt())
            .find("no column \"xx\"; it has \"x\". Not every read asks for all columns: "
                  "has(\"xx\") says whether this one does") != std::string::npos);
  CHECK(error_of(mistyped()).find("\"x\" of the batch holds float, not double") != std::string::npos);
  CHECK(test::error_of([] { source from = negative(); }).find("size() = -1") != std::string::npos);
  tl::data::batch_memory other(std::vector{column_of<float>("x", {3})});
  CHECK(test::missing_in(test::error_of([&] { read(table(), {1}, other); }),
                         {"column \"x\" has samples of float [2], not of float [3]"}) == "");
}

TEST_CASE("samples have random numbers that depend on seed, pass and number", "[data]") {
  tl::data::batch_memory memory(std::vector{column_of<float>("x")});
  const auto draw = [&](std::uint64_t seed, std::int64_t pass, std::int64_t number) {
    memory.resize(3, pass);
    return tl::data::batch(memory).at(1, number).random(seed).next();
  };
  CHECK(draw(1, 2, 3) == draw(1, 2, 3));
  CHECK(draw(1, 2, 3) != draw(2, 2, 3));
  CHECK(draw(1, 2, 3) != draw(1, 3, 3));
  CHECK(draw(1, 2, 3) != draw(1, 2, 4));
}

TEST_CASE("memory of a batch is that of its columns, and shapes go with it", "[data]") {
  tl::data::batch_memory memory(both);
  memory.resize(4, 0);
  const tl::data::batch all(memory), part = all.part(1, 2);
  const auto x = all.get<float>("x");
  CHECK(x.size() == 8);
  CHECK(std::vector<std::int64_t>(x.shape().begin(), x.shape().end()) == std::vector<std::int64_t>{4, 2});
  CHECK(part.get<float>("x").data() == x.data() + 2);
  CHECK(part.size() == 2);
  tl::data::sample s = part.at(1, 77);
  CHECK(s.number() == 77);
  CHECK(s.get<float>("x").data() == x.data() + 4);
  CHECK(s.get<float>("x").shape().size() == 1);
  CHECK(s.get<std::int32_t>("y").shape().empty());
  CHECK(test::missing_in(test::error_of([&] { memory.add(column_of<float>("z", {1, 1, 1, 1, 1, 1, 1, 1})); }),
                         {"column \"z\"", "at most 7"}) == "");
  CHECK(test::missing_in(test::error_of([&] { memory.add(column_of<float>("z", {3, -1})); }),
                         {"column \"z\"", "expected positive extents, found [3, -1]"}) == "");
}

TEST_CASE("a source keeps its contract or lacks what is named", "[data]") {
  using test::lacks, test::made_of;
  using tl::data::source_contract;
  STATIC_REQUIRE(lacks<source_contract<one_by_one>>(""));
  STATIC_REQUIRE(lacks<source_contract<all_at_once>>(""));
  STATIC_REQUIRE(lacks<source_contract<made_of<has_size, has_read>>>(""));
  STATIC_REQUIRE(lacks<source_contract<made_of<has_size, has_fetch>>>(""));
  STATIC_REQUIRE(
      lacks<source_contract<has_read>>("size() const, how many samples there are, or tl::data::endless"));
  STATIC_REQUIRE(lacks<source_contract<has_size>>(
      "read(std::int64_t i, tl::data::sample& s), or fetch(std::span<const std::int64_t> samples, "
      "tl::data::batch& b)"));
  STATIC_REQUIRE(lacks<source_contract<made_of<has_size, has_read, has_wrong_columns>>>(
      "columns() const that returns a range of tl::data::column_description"));
  STATIC_REQUIRE(lacks<source_contract<made_of<has_size, has_read, has_changing_columns>>>(
      "columns() const that returns a range of tl::data::column_description"));
}
