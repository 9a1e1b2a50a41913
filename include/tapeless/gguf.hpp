// SPDX-License-Identifier: BSL-1.0
// GGUF files: save_gguf, load_gguf, io::gguf, io::write_gguf. Beside tapeless.hpp, for those who want it.
#pragma once

#include <tapeless/train/files/save_gguf.hpp>
