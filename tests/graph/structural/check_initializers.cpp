// SPDX-License-Identifier: BSL-1.0
// Parameters that cannot start as they should are errors of the model.
#include <tapeless/graph/structural/check_initializers.hpp>

#include <array>
#include <string>

#include <tapeless/expr/array_initializer.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr std::array<float, 6> six{1, 2, 3, 4, 5, 6};
constexpr std::array<std::array<float, 2>, 3> three_of_two{};

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

TEST_CASE("what fits is not refused") {
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
