// SPDX-License-Identifier: BSL-1.0
// All that looks into trainers and functions.
#pragma once

#include <tapeless/train/inspect/check_gradients.hpp>
#include <tapeless/train/inspect/explain.hpp>
#include <tapeless/train/inspect/profile.hpp>
#include <tapeless/train/inspect/statistics.hpp>
#include <tapeless/train/inspect/summary.hpp>
#include <tapeless/train/inspect/to_dot.hpp>
#include <tapeless/train/inspect/to_mermaid.hpp>
