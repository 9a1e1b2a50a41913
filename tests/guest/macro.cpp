// SPDX-License-Identifier: BSL-1.0
// A macro I, as <complex.h> has one in GNU's dialects, before the library: one sentence, and nothing else.
#define I _Complex_I
#include <tapeless/optim/optim.hpp>

int main() { static_cast<void>(tapeless::sgd({.learning_rate = 0.1f})); }
