// SPDX-License-Identifier: BSL-1.0
// The weights of a trainer, which functions may share.
#pragma once

#include <cstdint>
#include <memory>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/system_mutex.hpp>
#include <tapeless/train/trainer/model_parameters.hpp>
#include <tapeless/train/trainer/one_thread.hpp>
#include <tapeless/train/trainer/weights_guard.hpp>

namespace tapeless {

/// What a trainer and the functions on its weights own together; the last of them takes it along. It stays in
/// its place when trainers and functions move.
template <class Parameters, class Policy>
struct trained_weights {
  trained_weights(const Policy& p, std::uint64_t seed)
      : policy(p), resources(p), parameters(resources, seed) {}

  using parameters_type = Parameters;

  Policy policy;
  typename Policy::resources resources;
  Parameters parameters;
  bool are_averages = false;  // which stand in for the parameters
  weights_guard guard;
  system_mutex mutex;  // of functions, while they ask resources for something
};

/// As long as it lives, other threads are kept out of a trainer, and its weights are being changed. Where no
/// function has a part in them, that needs no telling.
class weights_change {
 public:
  /// Throws an error where a function reads them.
  template <class Weights>
  weights_change(one_thread::stay stay, const std::shared_ptr<Weights>& weights)
      : stay_(std::move(stay)),
        changing_(weights.use_count() > 1 ? weights->guard.change() : weights_guard::changing(nullptr)) {}

 private:
  one_thread::stay stay_;
  weights_guard::changing changing_;
};

namespace detail {

/// Resources with a stream of their own, which others must wait for; and a run there may not be waited for
/// while its program is made.
template <class Resources>
concept has_streams = requires(Resources& r) { r.make_visible(); };

[[noreturn]] TAPELESS_COLD inline void refuse_moved_from(const char* what) {
  throw_error({"this ", what, " has been moved to another place: use it there"});
}

/// What a trainer or function owns. Throws an error where it has been moved to another one.
template <class Members>
Members& unless_moved_from(const sole_owner<Members>& own, const char* what) {
  if (own == nullptr) [[unlikely]]
    refuse_moved_from(what);
  return *own;
}

}  // namespace detail

}  // namespace tapeless
