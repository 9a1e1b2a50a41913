// SPDX-License-Identifier: BSL-1.0
// All operations of linear algebra.
#pragma once

#include <tapeless/ops/linalg/bilinear.hpp>
#include <tapeless/ops/linalg/cholesky.hpp>
#include <tapeless/ops/linalg/cond.hpp>
#include <tapeless/ops/linalg/cross.hpp>
#include <tapeless/ops/linalg/det.hpp>
#include <tapeless/ops/linalg/diag_embed.hpp>
#include <tapeless/ops/linalg/diagonal.hpp>
#include <tapeless/ops/linalg/dot.hpp>
#include <tapeless/ops/linalg/eigh.hpp>
#include <tapeless/ops/linalg/einsum.hpp>
#include <tapeless/ops/linalg/einsum_equation.hpp>
#include <tapeless/ops/linalg/eye.hpp>
#include <tapeless/ops/linalg/identity_matrix.hpp>
#include <tapeless/ops/linalg/inverse.hpp>
#include <tapeless/ops/linalg/kron.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/linalg/lstsq.hpp>
#include <tapeless/ops/linalg/lu.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/linalg/matrix_exp.hpp>
#include <tapeless/ops/linalg/matrix_norm.hpp>
#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/linalg/matrix_power.hpp>
#include <tapeless/ops/linalg/multi_dot.hpp>
#include <tapeless/ops/linalg/outer.hpp>
#include <tapeless/ops/linalg/pinv.hpp>
#include <tapeless/ops/linalg/qr.hpp>
#include <tapeless/ops/linalg/solve.hpp>
#include <tapeless/ops/linalg/solve_triangular.hpp>
#include <tapeless/ops/linalg/svd.hpp>
#include <tapeless/ops/linalg/tensordot.hpp>
#include <tapeless/ops/linalg/trace.hpp>
#include <tapeless/ops/linalg/triangle.hpp>
#include <tapeless/ops/linalg/vecdot.hpp>
