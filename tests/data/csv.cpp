// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/csv.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using tl::data::csv;
using shape = std::vector<std::int64_t>;

namespace {

template <class T>
std::vector<T> values(const tl::data::dataset& set, const char* name) {
  std::vector<T> all;
  for (std::int64_t i = 0; i < set.size(); ++i)
    for (const T x : set.column(name).sample<T>(i)) all.push_back(x);
  return all;
}

const std::string flowers =
    "id,sepal length,sepal width,species\n"
    "1,5.1,3.5,setosa\n"
    "2,7.0,3.2,versicolor\n"
    "3,6.3,-3e-1,\"virginica\"\n"
    "4,+4,.5,setosa\n";

}  // namespace

TEST_CASE("columns of a CSV file become inputs by name", "[data]") {
  const test::temporary_folder folder;
  const auto [set, class_names] =
      csv(folder.write("file", flowers),
          {{.name = "x", .from = {"sepal *"}},
           {.name = "y", .from = {"species"}, .classes = true},
           {.name = "id", .type = tl::element::i64},
           {.name = "back", .from = {"sepal width", "id"}, .type = tl::element::f64},
           {.name = "column", .from = {"id"}, .shape = shape{1}}});
  CHECK(set.size() == 4);
  CHECK(set.column("x").sample_shape == shape{2});
  CHECK(values<float>(set, "x") == std::vector<float>{5.1f, 3.5f, 7.0f, 3.2f, 6.3f, -0.3f, 4, 0.5f});
  CHECK(set.column("y").sample_shape.empty());
  CHECK(values<std::int32_t>(set, "y") == std::vector<std::int32_t>{0, 1, 2, 0});
  CHECK(class_names.at("y") == std::vector<std::string>{"setosa", "versicolor", "virginica"});
  CHECK(class_names.size() == 1);
  CHECK(values<std::int64_t>(set, "id") == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(values<double>(set, "back") == std::vector<double>{3.5, 1, 3.2, 2, -0.3, 3, 0.5, 4});
  CHECK(set.column("column").sample_shape == shape{1});
}

TEST_CASE("quotes, ends of lines and separators are those of RFC 4180", "[data]") {
  const test::temporary_folder folder;
  const auto classes = [&](const std::string& text, tl::data::csv_options options = {}) {
    const auto read = csv(folder.write("file", text), {{.name = "c", .classes = true}}, options);
    std::string all;
    for (const auto i : values<std::int32_t>(read.set, "c"))
      all += "[" + read.class_names.at("c")[static_cast<std::size_t>(i)] + "]";
    return all;
  };
  CHECK(classes("a,c\n1,x\n2,y\n") == "[x][y]");
  CHECK(classes("a,c\r\n1,x\r\n2,y") == "[x][y]");
  CHECK(classes("a,c\r1,x\r2,y\r") == "[x][y]");
  CHECK(classes("\xef\xbb\xbf"
                "c,a\nx,1\n\ny,2\n\n") == "[x][y]");
  CHECK(classes("a,\"c\"\n1,\"x, \"\"y\"\"\r\nz\"\n\"2\",\" u \"\n") == "[x, \"y\"\r\nz][ u ]");
  CHECK(classes("a;c\n1,5;x\n2,5;y\n", {.separator = ';'}) == "[x][y]");
  CHECK(classes("a\tc\n1\tx\n", {.separator = '\t'}) == "[x]");
  CHECK(classes("c\nb\na\n") == "[b][a]");
  std::string text = "a,c\n";
  for (int i = 0; i < 30000; ++i) text += std::to_string(i) + ",\"c " + std::to_string(i % 7) + "\"\n";
  const std::string all = classes(text);  // many blocks of the file
  CHECK(all.size() == 30000 * 5);
  CHECK(all.substr(7 * 5, 10) == "[c 0][c 1]");
}

TEST_CASE("classes may be named beforehand", "[data]") {
  const test::temporary_folder folder;
  const auto read = [&](const std::vector<std::string>& names) {
    return csv(folder.write("file", flowers), {{.name = "y", .from = {"species"}, .class_names = names}});
  };
  const auto result = read({"virginica", "versicolor", "setosa"});
  CHECK(values<std::int32_t>(result.set, "y") == std::vector<std::int32_t>{2, 1, 0, 2});
  CHECK(result.class_names.at("y")[0] == "virginica");
  CHECK(test::missing_in(test::error_of([&] { read({"virginca", "setosa"}); }),
                         {folder.path("file") +
                          ": line 3, column \"species\": no class \"versicolor\"; similar: "}) == "");
  CHECK(test::missing_in(test::error_of([&] { read({"a", "a"}); }),
                         {"input \"y\": the class \"a\" is named twice"}) == "");
}

TEST_CASE("a missing value is an error, or a number that stands for it", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "age,name\n30,b\n , a\nNA,\n");
  CHECK(test::missing_in(
            test::error_of([&] { csv(path, {{.name = "age"}}); }),
            {path + ": line 3, column \"age\": the value is missing, and the input has no .missing"}) == "");
  CHECK(test::missing_in(test::error_of([&] { csv(path, {{.name = "age", .missing = -1}}); }),
                         {path + ": line 4, column \"age\": expected a number, found \"NA\""}) == "");
  const auto read =
      csv(path, {{.name = "age", .missing = -1}, {.name = "name", .classes = true, .missing = -100}},
          {.missing = {"", "NA"}});
  CHECK(values<float>(read.set, "age") == std::vector<float>{30, -1, -1});
  CHECK(values<std::int32_t>(read.set, "name") == std::vector<std::int32_t>{1, 0, -100});
  CHECK(read.class_names.at("name") == std::vector<std::string>{" a", "b"});
  CHECK(test::missing_in(test::error_of([&] { csv(path, {{.name = "age", .missing = 1e300}}); }),
                         {"what stands for a missing value does not fit into float"}) == "");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto infinite = csv(path, {{.name = "age", .missing = -infinity}}, {.missing = {"", "NA"}});
  CHECK(values<float>(infinite.set, "age")[1] == -std::numeric_limits<float>::infinity());
  const auto wide =
      csv(path, {{.name = "age", .type = tl::element::f64, .missing = 1e300}}, {.missing = {"", "NA"}});
  CHECK(values<double>(wide.set, "age")[1] == 1e300);
}

TEST_CASE("numbers must fit their types", "[data]") {
  const test::temporary_folder folder;
  const auto error_for = [&](const std::string& field, tl::element type) {
    return test::error_of(
        [&] { csv(folder.write("file", "a\n" + field + "\n"), {{.name = "a", .type = type}}); });
  };
  using enum tl::element;
  for (const char* field :
       {"x", "1x", "nan", "inf", "-inf", "0x10", "1,5", "--1", "+-1", "1e", "-", "+", "1 2"}) {
    INFO(field);
    CHECK(test::missing_in(error_for('"' + std::string(field) + '"', f32),
                           {"line 2, column \"a\": expected a number", field}) == "");
  }
  CHECK(test::missing_in(error_for("1e39", f32),
                         {"expected a number in the range of float, found \"1e39\""}) == "");
  CHECK(error_for("1e39", f64) == "(no error)");
  constexpr float most = std::numeric_limits<float>::max();
  const auto read = [&]<class T>(const std::string& field, T expected, tl::element type) {
    INFO(field);
    const auto [set, names] = tl::data::csv(folder.write("numbers", "a\n" + field + "\n-" + field + "\n"),
                                            {{.name = "a", .type = type}});
    CHECK(set.column("a").template sample<T>(0)[0] == expected);
    CHECK(set.column("a").template sample<T>(1)[0] == -expected);
    CHECK(std::signbit(set.column("a").template sample<T>(1)[0]));
  };
  for (const char* field : {"3.4028235e+38", "3.40282347e+38", "3.40282356779733e+38"})
    read(field, most, f32);
  for (const char* field : {"3.4028236e+38", "-3.4028236e+38"})
    CHECK(test::missing_in(error_for(field, f32), {"expected a number in the range of float, found"}) == "");
  for (const char* field : {"1e-400", "0.1E-400", "100e-99999999999999999999", "1e-46"})
    read(field, 0.0f, f32);
  read("0." + std::string(400, '0') + "1", 0.0, f64);
  read("0." + std::string(400, '0') + "1e401", 1.0, f64);
  read("4.9e-324", std::numeric_limits<double>::denorm_min(), f64);
  for (const std::string& field :
       {std::string("1e400"), std::string("1e+99999999999999999999"), std::string(400, '1')})
    CHECK(test::missing_in(error_for(field, f64), {"expected a number in the range of double"}) == "");
  for (const std::string field : {"2024-01-02", "1e999-01", "1.2.3", "-", "e5"})
    CHECK(test::missing_in(error_for(field, f64), {"expected a number, found \"" + field}) == "");
  CHECK(test::missing_in(error_for("1e999", f64), {"expected a number in the range of double"}) == "");
  for (const char* field : {"1.0", "1e3", "x", "1x", "+-1"})
    CHECK(test::missing_in(error_for(field, i32), {"expected an integer, found"}) == "");
  CHECK(error_for("-2147483648", i32) == "(no error)");
  CHECK(test::missing_in(error_for("2147483648", i32), {"an integer in the range of std::int32_t"}) == "");
  CHECK(error_for("9223372036854775807", i64) == "(no error)");
  CHECK(test::missing_in(error_for("9223372036854775808", i64),
                         {"an integer in the range of std::int64_t"}) == "");
}

TEST_CASE("a CSV file that is wrong is named, with the line", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const auto error_for = [&](const std::string& text, const std::vector<tl::data::csv_input>& inputs,
                             tl::data::csv_options options = {}) {
    folder.write("file", text);
    return test::error_of([&] { csv(path, inputs, options); });
  };
  const auto error_of_text = [&](const std::string& text) { return error_for(text, {{.name = "a"}}); };
  CHECK(test::missing_in(test::error_of([&] { csv(path, {{.name = "a"}}); }), {path, "No such file"}) == "");
  CHECK(test::missing_in(error_of_text(""), {path + " is empty"}) == "");
  CHECK(test::missing_in(error_of_text("\xef\xbb\xbf"), {path + ": expected a header"}) == "");
  CHECK(test::missing_in(error_of_text("\xff\xfe"
                                       "a"),
                         {path + ": expected UTF-8", "UTF-16"}) == "");
  CHECK(test::missing_in(error_of_text("a,b\n"),
                         {path + ": expected records after the header, found none"}) == "");
  CHECK(test::missing_in(error_of_text("a,b\n1,2\n\n1\n"),
                         {path + ": line 4: expected 2 fields, as in the header, found 1"}) == "");
  CHECK(test::missing_in(error_of_text("a,b\n1,2,\n"), {"line 2: expected 2 fields", "found 3"}) == "");
  CHECK(test::missing_in(error_of_text("a\n\"1\n\n"),
                         {path + ": the quote that opens in line 2 is never closed"}) == "");
  CHECK(test::missing_in(error_of_text("a,b\n1,\"\n\n\"x\n"),
                         {path + ": line 4: expected the separator or the end"}) == "");
  CHECK(test::missing_in(error_of_text("a\n1\"\n"), {path + ": line 2: a quote in a field"}) == "");
  CHECK(test::missing_in(error_of_text("a,b,a\n1,2,3\n"), {path + ": 2 columns are named \"a\""}) == "");
  CHECK(test::missing_in(error_for("speceis,b\n1,2\n", {{.name = "species"}}),
                         {path + ": no column \"species\"; similar: \"speceis\", \"b\""}) == "");
  CHECK(test::missing_in(error_for("a,b\n1,2\n", {{.name = "x", .from = {"c*"}}}), {"no column \"c*\""}) ==
        "");
  CHECK(test::missing_in(error_for("a,b\n1,2\n", {{.name = "x", .from = {"a", "b"}, .shape = shape{3}}}),
                         {"input \"x\": 2 columns do not make the shape [3]"}) == "");
  CHECK(test::missing_in(error_for("a\n1\n", {{.name = "a", .type = tl::element::u8}}),
                         {"f32, f64, i32 or i64"}) == "");
  CHECK(test::missing_in(error_for("a\n1\n", {{.name = "a", .type = tl::element::f32, .classes = true}}),
                         {"classes have numbers of type i32 or i64, not float"}) == "");
  CHECK(test::missing_in(error_for("a\n1\n", {{.name = "a", .type = tl::element::i32, .missing = 0.5}}),
                         {"does not fit into std::int32_t"}) == "");
  CHECK(test::missing_in(error_for("a\n1\n", {{.name = "a"}}, {.separator = '"'}), {"neither a quote"}) ==
        "");
  CHECK(test::missing_in(error_for("a\n1\n", {{.name = "a"}, {.name = "a"}}), {"already has a column"}) ==
        "");
}

#if defined(TAPELESS_HAS_ZLIB)

TEST_CASE("a compressed CSV file is read", "[data]") {
  const test::temporary_folder folder;
  gzFile file = gzopen(folder.path("file.csv.gz").c_str(), "wb");
  gzwrite(file, flowers.data(), static_cast<unsigned>(flowers.size()));
  gzclose(file);
  CHECK(csv(folder.path("file.csv"), {{.name = "id"}}).set.size() == 4);
}

#endif
