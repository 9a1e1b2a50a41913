// SPDX-License-Identifier: BSL-1.0
// All normalizations.
#pragma once

#include <tapeless/ops/norm/batch_norm.hpp>
#include <tapeless/ops/norm/group_norm.hpp>
#include <tapeless/ops/norm/instance_norm.hpp>
#include <tapeless/ops/norm/layer_norm.hpp>
#include <tapeless/ops/norm/local_response_norm.hpp>
#include <tapeless/ops/norm/normalize.hpp>
#include <tapeless/ops/norm/rms_norm.hpp>
#include <tapeless/ops/norm/spectral_norm.hpp>
#include <tapeless/ops/norm/standardize.hpp>
#include <tapeless/ops/norm/weight_norm.hpp>
