// SPDX-License-Identifier: BSL-1.0
// All operations of linear algebra.
#pragma once

#include <tapeless/ops/linalg/bilinear.hpp>
#include <tapeless/ops/linalg/diagonal.hpp>
#include <tapeless/ops/linalg/dot.hpp>
#include <tapeless/ops/linalg/einsum.hpp>
#include <tapeless/ops/linalg/einsum_equation.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/linalg/outer.hpp>
#include <tapeless/ops/linalg/triangle.hpp>
