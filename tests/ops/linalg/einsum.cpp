// SPDX-License-Identifier: BSL-1.0
// einsum against loops over all labels; bilinear against its sum.
#include "catch.hpp"
#include "program.hpp"

#include <map>
#include <string>

namespace {

constexpr auto n = tl::dyn<"n">;

using numbers = std::vector<double>;
using shape = std::vector<std::size_t>;

// What a term's labels pick from its elements, where the labels have the given values.
double element(const numbers& x, const shape& extents, const std::string& labels,
               const std::map<char, std::size_t>& at) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) place = place * extents[i] + at.at(labels[i]);
  return x[place];
}

struct operand {
  std::string labels;
  shape extents;
  numbers elements;
};

// The sums of products, with one loop for each label.
numbers reference(const std::vector<operand>& operands, const std::string& output) {
  std::map<char, std::size_t> extent, at;
  for (const operand& o : operands)
    for (std::size_t i = 0; i < o.extents.size(); ++i) extent[o.labels[i]] = o.extents[i];
  std::string all = output;
  for (const auto& [label, size] : extent)
    if (output.find(label) == std::string::npos) all += label;
  std::size_t results = 1, iterations = 1;
  for (const char label : output) results *= extent[label];
  for (const char label : all) iterations *= extent[label];
  numbers y(results);
  for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
    std::size_t rest = iteration;
    for (std::size_t i = all.size(); i-- > 0; rest /= extent[all[i]]) at[all[i]] = rest % extent[all[i]];
    double product = 1;
    for (const operand& o : operands) product *= element(o.elements, o.extents, o.labels, at);
    y[iteration / (iterations / results)] += product;
  }
  return y;
}

constexpr auto one_operand = [] {
  auto x = tl::input<"x", double, 2, 3, 4>;
  auto s = tl::input<"s", double, 3, 3>;
  return tl::outputs(tl::named<"cab">(tl::einsum<"abc->cab">(x)), tl::named<"b">(tl::einsum<"abc->b">(x)),
                     tl::named<"all">(tl::einsum<"abc->">(x)), tl::named<"implicit">(tl::einsum<"cba">(x)),
                     tl::named<"trace">(tl::einsum<"ii">(s)), tl::named<"diagonal">(tl::einsum<"ii->i">(s)),
                     tl::named<"last">(tl::einsum<"...a -> a...">(x)));
};

constexpr auto two_operands = [] {
  auto a = tl::input<"a", double, 2, n, 4>;
  auto b = tl::input<"b", double, 4, 2, 5>;
  auto c = tl::input<"c", double, 4, n>;
  auto v = tl::input<"v", double, 4>;
  return tl::outputs(
      tl::named<"batched">(tl::einsum<"abc,cad->abd">(a, b)),
      tl::named<"free">(tl::einsum<"abc,cde->edba">(a, b)), tl::named<"two">(tl::einsum<"abc,cb->a">(a, c)),
      tl::named<"all">(tl::einsum<"abc,cb->">(a, c)), tl::named<"no_sum">(tl::einsum<"abc,cb->bca">(a, c)),
      tl::named<"alone">(tl::einsum<"abc,cad->b">(a, b)), tl::named<"implicit">(tl::einsum<"abc,c">(a, v)),
      tl::named<"outer">(tl::einsum<"c,d->cd">(v, v)));
};

constexpr auto more = [] {
  auto a = tl::input<"a", double, 2, 3>;
  auto b = tl::input<"b", double, 3, 2>;
  auto w = tl::input<"w", double, 4, 3, 2>;
  auto d = tl::input<"d", double, 2, 2>;
  auto bias = tl::input<"bias", double, 4>;
  auto batches = tl::input<"batches", double, 3, 1, 2, 3>;
  auto others = tl::input<"others", double, 5, 3, 2>;
  return tl::outputs(tl::named<"chain">(tl::einsum<"ij,jk,kl->il">(a, b, a)),
                     tl::named<"bilinear">(tl::einsum<"ni,oij,nj->no">(a, w, d)),
                     tl::named<"layer">(tl::bilinear(a, d, w)),
                     tl::named<"biased">(tl::bilinear(a, d, w, bias) - bias),
                     tl::named<"one">(tl::bilinear(tl::at<0>(a), tl::at<0>(d), w)),
                     tl::named<"product">(tl::einsum<"...ij,...jk->...ik">(batches, others)),
                     tl::named<"matmul">(tl::matmul(batches, others)),
                     tl::named<"total">(tl::einsum<"...ij,...jk->">(batches, others)),
                     tl::named<"sum">(tl::sum(tl::matmul(batches, others))),
                     tl::named<"of_one">(tl::einsum<"zbij,bjk->zbik">(batches, others)),
                     tl::named<"summed">(tl::einsum<"zbij,bjk->zik">(batches, others)),
                     tl::named<"sums">(tl::sum<1>(tl::matmul(batches, others))));
};

void check(const numbers& found, const numbers& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    CHECK(found[i] == test::Approx(expected[i]).margin(1e-13));
  }
}

}  // namespace

TEST_CASE("einsum of one operand") {
  tl::function f{one_operand};
  test::numbers random;
  const operand x{"abc", {2, 3, 4}, random.vector(24)}, s{"ij", {3, 3}, random.vector(9)};
  auto r = f("x"_t = x.elements, "s"_t = s.elements);
  check(test::elements(r.get<"cab">()), reference({x}, "cab"));
  check(test::elements(r.get<"b">()), reference({x}, "b"));
  check(test::elements(r.get<"all">()), reference({x}, ""));
  check(test::elements(r.get<"implicit">()), reference({x}, "cba"));
  check(test::elements(r.get<"last">()), reference({x}, "cab"));
  CHECK(r.get<"last">().shape()[0] == 4);
  check(test::elements(r.get<"diagonal">()), {s.elements[0], s.elements[4], s.elements[8]});
  CHECK(r.get<"trace">()[0] == test::Approx(s.elements[0] + s.elements[4] + s.elements[8]));
}

TEST_CASE("einsum of two operands") {
  tl::function f{two_operands};
  const std::size_t count = GENERATE(3u, 1u, 0u);
  test::numbers random;
  const operand a{"abc", {2, count, 4}, random.vector(8 * count)};
  operand b{"cad", {4, 2, 5}, random.vector(40)};
  const operand c{"cb", {4, count}, random.vector(4 * count)}, v{"c", {4}, random.vector(4)};
  auto r = f("a"_t = a.elements, "b"_t = b.elements, "c"_t = c.elements, "v"_t = v.elements);
  const auto got = [](const auto& view) { return test::elements(view); };
  CHECK(r.get<"batched">().shape()[2] == 5);
  CHECK(r.get<"free">().shape()[3] == 2);
  if (count == 0) {
    check(got(r.get<"two">()), {0, 0});
    check(got(r.get<"all">()), {0});
    CHECK(r.get<"no_sum">().size() == 0);
    return;
  }
  check(got(r.get<"batched">()), reference({a, b}, "abd"));
  check(got(r.get<"alone">()), reference({a, b}, "b"));
  check(got(r.get<"two">()), reference({a, c}, "a"));
  check(got(r.get<"all">()), reference({a, c}, ""));
  check(got(r.get<"no_sum">()), reference({a, c}, "bca"));
  check(got(r.get<"implicit">()), reference({a, v}, "ab"));
  check(got(r.get<"outer">()), reference({v, {"d", {4}, v.elements}}, "cd"));
  b.labels = "cde";
  check(got(r.get<"free">()), reference({a, b}, "edba"));
}

TEST_CASE("einsum of three operands, and of axes that broadcast") {
  tl::function f{more};
  test::numbers random;
  const operand a{"ij", {2, 3}, random.vector(6)}, b{"jk", {3, 2}, random.vector(6)};
  const operand w{"oij", {4, 3, 2}, random.vector(24)}, d{"nj", {2, 2}, random.vector(4)};
  auto r = f("a"_t = a.elements, "b"_t = b.elements, "w"_t = w.elements, "d"_t = d.elements,
             "bias"_t = random.vector(4), "batches"_t = random.vector(18), "others"_t = random.vector(30));
  check(test::elements(r.get<"chain">()), reference({a, b, {"kl", {2, 3}, a.elements}}, "il"));
  const numbers bilinear = reference({{"ni", {2, 3}, a.elements}, w, d}, "no");
  check(test::elements(r.get<"bilinear">()), bilinear);
  check(test::elements(r.get<"layer">()), bilinear);
  check(test::elements(r.get<"biased">()), bilinear);
  check(test::elements(r.get<"one">()), {bilinear.begin(), bilinear.begin() + 4});
  check(test::elements(r.get<"product">()), test::elements(r.get<"matmul">()));
  check(test::elements(r.get<"of_one">()), test::elements(r.get<"matmul">()));
  check(test::elements(r.get<"summed">()), test::elements(r.get<"sums">()));
  CHECK(r.get<"product">().shape()[1] == 5);
  CHECK(r.get<"total">()[0] == test::Approx(r.get<"sum">()[0]).margin(1e-13));
}
