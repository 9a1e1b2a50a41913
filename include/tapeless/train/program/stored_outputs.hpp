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
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/system_mutex.hpp>
#include <tapeless/train/binding/run_stamp.hpp>

namespace tapeless {

class output_store;

/// A program that is lent to whoever reads its outputs, which stay where they are.
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

  const std::byte* data(std::size_t output) const {
    if (program_ == nullptr) return bytes_.get() + places_[output].begin;
    const mutex_lock lock(mutex_);
    return program_->output(output);
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
  };

  stored_outputs() = default;

  std::atomic<int> holders_ = 0;
  sole_owner<std::byte[]> bytes_;
  std::int64_t room_ = 0;
  list<place> places_;
  run_counter runs_;
  stored_outputs* next_ = nullptr;      // where nobody holds them
  std::shared_ptr<output_store> home_;  // where somebody does
  sole_owner<lent_program> program_;    // where the elements are still there
  mutable system_mutex mutex_;          // of those who ask it for them

  // What a program has computed: shapes and places, and how many bytes there are.
  template <class Program>
  std::int64_t describe(const Program& program) {
    runs_.next();
    std::int64_t size = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(places_.size()); ++i) {
      place& p = places_[i];
      p.shape.rank = program.output_shape(i, p.shape.extents);
      p.begin = size;
      p.bytes = program.output_bytes(i, p.shape.extents);
      size += detail::aligned(p.bytes);
    }
    return size;
  }
  template <class Program>
  void copy(const Program& program) {
    const std::int64_t size = describe(program);
    if (size > room_) {
      bytes_ = sole_owner<std::byte[]>(new std::byte[static_cast<std::size_t>(size)]());
      room_ = size;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(places_.size()); ++i)
      if (places_[i].bytes > 0)
        std::memcpy(bytes_.get() + places_[i].begin, program.output(i),
                    static_cast<std::size_t>(places_[i].bytes));
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

  const stored_outputs* operator->() const { return outputs_; }

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
    held.outputs_->copy(program);
    return held;
  }
  /// The same, where the elements stay in the program; lend() gives it away until nobody holds them.
  template <class Program, class Lend>
  held_outputs keep(const Program& program, Lend lend) {
    const held_outputs held = hold();
    held.outputs_->describe(program);
    held.outputs_->program_ = lend();
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
  if (lent_program* const program = outputs_->program_.get()) {
    outputs_->runs_.next();
    program->give_back(std::move(outputs_->program_));
  }
  home->give_back(outputs_);
}

}  // namespace tapeless
