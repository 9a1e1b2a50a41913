// SPDX-License-Identifier: BSL-1.0
#include <catch.hpp>
#include <io/decimal_comma.hpp>
#include <limits>
#include <string>
#include <tapeless/train/loop/measurement_text.hpp>

namespace tl = tapeless;
using tl::detail::text_of;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("two digits of the uncertainty, and the mean's decimals follow") {
  CHECK(text_of({0.0712345, 0.0012}) == "0.0712+-0.0012");
  CHECK(text_of({0.97812, 0.0031}) == "0.9781+-0.0031");
  CHECK(text_of({2.5, 0.1}) == "2.50+-0.10");
  CHECK(text_of({2.5, 0.0996}) == "2.50+-0.10");  // rounding gives another digit
  CHECK(text_of({2.5, 1.25}) == "2.5+-1.2");
  CHECK(text_of({-2.6, 9.97}) == "-3+-10");
  CHECK(text_of({123.456, 12.3}) == "123+-12");
  CHECK(text_of({12345.6, 123.4}) == "12350+-120");
  CHECK(text_of({0, 0.25}) == "0.00+-0.25");
  CHECK(text_of({1e-3, 5e-6}) == "0.0010000+-0.0000050");
}

TEST_CASE("fewer digits of the uncertainty, or none") {
  CHECK(text_of({123.456, 12.3}, 1) == "120+-10");
  CHECK(text_of({123.456, 12.3}, 0) == "120");
  CHECK(text_of({2.5, 0.0996}, 1) == "2.5+-0.1");
  CHECK(text_of({-2.6, 9.97}, 1) == "-0+-10");
  CHECK(text_of({1.2346e20, 5.6e17}, 1) == "(1.235+-0.006)e+20");
  CHECK(text_of({1.2346e20, 5.6e17}, 0) == "1.235e+20");
  CHECK(text_of({0.0712345, 0}, 0) == "0.07123");
  CHECK(text_of({-infinity, 0.5}, 0) == "-inf");
}

TEST_CASE("numbers have a point in every locale") {
  const test::decimal_comma locale;
  CHECK(tl::detail::printed("%.2f %.3e", 0.25, -1.5) == "0.25 -1.500e+00");
  CHECK(text_of({0.0712345, 0.0012}) == "0.0712+-0.0012");
  CHECK(tl::detail::duration_text(4.25e-3) == "4.25 ms");
}

TEST_CASE("an uncertainty that is not known is not shown") {
  CHECK(text_of({0.0712345, 0}) == "0.07123");
  CHECK(text_of({0, 0}) == "0");
  CHECK(text_of({1e30, 0}) == "1e+30");
}

TEST_CASE("very large and very small numbers share an exponent") {
  CHECK(text_of({1.2345e20, 5.6e17}) == "(1.2345+-0.0056)e+20");
  CHECK(text_of({1.25e-12, 3.1e-14}) == "(1.250+-0.031)e-12");
  CHECK(text_of({1.5e-12, 3.1e7}) == "(0.0+-3.1)e+7");
  CHECK(text_of({1.5e308, 1e307}) == "(1.50+-0.10)e+308");
  CHECK(text_of({4e-320, 1e-321}).size() < 40);
  CHECK(text_of({1e300, 1e-300}).size() < 40);
}

TEST_CASE("what is no number is shown as such") {
  CHECK(text_of({not_a_number, 0}).find("nan") != std::string::npos);
  CHECK(text_of({not_a_number, not_a_number}).find("nan") != std::string::npos);
  CHECK(text_of({infinity, 0}) == "inf");
  CHECK(text_of({-infinity, 0.5}) == "-inf+-0.5");
  CHECK(text_of({0.5, infinity}) == "0.5+-inf");
}

TEST_CASE("times are shown as a clock shows them") {
  using tl::detail::clock_text;
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(59.6) == "1:00");
  CHECK(clock_text(754) == "12:34");
  CHECK(clock_text(3723) == "1:02:03");
  CHECK(clock_text(3 * 86400 + 4 * 3600) == "3 d 04 h");
  for (double x : {-1.0, not_a_number, infinity, 1e300}) CHECK(clock_text(x) == "?");
}

TEST_CASE("a short time is shown in a unit that fits it") {
  using tl::detail::duration_text;
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(3.456e-6) == "3.46 \u00b5s");
  CHECK(duration_text(0.00099949) == "999 \u00b5s");
  CHECK(duration_text(0.00099951) == "1 ms");
  CHECK(duration_text(0.00161) == "1.61 ms");
  CHECK(duration_text(0.99949) == "999 ms");
  CHECK(duration_text(0.99951) == "1 s");
  CHECK(duration_text(4.214) == "4.21 s");
  CHECK(duration_text(99.97) == "100 s");
  CHECK(duration_text(754) == "12:34");
  CHECK(duration_text(not_a_number) == "?");
}
