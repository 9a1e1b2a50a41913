// SPDX-License-Identifier: BSL-1.0
// All operations.
#pragma once

#include <tapeless/ops/at.hpp>
#include <tapeless/ops/cross_entropy.hpp>
#include <tapeless/ops/custom_op.hpp>
#include <tapeless/ops/diagonal.hpp>
#include <tapeless/ops/dot.hpp>
#include <tapeless/ops/embedding.hpp>
#include <tapeless/ops/flatten.hpp>
#include <tapeless/ops/index_select.hpp>
#include <tapeless/ops/gradient.hpp>
#include <tapeless/ops/iota.hpp>
#include <tapeless/ops/linear.hpp>
#include <tapeless/ops/logsumexp.hpp>
#include <tapeless/ops/mean.hpp>
#include <tapeless/ops/one_hot.hpp>
#include <tapeless/ops/outer.hpp>
#include <tapeless/ops/pad_with.hpp>
#include <tapeless/ops/primitives.hpp>
#include <tapeless/ops/softmax.hpp>
#include <tapeless/ops/softplus.hpp>
#include <tapeless/ops/split.hpp>
#include <tapeless/ops/stop_gradient.hpp>
#include <tapeless/ops/transpose.hpp>
#include <tapeless/ops/triangle.hpp>
