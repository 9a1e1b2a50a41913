// SPDX-License-Identifier: BSL-1.0
// Written by opinfo.py --slice; slice.safetensors has what PyTorch gives.
// clang-format off
#include "models.hpp"
namespace {
struct m0 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 + x1)); } };
struct m1 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x1 / x0)); } };
struct m2 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; auto x1 = tl::input<"x1", double, 20>; return tl::outputs(tl::named<"y0">(tl::matmul(x1, x0))); } };
struct m3 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::mod(x1, x0))); } };
struct m4 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 * x1)); } };
struct m5 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::pow(x1, x0))); } };
struct m6 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x1 - x0)); } };
struct m7 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::acos(x0))); } };
struct m8 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 + x1)); } };
struct m9 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", double, 2, 2>; auto x2 = tl::input<"x2", double, 2, 3>; return tl::outputs(tl::named<"y0">(tl::constant<0.2> * x0 + tl::constant<0.6> * tl::matmul(x1, x2))); } };
struct m10 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", double, 2, 2>; auto x2 = tl::input<"x2", double, 2, 3>; return tl::outputs(tl::named<"y0">(x0 + tl::matmul(x1, x2))); } };
struct m11 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5, 10>; auto x2 = tl::input<"x2", double, 10>; return tl::outputs(tl::named<"y0">(x0 + tl::matmul(x1, x2))); } };
struct m12 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5, 10>; auto x2 = tl::input<"x2", double, 10>; return tl::outputs(tl::named<"y0">(tl::constant<0.2> * x0 + tl::constant<0.6> * tl::matmul(x1, x2))); } };
struct m13 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 10>; return tl::outputs(tl::named<"y0">(x0 + tl::outer(x1, x2))); } };
struct m14 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 10>; return tl::outputs(tl::named<"y0">(tl::constant<0.6> * x0 + tl::constant<0.2> * tl::outer(x1, x2))); } };
struct m15 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(x0))); } };
struct m16 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::all((x0 != tl::constant<0>)))); } };
struct m17 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::all<0>((x0 != tl::constant<0>), tl::keep_dims))); } };
struct m18 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::max(x0))); } };
struct m19 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::max<0>(x0, tl::keep_dims))); } };
struct m20 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::min(x0))); } };
struct m21 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::min<0>(x0, tl::keep_dims))); } };
struct m22 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::min(x0)), tl::named<"y1">(tl::max(x0))); } };
struct m23 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::any((x0 != tl::constant<0>)))); } };
struct m24 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::any<0>((x0 != tl::constant<0>), tl::keep_dims))); } };
struct m25 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::argmax(x0))); } };
struct m26 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::argmax<0>(x0, tl::keep_dims))); } };
struct m27 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::argmin(x0))); } };
struct m28 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::argmin<0>(x0, tl::keep_dims))); } };
struct m29 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::argsort<-1>(x0))); } };
struct m30 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::argsort<0>(x0, tl::descending))); } };
struct m31 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::atan2(x0, x1))); } };
struct m32 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5, 5>(x0))); } };
struct m33 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(x0))); } };
struct m34 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double, 1, 2, 1>; auto x2 = tl::input<"x2", double, 1, 1>; auto x3 = tl::input<"x3", double, 5, 1, 1>; return tl::outputs(tl::named<"y0">(tl::expand<5, 2, 3>(x0)), tl::named<"y1">(tl::expand<5, 2, 3>(x1)), tl::named<"y2">(tl::expand<5, 2, 3>(x2)), tl::named<"y3">(tl::expand<5, 2, 3>(x3))); } };
struct m35 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 1, 1>; return tl::outputs(tl::named<"y0">(tl::expand<5, 5, 5>(x0))); } };
struct m36 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::concat<-1>(x0, x1))); } };
struct m37 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::min(x0, x1))); } };
struct m38 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::max(x0, x1))); } };
struct m39 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape<>(x0))); } };
struct m40 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 2, 1>; auto x1 = tl::input<"x1", double, 5, 3, 1>; return tl::outputs(tl::named<"y0">(tl::concat<1>(x0, x1))); } };
struct m41 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::concat<1>(tl::reshape<5, 1>(x0), x1))); } };
struct m42 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::reshape<20>(x0))); } };
struct m43 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 0, 3>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 0, 3>(x0))); } };
struct m44 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-1, 2, 2>(x0))); } };
struct m45 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-1, 1, 2>(x0, tl::constant<1.0>))); } };
struct m46 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-2, 0, 1>(tl::pad<-1, 0, 2>(x0, tl::constant<1.0>), tl::constant<1.0>))); } };
struct m47 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape<>(x0))); } };
struct m48 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::cos(x0))); } };
struct m49 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::cosh(x0))); } };
struct m50 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::sum(tl::cast<std::int64_t>(x0 != tl::constant<0>)))); } };
struct m51 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::sum<0>(tl::cast<std::int64_t>(x0 != tl::constant<0>)))); } };
struct m52 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1>; return tl::outputs(tl::named<"y0">(tl::cumprod<0>(x0))); } };
struct m53 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::diagonal(x0))); } };
struct m54 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::diagonal(x0))); } };
struct m55 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::floor(x0 / x1))); } };
struct m56 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 / x1)); } };
struct m57 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::trunc(x0 / x1))); } };
struct m58 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::dot(x0, x1))); } };
struct m59 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; return tl::outputs(tl::named<"y0">(tl::einsum<"i->">(x0))); } };
struct m60 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double, 4>; return tl::outputs(tl::named<"y0">(tl::einsum<"i,j->ij">(x0, x1))); } };
struct m61 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; return tl::outputs(tl::named<"y0">(tl::einsum<"ij->i">(x0))); } };
struct m62 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", double, 1, 3>; return tl::outputs(tl::named<"y0">(tl::einsum<"ij,kj->ik">(x0, x1))); } };
struct m63 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", double, 4, 4>; return tl::outputs(tl::named<"y0">(tl::einsum<"ij,Ab->ijAb">(x0, x1))); } };
struct m64 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 == x1)); } };
struct m65 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::exp(x0))); } };
struct m66 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::exp2(x0))); } };
struct m67 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 1, 1>; return tl::outputs(tl::named<"y0">(tl::expand<5, 5, 5>(x0))); } };
struct m68 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::expand(x0))); } };
struct m69 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::expand<1, 1>(x0))); } };
struct m70 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 1, 1>; return tl::outputs(tl::named<"y0">(tl::expand<5, 5, 5>(x0))); } };
struct m71 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::flatten<0, -1>(x0))); } };
struct m72 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 0, 10>; return tl::outputs(tl::named<"y0">(tl::flip<1>(x0))); } };
struct m73 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 0, 10>; return tl::outputs(tl::named<"y0">(tl::flip<0>(x0))); } };
struct m74 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::pow(x0, x1))); } };
struct m75 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::fmod(x0, x1))); } };
struct m76 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 10, 5>; auto x1 = tl::input<"x1", std::int64_t, 5, 5>; return tl::outputs(tl::named<"y0">(tl::gather<0>(x0, x1))); } };
struct m77 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 >= x1)); } };
struct m78 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 > x1)); } };
struct m79 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 6>; return tl::outputs(tl::named<"y0">(tl::slice<0, 0, 3>(x0)), tl::named<"y1">(tl::slice<0, 3, 6>(x0))); } };
struct m80 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::concat<0>(x0, x1, x2))); } };
struct m81 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::i0(x0))); } };
struct m82 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t, 1>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::index_add<0>(x0, x1, tl::constant<-1> * x2))); } };
struct m83 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t, 1>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::index_copy<0>(x0, x1, x2))); } };
struct m84 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t, 1>; return tl::outputs(tl::named<"y0">(tl::index_fill<0>(x0, x1, tl::constant<-4.826984902407649>))); } };
struct m85 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t, 1>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::index_fill<0>(x0, x1, x2))); } };
struct m86 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", std::int64_t, 1>; auto x2 = tl::input<"x2", double, 1, 5>; return tl::outputs(tl::named<"y0">(tl::index_copy<0>(x0, x1, x2))); } };
struct m87 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", std::int64_t, 2>; auto x2 = tl::input<"x2", double, 2, 5>; return tl::outputs(tl::named<"y0">(tl::index_add<0>(x0, x1, x2))); } };
struct m88 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t, 1>; return tl::outputs(tl::named<"y0">(tl::index_select<0>(x0, x1))); } };
struct m89 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::matmul(x0, x1))); } };
struct m90 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double, 5, 5>; return tl::outputs(tl::named<"y0">(x0 * x1)); } };
struct m91 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 <= x1)); } };
struct m92 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::cholesky(x0))); } };
struct m93 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::cond(x0))); } };
struct m94 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 0>; return tl::outputs(tl::named<"y0">(tl::det(x0))); } };
struct m95 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::diagonal(x0))); } };
struct m96 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::eigh(tl::transpose(x0)))), tl::named<"y1">(tl::abs(std::get<1>(tl::eigh(tl::transpose(x0)))))); } };
struct m97 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::eigvalsh(tl::transpose(x0)))); } };
struct m98 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::inverse(x0))); } };
struct m99 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", double, 2, 3>; return tl::outputs(tl::named<"y0">(tl::lstsq(x0, x1))); } };
struct m100 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", double, 2, 3>; return tl::outputs(tl::named<"y0">(tl::lstsq(x0, x1))); } };
struct m101 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 5>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::lu(x0))), tl::named<"y1">(std::get<1>(tl::lu(x0))), tl::named<"y2">(std::get<2>(tl::lu(x0)))); } };
struct m102 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0)))); } };
struct m103 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0))); } };
struct m104 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(tl::permute<1, 0>(x0))))); } };
struct m105 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 0>(x0)))); } };
struct m106 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::nuclear)))); } };
struct m107 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::nuclear))); } };
struct m108 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(tl::permute<1, 0>(x0), tl::nuclear)))); } };
struct m109 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 0>(x0), tl::nuclear))); } };
struct m110 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::order<tl::infinity>)))); } };
struct m111 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::order<tl::infinity>))); } };
struct m112 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(tl::permute<1, 0>(x0), tl::order<tl::infinity>)))); } };
struct m113 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 0>(x0), tl::order<tl::infinity>))); } };
struct m114 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::order<1>)))); } };
struct m115 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::order<1>))); } };
struct m116 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(tl::permute<1, 0>(x0), tl::order<1>)))); } };
struct m117 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 0>(x0), tl::order<1>))); } };
struct m118 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<2, 1, 1>(tl::matrix_norm(x0)))); } };
struct m119 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 3, 1>(tl::matrix_norm(tl::permute<1, 2, 0>(x0))))); } };
struct m120 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 2, 0>(x0)))); } };
struct m121 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<2, 1, 1>(tl::matrix_norm(x0, tl::nuclear)))); } };
struct m122 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 3, 1>(tl::matrix_norm(tl::permute<1, 2, 0>(x0), tl::nuclear)))); } };
struct m123 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 2, 0>(x0), tl::nuclear))); } };
struct m124 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<2, 1, 1>(tl::matrix_norm(x0, tl::order<tl::infinity>)))); } };
struct m125 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 3, 1>(tl::matrix_norm(tl::permute<1, 2, 0>(x0), tl::order<tl::infinity>)))); } };
struct m126 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 2, 0>(x0), tl::order<tl::infinity>))); } };
struct m127 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<2, 1, 1>(tl::matrix_norm(x0, tl::order<1>)))); } };
struct m128 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 3, 1>(tl::matrix_norm(tl::permute<1, 2, 0>(x0), tl::order<1>)))); } };
struct m129 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 2>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(tl::permute<1, 2, 0>(x0), tl::order<1>))); } };
struct m130 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1>; return tl::outputs(tl::named<"y0">(tl::matrix_power<0>(x0))); } };
struct m131 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2>; auto x1 = tl::input<"x1", double, 2, 1>; return tl::outputs(tl::named<"y0">(tl::matmul(x0, x1))); } };
struct m132 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 2>; auto x1 = tl::input<"x1", double, 2, 2>; auto x2 = tl::input<"x2", double, 2, 2>; return tl::outputs(tl::named<"y0">(tl::matmul(tl::matmul(x0, x1), x2))); } };
struct m133 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0))); } };
struct m134 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<0>))); } };
struct m135 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<tl::infinity>))); } };
struct m136 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::keep_dims))); } };
struct m137 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<0>, tl::keep_dims))); } };
struct m138 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<tl::infinity>, tl::keep_dims))); } };
struct m139 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0))); } };
struct m140 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::nuclear))); } };
struct m141 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::order<tl::infinity>))); } };
struct m142 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::order<1>))); } };
struct m143 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0)))); } };
struct m144 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::nuclear)))); } };
struct m145 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::order<tl::infinity>)))); } };
struct m146 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::order<1>)))); } };
struct m147 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0))); } };
struct m148 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<0>))); } };
struct m149 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<tl::infinity>))); } };
struct m150 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::keep_dims))); } };
struct m151 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<0>, tl::keep_dims))); } };
struct m152 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<tl::infinity>, tl::keep_dims))); } };
struct m153 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0))); } };
struct m154 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::nuclear))); } };
struct m155 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::order<tl::infinity>))); } };
struct m156 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::order<1>))); } };
struct m157 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0)))); } };
struct m158 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::nuclear)))); } };
struct m159 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::order<tl::infinity>)))); } };
struct m160 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(tl::matrix_norm(x0, tl::order<1>)))); } };
struct m161 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::pinv(x0))); } };
struct m162 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::pinv<1.0>(x0))); } };
struct m163 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::qr(x0))), tl::named<"y1">(std::get<1>(tl::qr(x0)))); } };
struct m164 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 0>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::slogdet(x0))), tl::named<"y1">(std::get<1>(tl::slogdet(x0)))); } };
struct m165 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::solve(x0, x1))); } };
struct m166 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 3>; auto x1 = tl::input<"x1", double, 3, 1>; return tl::outputs(tl::named<"y0">(tl::solve_triangular<tl::triangular{.upper = true, .unitriangular = true}>(x0, x1))); } };
struct m167 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 3>; auto x1 = tl::input<"x1", double, 3, 1>; return tl::outputs(tl::named<"y0">(tl::solve_triangular<tl::triangular{.upper = true}>(x0, x1))); } };
struct m168 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 3>; auto x1 = tl::input<"x1", double, 3, 1>; return tl::outputs(tl::named<"y0">(tl::solve_triangular<tl::triangular{.unitriangular = true}>(x0, x1))); } };
struct m169 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 3>; auto x1 = tl::input<"x1", double, 3, 1>; return tl::outputs(tl::named<"y0">(tl::solve_triangular(x0, x1))); } };
struct m170 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1>; auto x1 = tl::input<"x1", double, 3, 1>; return tl::outputs(tl::named<"y0">(tl::solve_triangular<tl::triangular{.upper = true, .unitriangular = true, .left = false}>(x0, x1))); } };
struct m171 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 0>; return tl::outputs(tl::named<"y0">(tl::abs(std::get<0>(tl::svd(x0)))), tl::named<"y1">(std::get<1>(tl::svd(x0))), tl::named<"y2">(tl::abs(std::get<2>(tl::svd(x0))))); } };
struct m172 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::svdvals(x0))); } };
struct m173 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0>; auto x1 = tl::input<"x1", double, 0>; return tl::outputs(tl::named<"y0">(tl::sum<-1>(x0 * x1))); } };
struct m174 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<6>))); } };
struct m175 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::norm(x0))); } };
struct m176 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::log(x0))); } };
struct m177 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::log2(x0))); } };
struct m178 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::log_softmax<0>(x0))); } };
struct m179 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::log_softmax<0>(x0))); } };
struct m180 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 0>; return tl::outputs(tl::named<"y0">(tl::logdet(x0))); } };
struct m181 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 && x1)); } };
struct m182 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(!x0)); } };
struct m183 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 || x1)); } };
struct m184 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::logical_xor(x0, x1))); } };
struct m185 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::logsumexp<1>(x0, tl::keep_dims))); } };
struct m186 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::logsumexp<1>(x0))); } };
struct m187 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::logsumexp<0, 1>(x0))); } };
struct m188 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 < x1)); } };
struct m189 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::transpose(x0))); } };
struct m190 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::transpose(x0))); } };
struct m191 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; auto x1 = tl::input<"x1", double, 20>; return tl::outputs(tl::named<"y0">(tl::matmul(x0, x1))); } };
struct m192 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_exp(x0))); } };
struct m193 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::max(x0, x1))); } };
struct m194 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::max(x0, x1))); } };
struct m195 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::max(x0))); } };
struct m196 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::mean(x0))); } };
struct m197 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::mean<0>(x0, tl::keep_dims))); } };
struct m198 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0)))); } };
struct m199 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0, x1))), tl::named<"y1">(std::get<1>(tl::meshgrid(x0, x1)))); } };
struct m200 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(std::get<0>(tl::meshgrid(x0, x1)))), tl::named<"y1">(tl::transpose<0, 1>(std::get<1>(tl::meshgrid(x0, x1))))); } };
struct m201 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0, x1, x2))), tl::named<"y1">(std::get<1>(tl::meshgrid(x0, x1, x2))), tl::named<"y2">(std::get<2>(tl::meshgrid(x0, x1, x2)))); } };
struct m202 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(std::get<0>(tl::meshgrid(x0, x1, x2)))), tl::named<"y1">(tl::transpose<0, 1>(std::get<1>(tl::meshgrid(x0, x1, x2)))), tl::named<"y2">(tl::transpose<0, 1>(std::get<2>(tl::meshgrid(x0, x1, x2))))); } };
struct m203 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; auto x3 = tl::input<"x3", double>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0, x1, x2, x3))), tl::named<"y1">(std::get<1>(tl::meshgrid(x0, x1, x2, x3))), tl::named<"y2">(std::get<2>(tl::meshgrid(x0, x1, x2, x3))), tl::named<"y3">(std::get<3>(tl::meshgrid(x0, x1, x2, x3)))); } };
struct m204 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; auto x3 = tl::input<"x3", double>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(std::get<0>(tl::meshgrid(x0, x1, x2, x3)))), tl::named<"y1">(tl::transpose<0, 1>(std::get<1>(tl::meshgrid(x0, x1, x2, x3)))), tl::named<"y2">(tl::transpose<0, 1>(std::get<2>(tl::meshgrid(x0, x1, x2, x3)))), tl::named<"y3">(tl::transpose<0, 1>(std::get<3>(tl::meshgrid(x0, x1, x2, x3))))); } };
struct m205 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0)))); } };
struct m206 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0, x1))), tl::named<"y1">(std::get<1>(tl::meshgrid(x0, x1)))); } };
struct m207 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(std::get<0>(tl::meshgrid(x0, x1)))), tl::named<"y1">(tl::transpose<0, 1>(std::get<1>(tl::meshgrid(x0, x1))))); } };
struct m208 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0, x1, x2))), tl::named<"y1">(std::get<1>(tl::meshgrid(x0, x1, x2))), tl::named<"y2">(std::get<2>(tl::meshgrid(x0, x1, x2)))); } };
struct m209 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(std::get<0>(tl::meshgrid(x0, x1, x2)))), tl::named<"y1">(tl::transpose<0, 1>(std::get<1>(tl::meshgrid(x0, x1, x2)))), tl::named<"y2">(tl::transpose<0, 1>(std::get<2>(tl::meshgrid(x0, x1, x2))))); } };
struct m210 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; auto x3 = tl::input<"x3", double>; return tl::outputs(tl::named<"y0">(std::get<0>(tl::meshgrid(x0, x1, x2, x3))), tl::named<"y1">(std::get<1>(tl::meshgrid(x0, x1, x2, x3))), tl::named<"y2">(std::get<2>(tl::meshgrid(x0, x1, x2, x3))), tl::named<"y3">(std::get<3>(tl::meshgrid(x0, x1, x2, x3)))); } };
struct m211 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double, 3>; auto x3 = tl::input<"x3", double>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(std::get<0>(tl::meshgrid(x0, x1, x2, x3)))), tl::named<"y1">(tl::transpose<0, 1>(std::get<1>(tl::meshgrid(x0, x1, x2, x3)))), tl::named<"y2">(tl::transpose<0, 1>(std::get<2>(tl::meshgrid(x0, x1, x2, x3)))), tl::named<"y3">(tl::transpose<0, 1>(std::get<3>(tl::meshgrid(x0, x1, x2, x3))))); } };
struct m212 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::min(x0, x1))); } };
struct m213 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::min(x0, x1))); } };
struct m214 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::min(x0))); } };
struct m215 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 5>; auto x1 = tl::input<"x1", double, 5, 10>; return tl::outputs(tl::named<"y0">(tl::matmul(x0, x1))); } };
struct m216 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 4, 3, 2, 1>; return tl::outputs(tl::named<"y0">(tl::permute<3, 2, 1, 0>(x0))); } };
struct m217 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 * x1)); } };
struct m218 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 10>; auto x1 = tl::input<"x1", double, 10>; return tl::outputs(tl::named<"y0">(tl::matmul(x0, x1))); } };
struct m219 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; auto x1 = tl::input<"x1", double, 1, 2, 3>; auto x2 = tl::input<"x2", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::layer_norm<3, 0.5>(x0, x1, x2))); } };
struct m220 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; auto x1 = tl::input<"x1", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::layer_norm<3, 0.5>(x0, x1))); } };
struct m221 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::layer_norm<3, 0.5>(x0))); } };
struct m222 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 != x1)); } };
struct m223 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 8, 8>; return tl::outputs(tl::named<"y0">(tl::adaptive_avg_pool1d<5>(x0))); } };
struct m224 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 8, 8, 8, 8>; return tl::outputs(tl::named<"y0">(tl::adaptive_avg_pool3d<5, 7, 4>(x0))); } };
struct m225 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 4, 4>; return tl::outputs(tl::named<"y0">(tl::adaptive_max_pool1d<3>(x0))); } };
struct m226 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 9>; return tl::outputs(tl::named<"y0">(tl::avg_pool1d<tl::pool{.kernel = 3}>(x0))); } };
struct m227 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3, 9>; return tl::outputs(tl::named<"y0">(tl::avg_pool1d<tl::pool{.kernel = 3, .stride = 1, .padding = 1, .ceil_mode = true, .count_include_pad = false}>(x0))); } };
struct m228 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3, 9>; return tl::outputs(tl::named<"y0">(tl::avg_pool1d<tl::pool{.kernel = 6, .stride = 3, .padding = 2, .ceil_mode = true}>(x0))); } };
struct m229 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 3, 9>; return tl::outputs(tl::named<"y0">(tl::avg_pool1d<tl::pool{.kernel = 6, .stride = 3, .padding = 2}>(x0))); } };
struct m230 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1, 4, 4>; return tl::outputs(tl::named<"y0">(tl::avg_pool2d<tl::pool{.kernel = {2, 2}, .divisor_override = -2}>(x0))); } };
struct m231 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 3>; auto x1 = tl::input<"x1", double, 0, 4>; auto x2 = tl::input<"x2", double, 5, 3, 4>; auto x3 = tl::input<"x3", double, 5>; return tl::outputs(tl::named<"y0">(tl::bilinear(x0, x1, x2, x3))); } };
struct m232 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::bce_loss(x0, x1))); } };
struct m233 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::bce_with_logits_loss(x0, x1))); } };
struct m234 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::celu(x0, tl::constant<1.0>))); } };
struct m235 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3, 4>; auto x1 = tl::input<"x1", double, 3, 3, 3>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::conv1d<tl::conv{.stride = 2, .padding = 2}>(x0, x1, x2))); } };
struct m236 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 4, 8>; auto x1 = tl::input<"x1", double, 2, 2, 3>; auto x2 = tl::input<"x2", double, 2>; return tl::outputs(tl::named<"y0">(tl::conv1d<tl::conv{.stride = 3, .padding = 1, .dilation = 2, .groups = 2}>(x0, x1, x2))); } };
struct m237 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 4, 5>; auto x1 = tl::input<"x1", double, 1, 4, 3>; return tl::outputs(tl::named<"y0">(tl::conv1d<tl::conv{.stride = 2, .padding = tl::padding_size::valid}>(x0, x1))); } };
struct m238 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3, 4>; auto x1 = tl::input<"x1", double, 3, 3, 3>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::conv_transpose1d<tl::conv{.stride = 2, .padding = 2, .output_padding = 1}>(x0, x1, x2))); } };
struct m239 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 4>; auto x1 = tl::input<"x1", double, 2, 2, 4>; auto x2 = tl::input<"x2", double, 4>; return tl::outputs(tl::named<"y0">(tl::conv_transpose1d<tl::conv{.stride = 3, .padding = 1, .dilation = 4, .groups = 2, .output_padding = 2}>(x0, x1, x2))); } };
struct m240 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1, 4>; auto x1 = tl::input<"x1", double, 1, 1, 4>; auto x2 = tl::input<"x2", double, 1>; return tl::outputs(tl::named<"y0">(tl::conv_transpose1d<tl::conv{.stride = 2, .padding = 1, .dilation = 2, .output_padding = 1}>(x0, x1, x2))); } };
struct m241 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", double, 5, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::cosine_embedding_loss<tl::loss{.reduce = tl::reduction::none, .margin = 0.9329070713842775}>(x0, x1, x2))); } };
struct m242 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", double, 5, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::cosine_embedding_loss<tl::loss{.margin = 0.9329070713842775}>(x0, x1, x2))); } };
struct m243 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", double, 5, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::cosine_embedding_loss<tl::loss{.reduce = tl::reduction::sum, .margin = 0.9329070713842775}>(x0, x1, x2))); } };
struct m244 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::cosine_similarity<1, 1e-08>(x0, x1))); } };
struct m245 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::cosine_similarity<0, 0.5>(x0, x1))); } };
struct m246 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", std::int64_t, 2>; return tl::outputs(tl::named<"y0">(tl::cross_entropy(x0, x1))); } };
struct m247 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 1>; auto x1 = tl::input<"x1", std::int64_t, 2, 1>; return tl::outputs(tl::named<"y0">(tl::cross_entropy<tl::loss{.axis = 1}>(x0, x1))); } };
struct m248 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::elu(x0, tl::constant<1.0>))); } };
struct m249 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::gaussian_nll_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1, x2))); } };
struct m250 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::gaussian_nll_loss<tl::loss{.reduce = tl::reduction::none, .full = true}>(x0, x1, x2))); } };
struct m251 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::gaussian_nll_loss<tl::loss{.reduce = tl::reduction::none, .eps = 0.0009664870821564467}>(x0, x1, x2))); } };
struct m252 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::gaussian_nll_loss<tl::loss{.reduce = tl::reduction::none, .eps = 0.0009664870821564467, .full = true}>(x0, x1, x2))); } };
struct m253 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 6, 3>; auto x1 = tl::input<"x1", double, 6>; auto x2 = tl::input<"x2", double, 6>; return tl::outputs(tl::named<"y0">(tl::group_norm<2, 0.5>(x0, x1, x2))); } };
struct m254 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3>; auto x1 = tl::input<"x1", double, 3>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::group_norm<1, 1e-05>(x0, x1, x2))); } };
struct m255 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::hard_sigmoid(x0))); } };
struct m256 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::hinge_embedding_loss<tl::loss{.reduce = tl::reduction::none, .margin = 8.396163642458497}>(x0, x1))); } };
struct m257 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::hinge_embedding_loss<tl::loss{.margin = 8.396163642458497}>(x0, x1))); } };
struct m258 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::hinge_embedding_loss<tl::loss{.reduce = tl::reduction::sum, .margin = 8.396163642458497}>(x0, x1))); } };
struct m259 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::huber_loss<tl::loss{.reduce = tl::reduction::none, .delta = 8.698115367693557}>(x0, x1))); } };
struct m260 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::huber_loss<tl::loss{.delta = 8.698115367693557}>(x0, x1))); } };
struct m261 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::huber_loss<tl::loss{.reduce = tl::reduction::sum, .delta = 8.698115367693557}>(x0, x1))); } };
struct m262 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 2, 4>; auto x3 = tl::input<"x3", double, 2>; auto x4 = tl::input<"x4", double, 2>; return tl::outputs(tl::named<"y0">(tl::instance_norm<1e-05>(x0, x3, x4))); } };
struct m263 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::interpolate<tl::resize{.size = 3, .mode = tl::interpolation::area}>(x0))); } };
struct m264 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::interpolate<tl::resize{.scale_factor = 1.7, .mode = tl::interpolation::area}>(x0))); } };
struct m265 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::interpolate<tl::resize{.scale_factor = 1.7, .mode = tl::interpolation::area, .recompute_scale_factor = true}>(x0))); } };
struct m266 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::interpolate<tl::resize{.size = 3, .mode = tl::interpolation::linear, .align_corners = true}>(x0))); } };
struct m267 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::interpolate<tl::resize{.scale_factor = 1.7, .mode = tl::interpolation::linear, .align_corners = true}>(x0))); } };
struct m268 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::interpolate<tl::resize{.scale_factor = 1.7, .mode = tl::interpolation::linear, .align_corners = true, .recompute_scale_factor = true}>(x0))); } };
struct m269 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; auto x1 = tl::input<"x1", double, 2>; return tl::outputs(tl::named<"y0">(tl::kl_div<tl::loss{.reduce = tl::reduction::none, .log_target = true}>(x0, x1))); } };
struct m270 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; auto x1 = tl::input<"x1", double, 2>; return tl::outputs(tl::named<"y0">(tl::kl_div<tl::loss{.reduce = tl::reduction::none, .log_target = false}>(x0, x1))); } };
struct m271 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; auto x1 = tl::input<"x1", double, 2>; return tl::outputs(tl::named<"y0">(tl::kl_div<tl::loss{.log_target = true}>(x0, x1))); } };
struct m272 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; auto x1 = tl::input<"x1", double, 2>; return tl::outputs(tl::named<"y0">(tl::kl_div<tl::loss{.log_target = false}>(x0, x1))); } };
struct m273 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; auto x1 = tl::input<"x1", double, 2>; return tl::outputs(tl::named<"y0">(tl::kl_div<tl::loss{.reduce = tl::reduction::batch_mean, .log_target = true}>(x0, x1))); } };
struct m274 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::l1_loss(x0, x1))); } };
struct m275 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::l1_loss<tl::loss{.reduce = tl::reduction::sum}>(x0, x1))); } };
struct m276 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::l1_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1))); } };
struct m277 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; auto x1 = tl::input<"x1", double, 1, 2, 3>; auto x2 = tl::input<"x2", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::layer_norm<3, 0.5>(x0, x1, x2))); } };
struct m278 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1>; auto x1 = tl::input<"x1", double, 1>; auto x2 = tl::input<"x2", double, 1>; return tl::outputs(tl::named<"y0">(tl::layer_norm<1, 1e-05>(x0, x1, x2))); } };
struct m279 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; auto x1 = tl::input<"x1", double, 4, 3>; auto x2 = tl::input<"x2", double, 4>; return tl::outputs(tl::named<"y0">(tl::linear(x0, x1, x2))); } };
struct m280 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::margin_ranking_loss<tl::loss{.reduce = tl::reduction::sum, .margin = 0.0}>(x0, x1, x2))); } };
struct m281 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::margin_ranking_loss<tl::loss{.margin = 0.0}>(x0, x1, x2))); } };
struct m282 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::margin_ranking_loss<tl::loss{.reduce = tl::reduction::none, .margin = 0.0}>(x0, x1, x2))); } };
struct m283 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::max_pool1d<tl::pool{.kernel = 3, .stride = 2, .ceil_mode = true}>(x0))); } };
struct m284 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::max_pool1d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true}>(x0))); } };
struct m285 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::max_pool1d<tl::pool{.kernel = 3, .stride = 2}>(x0))); } };
struct m286 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::max_pool1d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x0))); } };
struct m287 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::max_pool1d<tl::pool{.kernel = 3, .ceil_mode = true}>(x0))); } };
struct m288 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3, 6>; return tl::outputs(tl::named<"y0">(tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .ceil_mode = true}>(x0))); } };
struct m289 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3, 6>; return tl::outputs(tl::named<"y0">(tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .dilation = {1, 2}, .ceil_mode = true}>(x0))); } };
struct m290 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3, 6>; return tl::outputs(tl::named<"y0">(tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true}>(x0))); } };
struct m291 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3, 6>; return tl::outputs(tl::named<"y0">(tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .dilation = {1, 2}, .ceil_mode = true}>(x0))); } };
struct m292 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3, 6>; return tl::outputs(tl::named<"y0">(tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = {1, 1}, .ceil_mode = true}>(x0))); } };
struct m293 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::mish(x0))); } };
struct m294 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::mse_loss(x0, x1))); } };
struct m295 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::mse_loss<tl::loss{.reduce = tl::reduction::sum}>(x0, x1))); } };
struct m296 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::mse_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1))); } };
struct m297 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", std::int64_t>; return tl::outputs(tl::named<"y0">(tl::multi_margin_loss<tl::loss{.power = 1}>(x0, x1))); } };
struct m298 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 10>; auto x1 = tl::input<"x1", std::int64_t, 5>; return tl::outputs(tl::named<"y0">(tl::multi_margin_loss<tl::loss{.margin = 1.0}>(x0, x1))); } };
struct m299 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", std::int64_t, 5>; return tl::outputs(tl::named<"y0">(tl::multilabel_margin_loss(x0, x1))); } };
struct m300 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 10, 5>; auto x1 = tl::input<"x1", std::int64_t, 10, 5>; return tl::outputs(tl::named<"y0">(tl::multilabel_margin_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1))); } };
struct m301 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 10, 5>; auto x1 = tl::input<"x1", std::int64_t, 10, 5>; return tl::outputs(tl::named<"y0">(tl::multilabel_margin_loss<tl::loss{.reduce = tl::reduction::sum}>(x0, x1))); } };
struct m302 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::multilabel_soft_margin_loss(x0, x1))); } };
struct m303 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::multilabel_soft_margin_loss(x0, x1, x2))); } };
struct m304 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", std::int64_t, 2>; return tl::outputs(tl::named<"y0">(tl::nll_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1))); } };
struct m305 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", std::int64_t, 2>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::nll_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1, x2))); } };
struct m306 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", std::int64_t, 2>; return tl::outputs(tl::named<"y0">(tl::nll_loss<tl::loss{.reduce = tl::reduction::none, .ignore_index = 1}>(x0, x1))); } };
struct m307 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3>; auto x1 = tl::input<"x1", std::int64_t, 2>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::nll_loss<tl::loss{.reduce = tl::reduction::none, .ignore_index = 1}>(x0, x1, x2))); } };
struct m308 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 1, 4, 5>; return tl::outputs(tl::named<"y0">(tl::normalize<2, 1e-12>(x0, tl::order<1.0>))); } };
struct m309 { constexpr auto operator()() const { auto x0 = tl::input<"x0", std::int64_t>; return tl::outputs(tl::named<"y0">(tl::one_hot<10, std::int64_t>(x0))); } };
struct m310 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 3, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-1, 1, 2, tl::padding_mode::circular>(x0))); } };
struct m311 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 3, 3, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-2, 0, 1, tl::padding_mode::circular>(tl::pad<-1, 0, 2, tl::padding_mode::circular>(x0)))); } };
struct m312 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-1, 2, 2>(x0))); } };
struct m313 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-2, 1, 1>(tl::pad<-1, -1, -2>(x0)))); } };
struct m314 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-1, 1, 2, tl::padding_mode::reflect>(x0))); } };
struct m315 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 3>; return tl::outputs(tl::named<"y0">(tl::pad<-1, 1, 2, tl::padding_mode::replicate>(x0))); } };
struct m316 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::poisson_nll_loss<tl::loss{.reduce = tl::reduction::none, .log_input = true, .full = true}>(x0, x1))); } };
struct m317 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::poisson_nll_loss<tl::loss{.reduce = tl::reduction::none, .eps = 0.000966453871156782, .log_input = true, .full = true}>(x0, x1))); } };
struct m318 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::poisson_nll_loss<tl::loss{.reduce = tl::reduction::none, .log_input = true, .full = false}>(x0, x1))); } };
struct m319 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::poisson_nll_loss<tl::loss{.reduce = tl::reduction::none, .eps = 0.000966453871156782, .log_input = true, .full = false}>(x0, x1))); } };
struct m320 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::poisson_nll_loss<tl::loss{.reduce = tl::reduction::none, .log_input = false, .full = true}>(x0, x1))); } };
struct m321 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::relu(x0))); } };
struct m322 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::clamp(x0, tl::constant<0>, tl::constant<6>))); } };
struct m323 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1>; auto x1 = tl::input<"x1", double, 1>; return tl::outputs(tl::named<"y0">(tl::rms_norm<2.220446049250313e-16>(x0, x1))); } };
struct m324 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2>; return tl::outputs(tl::named<"y0">(tl::rms_norm<2.220446049250313e-16>(x0))); } };
struct m325 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::selu(x0))); } };
struct m326 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::silu(x0))); } };
struct m327 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::smooth_l1_loss(x0, x1))); } };
struct m328 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::smooth_l1_loss<tl::loss{.reduce = tl::reduction::sum}>(x0, x1))); } };
struct m329 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::smooth_l1_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1))); } };
struct m330 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::soft_margin_loss(x0, x1))); } };
struct m331 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::soft_margin_loss<tl::loss{.reduce = tl::reduction::sum}>(x0, x1))); } };
struct m332 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::soft_margin_loss<tl::loss{.reduce = tl::reduction::none}>(x0, x1))); } };
struct m333 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::softmax<0>(-x0))); } };
struct m334 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::softmax<0>(-x0))); } };
struct m335 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 1, 5, 5>; return tl::outputs(tl::named<"y0">(tl::unfold<tl::conv{.kernel = 2}>(x0))); } };
struct m336 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 1, 5, 5>; return tl::outputs(tl::named<"y0">(tl::unfold<tl::conv{.kernel = 2, .stride = 2}>(x0))); } };
struct m337 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 1, 5, 5>; return tl::outputs(tl::named<"y0">(tl::unfold<tl::conv{.kernel = 2, .stride = {1, 2}}>(x0))); } };
struct m338 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 1, 5, 5>; return tl::outputs(tl::named<"y0">(tl::unfold<tl::conv{.kernel = 2, .padding = 1}>(x0))); } };
struct m339 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 1, 5, 5>; return tl::outputs(tl::named<"y0">(tl::unfold<tl::conv{.kernel = 2, .stride = 2, .padding = 1}>(x0))); } };
struct m340 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0))); } };
struct m341 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<0>))); } };
struct m342 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm<1>(x0, tl::order<-2>))); } };
struct m343 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm<1>(x0))); } };
struct m344 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::norm<0>(x0, tl::keep_dims))); } };
struct m345 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::norm<0>(x0, tl::order<3>, tl::keep_dims))); } };
struct m346 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0))); } };
struct m347 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm<0, 1>(x0))); } };
struct m348 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm(x0, tl::order<tl::infinity>))); } };
struct m349 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::norm<1>(x0, tl::order<tl::infinity>))); } };
struct m350 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::matrix_norm(x0, tl::nuclear))); } };
struct m351 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 10>; return tl::outputs(tl::named<"y0">(tl::outer(x0, x1))); } };
struct m352 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::permute<0, 2, 3, 1>(x0))); } };
struct m353 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::permute(x0))); } };
struct m354 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::permute<0, 2, 3, 1>(x0))); } };
struct m355 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::permute(x0))); } };
struct m356 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::pinv(x0))); } };
struct m357 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::pow(x0, x1))); } };
struct m358 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::prod(x0))); } };
struct m359 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 3>; auto x1 = tl::input<"x1", std::int64_t, 3>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::put(x0, x1, x2, tl::adding))); } };
struct m360 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 3>; auto x1 = tl::input<"x1", std::int64_t, 3>; auto x2 = tl::input<"x2", double, 3>; return tl::outputs(tl::named<"y0">(tl::put(x0, x1, x2))); } };
struct m361 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::flatten<0>(x0))); } };
struct m362 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::reshape<20>(x0))); } };
struct m363 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 0, 3>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 0, 3>(x0))); } };
struct m364 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::recip(x0))); } };
struct m365 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(tl::mod(x0, x1))); } };
struct m366 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::repeat_interleave<0, 2>(tl::flatten<0>(x0)))); } };
struct m367 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::repeat_interleave<1, 2>(x0))); } };
struct m368 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(x0))); } };
struct m369 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape(x0))); } };
struct m370 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(x0))); } };
struct m371 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5, 5>(x0))); } };
struct m372 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape<>(x0))); } };
struct m373 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5, 5>(x0))); } };
struct m374 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape<>(x0))); } };
struct m375 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 0, 0, 0>; return tl::outputs(tl::named<"y0">(tl::roll<0, 0>(x0))); } };
struct m376 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::round(x0))); } };
struct m377 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 0, 3>; return tl::outputs(tl::named<"y0">(tl::round(x0))); } };
struct m378 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 0, 3>; return tl::outputs(tl::named<"y0">(tl::round(x0))); } };
struct m379 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::rsqrt(x0))); } };
struct m380 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x1 - x0)); } };
struct m381 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter<0>(x0, x1, x2))); } };
struct m382 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; return tl::outputs(tl::named<"y0">(tl::scatter<0>(x0, x1, tl::expand(tl::cast<double>(tl::constant<2.5>))))); } };
struct m383 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_add<0>(x0, x1, x2))); } };
struct m384 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::amax>(x0, x1, x2, tl::exclude_self))); } };
struct m385 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::amax>(x0, x1, x2))); } };
struct m386 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::amin>(x0, x1, x2, tl::exclude_self))); } };
struct m387 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::amin>(x0, x1, x2))); } };
struct m388 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::mean>(x0, x1, x2, tl::exclude_self))); } };
struct m389 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::mean>(x0, x1, x2))); } };
struct m390 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::prod>(x0, x1, x2, tl::exclude_self))); } };
struct m391 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::prod>(x0, x1, x2))); } };
struct m392 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::sum>(x0, x1, x2, tl::exclude_self))); } };
struct m393 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", std::int64_t>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::scatter_reduce<0, tl::reduce::sum>(x0, x1, x2))); } };
struct m394 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(tl::slice<1, 2, 3>(x0)))); } };
struct m395 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::sigmoid(x0))); } };
struct m396 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3>; return tl::outputs(tl::named<"y0">(tl::slice<0, 0, 3>(x0))); } };
struct m397 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::softmax<0>(x0))); } };
struct m398 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::softmax<0>(x0))); } };
struct m399 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::sort<-1>(x0).values), tl::named<"y1">(tl::sort<-1>(x0).indices)); } };
struct m400 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::sort<0>(x0, tl::descending).values), tl::named<"y1">(tl::sort<0>(x0, tl::descending).indices)); } };
struct m401 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::bessel_j0(x0))); } };
struct m402 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::bessel_j1(x0))); } };
struct m403 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::i0e(x0))); } };
struct m404 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::i1(x0))); } };
struct m405 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::i1e(x0))); } };
struct m406 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::i0(x0))); } };
struct m407 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::i1(x0))); } };
struct m408 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 20>; return tl::outputs(tl::named<"y0">(tl::square(x0))); } };
struct m409 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 1, 5, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<5, 5>(x0))); } };
struct m410 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1, 1, 1>; return tl::outputs(tl::named<"y0">(tl::reshape(x0))); } };
struct m411 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1, 1, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1, 1>(x0))); } };
struct m412 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 1, 5, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<5, 5>(x0))); } };
struct m413 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1, 1, 1>; return tl::outputs(tl::named<"y0">(tl::reshape(x0))); } };
struct m414 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1, 1, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1, 1>(x0))); } };
struct m415 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 1, 1, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1, 1, 1>(x0))); } };
struct m416 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 1, 5, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<5, 5, 1>(x0))); } };
struct m417 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 1, 5, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<5, 5>(x0))); } };
struct m418 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape(x0))); } };
struct m419 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 4>; return tl::outputs(tl::named<"y0">(tl::stack<-1>(x0))); } };
struct m420 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 1, 4>; auto x1 = tl::input<"x1", double, 1, 2, 1, 4>; auto x2 = tl::input<"x2", double, 1, 2, 1, 4>; return tl::outputs(tl::named<"y0">(tl::stack<-1>(x0, x1, x2))); } };
struct m421 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::std<0>(x0, tl::keep_dims))); } };
struct m422 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::std<0>(x0, tl::correction<0>))); } };
struct m423 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::std<0>(x0, tl::keep_dims)), tl::named<"y1">(tl::mean<0>(x0, tl::keep_dims))); } };
struct m424 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::std<0>(x0, tl::correction<0>)), tl::named<"y1">(tl::mean<0>(x0))); } };
struct m425 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::std(x0, tl::correction<1>)), tl::named<"y1">(tl::mean(x0))); } };
struct m426 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::std(x0, tl::correction<1>))); } };
struct m427 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 - x1)); } };
struct m428 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::sum(x0))); } };
struct m429 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(tl::sum<0>(x0, tl::keep_dims))); } };
struct m430 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(x0))); } };
struct m431 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(x0)); } };
struct m432 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2>; return tl::outputs(tl::named<"y0">(tl::transpose<0, 1>(x0))); } };
struct m433 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2>; return tl::outputs(tl::named<"y0">(x0)); } };
struct m434 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", std::int64_t, 5, 5>; return tl::outputs(tl::named<"y0">(tl::take_along<0>(x0, x1))); } };
struct m435 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; auto x1 = tl::input<"x1", std::int64_t, 5, 2>; return tl::outputs(tl::named<"y0">(tl::take_along<0>(tl::flatten<0>(x0), tl::flatten<0>(x1)))); } };
struct m436 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::topk<1, -1>(x0).values), tl::named<"y1">(tl::topk<1, -1>(x0).indices)); } };
struct m437 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 2, 3, 4>; return tl::outputs(tl::named<"y0">(tl::softmax<1>(x0))); } };
struct m438 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::transpose<-1, -2>(x0))); } };
struct m439 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1, 2, 3>; return tl::outputs(tl::named<"y0">(tl::transpose<-1, -2>(x0))); } };
struct m440 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 10, 5>; return tl::outputs(tl::named<"y0">(tl::tril<0>(x0))); } };
struct m441 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 10, 5>; return tl::outputs(tl::named<"y0">(tl::triu<0>(x0))); } };
struct m442 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", double>; return tl::outputs(tl::named<"y0">(x0 / x1)); } };
struct m443 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape(tl::slice<0, 0, 1>(x0))), tl::named<"y1">(tl::reshape(tl::slice<0, 1, 2>(x0))), tl::named<"y2">(tl::reshape(tl::slice<0, 2, 3>(x0))), tl::named<"y3">(tl::reshape(tl::slice<0, 3, 4>(x0))), tl::named<"y4">(tl::reshape(tl::slice<0, 4, 5>(x0)))); } };
struct m444 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(tl::slice<0, 0, 1>(x0))), tl::named<"y1">(tl::reshape<5>(tl::slice<0, 1, 2>(x0))), tl::named<"y2">(tl::reshape<5>(tl::slice<0, 2, 3>(x0))), tl::named<"y3">(tl::reshape<5>(tl::slice<0, 3, 4>(x0))), tl::named<"y4">(tl::reshape<5>(tl::slice<0, 4, 5>(x0)))); } };
struct m445 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 0, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<0, 5>(tl::slice<0, 0, 1>(x0))), tl::named<"y1">(tl::reshape<0, 5>(tl::slice<0, 1, 2>(x0))), tl::named<"y2">(tl::reshape<0, 5>(tl::slice<0, 2, 3>(x0))), tl::named<"y3">(tl::reshape<0, 5>(tl::slice<0, 3, 4>(x0))), tl::named<"y4">(tl::reshape<0, 5>(tl::slice<0, 4, 5>(x0)))); } };
struct m446 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape(tl::slice<0, 0, 1>(x0))), tl::named<"y1">(tl::reshape(tl::slice<0, 1, 2>(x0))), tl::named<"y2">(tl::reshape(tl::slice<0, 2, 3>(x0))), tl::named<"y3">(tl::reshape(tl::slice<0, 3, 4>(x0))), tl::named<"y4">(tl::reshape(tl::slice<0, 4, 5>(x0)))); } };
struct m447 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(tl::slice<0, 0, 1>(x0))), tl::named<"y1">(tl::reshape<5>(tl::slice<0, 1, 2>(x0))), tl::named<"y2">(tl::reshape<5>(tl::slice<0, 2, 3>(x0))), tl::named<"y3">(tl::reshape<5>(tl::slice<0, 3, 4>(x0))), tl::named<"y4">(tl::reshape<5>(tl::slice<0, 4, 5>(x0)))); } };
struct m448 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 0, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<0, 5>(tl::slice<0, 0, 1>(x0))), tl::named<"y1">(tl::reshape<0, 5>(tl::slice<0, 1, 2>(x0))), tl::named<"y2">(tl::reshape<0, 5>(tl::slice<0, 2, 3>(x0))), tl::named<"y3">(tl::reshape<0, 5>(tl::slice<0, 3, 4>(x0))), tl::named<"y4">(tl::reshape<0, 5>(tl::slice<0, 4, 5>(x0)))); } };
struct m449 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 8>; return tl::outputs(tl::named<"y0">(tl::reshape<8>(x0))); } };
struct m450 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 8>; return tl::outputs(tl::named<"y0">(tl::reshape<4, 2>(x0))); } };
struct m451 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 8>; return tl::outputs(tl::named<"y0">(tl::reshape<2, 2, 2>(x0))); } };
struct m452 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 3, 6, 2>; return tl::outputs(tl::named<"y0">(tl::reshape<3, 2, 3, 2>(x0))); } };
struct m453 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape<1>(x0))); } };
struct m454 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(x0))); } };
struct m455 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape<1>(x0))); } };
struct m456 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 1>; return tl::outputs(tl::named<"y0">(tl::reshape<1, 1>(x0))); } };
struct m457 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::var<0>(x0, tl::keep_dims))); } };
struct m458 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::var<0>(x0, tl::correction<0>))); } };
struct m459 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::var<0>(x0, tl::keep_dims)), tl::named<"y1">(tl::mean<0>(x0, tl::keep_dims))); } };
struct m460 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::var<0>(x0, tl::correction<0>)), tl::named<"y1">(tl::mean<0>(x0))); } };
struct m461 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::var(x0, tl::correction<1>)), tl::named<"y1">(tl::mean(x0))); } };
struct m462 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5, 5>; return tl::outputs(tl::named<"y0">(tl::var(x0, tl::correction<1>))); } };
struct m463 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; return tl::outputs(tl::named<"y0">(tl::dot(x0, x1))); } };
struct m464 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(x0))); } };
struct m465 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape(x0))); } };
struct m466 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(x0))); } };
struct m467 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; return tl::outputs(tl::named<"y0">(tl::reshape<5>(x0))); } };
struct m468 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; return tl::outputs(tl::named<"y0">(tl::reshape(x0))); } };
struct m469 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 6, 5>; return tl::outputs(tl::named<"y0">(tl::slice<0, 0, 3>(x0)), tl::named<"y1">(tl::slice<0, 3, 6>(x0))); } };
struct m470 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double, 5>; auto x1 = tl::input<"x1", double, 5>; auto x2 = tl::input<"x2", double, 5>; return tl::outputs(tl::named<"y0">(tl::concat<0>(tl::reshape<1, 5>(x0), tl::reshape<1, 5>(x1), tl::reshape<1, 5>(x2)))); } };
struct m471 { constexpr auto operator()() const { auto x0 = tl::input<"x0", double>; auto x1 = tl::input<"x1", bool>; auto x2 = tl::input<"x2", double>; return tl::outputs(tl::named<"y0">(tl::where(x1, x0, x2))); } };
}  // namespace
extern const std::vector<opinfo::sample_case> part_0{
{"__radd__/0", &tl::lower<m0>::build, 1e-09},
{"__rdiv__/0", &tl::lower<m1>::build, 1e-09},
{"__rmatmul__/0", &tl::lower<m2>::build, 1e-09},
{"__rmod__/0", &tl::lower<m3>::build, 1e-09},
{"__rmul__/0", &tl::lower<m4>::build, 1e-09},
{"__rpow__/0", &tl::lower<m5>::build, 1e-09},
{"__rsub__/0", &tl::lower<m6>::build, 1e-09},
{"acos/0", &tl::lower<m7>::build, 1e-09},
{"add/0", &tl::lower<m8>::build, 1e-09},
{"addmm/0", &tl::lower<m9>::build, 1e-09},
{"addmm|decomposed/0", &tl::lower<m10>::build, 1e-09},
{"addmv/0", &tl::lower<m11>::build, 1e-09},
{"addmv/1", &tl::lower<m12>::build, 1e-09},
{"addr/1", &tl::lower<m13>::build, 1e-09},
{"addr/3", &tl::lower<m14>::build, 1e-09},
{"alias_copy/0", &tl::lower<m15>::build, 1e-09},
{"all/0", &tl::lower<m16>::build, 1e-09},
{"all/5", &tl::lower<m17>::build, 1e-09},
{"amax/0", &tl::lower<m18>::build, 1e-09},
{"amax/5", &tl::lower<m19>::build, 1e-09},
{"amin/0", &tl::lower<m20>::build, 1e-09},
{"amin/5", &tl::lower<m21>::build, 1e-09},
{"aminmax/4", &tl::lower<m22>::build, 1e-09},
{"any/0", &tl::lower<m23>::build, 1e-09},
{"any/5", &tl::lower<m24>::build, 1e-09},
{"argmax/0", &tl::lower<m25>::build, 1e-09},
{"argmax/4", &tl::lower<m26>::build, 1e-09},
{"argmin/0", &tl::lower<m27>::build, 1e-09},
{"argmin/4", &tl::lower<m28>::build, 1e-09},
{"argsort/49", &tl::lower<m29>::build, 1e-09},
{"argsort/51", &tl::lower<m30>::build, 1e-09},
{"atan2/0", &tl::lower<m31>::build, 1e-09},
{"atleast_1d/2", &tl::lower<m32>::build, 1e-09},
{"atleast_1d/3", &tl::lower<m33>::build, 1e-09},
{"broadcast_tensors/0", &tl::lower<m34>::build, 1e-09},
{"broadcast_to/0", &tl::lower<m35>::build, 1e-09},
{"cat/0", &tl::lower<m36>::build, 1e-09},
{"clamp_max/0", &tl::lower<m37>::build, 1e-09},
{"clamp_min/0", &tl::lower<m38>::build, 1e-09},
{"clone/1", &tl::lower<m39>::build, 1e-09},
{"column_stack/0", &tl::lower<m40>::build, 1e-09},
{"column_stack/1", &tl::lower<m41>::build, 1e-09},
{"conj/0", &tl::lower<m42>::build, 1e-09},
{"conj/1", &tl::lower<m43>::build, 1e-09},
{"constant_pad_nd/0", &tl::lower<m44>::build, 1e-09},
{"constant_pad_nd/1", &tl::lower<m45>::build, 1e-09},
{"constant_pad_nd/3", &tl::lower<m46>::build, 1e-09},
{"contiguous/1", &tl::lower<m47>::build, 1e-09},
{"cos/0", &tl::lower<m48>::build, 1e-09},
{"cosh/0", &tl::lower<m49>::build, 1e-09},
{"count_nonzero/0", &tl::lower<m50>::build, 1e-09},
{"count_nonzero/5", &tl::lower<m51>::build, 1e-09},
{"cumprod/4", &tl::lower<m52>::build, 1e-09},
{"diagonal/0", &tl::lower<m53>::build, 1e-09},
{"diagonal_copy/0", &tl::lower<m54>::build, 1e-09},
{"div|floor_rounding/0", &tl::lower<m55>::build, 1e-09},
{"div|no_rounding_mode/0", &tl::lower<m56>::build, 1e-09},
{"div|trunc_rounding/0", &tl::lower<m57>::build, 1e-09},
{"dot/0", &tl::lower<m58>::build, 1e-09},
{"einsum/0", &tl::lower<m59>::build, 1e-09},
{"einsum/1", &tl::lower<m60>::build, 1e-09},
{"einsum/2", &tl::lower<m61>::build, 1e-09},
{"einsum/3", &tl::lower<m62>::build, 1e-09},
{"einsum/4", &tl::lower<m63>::build, 1e-09},
{"eq/0", &tl::lower<m64>::build, 1e-09},
{"exp/0", &tl::lower<m65>::build, 1e-09},
{"exp2/0", &tl::lower<m66>::build, 1e-09},
{"expand/0", &tl::lower<m67>::build, 1e-09},
{"expand_as/1", &tl::lower<m68>::build, 1e-09},
{"expand_as/2", &tl::lower<m69>::build, 1e-09},
{"expand_copy/0", &tl::lower<m70>::build, 1e-09},
{"flatten/2", &tl::lower<m71>::build, 1e-09},
{"fliplr/1", &tl::lower<m72>::build, 1e-09},
{"flipud/1", &tl::lower<m73>::build, 1e-09},
{"float_power/0", &tl::lower<m74>::build, 1e-09},
{"fmod/0", &tl::lower<m75>::build, 1e-09},
{"gather/0", &tl::lower<m76>::build, 1e-09},
{"ge/0", &tl::lower<m77>::build, 1e-09},
{"gt/0", &tl::lower<m78>::build, 1e-09},
{"hsplit/0", &tl::lower<m79>::build, 1e-09},
{"hstack/0", &tl::lower<m80>::build, 1e-09},
{"i0/0", &tl::lower<m81>::build, 1e-09},
{"index_add/0", &tl::lower<m82>::build, 1e-09},
{"index_copy/0", &tl::lower<m83>::build, 1e-09},
{"index_fill/0", &tl::lower<m84>::build, 1e-09},
{"index_fill/1", &tl::lower<m85>::build, 1e-09},
{"index_put/0", &tl::lower<m86>::build, 1e-09},
{"index_put/2", &tl::lower<m87>::build, 1e-09},
{"index_select/0", &tl::lower<m88>::build, 1e-09},
{"inner/0", &tl::lower<m89>::build, 1e-09},
{"inner/1", &tl::lower<m90>::build, 1e-09},
{"le/0", &tl::lower<m91>::build, 1e-09},
{"linalg.cholesky/1", &tl::lower<m92>::build, 1e-09},
{"linalg.cond/0", &tl::lower<m93>::build, 1e-09},
{"linalg.det/0", &tl::lower<m94>::build, 1e-09},
{"linalg.diagonal/0", &tl::lower<m95>::build, 1e-09},
{"linalg.eigh/0", &tl::lower<m96>::build, 1e-09},
{"linalg.eigvalsh/0", &tl::lower<m97>::build, 1e-09},
{"linalg.inv/0", &tl::lower<m98>::build, 1e-09},
{"linalg.lstsq/0", &tl::lower<m99>::build, 1e-09},
{"linalg.lstsq|grad_oriented/0", &tl::lower<m100>::build, 1e-09},
{"linalg.lu/0", &tl::lower<m101>::build, 1e-09},
{"linalg.matrix_norm/0", &tl::lower<m102>::build, 1e-09},
{"linalg.matrix_norm/1", &tl::lower<m103>::build, 1e-09},
{"linalg.matrix_norm/2", &tl::lower<m104>::build, 1e-09},
{"linalg.matrix_norm/3", &tl::lower<m105>::build, 1e-09},
{"linalg.matrix_norm/4", &tl::lower<m106>::build, 1e-09},
{"linalg.matrix_norm/5", &tl::lower<m107>::build, 1e-09},
{"linalg.matrix_norm/6", &tl::lower<m108>::build, 1e-09},
{"linalg.matrix_norm/7", &tl::lower<m109>::build, 1e-09},
{"linalg.matrix_norm/8", &tl::lower<m110>::build, 1e-09},
{"linalg.matrix_norm/9", &tl::lower<m111>::build, 1e-09},
{"linalg.matrix_norm/10", &tl::lower<m112>::build, 1e-09},
{"linalg.matrix_norm/11", &tl::lower<m113>::build, 1e-09},
{"linalg.matrix_norm/16", &tl::lower<m114>::build, 1e-09},
{"linalg.matrix_norm/17", &tl::lower<m115>::build, 1e-09},
{"linalg.matrix_norm/18", &tl::lower<m116>::build, 1e-09},
{"linalg.matrix_norm/19", &tl::lower<m117>::build, 1e-09},
{"linalg.matrix_norm/32", &tl::lower<m118>::build, 1e-09},
{"linalg.matrix_norm/34", &tl::lower<m119>::build, 1e-09},
{"linalg.matrix_norm/35", &tl::lower<m120>::build, 1e-09},
{"linalg.matrix_norm/36", &tl::lower<m121>::build, 1e-09},
{"linalg.matrix_norm/38", &tl::lower<m122>::build, 1e-09},
{"linalg.matrix_norm/39", &tl::lower<m123>::build, 1e-09},
{"linalg.matrix_norm/40", &tl::lower<m124>::build, 1e-09},
{"linalg.matrix_norm/42", &tl::lower<m125>::build, 1e-09},
{"linalg.matrix_norm/43", &tl::lower<m126>::build, 1e-09},
{"linalg.matrix_norm/48", &tl::lower<m127>::build, 1e-09},
{"linalg.matrix_norm/50", &tl::lower<m128>::build, 1e-09},
{"linalg.matrix_norm/51", &tl::lower<m129>::build, 1e-09},
{"linalg.matrix_power/0", &tl::lower<m130>::build, 1e-09},
{"linalg.multi_dot/0", &tl::lower<m131>::build, 1e-09},
{"linalg.multi_dot/3", &tl::lower<m132>::build, 1e-09},
{"linalg.norm/0", &tl::lower<m133>::build, 1e-09},
{"linalg.norm/2", &tl::lower<m134>::build, 1e-09},
{"linalg.norm/7", &tl::lower<m135>::build, 1e-09},
{"linalg.norm/13", &tl::lower<m136>::build, 1e-09},
{"linalg.norm/15", &tl::lower<m137>::build, 1e-09},
{"linalg.norm/20", &tl::lower<m138>::build, 1e-09},
{"linalg.norm/42", &tl::lower<m139>::build, 1e-09},
{"linalg.norm/44", &tl::lower<m140>::build, 1e-09},
{"linalg.norm/46", &tl::lower<m141>::build, 1e-09},
{"linalg.norm/48", &tl::lower<m142>::build, 1e-09},
{"linalg.norm/54", &tl::lower<m143>::build, 1e-09},
{"linalg.norm/56", &tl::lower<m144>::build, 1e-09},
{"linalg.norm/58", &tl::lower<m145>::build, 1e-09},
{"linalg.norm/60", &tl::lower<m146>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/0", &tl::lower<m147>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/1", &tl::lower<m148>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/6", &tl::lower<m149>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/12", &tl::lower<m150>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/13", &tl::lower<m151>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/18", &tl::lower<m152>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/37", &tl::lower<m153>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/38", &tl::lower<m154>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/39", &tl::lower<m155>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/41", &tl::lower<m156>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/46", &tl::lower<m157>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/47", &tl::lower<m158>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/48", &tl::lower<m159>::build, 1e-09},
{"linalg.norm|subgradients_at_zero/50", &tl::lower<m160>::build, 1e-09},
{"linalg.pinv/0", &tl::lower<m161>::build, 1e-09},
{"linalg.pinv/1", &tl::lower<m162>::build, 1e-09},
{"linalg.qr/0", &tl::lower<m163>::build, 1e-09},
{"linalg.slogdet/0", &tl::lower<m164>::build, 1e-09},
{"linalg.solve/0", &tl::lower<m165>::build, 1e-09},
{"linalg.solve_triangular/0", &tl::lower<m166>::build, 1e-09},
{"linalg.solve_triangular/3", &tl::lower<m167>::build, 1e-09},
{"linalg.solve_triangular/6", &tl::lower<m168>::build, 1e-09},
{"linalg.solve_triangular/9", &tl::lower<m169>::build, 1e-09},
{"linalg.solve_triangular/12", &tl::lower<m170>::build, 1e-09},
{"linalg.svd/0", &tl::lower<m171>::build, 1e-09},
{"linalg.svdvals/0", &tl::lower<m172>::build, 1e-09},
{"linalg.vecdot/0", &tl::lower<m173>::build, 1e-09},
{"linalg.vector_norm/0", &tl::lower<m174>::build, 1e-09},
{"linalg.vector_norm/2", &tl::lower<m175>::build, 1e-09},
{"log/0", &tl::lower<m176>::build, 1e-09},
{"log2/0", &tl::lower<m177>::build, 1e-09},
{"log_softmax/0", &tl::lower<m178>::build, 1e-09},
{"log_softmax|with_dtype/0", &tl::lower<m179>::build, 1e-09},
{"logdet/0", &tl::lower<m180>::build, 1e-09},
{"logical_and/0", &tl::lower<m181>::build, 1e-09},
{"logical_not/0", &tl::lower<m182>::build, 1e-09},
{"logical_or/0", &tl::lower<m183>::build, 1e-09},
{"logical_xor/0", &tl::lower<m184>::build, 1e-09},
{"logsumexp/1", &tl::lower<m185>::build, 1e-09},
{"logsumexp/2", &tl::lower<m186>::build, 1e-09},
{"logsumexp/4", &tl::lower<m187>::build, 1e-09},
{"lt/0", &tl::lower<m188>::build, 1e-09},
{"mH/0", &tl::lower<m189>::build, 1e-09},
{"mT/0", &tl::lower<m190>::build, 1e-09},
{"matmul/0", &tl::lower<m191>::build, 1e-09},
{"matrix_exp/0", &tl::lower<m192>::build, 1e-09},
{"maximum/0", &tl::lower<m193>::build, 1e-09},
{"max|binary/0", &tl::lower<m194>::build, 1e-09},
{"max|reduction_no_dim/1", &tl::lower<m195>::build, 1e-09},
{"mean/0", &tl::lower<m196>::build, 1e-09},
{"mean/5", &tl::lower<m197>::build, 1e-09},
{"meshgrid|list_of_tensors/0", &tl::lower<m198>::build, 1e-09},
{"meshgrid|list_of_tensors/4", &tl::lower<m199>::build, 1e-09},
{"meshgrid|list_of_tensors/5", &tl::lower<m200>::build, 1e-09},
{"meshgrid|list_of_tensors/6", &tl::lower<m201>::build, 1e-09},
{"meshgrid|list_of_tensors/7", &tl::lower<m202>::build, 1e-09},
{"meshgrid|list_of_tensors/8", &tl::lower<m203>::build, 1e-09},
{"meshgrid|list_of_tensors/9", &tl::lower<m204>::build, 1e-09},
{"meshgrid|variadic_tensors/0", &tl::lower<m205>::build, 1e-09},
{"meshgrid|variadic_tensors/4", &tl::lower<m206>::build, 1e-09},
{"meshgrid|variadic_tensors/5", &tl::lower<m207>::build, 1e-09},
{"meshgrid|variadic_tensors/6", &tl::lower<m208>::build, 1e-09},
{"meshgrid|variadic_tensors/7", &tl::lower<m209>::build, 1e-09},
{"meshgrid|variadic_tensors/8", &tl::lower<m210>::build, 1e-09},
{"meshgrid|variadic_tensors/9", &tl::lower<m211>::build, 1e-09},
{"minimum/0", &tl::lower<m212>::build, 1e-09},
{"min|binary/0", &tl::lower<m213>::build, 1e-09},
{"min|reduction_no_dim/1", &tl::lower<m214>::build, 1e-09},
{"mm/1", &tl::lower<m215>::build, 1e-09},
{"movedim/0", &tl::lower<m216>::build, 1e-09},
{"mul/0", &tl::lower<m217>::build, 1e-09},
{"mv/0", &tl::lower<m218>::build, 1e-09},
{"native_layer_norm/0", &tl::lower<m219>::build, 1e-09},
{"native_layer_norm/2", &tl::lower<m220>::build, 1e-09},
{"native_layer_norm/3", &tl::lower<m221>::build, 1e-09},
{"ne/0", &tl::lower<m222>::build, 1e-09},
{"nn.functional.adaptive_avg_pool1d/0", &tl::lower<m223>::build, 1e-09},
{"nn.functional.adaptive_avg_pool3d/0", &tl::lower<m224>::build, 1e-09},
{"nn.functional.adaptive_max_pool1d/2", &tl::lower<m225>::build, 1e-09},
{"nn.functional.avg_pool1d/0", &tl::lower<m226>::build, 1e-09},
{"nn.functional.avg_pool1d/1", &tl::lower<m227>::build, 1e-09},
{"nn.functional.avg_pool1d/2", &tl::lower<m228>::build, 1e-09},
{"nn.functional.avg_pool1d/4", &tl::lower<m229>::build, 1e-09},
{"nn.functional.avg_pool2d/4", &tl::lower<m230>::build, 1e-09},
{"nn.functional.bilinear/1", &tl::lower<m231>::build, 1e-09},
{"nn.functional.binary_cross_entropy/0", &tl::lower<m232>::build, 1e-09},
{"nn.functional.binary_cross_entropy_with_logits/0", &tl::lower<m233>::build, 1e-09},
{"nn.functional.celu/0", &tl::lower<m234>::build, 1e-09},
{"nn.functional.conv1d/0", &tl::lower<m235>::build, 1e-09},
{"nn.functional.conv1d/3", &tl::lower<m236>::build, 1e-09},
{"nn.functional.conv1d/4", &tl::lower<m237>::build, 1e-09},
{"nn.functional.conv_transpose1d/0", &tl::lower<m238>::build, 1e-09},
{"nn.functional.conv_transpose1d/3", &tl::lower<m239>::build, 1e-09},
{"nn.functional.conv_transpose1d/4", &tl::lower<m240>::build, 1e-09},
{"nn.functional.cosine_embedding_loss/0", &tl::lower<m241>::build, 1e-09},
{"nn.functional.cosine_embedding_loss/1", &tl::lower<m242>::build, 1e-09},
{"nn.functional.cosine_embedding_loss/2", &tl::lower<m243>::build, 1e-09},
{"nn.functional.cosine_similarity/0", &tl::lower<m244>::build, 1e-09},
{"nn.functional.cosine_similarity/2", &tl::lower<m245>::build, 1e-09},
{"nn.functional.cross_entropy/0", &tl::lower<m246>::build, 1e-09},
{"nn.functional.cross_entropy/2", &tl::lower<m247>::build, 1e-09},
{"nn.functional.elu/0", &tl::lower<m248>::build, 1e-09},
{"nn.functional.gaussian_nll_loss/0", &tl::lower<m249>::build, 1e-09},
{"nn.functional.gaussian_nll_loss/1", &tl::lower<m250>::build, 1e-09},
{"nn.functional.gaussian_nll_loss/2", &tl::lower<m251>::build, 1e-09},
{"nn.functional.gaussian_nll_loss/3", &tl::lower<m252>::build, 1e-09},
{"nn.functional.group_norm/0", &tl::lower<m253>::build, 1e-09},
{"nn.functional.group_norm/8", &tl::lower<m254>::build, 1e-09},
{"nn.functional.hardsigmoid/0", &tl::lower<m255>::build, 1e-09},
{"nn.functional.hinge_embedding_loss/0", &tl::lower<m256>::build, 1e-09},
{"nn.functional.hinge_embedding_loss/1", &tl::lower<m257>::build, 1e-09},
{"nn.functional.hinge_embedding_loss/2", &tl::lower<m258>::build, 1e-09},
{"nn.functional.huber_loss/0", &tl::lower<m259>::build, 1e-09},
{"nn.functional.huber_loss/1", &tl::lower<m260>::build, 1e-09},
{"nn.functional.huber_loss/2", &tl::lower<m261>::build, 1e-09},
{"nn.functional.instance_norm/2", &tl::lower<m262>::build, 1e-09},
{"nn.functional.interpolate|area/0", &tl::lower<m263>::build, 1e-09},
{"nn.functional.interpolate|area/2", &tl::lower<m264>::build, 1e-09},
{"nn.functional.interpolate|area/4", &tl::lower<m265>::build, 1e-09},
{"nn.functional.interpolate|linear/0", &tl::lower<m266>::build, 1e-09},
{"nn.functional.interpolate|linear/2", &tl::lower<m267>::build, 1e-09},
{"nn.functional.interpolate|linear/4", &tl::lower<m268>::build, 1e-09},
{"nn.functional.kl_div/0", &tl::lower<m269>::build, 1e-09},
{"nn.functional.kl_div/1", &tl::lower<m270>::build, 1e-09},
{"nn.functional.kl_div/2", &tl::lower<m271>::build, 1e-09},
{"nn.functional.kl_div/3", &tl::lower<m272>::build, 1e-09},
{"nn.functional.kl_div/4", &tl::lower<m273>::build, 1e-09},
{"nn.functional.l1_loss/0", &tl::lower<m274>::build, 1e-09},
{"nn.functional.l1_loss/2", &tl::lower<m275>::build, 1e-09},
{"nn.functional.l1_loss/3", &tl::lower<m276>::build, 1e-09},
{"nn.functional.layer_norm/0", &tl::lower<m277>::build, 1e-09},
{"nn.functional.layer_norm/2", &tl::lower<m278>::build, 1e-09},
{"nn.functional.linear/0", &tl::lower<m279>::build, 1e-09},
{"nn.functional.margin_ranking_loss/0", &tl::lower<m280>::build, 1e-09},
{"nn.functional.margin_ranking_loss/1", &tl::lower<m281>::build, 1e-09},
{"nn.functional.margin_ranking_loss/2", &tl::lower<m282>::build, 1e-09},
{"nn.functional.max_pool1d/1", &tl::lower<m283>::build, 1e-09},
{"nn.functional.max_pool1d/5", &tl::lower<m284>::build, 1e-09},
{"nn.functional.max_pool1d/13", &tl::lower<m285>::build, 1e-09},
{"nn.functional.max_pool1d/17", &tl::lower<m286>::build, 1e-09},
{"nn.functional.max_pool1d/25", &tl::lower<m287>::build, 1e-09},
{"nn.functional.max_pool2d/1", &tl::lower<m288>::build, 1e-09},
{"nn.functional.max_pool2d/3", &tl::lower<m289>::build, 1e-09},
{"nn.functional.max_pool2d/5", &tl::lower<m290>::build, 1e-09},
{"nn.functional.max_pool2d/7", &tl::lower<m291>::build, 1e-09},
{"nn.functional.max_pool2d/9", &tl::lower<m292>::build, 1e-09},
{"nn.functional.mish/0", &tl::lower<m293>::build, 1e-09},
{"nn.functional.mse_loss/0", &tl::lower<m294>::build, 1e-09},
{"nn.functional.mse_loss/2", &tl::lower<m295>::build, 1e-09},
{"nn.functional.mse_loss/3", &tl::lower<m296>::build, 1e-09},
{"nn.functional.multi_margin_loss/1", &tl::lower<m297>::build, 1e-09},
{"nn.functional.multi_margin_loss/3", &tl::lower<m298>::build, 1e-09},
{"nn.functional.multilabel_margin_loss/1", &tl::lower<m299>::build, 1e-09},
{"nn.functional.multilabel_margin_loss/3", &tl::lower<m300>::build, 1e-09},
{"nn.functional.multilabel_margin_loss/5", &tl::lower<m301>::build, 1e-09},
{"nn.functional.multilabel_soft_margin_loss/0", &tl::lower<m302>::build, 1e-09},
{"nn.functional.multilabel_soft_margin_loss/1", &tl::lower<m303>::build, 1e-09},
{"nn.functional.nll_loss/0", &tl::lower<m304>::build, 1e-09},
{"nn.functional.nll_loss/1", &tl::lower<m305>::build, 1e-09},
{"nn.functional.nll_loss/4", &tl::lower<m306>::build, 1e-09},
{"nn.functional.nll_loss/5", &tl::lower<m307>::build, 1e-09},
{"nn.functional.normalize/0", &tl::lower<m308>::build, 1e-09},
{"nn.functional.one_hot/1", &tl::lower<m309>::build, 1e-09},
{"nn.functional.pad|circular/0", &tl::lower<m310>::build, 1e-09},
{"nn.functional.pad|circular/4", &tl::lower<m311>::build, 1e-09},
{"nn.functional.pad|constant/0", &tl::lower<m312>::build, 1e-09},
{"nn.functional.pad|constant/4", &tl::lower<m313>::build, 1e-09},
{"nn.functional.pad|reflect/0", &tl::lower<m314>::build, 1e-09},
{"nn.functional.pad|replicate/0", &tl::lower<m315>::build, 1e-09},
{"nn.functional.poisson_nll_loss/0", &tl::lower<m316>::build, 1e-09},
{"nn.functional.poisson_nll_loss/1", &tl::lower<m317>::build, 1e-09},
{"nn.functional.poisson_nll_loss/2", &tl::lower<m318>::build, 1e-09},
{"nn.functional.poisson_nll_loss/3", &tl::lower<m319>::build, 1e-09},
{"nn.functional.poisson_nll_loss/4", &tl::lower<m320>::build, 1e-09},
{"nn.functional.relu/0", &tl::lower<m321>::build, 1e-09},
{"nn.functional.relu6/0", &tl::lower<m322>::build, 1e-09},
{"nn.functional.rms_norm/2", &tl::lower<m323>::build, 1e-09},
{"nn.functional.rms_norm/5", &tl::lower<m324>::build, 1e-09},
{"nn.functional.selu/0", &tl::lower<m325>::build, 1e-09},
{"nn.functional.silu/0", &tl::lower<m326>::build, 1e-09},
{"nn.functional.smooth_l1_loss/0", &tl::lower<m327>::build, 1e-09},
{"nn.functional.smooth_l1_loss/2", &tl::lower<m328>::build, 1e-09},
{"nn.functional.smooth_l1_loss/3", &tl::lower<m329>::build, 1e-09},
{"nn.functional.soft_margin_loss/0", &tl::lower<m330>::build, 1e-09},
{"nn.functional.soft_margin_loss/2", &tl::lower<m331>::build, 1e-09},
{"nn.functional.soft_margin_loss/3", &tl::lower<m332>::build, 1e-09},
{"nn.functional.softmin/0", &tl::lower<m333>::build, 1e-09},
{"nn.functional.softmin|with_dtype/0", &tl::lower<m334>::build, 1e-09},
{"nn.functional.unfold/0", &tl::lower<m335>::build, 1e-09},
{"nn.functional.unfold/1", &tl::lower<m336>::build, 1e-09},
{"nn.functional.unfold/2", &tl::lower<m337>::build, 1e-09},
{"nn.functional.unfold/3", &tl::lower<m338>::build, 1e-09},
{"nn.functional.unfold/4", &tl::lower<m339>::build, 1e-09},
{"norm/0", &tl::lower<m340>::build, 1e-09},
{"norm/1", &tl::lower<m341>::build, 1e-09},
{"norm/9", &tl::lower<m342>::build, 1e-09},
{"norm/13", &tl::lower<m343>::build, 1e-09},
{"norm/21", &tl::lower<m344>::build, 1e-09},
{"norm/22", &tl::lower<m345>::build, 1e-09},
{"norm|fro/0", &tl::lower<m346>::build, 1e-09},
{"norm|fro/2", &tl::lower<m347>::build, 1e-09},
{"norm|inf/1", &tl::lower<m348>::build, 1e-09},
{"norm|inf/2", &tl::lower<m349>::build, 1e-09},
{"norm|nuc/0", &tl::lower<m350>::build, 1e-09},
{"outer/0", &tl::lower<m351>::build, 1e-09},
{"permute/0", &tl::lower<m352>::build, 1e-09},
{"permute/2", &tl::lower<m353>::build, 1e-09},
{"permute_copy/0", &tl::lower<m354>::build, 1e-09},
{"permute_copy/2", &tl::lower<m355>::build, 1e-09},
{"pinverse/0", &tl::lower<m356>::build, 1e-09},
{"pow/0", &tl::lower<m357>::build, 1e-09},
{"prod/6", &tl::lower<m358>::build, 1e-09},
{"put/0", &tl::lower<m359>::build, 1e-09},
{"put/1", &tl::lower<m360>::build, 1e-09},
{"ravel/1", &tl::lower<m361>::build, 1e-09},
{"real/0", &tl::lower<m362>::build, 1e-09},
{"real/1", &tl::lower<m363>::build, 1e-09},
{"reciprocal/0", &tl::lower<m364>::build, 1e-09},
{"remainder/0", &tl::lower<m365>::build, 1e-09},
{"repeat_interleave/0", &tl::lower<m366>::build, 1e-09},
{"repeat_interleave/2", &tl::lower<m367>::build, 1e-09},
{"reshape/4", &tl::lower<m368>::build, 1e-09},
{"reshape/5", &tl::lower<m369>::build, 1e-09},
{"reshape_as/2", &tl::lower<m370>::build, 1e-09},
{"resolve_conj/0", &tl::lower<m371>::build, 1e-09},
{"resolve_conj/1", &tl::lower<m372>::build, 1e-09},
{"resolve_neg/0", &tl::lower<m373>::build, 1e-09},
{"resolve_neg/1", &tl::lower<m374>::build, 1e-09},
{"roll/0", &tl::lower<m375>::build, 1e-09},
{"round|decimals_0/0", &tl::lower<m376>::build, 1e-09},
{"round|decimals_3/1", &tl::lower<m377>::build, 1e-09},
{"round|decimals_neg_3/1", &tl::lower<m378>::build, 1e-09},
{"rsqrt/0", &tl::lower<m379>::build, 1e-09},
{"rsub/0", &tl::lower<m380>::build, 1e-09},
{"scatter/7", &tl::lower<m381>::build, 1e-09},
{"scatter/8", &tl::lower<m382>::build, 1e-09},
{"scatter_add/6", &tl::lower<m383>::build, 1e-09},
{"scatter_reduce|amax/18", &tl::lower<m384>::build, 1e-09},
{"scatter_reduce|amax/19", &tl::lower<m385>::build, 1e-09},
{"scatter_reduce|amin/18", &tl::lower<m386>::build, 1e-09},
{"scatter_reduce|amin/19", &tl::lower<m387>::build, 1e-09},
{"scatter_reduce|mean/18", &tl::lower<m388>::build, 1e-09},
{"scatter_reduce|mean/19", &tl::lower<m389>::build, 1e-09},
{"scatter_reduce|prod/18", &tl::lower<m390>::build, 1e-09},
{"scatter_reduce|prod/19", &tl::lower<m391>::build, 1e-09},
{"scatter_reduce|sum/18", &tl::lower<m392>::build, 1e-09},
{"scatter_reduce|sum/19", &tl::lower<m393>::build, 1e-09},
{"select/4", &tl::lower<m394>::build, 1e-09},
{"sigmoid/0", &tl::lower<m395>::build, 1e-09},
{"slice/0", &tl::lower<m396>::build, 1e-09},
{"softmax/0", &tl::lower<m397>::build, 1e-09},
{"softmax|with_dtype/0", &tl::lower<m398>::build, 1e-09},
{"sort/49", &tl::lower<m399>::build, 1e-09},
{"sort/51", &tl::lower<m400>::build, 1e-09},
{"special.bessel_j0/0", &tl::lower<m401>::build, 1e-05},
{"special.bessel_j1/0", &tl::lower<m402>::build, 1e-05},
{"special.i0e/0", &tl::lower<m403>::build, 1e-09},
{"special.i1/0", &tl::lower<m404>::build, 1e-09},
{"special.i1e/0", &tl::lower<m405>::build, 1e-09},
{"special.modified_bessel_i0/0", &tl::lower<m406>::build, 1e-09},
{"special.modified_bessel_i1/0", &tl::lower<m407>::build, 1e-09},
{"square/0", &tl::lower<m408>::build, 1e-09},
{"squeeze/0", &tl::lower<m409>::build, 1e-09},
{"squeeze/1", &tl::lower<m410>::build, 1e-09},
{"squeeze/2", &tl::lower<m411>::build, 1e-09},
{"squeeze_copy/0", &tl::lower<m412>::build, 1e-09},
{"squeeze_copy/1", &tl::lower<m413>::build, 1e-09},
{"squeeze_copy/2", &tl::lower<m414>::build, 1e-09},
{"squeeze|multiple/0", &tl::lower<m415>::build, 1e-09},
{"squeeze|multiple/1", &tl::lower<m416>::build, 1e-09},
{"squeeze|multiple/3", &tl::lower<m417>::build, 1e-09},
{"squeeze|multiple/5", &tl::lower<m418>::build, 1e-09},
{"stack/0", &tl::lower<m419>::build, 1e-09},
{"stack/2", &tl::lower<m420>::build, 1e-09},
{"std/3", &tl::lower<m421>::build, 1e-09},
{"std/4", &tl::lower<m422>::build, 1e-09},
{"std_mean/3", &tl::lower<m423>::build, 1e-09},
{"std_mean/4", &tl::lower<m424>::build, 1e-09},
{"std_mean|unbiased/0", &tl::lower<m425>::build, 1e-09},
{"std|unbiased/0", &tl::lower<m426>::build, 1e-09},
{"sub/0", &tl::lower<m427>::build, 1e-09},
{"sum/0", &tl::lower<m428>::build, 1e-09},
{"sum/5", &tl::lower<m429>::build, 1e-09},
{"t/0", &tl::lower<m430>::build, 1e-09},
{"t/1", &tl::lower<m431>::build, 1e-09},
{"t_copy/0", &tl::lower<m432>::build, 1e-09},
{"t_copy/1", &tl::lower<m433>::build, 1e-09},
{"take_along_dim/0", &tl::lower<m434>::build, 1e-09},
{"take_along_dim/3", &tl::lower<m435>::build, 1e-09},
{"topk/7", &tl::lower<m436>::build, 1e-09},
{"torch.ops.aten._safe_softmax.default/0", &tl::lower<m437>::build, 1e-09},
{"transpose/0", &tl::lower<m438>::build, 1e-09},
{"transpose_copy/0", &tl::lower<m439>::build, 1e-09},
{"tril/2", &tl::lower<m440>::build, 1e-09},
{"triu/2", &tl::lower<m441>::build, 1e-09},
{"true_divide/0", &tl::lower<m442>::build, 1e-09},
{"unbind/0", &tl::lower<m443>::build, 1e-09},
{"unbind/1", &tl::lower<m444>::build, 1e-09},
{"unbind/4", &tl::lower<m445>::build, 1e-09},
{"unbind_copy/0", &tl::lower<m446>::build, 1e-09},
{"unbind_copy/1", &tl::lower<m447>::build, 1e-09},
{"unbind_copy/4", &tl::lower<m448>::build, 1e-09},
{"unflatten/0", &tl::lower<m449>::build, 1e-09},
{"unflatten/1", &tl::lower<m450>::build, 1e-09},
{"unflatten/2", &tl::lower<m451>::build, 1e-09},
{"unflatten/4", &tl::lower<m452>::build, 1e-09},
{"unsqueeze/5", &tl::lower<m453>::build, 1e-09},
{"unsqueeze/7", &tl::lower<m454>::build, 1e-09},
{"unsqueeze_copy/5", &tl::lower<m455>::build, 1e-09},
{"unsqueeze_copy/7", &tl::lower<m456>::build, 1e-09},
{"var/3", &tl::lower<m457>::build, 1e-09},
{"var/4", &tl::lower<m458>::build, 1e-09},
{"var_mean/3", &tl::lower<m459>::build, 1e-09},
{"var_mean/4", &tl::lower<m460>::build, 1e-09},
{"var_mean|unbiased/0", &tl::lower<m461>::build, 1e-09},
{"var|unbiased/0", &tl::lower<m462>::build, 1e-09},
{"vdot/0", &tl::lower<m463>::build, 1e-09},
{"view/4", &tl::lower<m464>::build, 1e-09},
{"view/5", &tl::lower<m465>::build, 1e-09},
{"view_as/2", &tl::lower<m466>::build, 1e-09},
{"view_copy/4", &tl::lower<m467>::build, 1e-09},
{"view_copy/5", &tl::lower<m468>::build, 1e-09},
{"vsplit/0", &tl::lower<m469>::build, 1e-09},
{"vstack/0", &tl::lower<m470>::build, 1e-09},
{"where/2", &tl::lower<m471>::build, 1e-09},
};
std::vector<opinfo::sample_case> opinfo::all_cases() { return part_0; }
