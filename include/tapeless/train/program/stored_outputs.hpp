// SPDX-License-Identifier: BSL-1.0
// Outputs in memory of their own, which is used again when nobody holds them any more.
#pragma once

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/system_mutex.hpp>
#include <tapeless/train/binding/run_stamp.hpp>

namespace tapeless {

class output_store;

/// A program that is lent to whoever reads its outputs, which stay where they are until then.
class lent_program {
 public:
  virtual ~lent_program() = default;
  /// Where the elements of output number i are.
  virtual const std::byte* output(std::size_t i) const = 0;
  /// It goes back to where it is lent from.
  virtual void give_back(sole_owner<lent_program> self) = 0;
};

/// The outputs of one run. Any number may hold them, in any thread; the last one gives their memory back.
class stored_outputs {
 public:
  struct shape {
    std::array<std::int64_t, max_rank> extents{};
    std::size_t rank = 0;
  };

  const std::byte* data(std::size_t output) {
    if (is_lent_.load(std::memory_order_acquire)) take_over(output);
    return bytes_.get() + places_[output].begin;
  }
  const shape& shape_of(std::size_t output) const { return places_[output].shape; }
  /// Outdated when the memory is used again.
  run_stamp stamp() const { return runs_.stamp(); }

  stored_outputs(const stored_outputs&) = delete;
  stored_outputs& operator=(const stored_outputs&) = delete;

 private:
  friend output_store;
  friend class held_outputs;
  struct place {
    std::int64_t begin = 0, bytes = 0;
    stored_outputs::shape shape;
    bool is_here = false;
  };

  stored_outputs() = default;

  std::atomic<int> holders_ = 0;
  sole_owner<std::byte[]> bytes_;
  std::int64_t size_ = 0, room_ = 0;
  list<place> places_;
  run_counter runs_;
  stored_outputs* next_ = nullptr;      // where nobody holds them
  std::shared_ptr<output_store> home_;  // where somebody does
  sole_owner<lent_program> program_;    // where elements are still there
  std::atomic<bool> is_lent_ = false;
  system_mutex mutex_;  // of those who take them over

  // What a program has computed: shapes and places.
  template <class Program>
  void describe(const Program& program) {
    runs_.next();
    size_ = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(places_.size()); ++i) {
      place& p = places_[i];
      p.shape.rank = program.output_shape(i, p.shape.extents);
      p.begin = size_;
      p.bytes = program.output_bytes(i, p.shape.extents);
      p.is_here = false;
      size_ += detail::aligned(p.bytes);
    }
  }
  template <class Program>
  void copy(const Program& program, std::size_t output) {
    if (size_ > room_) {
      bytes_ = sole_owner<std::byte[]>(new std::byte[static_cast<std::size_t>(size_)]());
      room_ = size_;
    }
    if (const place& p = places_[output]; p.bytes > 0)
      std::memcpy(bytes_.get() + p.begin, program.output(output), static_cast<std::size_t>(p.bytes));
  }
  void lend(sole_owner<lent_program> program) {
    program_ = std::move(program);
    is_lent_.store(program_ != nullptr, std::memory_order_release);
  }
  void give_program_back() {
    lent_program* const program = program_.get();
    program->give_back(std::move(program_));
    is_lent_.store(false, std::memory_order_release);
  }
  // With the last one the program goes back.
  TAPELESS_COLD void take_over(std::size_t output) {
    const mutex_lock lock(mutex_);
    if (program_ == nullptr || places_[output].is_here) return;
    copy(*program_, output);
    places_[output].is_here = true;
    for (const place& p : places_)
      if (!p.is_here) return;
    give_program_back();
  }
};

/// Holds the outputs of a run as long as it lives; what is moved from holds them as well.
class held_outputs {
 public:
  held_outputs(const held_outputs& other) noexcept : outputs_(other.outputs_) {
    outputs_->holders_.fetch_add(1, std::memory_order_relaxed);
  }
  held_outputs& operator=(const held_outputs& other) noexcept {
    held_outputs copy(other);
    std::swap(outputs_, copy.outputs_);
    return *this;
  }
  ~held_outputs() {
    if (outputs_->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) give_back();
  }

  stored_outputs* operator->() const { return outputs_; }

 private:
  friend output_store;
  explicit held_outputs(stored_outputs* outputs) : outputs_(outputs) {
    outputs_->holders_.store(1, std::memory_order_relaxed);
  }

  stored_outputs* outputs_;

  void give_back();
};

/// The memory of a function's outputs. It lives as long as the function, or one of its results.
class output_store : public std::enable_shared_from_this<output_store> {
 public:
  explicit output_store(std::size_t outputs) : outputs_(outputs) {}
  output_store(const output_store&) = delete;
  output_store& operator=(const output_store&) = delete;
  ~output_store() {
    while (stored_outputs* const s = unused_) {
      unused_ = s->next_;
      delete s;
    }
  }

  /// The outputs of a program that has run, a bound_program. Nothing is allocated where memory of that size
  /// has been given back before.
  template <class Program>
  held_outputs keep(const Program& program) {
    const held_outputs held = hold();
    held.outputs_->describe(program);
    for (std::size_t i = 0; i < outputs_; ++i) held.outputs_->copy(program, i);
    return held;
  }
  /// The same, where the elements stay in the program; lend() gives it away until each has been read, or
  /// nobody holds them.
  template <class Program, class Lend>
  held_outputs keep(const Program& program, Lend lend) {
    const held_outputs held = hold();
    held.outputs_->describe(program);
    held.outputs_->lend(lend());
    return held;
  }

 private:
  friend held_outputs;
  system_mutex mutex_;
  stored_outputs* unused_ = nullptr;
  std::size_t outputs_;

  held_outputs hold() {
    stored_outputs* const s = unused();
    s->home_ = shared_from_this();
    return held_outputs(s);
  }
  stored_outputs* unused() {
    {
      const mutex_lock lock(mutex_);
      if (stored_outputs* const s = unused_) {
        unused_ = s->next_;
        return s;
      }
    }
    sole_owner<stored_outputs> s(new stored_outputs);
    s->places_ = list<stored_outputs::place>(outputs_);
    return s.release();
  }
  void give_back(stored_outputs* s) {
    const mutex_lock lock(mutex_);
    s->next_ = unused_;
    unused_ = s;
  }
};

inline void held_outputs::give_back() {
  const std::shared_ptr<output_store> home = std::move(outputs_->home_);  // goes after what it gets back
  if (outputs_->program_ != nullptr) outputs_->give_program_back();
  home->give_back(outputs_);
}

}  // namespace tapeless
