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

/// The tensors that make one parameter, one below the other along their first axis:
/// {"attn.in_proj_weight", {"q_proj.weight", "k_proj.weight", "v_proj.weight"}}. One * in `parameter` stands
/// for any characters, those that * stands for in `tensors`. A # in `tensors` counts the layers of a scan,
/// which the parameter's first axis has, from 0: {"mlp.weight", {"layers.#.mlp.weight"}}.
struct joined_tensors {
  std::string parameter;
  std::vector<std::string> tensors;
};

/// How the tensors of a file, or of another model, become parameters:
/// load(net, path, {.strip_prefix = "model.", .only = {"encoder.*"}}). The name of each tensor goes through
/// strip_prefix, names and add_prefix, in this order; by the name that comes out it is that parameter's, or
/// is joined with others.
struct load_options {
  std::string strip_prefix = {};          ///< is taken off the names that begin with it
  std::vector<renamed> names = {};        ///< the first one whose `from` fits a name makes another of it
  std::string add_prefix = {};            ///< is put before all names
  std::vector<joined_tensors> join = {};  ///< the first one that fits a parameter says what it is made of
  std::vector<std::string> only = {};     ///< patterns (* and ?) of parameters; the others stay as they are
  bool allow_missing = false;             ///< a parameter for which there is no tensor stays as it is
  bool allow_unexpected = true;           ///< tensors that are no parameter's are passed over
  bool convert = false;  ///< float, double, f16 and bf16 are rounded to one another, if they fit
};

}  // namespace tapeless
