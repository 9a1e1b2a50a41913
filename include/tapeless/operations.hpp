// SPDX-License-Identifier: BSL-1.0
// Every operation, those included that tapeless.hpp leaves out since few programs use them.
#pragma once

// First what refuses programs, as in tapeless.hpp.
#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/statement.hpp>
//
#include <tapeless/expr/make.hpp>

#include <tapeless/ops/activation.hpp>
#include <tapeless/ops/attention.hpp>
#include <tapeless/ops/autodiff.hpp>
#include <tapeless/ops/control.hpp>
#include <tapeless/ops/indexing.hpp>
#include <tapeless/ops/linalg.hpp>
#include <tapeless/ops/loss.hpp>
#include <tapeless/ops/norm.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/random.hpp>
#include <tapeless/ops/recurrent.hpp>
#include <tapeless/ops/reduction.hpp>
#include <tapeless/ops/shape.hpp>
#include <tapeless/ops/spatial.hpp>
#include <tapeless/ops/spectral.hpp>
