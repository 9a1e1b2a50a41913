// SPDX-License-Identifier: BSL-1.0
// All activations.
#pragma once

#include <tapeless/ops/activation/celu.hpp>
#include <tapeless/ops/activation/dropout.hpp>
#include <tapeless/ops/activation/elu.hpp>
#include <tapeless/ops/activation/gelu.hpp>
#include <tapeless/ops/activation/gelu_erf.hpp>
#include <tapeless/ops/activation/gelu_tanh.hpp>
#include <tapeless/ops/activation/hard_sigmoid.hpp>
#include <tapeless/ops/activation/hard_swish.hpp>
#include <tapeless/ops/activation/leaky_relu.hpp>
#include <tapeless/ops/activation/mish.hpp>
#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/activation/selu.hpp>
#include <tapeless/ops/activation/silu.hpp>
#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/activation/softplus.hpp>
#include <tapeless/ops/activation/softplus_operation.hpp>
