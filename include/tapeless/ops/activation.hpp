// SPDX-License-Identifier: BSL-1.0
// All activations.
#pragma once

#include <tapeless/ops/activation/alpha_dropout.hpp>
#include <tapeless/ops/activation/celu.hpp>
#include <tapeless/ops/activation/drop_path.hpp>
#include <tapeless/ops/activation/dropout.hpp>
#include <tapeless/ops/activation/dropout_channels.hpp>
#include <tapeless/ops/activation/elu.hpp>
#include <tapeless/ops/activation/geglu.hpp>
#include <tapeless/ops/activation/gelu.hpp>
#include <tapeless/ops/activation/gelu_erf.hpp>
#include <tapeless/ops/activation/gelu_tanh.hpp>
#include <tapeless/ops/activation/glu.hpp>
#include <tapeless/ops/activation/gumbel_softmax.hpp>
#include <tapeless/ops/activation/hard_sigmoid.hpp>
#include <tapeless/ops/activation/hard_swish.hpp>
#include <tapeless/ops/activation/hardshrink.hpp>
#include <tapeless/ops/activation/hardtanh.hpp>
#include <tapeless/ops/activation/leaky_relu.hpp>
#include <tapeless/ops/activation/log_sigmoid.hpp>
#include <tapeless/ops/activation/mish.hpp>
#include <tapeless/ops/activation/prelu.hpp>
#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/activation/relu6.hpp>
#include <tapeless/ops/activation/rrelu.hpp>
#include <tapeless/ops/activation/selu.hpp>
#include <tapeless/ops/activation/silu.hpp>
#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/activation/softmin.hpp>
#include <tapeless/ops/activation/softplus.hpp>
#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/activation/softshrink.hpp>
#include <tapeless/ops/activation/softsign.hpp>
#include <tapeless/ops/activation/swiglu.hpp>
#include <tapeless/ops/activation/tanhshrink.hpp>
#include <tapeless/ops/activation/threshold.hpp>
