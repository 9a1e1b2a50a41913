// SPDX-License-Identifier: BSL-1.0
// Operations on shapes.
#pragma once

#include <tapeless/ops/shape/at.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/flatten.hpp>
#include <tapeless/ops/shape/flip.hpp>
#include <tapeless/ops/shape/joined_pads.hpp>
#include <tapeless/ops/shape/meshgrid.hpp>
#include <tapeless/ops/shape/movedim.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/repeat_interleave.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/roll.hpp>
#include <tapeless/ops/shape/rot90.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/ops/shape/split.hpp>
#include <tapeless/ops/shape/squeeze.hpp>
#include <tapeless/ops/shape/stack.hpp>
#include <tapeless/ops/shape/tile.hpp>
#include <tapeless/ops/shape/transpose.hpp>
#include <tapeless/ops/shape/unsqueeze.hpp>
