// SPDX-License-Identifier: BSL-1.0
// Which tensors are taken for which parameters, where names, types or numbers differ.
#pragma once

#include <string>
#include <vector>

namespace tapeless {

/// The name of a tensor that is taken for a parameter of another name. One * in `from` stands for any
/// characters, those that * stands for in `to`: {"layer1.*", "encoder.*"}.
struct renamed {
  std::string from;
  std::string to;
};

/// How the tensors of a file, or of another model, become parameters:
/// load(net, path, {.strip_prefix = "model.", .only = {"encoder.*"}}). The name of each tensor goes through
/// strip_prefix, names and add_prefix, in this order; by the name that comes out it is that parameter's.
struct load_options {
  std::string strip_prefix = {};       ///< is taken off the names that begin with it
  std::vector<renamed> names = {};     ///< the first one whose `from` fits a name makes another of it
  std::string add_prefix = {};         ///< is put before all names
  std::vector<std::string> only = {};  ///< patterns (* and ?) of parameters; the others stay as they are
  bool allow_missing = false;          ///< a parameter for which there is no tensor stays as it is
  bool allow_unexpected = true;        ///< tensors that are no parameter's are passed over
  bool convert = false;  ///< float, double, f16 and bf16 are rounded to one another, if they fit
};

}  // namespace tapeless
