// SPDX-License-Identifier: BSL-1.0
// The ways in which cuDNN computes an operation, which tests choose.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cudnn_names.hpp"

namespace fake_cuda {

/// One of the ways in which an operation is computed. Those whose notes say that they are inexact are.
struct engine {
  std::vector<cudnnBackendNumericalNote_t> notes = {};
  std::int64_t workspace = 0;   // bytes
  std::int64_t bytes_kept = 2;  // more of them, for each element that waits between two products
  bool is_supported = true;
  bool is_fallback = false;
  bool is_given = true;  // else it is counted among the candidates, and that is all
};

/// From the fastest one on.
inline std::vector<engine> engines = {
    {.notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}},
    {.notes = {CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS, CUDNN_NUMERICAL_NOTE_TENSOR_CORE}},
    {.is_supported = false},
    {.workspace = std::int64_t{1} << 40},
    {.notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}, .workspace = 512},
    {.workspace = 2048},
    {.is_fallback = true}};

/// Other engines than the usual ones, as long as it lives.
class engines_for_now {
 public:
  explicit engines_for_now(std::vector<engine> now) : before_(std::exchange(engines, std::move(now))) {}
  ~engines_for_now() { engines = before_; }
  engines_for_now(const engines_for_now&) = delete;
  engines_for_now& operator=(const engines_for_now&) = delete;

 private:
  std::vector<engine> before_;
};

}  // namespace fake_cuda
