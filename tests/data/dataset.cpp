// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/dataset.hpp>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using test::contains;
using tl::data::dataset;

namespace {

template <class Items>
constexpr bool can_borrow =
    requires(dataset& set, Items&& items) { set.borrow("x", {}, static_cast<Items&&>(items)); };

}  // namespace

TEST_CASE("a dataset is built from columns", "[data]") {
  dataset set;
  CHECK(set.size() == 0);
  set.add<float>("x", {2, 1}, {1, 2, 3, 4, 5, 6}).add<std::int32_t>("y", {}, {7, 8, 9});
  CHECK(set.size() == 3);
  REQUIRE(set.columns().size() == 2);
  const tl::data::column& x = set.column("x");
  CHECK(&x == set.find("x"));
  CHECK(x.type == tl::element::f32);
  CHECK(x.sample_shape == std::vector<std::int64_t>{2, 1});
  CHECK(x.sample_size == 2);
  CHECK(x.stride == 2);
  CHECK(x.count == 3);
  CHECK(x.sample<float>(2)[1] == 6);
  CHECK(set.columns()[1].name == "y");
  CHECK(set.column("y").sample<std::int32_t>(1)[0] == 8);
}

TEST_CASE("columns are copied from vectors, spans and arrays", "[data]") {
  std::vector<float> values{1, 2, 3, 4};
  const std::array<std::int64_t, 2> labels{7, 8};
  const double weights[] = {0.5, 2};
  dataset set;
  set.add("x", {2}, values).add("part", {}, std::span(values).first(2)).add("y", {}, labels);
  set.add("w", {}, weights).add("z", {2}, std::span<const float>(values));
  values = {0, 0, 0, 0};
  CHECK(set.size() == 2);
  CHECK(set.column<float>("x")[1][0] == 3);
  CHECK(set.column<float>("z")[1][1] == 4);
  CHECK(set.column<float>("part")[1][0] == 2);
  CHECK(set.column<std::int64_t>("y")[0][0] == 7);
  CHECK(set.column<double>("w")[1][0] == 2);
}

TEST_CASE("truth values are stored one to a byte", "[data]") {
  dataset set;
  set.add<bool>("mask", {3}, {true, false, true, false, false, true});
  const auto second = set.column("mask").sample<bool>(1);
  CHECK_FALSE(second[0]);
  CHECK_FALSE(second[1]);
  CHECK(second[2]);
}

TEST_CASE("columns may be windows into shared values", "[data]") {
  const auto values = std::make_shared<const std::vector<double>>(std::vector<double>{0, 1, 2, 3, 4});
  dataset set;
  set.add("here", {2}, values, {.first = 0, .count = 3, .stride = 1});
  set.add("there", {2}, values, {.first = 1, .count = 3, .stride = 1});
  set.add("same", {5}, values, {.first = 0, .count = 3, .stride = 0});
  CHECK(set.column("here").sample<double>(2).data() == values->data() + 2);
  CHECK(set.column("there").sample<double>(2)[1] == 4);
  CHECK(set.column("same").sample<double>(2).data() == values->data());
}

TEST_CASE("a dataset has its first samples alone", "[data]") {
  dataset set;
  set.add<float>("x", {2}, {1, 2, 3, 4, 5, 6}).add<std::int32_t>("y", {}, {7, 8, 9});
  const dataset two = set.first(2);
  CHECK(two.size() == 2);
  CHECK(two.column("y").count == 2);
  CHECK(two.column("x").sample<float>(1).data() == set.column("x").sample<float>(1).data());
  CHECK(set.size() == 3);
  CHECK(set.first(4).size() == 3);
  CHECK(set.first(0).size() == 0);
}

TEST_CASE("borrowed elements stay where they are", "[data]") {
  const std::vector<float> values{1, 2, 3, 4};
  const std::array<std::int32_t, 2> labels{5, 6};
  dataset set;
  set.borrow("x", {2}, values).borrow("y", {}, std::span(labels)).borrow("z", {}, labels);
  CHECK(set.size() == 2);
  CHECK(set.column("x").sample<float>(1).data() == values.data() + 2);
  CHECK(set.column("y").sample<std::int32_t>(1).data() == labels.data() + 1);
  CHECK(set.column("z").sample<std::int32_t>(0)[0] == 5);
  CHECK(test::missing_in(test::error_of([&] { set.borrow("v", {3}, values); }),
                         {"column \"v\": expected a multiple of 3"}) == "");
  STATIC_REQUIRE_FALSE(can_borrow<std::vector<float>>);
  STATIC_REQUIRE(can_borrow<std::span<float>>);
}

TEST_CASE("elements with strides are copied in row-major order, and not borrowed", "[data]") {
  Eigen::MatrixXf by_column(2, 3);
  by_column << 1, 2, 3, 4, 5, 6;
  const Eigen::Matrix<float, 2, 3, Eigen::RowMajor> by_row = by_column;
  const Eigen::VectorXf six = Eigen::VectorXf::LinSpaced(6, 0, 5);
  const Eigen::Map<const Eigen::VectorXf, 0, Eigen::InnerStride<2>> even(six.data(), 3);
  const Eigen::Matrix<bool, 2, 3> truths = by_column.array() > 3;
  const std::vector<std::array<float, 3>> arrays{{1, 2, 3}, {4, 5, 6}};
  dataset set;
  set.add("whole", {3}, by_column).add("row", {3}, by_row).add("arrays", {3}, arrays);
  set.add("left", {2}, by_row.leftCols<2>()).add("below", {}, by_column.col(1)).add("true", {3}, truths);
  for (const char* const name : {"whole", "row", "arrays"})
    for (const std::int64_t i : {0, 1})
      for (std::size_t j = 0; j < 3; ++j)
        CHECK(set.column<float>(name)[i][j] == by_row.data()[3 * static_cast<std::size_t>(i) + j]);
  CHECK(set.column<float>("left")[1][0] == 4);
  CHECK(set.column<float>("below")[1][0] == 5);
  CHECK(set.column<bool>("true")[1][0]);
  dataset three;
  three.add("even", {}, even);
  CHECK(three.column<float>("even")[2][0] == 4);

  const auto refused = [](const auto& values) {
    return test::missing_in(test::error_of([&] { dataset().borrow("x", {}, values); }),
                            {"column \"x\": the elements do not lie in row-major order"}) == "";
  };
  CHECK(refused(by_column));
  CHECK(refused(even));
  CHECK(refused(by_row.leftCols<2>()));
  dataset borrowed;
  const Eigen::MatrixXf tall = six;
  borrowed.borrow("row", {1, 3}, by_row).borrow("tall", {3}, tall).borrow("six", {3}, six);
  CHECK(borrowed.column<float>("row")[1].data() == by_row.data() + 3);
  CHECK(borrowed.column<float>("tall")[1].data() == tall.data() + 3);
  CHECK(borrowed.column<float>("six")[1].data() == six.data() + 3);
}

TEST_CASE("rows of a matrix are samples, elements of a vector scalars", "[data]") {
  Eigen::MatrixXf by_column(3, 2);
  by_column << 1, 2, 3, 4, 5, 6;
  const Eigen::Matrix<double, 3, 2, Eigen::RowMajor> by_row = by_column.cast<double>();
  const Eigen::VectorXi labels = Eigen::VectorXi::LinSpaced(3, 7, 9);
  dataset set;
  set.add("a", by_column).add("b", by_row).add("c", by_column.block(0, 1, 3, 1)).add("label", labels);
  set.add("sum", by_column + by_column).add("across", labels.transpose());
  CHECK(set.size() == 3);
  CHECK(set.column("a").sample<float>(1)[1] == 4);
  CHECK(set.column("b").sample<double>(2)[0] == 5);
  CHECK(set.column("c").sample<float>(0)[0] == 2);
  CHECK(set.column("c").sample_shape == std::vector<std::int64_t>{1});
  CHECK(set.column("label").sample<std::int32_t>(2)[0] == 9);
  CHECK(set.column("label").sample_shape.empty());
  CHECK(set.column("sum").sample<float>(2)[1] == 12);
  CHECK(set.column("across").sample<std::int32_t>(1)[0] == 8);
}

TEST_CASE("elements of a file are mapped, not read", "[data]") {
  const test::temporary_folder folder;
  const std::vector<float> values{0, 1, 2, 3, 4, 5, 6};
  const std::string path =
      folder.write("values", {reinterpret_cast<const char*>(values.data()), 7 * sizeof(float)});
  dataset copy;
  {
    dataset set;
    copy = set.add_mapped<float>("x", {2}, path, 4);
  }
  std::remove(path.c_str());
  CHECK(copy.size() == 3);
  CHECK(copy.column("x").sample<float>(2)[1] == 6);
  const std::string odd = folder.write("odd", "0123456789");
  const auto problem = [&](const std::string& file, std::int64_t offset) {
    dataset set;
    return test::error_of([&] { set.add_mapped<float>("x", {}, file, offset); });
  };
  CHECK(test::missing_in(problem(odd, 0),
                         {"column \"x\"", odd, "10 bytes from byte 0 on, no multiple of 4"}) == "");
  CHECK(test::missing_in(problem(odd, 2), {"elements of 4 cannot begin at byte 2"}) == "");
  CHECK(test::missing_in(problem(odd, 12), {"has 10 bytes", "cannot begin at byte 12"}) == "");
  CHECK(test::missing_in(problem(odd, -4), {"cannot begin at byte -4"}) == "");
  CHECK(test::missing_in(problem(folder.write("empty", ""), 0), {"is empty"}) == "");
  CHECK(test::missing_in(problem(folder.path("none"), 0), {"cannot open", "none"}) == "");
}

TEST_CASE("a dataset outlives what it was made of, and so do its copies", "[data]") {
  dataset copy;
  {
    dataset set;
    set.add<float>("x", {}, {1, 2});
    set.add("w", {1}, std::make_shared<const std::vector<float>>(2, 3.0f), {.count = 2});
    copy = set;
  }
  CHECK(copy.column("x").sample<float>(1)[0] == 2);
  CHECK(copy.column("w").sample<float>(1)[0] == 3);
}

TEST_CASE("a column that does not fit is named, and not added", "[data]") {
  dataset set;
  set.add<float>("x", {2}, {1, 2, 3, 4});
  const auto values = std::make_shared<const std::vector<float>>(10);
  SECTION("too few samples") {
    CHECK(test::missing_in(test::error_of([&] { set.add<float>("y", {}, {1}); }),
                           {"column \"y\": expected 2 samples, as column \"x\" has, found 1"}) == "");
  }
  SECTION("a part of a sample") {
    CHECK(test::missing_in(test::error_of([&] { set.add<float>("y", {2, 1}, {1, 2, 3}); }),
                           {"column \"y\": expected a multiple of 2", "[2, 1]", "found 3"}) == "");
  }
  SECTION("a name that is taken") {
    CHECK(test::missing_in(test::error_of([&] { set.add<float>("x", {}, {1, 2}); }),
                           {"column \"x\"", "already has a column of this name"}) == "");
  }
  SECTION("extents that are no extents") {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{0}, {-1}, {-1, -1}, {INT64_MAX}, {INT64_MAX, INT64_MAX}}) {
      CHECK(test::missing_in(test::error_of([&] { set.add<float>("y", shape, {1, 2}); }),
                             {"column \"y\": expected positive extents"}) == "");
    }
  }
  SECTION("windows of another number") {
    CHECK(test::missing_in(test::error_of([&] { set.add("y", {2}, values, {.count = 3}); }),
                           {"column \"y\": expected 2 samples, as column \"x\" has, found 3"}) == "");
  }
  CHECK(set.columns().size() == 1);
  CHECK(set.find("y") == nullptr);
}

TEST_CASE("of a column that is missing, the others are said", "[data]") {
  dataset set;
  CHECK(test::missing_in(test::error_of([&] { set.column("x"); }), {"no column \"x\"", "has none"}) == "");
  set.add<float>("image", {}, {1}).add<float>("label", {}, {1});
  CHECK(test::missing_in(test::error_of([&] { set.column("x"); }),
                         {"no column \"x\"", "has \"image\", \"label\""}) == "");
}

TEST_CASE("a column by its name and type, for loops of one's own") {
  tl::data::dataset set;
  set.add("x", {2}, std::vector<float>{1, 2, 3, 4, 5, 6})
      .add("label", {}, std::vector<std::int32_t>{7, 8, 9});
  set.add("window", {2}, std::make_shared<const std::vector<float>>(4, 1.0f), {.first = 0, .count = 3});
  const auto x = set.column<float>("x");
  CHECK(x.size() == 3);
  CHECK(x.sample_shape()[0] == 2);
  CHECK(x[1][0] == 3);
  CHECK(x.samples(1, 2).size() == 4);
  CHECK(x.samples(1, 2)[3] == 6);
  CHECK(x.samples(3, 0).empty());
  CHECK(set.column<std::int32_t>("label").elements()[2] == 9);
  const auto begin = set.first(2);
  CHECK(begin.column<std::int32_t>("label").elements().size() == 2);
  CHECK(set.column<float>("window")[2].size() == 2);

  const auto kept = [] {
    tl::data::dataset gone;
    gone.add("x", {}, std::vector<double>{0.5});
    return gone.column<double>("x");
  }();
  CHECK(kept[0][0] == 0.5);

  CHECK_THROWS_WITH(set.column<double>("x"), contains("column \"x\" holds float, not double"));
  CHECK_THROWS_WITH(set.column<float>("y"),
                    contains("no column \"y\" in the dataset, which has \"x\", \"label\", \"window\""));
  CHECK_THROWS_WITH(x.samples(2, 2), contains("column \"x\": no samples 2 to 4, it has 3"));
  CHECK_THROWS_WITH(x[3], contains("column \"x\": no sample 3, it has 3"));
  CHECK_THROWS_WITH(set.column<float>("window").elements(),
                    contains("column \"window\": its samples do not lie one after the other"));
}
