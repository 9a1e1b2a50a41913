// SPDX-License-Identifier: BSL-1.0
// A thread, without <thread> where POSIX has one: that header brings <chrono> and <semaphore> along, which
// cost every program 0.3 billion of the compiler's instructions.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#else
#include <new>
#include <thread>

#include <tapeless/exceptions.hpp>
#endif

#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// One that was started must be joined, or forgotten by a process in which it is not.
class worker_thread {
 public:
  /// Calls task(context) on a thread of its own. Returns 0, or the errno value that says why it cannot start.
  /// Pre-condition: there is none yet; the task throws nothing.
  TAPELESS_COLD int start(void (*task)(void*), void* context) {
    task_ = task;
    context_ = context;
#if defined(__unix__) || defined(__APPLE__)
    const int problem = ::pthread_create(&thread_, nullptr, run, this);
    is_there_ = problem == 0;
    return problem;
#else
    return system_error_of([&] {
             thread_ = std::thread(task, context);
             is_there_ = true;
           })
        .value();
#endif
  }

  /// Waits until the task has returned; nothing where there is no thread.
  TAPELESS_COLD void join() {
    if (!is_there_) return;
#if defined(__unix__) || defined(__APPLE__)
    ::pthread_join(thread_, nullptr);
#else
    thread_.join();
#endif
    is_there_ = false;
  }

  /// Where the thread is in another process, the one that this was forked from: it can be neither joined nor
  /// detached.
  TAPELESS_COLD void forget() {
#if !defined(__unix__) && !defined(__APPLE__)
    ::new (static_cast<void*>(&thread_)) std::thread;
#endif
    is_there_ = false;
  }

 private:
  void (*task_)(void*) = nullptr;
  void* context_ = nullptr;
  bool is_there_ = false;
#if defined(__unix__) || defined(__APPLE__)
  ::pthread_t thread_ = {};

  static void* run(void* self) {
    auto* worker = static_cast<worker_thread*>(self);
    worker->task_(worker->context_);
    return nullptr;
  }
#else
  std::thread thread_;
#endif
};

}  // namespace tapeless
