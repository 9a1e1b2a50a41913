// SPDX-License-Identifier: BSL-1.0
// All operations that index.
#pragma once

#include <tapeless/ops/indexing/embedding.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/index_select.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/indexing/iota.hpp>
#include <tapeless/ops/indexing/one_hot.hpp>
