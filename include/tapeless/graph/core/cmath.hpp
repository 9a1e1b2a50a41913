// SPDX-License-Identifier: BSL-1.0
// <cmath>, read once. That of GCC is guarded behind other lines, and so its 1,900 lines are read again
// wherever it is included. g++ has numbers for the places of 330,000 lines: beyond them it stores the place
// of each expression apart, half a million of them by the end of the library.
#pragma once

#include <cmath>
