// SPDX-License-Identifier: BSL-1.0
// A mutex, without <mutex> where POSIX has one: that header brings half of <chrono> along, for waits that
// end.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#else
#include <mutex>
#endif

namespace tapeless {

/// A POSIX mutex that a constant initializes needs no end: what lives as long as the program has no
/// destructor.
class system_mutex {
 public:
  system_mutex() = default;
  system_mutex(const system_mutex&) = delete;
  system_mutex& operator=(const system_mutex&) = delete;

#if defined(__unix__) || defined(__APPLE__)
  void lock() { ::pthread_mutex_lock(&mutex_); }
  void unlock() { ::pthread_mutex_unlock(&mutex_); }

 private:
  ::pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
#else
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
#endif
};

/// Holds a mutex as long as it lives.
class mutex_lock {
 public:
  explicit mutex_lock(system_mutex& m) : mutex_(m) { mutex_.lock(); }
  ~mutex_lock() { mutex_.unlock(); }
  mutex_lock(const mutex_lock&) = delete;
  mutex_lock& operator=(const mutex_lock&) = delete;

 private:
  system_mutex& mutex_;
};

}  // namespace tapeless
