// SPDX-License-Identifier: BSL-1.0
// A transformer of two blocks, 1,024 characters a step.
#include "transformer.hpp"

void steps::add_transformers(std::vector<row>& rows) { rows.push_back(transformer<128, 2, 4, 64>::of(16)); }
