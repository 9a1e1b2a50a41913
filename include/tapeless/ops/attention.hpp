// SPDX-License-Identifier: BSL-1.0
// All forms of attention.
#pragma once

#include <tapeless/ops/attention/added_keys.hpp>
#include <tapeless/ops/attention/attention.hpp>
#include <tapeless/ops/attention/attention_heads.hpp>
#include <tapeless/ops/attention/attention_layer.hpp>
#include <tapeless/ops/attention/attention_operation.hpp>
#include <tapeless/ops/attention/attention_options.hpp>
#include <tapeless/ops/attention/attention_weights.hpp>
#include <tapeless/ops/attention/cached_attention.hpp>
#include <tapeless/ops/attention/relative_position_bias.hpp>
#include <tapeless/ops/attention/relative_position_scores.hpp>
#include <tapeless/ops/attention/rotary.hpp>
#include <tapeless/ops/attention/scaled_dot_product_attention.hpp>
#include <tapeless/ops/attention/transformer_encoder_layer.hpp>
