// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/safetensors_header.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;

namespace {

tl::io::safetensors_header parse(const std::string& text, std::int64_t data_bytes) {
  return tl::io::parse_safetensors_header(text, data_bytes, "file");
}

// The header of one tensor "a".
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

// The header of two tensors of bytes, "a" and "b".
std::string two(const std::string& a_shape, const std::string& a_offsets, const std::string& b_shape,
                const std::string& b_offsets) {
  return R"({"a":{"dtype":"U8","shape":)" + a_shape + R"(,"data_offsets":)" + a_offsets +
         R"(},"b":{"dtype":"U8","shape":)" + b_shape + R"(,"data_offsets":)" + b_offsets + "}}";
}

std::string error_for(const std::string& text, std::int64_t data_bytes) {
  return test::error_of([&] { parse(text, data_bytes); });
}

}  // namespace

TEST_CASE("every element type that files know has one name there", "[io]") {
  for (const tl::element type : {tl::element::f32, tl::element::f64, tl::element::f16, tl::element::bf16,
                                 tl::element::i32, tl::element::i64, tl::element::u8, tl::element::boolean}) {
    CHECK(tl::io::element_of_dtype(tl::io::dtype_of(type)) == type);
  }
  CHECK(tl::io::dtype_of(tl::element::bf16) == "BF16");
  CHECK(tl::io::dtype_of(tl::element::boolean) == "BOOL");
  CHECK(tl::io::dtype_of(tl::element::number).empty());
  CHECK_FALSE(tl::io::element_of_dtype(""));
  CHECK_FALSE(tl::io::element_of_dtype("F8_E4M3"));
}

TEST_CASE("a header gives tensors in the order of their data", "[io]") {
  const auto header = parse(R"({"__metadata__":{"k":"v"},
    "b":{"dtype":"U8","shape":[3],"data_offsets":[8,11],"later":[]},
    "empty":{"dtype":"F32","shape":[0,5],"data_offsets":[8,8]},
    "a":{"dtype":"F64","shape":[],"data_offsets":[0,8]}}   )",
                            11);
  REQUIRE(header.tensors.size() == 3);
  CHECK(header.tensors[0].name == "a");
  CHECK(header.tensors[0].type == tl::element::f64);
  CHECK(header.tensors[0].shape.empty());
  CHECK(header.tensors[1].name == "empty");
  CHECK(header.tensors[1].shape == std::vector<std::int64_t>{0, 5});
  CHECK(header.tensors[2].name == "b");
  CHECK(header.tensors[2].begin == 8);
  CHECK(header.tensors[2].end == 11);
  CHECK(header.metadata.at("k") == "v");
  CHECK(parse("{}", 0).tensors.empty());
}

TEST_CASE("a type that tensors lack is named", "[io]") {
  const auto header = parse(R"({"a":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]},
    "b":{"dtype":"C64","shape":[],"data_offsets":[3,11]},
    "c":{"dtype":"F6_E2M3","shape":[2,2],"data_offsets":[11,14]},
    "d":{"dtype":"F4","shape":[3],"data_offsets":[14,16]},
    "e":{"dtype":"of tomorrow","shape":[7],"data_offsets":[16,17]},
    "f":{"dtype":"U8","shape":[1],"data_offsets":[17,18]}})",
                            18);
  REQUIRE(header.tensors.size() == 6);
  const std::string_view names[] = {"F8_E4M3", "C64", "F6_E2M3", "F4", "of tomorrow"};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(header.tensors[i].foreign == names[i]);
    CHECK(header.tensors[i].type == tl::element::number);
  }
  CHECK(header.tensors[5].foreign.empty());
}

TEST_CASE("a header that is not an object of objects is refused", "[io]") {
  CHECK(test::missing_in(error_for("[", 0), {"file: header: byte 1"}) == "");
  CHECK(test::missing_in(error_for("[]", 0), {"file: the header must be an object, found an array"}) == "");
  CHECK(test::missing_in(error_for(R"({"a":1})", 0), {"tensor \"a\"", "\"dtype\" must be a string"}) == "");
  CHECK(test::missing_in(error_for(R"({"__metadata__":1})", 0),
                         {"file: __metadata__ must be an object, found an integer"}) == "");
  CHECK(test::missing_in(error_for(R"({"__metadata__":{"k":[]}})", 0),
                         {"file: __metadata__: \"k\" must be a string, found an array"}) == "");
  CHECK(test::missing_in(error_for(R"({"a":[]})", 0), {"tensor \"a\"", "\"dtype\" must be a string"}) == "");
  CHECK(test::missing_in(error_for(R"({"a":{}})", 0), {"tensor \"a\"", "\"dtype\" must be a string"}) == "");
  CHECK(test::missing_in(error_for("{} x", 0), {"file: header: byte 3", "expected the end"}) == "");
}

TEST_CASE("a name that occurs twice in a header is refused", "[io]") {
  std::string text = two("[0]", "[0,0]", "[0]", "[0,0]");
  text.replace(text.find("\"b\""), 3, "\"a\"");
  CHECK(test::missing_in(error_for(text, 0), {"file: header: the name \"a\" occurs twice"}) == "");
  CHECK(test::missing_in(error_for(R"({"__metadata__":{},"__metadata__":{}})", 0),
                         {"file: header: the name \"__metadata__\" occurs twice"}) == "");
  CHECK(test::missing_in(error_for(R"({"__metadata__":{"k":"","k":""}})", 0),
                         {"file: __metadata__: the name \"k\" occurs twice"}) == "");
  CHECK(test::missing_in(error_for(R"({"a":{"dtype":"U8","dtype":"U8"}})", 0),
                         {"file: tensor \"a\": \"dtype\" occurs twice"}) == "");
}

TEST_CASE("what a message repeats of a header is short and controls no terminal", "[io]") {
  const std::string hostile = "\\u001b[2J" + std::string(1'000'000, 'a');
  for (const std::string& text :
       {"{\"" + hostile + "\":1}", one('"' + hostile + '"', "[]", "[0,0]"),
        "{\"__metadata__\":{\"" + hostile + "\":1}}", "{\"a\":{\"" + hostile + "\":1}}"}) {
    const std::string message = error_for(text, 0);
    CHECK(message.size() < 300);
    CHECK(message.find('\033') == std::string::npos);
  }
}

TEST_CASE("the axes of a tensor are counted while they are read", "[io]") {
  std::string shape = "[1";
  for (int i = 1; i < 64; ++i) shape += ",1";
  CHECK(parse(one(R"("U8")", shape + "]", "[0,1]"), 1).tensors[0].shape.size() == 64);
  CHECK(test::missing_in(error_for(one(R"("U8")", shape + ",1,no JSON", ""), 1),
                         {"file: tensor \"a\": \"shape\" has more than 64 items"}) == "");
}

TEST_CASE("what later versions may add to a tensor is JSON, too", "[io]") {
  const auto with = [](const std::string& value) {
    return R"({"a":{"later":)" + value + R"(,"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  };
  for (const char* value : {"null", "true", "false", "-1.5e3", "\"x\"", "[]", "{ }", "[1,[2,{\"b\":null}]]"})
    CHECK(parse(with(value), 1).tensors.size() == 1);
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(parse(with(nested(62)), 1).tensors.size() == 1);
  CHECK(test::missing_in(error_for(with(nested(63)), 1), {"file: header: byte", "at most 64 levels"}) == "");
  CHECK(test::missing_in(error_for(with(std::string(1'000'000, '[')), 1), {"at most 64 levels"}) == "");
  for (const char* value : {"", "[1", "[1,]", "{\"b\"}", "{b:1}", "tru", "01"})
    CHECK(test::missing_in(error_for(with(value), 1), {"file: header: byte", "expected"}) == "");
}

TEST_CASE("a tensor whose fields are wrong is named", "[io]") {
  struct mistake {
    std::string dtype, shape, offsets, problem;
  };
  const std::string shape_problem = "\"shape\" must be an array of integers from 0 on";
  const std::string offsets_problem = "\"data_offsets\" must be two integers, the first not above the second";
  const mistake mistakes[] = {
      {"4", "[4]", "[0,4]", "\"dtype\" must be a string"},
      {R"("")", "[2]", "[0,4]", "\"dtype\" must not be empty"},
      {R"("U16")", "[1]", "[0,4]", "U16 of shape [1] takes 2 bytes, but its data_offsets hold 4"},
      {R"("F4")", "[3]", "[0,4]", "F4 of shape [3] takes 2 bytes, but its data_offsets hold 4"},
      {R"("U64")", "[2305843009213693952]", "[0,0]", "takes more than 2^60 bytes"},
      {R"("U8")", "4", "[0,4]", shape_problem},
      {R"("U8")", "[4.0]", "[0,4]", shape_problem},
      {R"("U8")", "[-4]", "[0,4]", shape_problem},
      {R"("U8")", "[18446744073709551616]", "[0,4]", shape_problem},
      {R"("U8")", "[4]", "[0]", offsets_problem},
      {R"("U8")", "[4]", "[0,4,4]", offsets_problem},
      {R"("U8")", "[4]", "[4,0]", offsets_problem},
      {R"("U8")", "[4]", "[-4,0]", "\"data_offsets\" must be an array of integers from 0 on"},
      {R"("F32")", "[2,1]", "[0,4]", "F32 of shape [2, 1] takes 8 bytes, but its data_offsets hold 4"},
      {R"("U8")", "[4294967296,4294967296]", "[0,4]", "takes more than 2^60 bytes"},
      {R"("F64")", "[2305843009213693952]", "[0,0]", "takes more than 2^60 bytes"},
  };
  for (const mistake& m : mistakes) {
    CHECK(test::missing_in(error_for(one(m.dtype, m.shape, m.offsets), 4),
                           {"file: tensor \"a\": ", m.problem}) == "");
  }
}

TEST_CASE("tensors fill the data without gaps, overlaps and rest", "[io]") {
  CHECK_NOTHROW(parse(two("[2]", "[0,2]", "[3]", "[2,5]"), 5));
  CHECK(test::missing_in(error_for(two("[2]", "[0,2]", "[2]", "[3,5]"), 5),
                         {"tensor \"b\": begins at byte 3", "expected 2"}) == "");
  CHECK(test::missing_in(error_for(two("[2]", "[0,2]", "[4]", "[1,5]"), 5),
                         {"tensor \"b\": begins at byte 1", "expected 2"}) == "");
  CHECK(test::missing_in(error_for(two("[2]", "[0,2]", "[2]", "[0,2]"), 2),
                         {"tensor \"b\": begins at byte 0", "expected 2"}) == "");
  CHECK(test::missing_in(error_for(one(R"("U8")", "[2]", "[1,3]"), 3),
                         {"tensor \"a\": begins at byte 1", "expected 0"}) == "");
  CHECK(test::missing_in(error_for(two("[2]", "[0,2]", "[4]", "[2,6]"), 5),
                         {"tensor \"b\": ends at byte 6", "the file holds only 5"}) == "");
  CHECK(test::missing_in(error_for(one(R"("U8")", "[2]", "[0,2]"), 7), {"file: 5 bytes after the end"}) ==
        "");
  CHECK(test::missing_in(error_for("{}", 7), {"file: 7 bytes after the end"}) == "");
}

TEST_CASE("a tensor begins at a multiple of its element size", "[io]") {
  const std::string text = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},
                               "b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})";
  CHECK(test::missing_in(error_for(text, 6),
                         {"tensor \"b\": begins at byte 2", "expected a multiple of 4"}) == "");
}
