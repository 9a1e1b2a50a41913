// SPDX-License-Identifier: BSL-1.0
// Which parameters are written, and under which names.
#pragma once

#include <string>
#include <vector>

namespace tapeless {

/// What save writes: save(net, "adapters.safetensors", {.only = {"*.lora_?"}}).
struct save_options {
  std::string add_prefix = {};         ///< is put before all names, as load takes it off by .strip_prefix
  std::vector<std::string> only = {};  ///< patterns (* and ?) of parameters; the others are not written
};

}  // namespace tapeless
