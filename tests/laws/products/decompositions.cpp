// SPDX-License-Identifier: BSL-1.0
// The laws for factors of matrices and what is made of them. Matrices are of batches, and of broadcast ones.
#include <tapeless/ops/linalg.hpp>

#include "laws/laws.hpp"

using laws::part;

namespace {

/// x x^T, of square matrices x: symmetric, and positive definite for all but a few x.
constexpr auto definite(auto x) { return tl::matmul(x, tl::transpose(x)); }

/// Both results of one operation in one vector.
template <std::int64_t First, std::int64_t Second>
constexpr auto joined(auto first, auto second) {
  return tl::concat<0>(tl::reshape<First>(first), tl::reshape<Second>(second));
}
template <std::int64_t First, std::int64_t Second>
constexpr auto joined(auto both) {
  return joined<First, Second>(std::get<0>(both), std::get<1>(both));
}

}  // namespace

TAPELESS_LAW(cholesky_and_triangular_systems, 18, 18, -1, 1,
             tl::solve_triangular(tl::cholesky(definite(part<0, 3, 3>(z))), part<0, 2, 3, 3>(z)) +
                 tl::solve_triangular<tl::triangular{.upper = true, .unitriangular = true, .left = false}>(
                     part<0, 2, 3, 3>(z), part<9, 3, 3>(z)))
TAPELESS_LAW(linear_systems, 18, 9, -1, 1,
             tl::solve(part<0, 3, 3>(z), part<9, 3, 3>(z)) * tl::inverse(part<9, 3, 3>(z)))
TAPELESS_LAW(lu_and_determinants, 18, 18, -1, 1,
             tl::matmul(std::get<1>(tl::lu(part<0, 2, 3, 3>(z))),
                        tl::exp(0.1_c * std::get<2>(tl::lu(part<0, 2, 3, 3>(z))))) *
                 (tl::det(part<0, 3, 3>(z)) + std::get<1>(tl::slogdet(part<9, 3, 3>(z))) +
                  tl::logdet(definite(part<9, 3, 3>(z)))))
TAPELESS_LAW(lu_of_rectangles, 12, 38, -1, 1,
             joined<24, 14>(joined<18, 6>(tl::matmul(std::get<1>(tl::lu(part<0, 3, 2>(z))), part<0, 2, 6>(z)),
                                          std::get<2>(tl::lu(part<0, 2, 3>(z)))),
                            joined<4, 10>(std::get<2>(tl::lu(part<0, 3, 2>(z))),
                                          std::get<1>(tl::lu(part<2, 5, 2>(z))))))
TAPELESS_LAW(norms_of_singular_values, 12, 8, -1, 1,
             joined<6, 2>(joined<4, 2>(joined<2, 2>(tl::matrix_norm(part<0, 2, 3, 2>(z), tl::order<2>),
                                                    tl::matrix_norm(part<0, 2, 2, 3>(z), tl::nuclear)),
                                       tl::matrix_norm(part<0, 2, 3, 2>(z), tl::order<-2>)),
                          tl::cond(part<0, 2, 3, 2>(z)) * tl::cond(part<0, 2, 2, 2>(z), tl::nuclear)))
TAPELESS_LAW(qr, 14, 40, -1, 1,
             joined<20, 20>(joined<12, 8>(tl::qr(part<0, 2, 3, 2>(z))),
                            joined<8, 12>(tl::qr(part<2, 2, 2, 3>(z)))))
TAPELESS_LAW(eigh, 18, 24, -1, 1,
             joined<6, 18>(tl::eigvalsh(definite(part<0, 2, 3, 3>(z))),
                           std::get<1>(tl::eigh(definite(part<0, 2, 3, 3>(z))))))
TAPELESS_LAW(svd, 12, 23, -1, 1,
             joined<20, 3>(joined<12, 8>(std::get<0>(tl::svd(part<0, 2, 3, 2>(z))),
                                         std::get<2>(tl::svd(part<0, 2, 3, 2>(z)))),
                           tl::svdvals(part<0, 3, 4>(z))))
TAPELESS_LAW(matrix_exp_and_powers, 9, 9, -1, 1,
             tl::matrix_exp(part<0, 3, 3>(z)) + tl::matrix_power<5>(part<0, 3, 3>(z)) +
                 tl::matrix_power<-2>(part<0, 3, 3>(z)))
TAPELESS_LAW(pseudoinverse, 18, 12, -1, 1,
             joined<4, 8>(tl::lstsq(part<0, 2, 3, 2>(z), part<12, 2, 3>(z)),
                          tl::lstsq(part<0, 2, 2, 4>(z), part<12, 2, 2, 1>(z))) +
                 tl::reshape<12>(tl::pinv(part<0, 2, 3, 2>(z))))
