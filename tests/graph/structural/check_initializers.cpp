// SPDX-License-Identifier: BSL-1.0
// Parameters that cannot start as they should are errors of the model.
#include <tapeless/graph/structural/check_initializers.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include <tapeless/expr/array_initializer.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr std::array<float, 6> six{1, 2, 3, 4, 5, 6};
constexpr std::array<std::array<float, 2>, 3> three_of_two{};
constexpr std::array<int, 3> large{0, 255, 300};
constexpr std::array<int, 2> ends{0, 255};
constexpr std::array<std::array<int, 1>, 2> negative{{{-128}, {-129}}};
constexpr std::array<float, 2> no_number{1, std::numeric_limits<float>::quiet_NaN()};
constexpr std::array<std::int64_t, 2> rounded{(std::int64_t{1} << 53) - 1, (std::int64_t{1} << 53) + 1};

/// What is wrong with a model.
template <class Model>
std::string error_of(Model) {
  return std::string(tl::sizes_of<tl::lower<Model>>.error.view());
}

}  // namespace

TEST_CASE("what is computed from nothing that is there, or does not fit, is refused") {
  CHECK(error_of([] { return tl::sum(tl::param<"w", float, 3>(tl::orthogonal())); }) ==
        "the parameter \"w\"[3] starts orthogonal, but only what has 2 axes or more can be so");
  CHECK(error_of([] { return tl::sum(tl::param<"g", float, 3>(tl::norm_of<"v">())); }) ==
        "the parameter \"g\"[3] starts as the norm of \"v\", but the model has no parameter of that name");
  CHECK(error_of([] {
          return tl::sum(tl::param<"v", float, 3, 2>) + tl::sum(tl::param<"g", float, 3>(tl::norm_of<"v">()));
        }) ==
        "the parameter \"g\"[3] starts as the norm of \"v\"[3, 2], to whose shape its own cannot be "
        "broadcast");
  CHECK(error_of([] {
          return tl::sum(tl::param<"v", float, 2>) + tl::sum(tl::param<"g", float, 3, 2>(tl::norm_of<"v">()));
        }) ==
        "the parameter \"g\"[3, 2] starts as the norm of \"v\"[2], to whose shape its own cannot be "
        "broadcast");
  CHECK(error_of([] {
          return tl::sum(tl::param<"g", float>(tl::norm_of<"v">()) *
                         tl::param<"v", float>(tl::norm_of<"g">()));
        }) == "the parameter \"g\"[] starts as the norm of \"v\"[], which starts as a norm itself");
  CHECK(error_of([] { return tl::sum(tl::param<"w", float, 5>(tl::values<six>())); }) ==
        "the parameter \"w\"[5] starts as an array [6]: it takes one of 5 numbers, or one of arrays that has "
        "its shape");
  CHECK(error_of([] { return tl::sum(tl::param<"w", float, 2, 3>(tl::values<three_of_two>())); }) ==
        "the parameter \"w\"[2, 3] starts as an array [3, 2]: it takes one of 6 numbers, or one of arrays "
        "that has its shape");
  CHECK(error_of([] {
          auto body = [](auto h) { return h * tl::param<"w", float, 4>(tl::values<six>()); };
          return tl::sum(tl::scan<2>(tl::input<"x", float, 4>, body));
        }) ==
        "the parameter \"w\"[2, 4] starts as an array [6]: it takes one of 4 numbers, or one of arrays that "
        "has its shape");
}

TEST_CASE("numbers that an integer parameter does not hold are refused") {
  CHECK(
      error_of([] { return tl::sum(tl::param<"w", std::uint8_t, 3>(tl::values<large>())); }) ==
      "the parameter \"w\"[3] starts as an array whose number 2 does not fit std::uint8_t, which takes whole "
      "numbers from 0 to 255");
  CHECK(error_of([] { return tl::sum(tl::param<"w", std::int8_t, 2, 1>(tl::values<negative>())); }) ==
        "the parameter \"w\"[2, 1] starts as an array whose number 1 does not fit std::int8_t, which takes "
        "whole numbers from -128 to 127");
  CHECK(
      error_of([] { return tl::sum(tl::param<"w", std::int32_t, 2>(tl::values<no_number>())); }) ==
      "the parameter \"w\"[2] starts as an array whose number 1 does not fit std::int32_t, which takes whole "
      "numbers from -2147483648 to 2147483647");
  CHECK(
      error_of([] { return tl::sum(tl::param<"w", std::int64_t, 2>(tl::values<rounded>())); }) ==
      "the parameter \"w\"[2] starts as an array whose number 1 does not fit std::int64_t, which takes whole "
      "numbers from -9007199254740991 to 9007199254740991");
  CHECK(error_of([] { return tl::sum(tl::param<"w", std::int32_t, 2>(tl::fill(3e9))); }) ==
        "the parameter \"w\"[2] starts as a number that does not fit std::int32_t, which takes whole numbers "
        "from -2147483648 to 2147483647");
  CHECK(
      error_of([] { return tl::sum(tl::param<"w", std::uint32_t, 2>(tl::fill(-1))); }) ==
      "the parameter \"w\"[2] starts as a number that does not fit std::uint32_t, which takes whole numbers "
      "from 0 to 4294967295");
  CHECK(error_of([] { return tl::sum(tl::param<"w", std::int8_t>(tl::fill(200))); }) != "");
  CHECK(error_of([] { return tl::sum(tl::param<"w", std::int64_t>(tl::fill(0.5))); }) != "");
}

TEST_CASE("what fits is not refused") {
  CHECK(error_of([] {
          auto bytes = tl::param<"bytes", std::uint8_t, 2>(tl::values<ends>());
          auto far = tl::param<"far", std::int64_t, 3>(tl::values<large>());
          auto none = tl::param<"none", float, 2>(tl::values<no_number>());
          auto filled = tl::param<"filled", std::uint32_t>(tl::fill(4294967295));
          return tl::outputs(tl::sum(none) + tl::param<"half", float>(tl::fill(0.5)),
                             tl::named<"bytes">(bytes), tl::named<"far">(far), tl::named<"filled">(filled));
        }) == "");
  CHECK(error_of([] {
          auto nested = tl::param<"nested", float, 3, 2>(tl::values<three_of_two>());
          return tl::sum(nested) + tl::sum(tl::param<"flat", float, 2, 3>(tl::values<six>()));
        }) == "");
  CHECK(error_of([] {
          auto v = tl::param<"v", float, 3, 2>(tl::orthogonal());
          auto rows = tl::param<"rows", float, 3, 1>(tl::norm_of<"v">());
          auto columns = tl::param<"columns", float, 2>(tl::norm_of<"v">());
          return tl::sum(v * rows * columns * tl::param<"all", float>(tl::norm_of<"v">()));
        }) == "");
}
