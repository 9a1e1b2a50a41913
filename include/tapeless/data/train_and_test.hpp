// SPDX-License-Identifier: BSL-1.0
// What readers of data sets return that come in two parts.
#pragma once

#include <tapeless/data/dataset.hpp>

namespace tapeless::data {

/// Samples to train with, and others to test on.
struct train_and_test {
  dataset train, test;
};

}  // namespace tapeless::data
