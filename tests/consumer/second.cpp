// SPDX-License-Identifier: BSL-1.0
// A second translation unit: nothing in the headers may be defined twice.
#include <tapeless/tapeless.hpp>
