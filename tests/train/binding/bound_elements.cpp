// SPDX-License-Identifier: BSL-1.0
// Elements with strides: Eigen's matrices and blocks of them, and what has the members of its tensors and of
// std::mdspan.
#include <Eigen/Core>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

using test::contains;

namespace {

constexpr auto rows = tl::dyn<"rows">, columns = tl::dyn<"columns">;

// What comes back is what was read.
template <class T>
constexpr auto matrix = [] { return tl::named<"y">(1_c * tl::input<"x", T, rows, columns>); };

template <class T>
constexpr auto vector = [] { return tl::named<"y">(1_c * tl::input<"x", T, rows>); };

template <class Dense>
Dense numbered(int m, int n) {
  Dense x(m, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) x(i, j) = static_cast<typename Dense::Scalar>(100 * i + j);
  return x;
}

/// Reads the matrix through a function, and compares element by element.
template <class M>
void check_matrix(const M& m) {
  using T = typename M::Scalar;
  test::on_each_policy([&]<class Policy>() {
    tl::function f{matrix<T>, Policy{}};
    const auto y = f("x"_t = m).template get<"y">();
    REQUIRE((y.shape()[0] == m.rows() && y.shape()[1] == m.cols()));
    int different = 0;
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < m.cols(); ++j)
        different += y[static_cast<std::size_t>(i * m.cols() + j)] == m(i, j) ? 0 : 1;
    CHECK(different == 0);
  });
}

template <class V>
void check_vector(const V& v) {
  tl::function f{vector<typename V::Scalar>};
  const auto y = f("x"_t = v).template get<"y">();
  REQUIRE(static_cast<Eigen::Index>(y.size()) == v.size());
  for (Eigen::Index i = 0; i < v.size(); ++i) CHECK(y[static_cast<std::size_t>(i)] == v[i]);
}

using by_row = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Has the members of std::mdspan that are read, with its layout_stride.
struct strided_span {
  using extents_type = std::array<std::int64_t, 3>;
  using reference = const double&;
  const double* data;
  extents_type extents;
  std::array<std::int64_t, 3> strides;

  static constexpr std::size_t rank() { return 3; }
  const double* const& data_handle() const { return data; }  // a reference, as there
  std::int64_t extent(std::size_t d) const { return extents[d]; }
  std::int64_t stride(std::size_t d) const { return strides[d]; }
};

/// As std::linalg::scaled makes one: its elements are not those in memory.
struct scaled_span : strided_span {
  using reference = double;
};
static_assert(tl::detail::has_bindable_elements<strided_span>);
static_assert(!tl::detail::has_bindable_elements<scaled_span>);

/// Has the members of Eigen's Tensor that are read.
template <int Order>
struct eigen_like_tensor {
  static constexpr int NumIndices = 3, Layout = Order;
  std::vector<double> elements;
  std::array<std::int64_t, 3> dimensions() const { return {2, 3, 4}; }
  const double* data() const { return elements.data(); }
  std::size_t size() const { return elements.size(); }
};

constexpr auto three_axes = [] {
  return tl::named<"y">(1_c * tl::input<"x", double, rows, columns, tl::dyn<"depth">>);
};

}  // namespace

TEST_CASE("matrices of Eigen's are read with their strides") {
  const auto m = numbered<Eigen::MatrixXf>(70, 45);
  const auto r = numbered<by_row>(70, 45);
  check_matrix(m);
  check_matrix(r);
  check_matrix(numbered<Eigen::MatrixXd>(3, 2));
  check_matrix(numbered<Eigen::ArrayXXf>(5, 7));
  check_matrix(numbered<Eigen::Matrix<std::int32_t, 4, 3>>(4, 3));
  check_matrix(numbered<Eigen::Matrix<std::int64_t, -1, -1>>(4, 3));
  check_matrix(numbered<Eigen::MatrixXf>(1, 6));
  check_matrix(numbered<Eigen::MatrixXf>(6, 1));
}

TEST_CASE("blocks, transposes and maps of Eigen's are read with their strides") {
  const auto m = numbered<Eigen::MatrixXf>(70, 45);
  const auto r = numbered<by_row>(70, 45);
  check_matrix(m.leftCols(3));
  check_matrix(m.topRows(64));
  check_matrix(m.block(3, 5, 40, 33));
  check_matrix(r.leftCols(3));
  check_matrix(r.topRows(64));
  check_matrix(r.block(3, 5, 40, 33));
  check_matrix(m.transpose());
  check_matrix(r.transpose());
  check_matrix(m.middleRows(7, 1));
  check_matrix(m.block(0, 0, 2, 2).transpose());
  check_matrix(Eigen::Ref<const Eigen::MatrixXf>(m.topRows(5)));
  check_matrix(Eigen::Map<const Eigen::MatrixXf, 0, Eigen::Stride<-1, -1>>(m.data(), 20, 9,
                                                                           Eigen::Stride<-1, -1>(140, 3)));
}

TEST_CASE("vectors of Eigen's have elements in order, with an increment") {
  const auto m = numbered<Eigen::MatrixXd>(7, 5);
  check_vector(Eigen::VectorXd(m.col(1)));
  check_vector(m.col(1));
  check_vector(m.row(1));
  check_vector(m.diagonal());
  check_vector(m.row(2).tail(3));
  check_vector(Eigen::RowVectorXd(m.row(3)));
  check_vector(Eigen::Vector3f(1, 2, 3));
  check_vector(Eigen::ArrayXf::LinSpaced(9, 0, 1).eval());

  tl::function f{matrix<double>};  // as a std::vector, it has no shape of its own
  const auto y = f("x"_t = m.row(1), "rows"_t = 5).get<"y">();
  CHECK((y.shape()[0] == 5 && y.shape()[1] == 1 && y[4] == 104));
}

TEST_CASE("a matrix without elements") {
  tl::function f{matrix<float>};
  CHECK(f("x"_t = Eigen::MatrixXf(0, 3)).get<"y">().shape()[1] == 3);
  CHECK(f("x"_t = Eigen::MatrixXf(2, 0)).get<"y">().shape()[0] == 2);
}

TEST_CASE("a matrix brings its shape, which is checked") {
  constexpr auto of_three = [] { return tl::named<"y">(tl::sum<-1>(tl::input<"x", float, rows, 3>)); };
  tl::function f{of_three};
  const auto m = numbered<Eigen::MatrixXf>(6, 6);
  CHECK(f("x"_t = m.leftCols(3)).get<"y">()[5] == 1503);
  CHECK_THROWS_WITH(f("x"_t = m), "tapeless: input \"x\" expects the shape [rows = 6, 3], but got [6, 6]");
}

TEST_CASE("arrays of arrays bring their shape") {
  tl::function f{three_axes};
  const double x[2][3][2] = {{{0, 1}, {2, 3}, {4, 5}}, {{6, 7}, {8, 9}, {10, 11}}};
  const auto check = [&](const auto& values) {
    const auto y = f("x"_t = values).template get<"y">();
    REQUIRE((y.shape()[0] == 2 && y.shape()[1] == 3 && y.shape()[2] == 2));
    for (std::size_t i = 0; i < 12; ++i) CHECK(y[i] == static_cast<double>(i));
  };
  using row = std::array<double, 2>;
  check(x);
  check(std::array<std::array<row, 3>, 2>{{{row{0, 1}, {2, 3}, {4, 5}}, {row{6, 7}, {8, 9}, {10, 11}}}});
  check(std::vector<std::array<row, 3>>{{row{0, 1}, {2, 3}, {4, 5}}, {row{6, 7}, {8, 9}, {10, 11}}});
  check(std::span<const double[3][2]>(x));

  constexpr auto of_three = [] { return tl::named<"y">(tl::sum<-1>(tl::input<"x", float, rows, 3>)); };
  tl::function g{of_three};
  CHECK(g("x"_t = std::vector<std::array<float, 3>>{{1, 2, 3}, {4, 5, 6}}).get<"y">()[1] == 15);
  CHECK(g("x"_t = std::vector<std::array<float, 3>>()).get<"y">().size() == 0);
  CHECK_THROWS_WITH(g("x"_t = std::vector<std::array<float, 2>>(4)),
                    "tapeless: input \"x\" expects the shape [rows = 4, 3], but got [4, 2]");
}

TEST_CASE("what has std::mdspan's members is read with its strides") {
  std::vector<double> memory(200);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
  tl::function f{three_axes};
  const auto check = [&](const strided_span& x) {
    const auto y = f("x"_t = x).get<"y">();
    std::size_t at = 0;
    REQUIRE((y.shape()[0] == x.extents[0] && y.shape()[1] == x.extents[1] && y.shape()[2] == x.extents[2]));
    for (std::int64_t i = 0; i < x.extents[0]; ++i)
      for (std::int64_t j = 0; j < x.extents[1]; ++j)
        for (std::int64_t k = 0; k < x.extents[2]; ++k)
          CHECK(y[at++] == x.data[i * x.strides[0] + j * x.strides[1] + k * x.strides[2]]);
  };
  check({memory.data(), {2, 3, 4}, {12, 4, 1}});
  check({memory.data(), {2, 3, 4}, {1, 2, 6}});
  check({memory.data(), {3, 2, 5}, {40, 20, 2}});
  check({memory.data() + 100, {2, 2, 2}, {-30, 7, -1}});
  check({memory.data(), {1, 3, 1}, {0, 5, 0}});
}

TEST_CASE("what has the members of Eigen's Tensor is read in its order") {
  tl::function f{three_axes};
  std::vector<double> memory(24);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
  const auto by_column = f("x"_t = eigen_like_tensor<0>{memory}).get<"y">();
  CHECK((by_column.shape()[0] == 2 && by_column.shape()[1] == 3 && by_column.shape()[2] == 4));
  CHECK((by_column[0] == 0 && by_column[1] == 6 && by_column[4] == 2 && by_column[12] == 1));
  const auto in_order = f("x"_t = eigen_like_tensor<1>{memory}).get<"y">();
  for (std::size_t i = 0; i < 24; ++i) CHECK(in_order[i] == static_cast<double>(i));
}

TEST_CASE("indices with strides are checked where they are") {
  constexpr auto gathered = [] {
    return tl::named<"y">(tl::gather<0>(tl::input<"x", float, 4, 2>, tl::input<"at", std::int32_t, rows, 2>));
  };
  tl::function f{gathered};
  const std::vector<float> x{10, 20, 11, 21, 12, 22, 13, 23};
  Eigen::MatrixXi at(2, 3);
  at << 0, 3, 9, 1, 2, 9;
  const auto y = f("x"_t = x, "at"_t = at.leftCols(2)).get<"y">();
  CHECK((y[0] == 10 && y[1] == 23 && y[2] == 11 && y[3] == 22));
  CHECK_THROWS_WITH(f("x"_t = x, "at"_t = at.rightCols(2)), contains("holds 9 at position 1"));
}

TEST_CASE("training on a matrix in columns is training on it in rows") {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, rows, 5>;
    return tl::mse_loss(tl::linear<"fc", 2>(tl::tanh(tl::linear<"in", 4>(x))),
                        tl::input<"y", float, rows, 2>);
  };
  test::on_each_policy([&]<class Policy>() {
    tl::trainer a{model, tl::adam({.learning_rate = 0.1}), Policy{}},
        b{model, tl::adam({.learning_rate = 0.1}), Policy{}};
    tl::trainer c{model, tl::lbfgs({.learning_rate = 0.5}), Policy{}},
        d{model, tl::lbfgs({.learning_rate = 0.5}), Policy{}};
    const Eigen::MatrixXf all = Eigen::MatrixXf::Random(30, 7);
    for (int t = 0; t < 3; ++t) {
      const by_row x = all.middleRows(10 * t, 10).leftCols(5), y = all.middleRows(10 * t, 10).rightCols(2);
      const auto in_columns = [&](auto& net) {
        return net
            .step("x"_t = all.middleRows(10 * t, 10).leftCols(5),
                  "y"_t = all.middleRows(10 * t, 10).rightCols(2))
            .loss();
      };
      CHECK(in_columns(a) == b.step("x"_t = x, "y"_t = y).loss());
      CHECK(in_columns(c) == d.step("x"_t = x, "y"_t = y).loss());
    }
  });
}
