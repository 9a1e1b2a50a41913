// SPDX-License-Identifier: BSL-1.0
// Weights and checkpoints in memory: save_bytes, load_bytes, save_checkpoint_bytes, load_checkpoint_bytes,
// save_array.
// Beside tapeless.hpp, for those who want it.
#pragma once

#include <tapeless/train/files/save_array.hpp>
#include <tapeless/train/files/save_bytes.hpp>
