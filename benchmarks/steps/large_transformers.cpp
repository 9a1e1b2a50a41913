// SPDX-License-Identifier: BSL-1.0
// A transformer of six blocks over windows of 256 characters.
#include "transformer.hpp"

void steps::add_large_transformers(std::vector<row>& rows) {
  rows.push_back(transformer<384, 6, 6, 256>::of(4));
}
