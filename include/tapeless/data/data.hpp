// SPDX-License-Identifier: BSL-1.0
// All views and transforms of samples.
#pragma once

#include <tapeless/data/augment.hpp>
#include <tapeless/data/concat.hpp>
#include <tapeless/data/map.hpp>
#include <tapeless/data/normalize.hpp>
#include <tapeless/data/resample.hpp>
#include <tapeless/data/split.hpp>
#include <tapeless/data/subset.hpp>
