// SPDX-License-Identifier: BSL-1.0
// Threads that stand for ranks, each with a trainer of its own.
#pragma once

#include <barrier>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/exceptions.hpp>

namespace test {

/// What the ranks of a group share: where each has put what it sends.
struct meeting_place {
  explicit meeting_place(int size) : sent(static_cast<std::size_t>(size)), begins(sent.size()), here(size) {}
  std::vector<const std::byte*> sent;
  std::vector<const std::int64_t*> begins;
  std::barrier<> here;

  /// One time that a transfer is under way, from its start on all ranks to when all have what it brings.
  struct under_way {
    std::vector<const std::byte*> sent;
    int started = 0, copied = 0;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<char, int>, under_way> transfers;  // by kind, and number of its kind
  bool is_left = false;                                 // by a rank
};

class thread_group final : public tapeless::process_group {
 public:
  thread_group(meeting_place& place, int rank) : place_(place) {
    set_rank(rank, static_cast<int>(place.sent.size()));
  }
  ~thread_group() {
    if (!is_broken()) all_end();
    {
      const std::lock_guard lock(place_.mutex);
      place_.is_left = true;
      place_.changed.notify_all();
    }
    place_.here.arrive_and_drop();
  }

 private:
  meeting_place& place_;
  std::map<char, int> started_;  // by kind

  template <class Copy>
  void exchange(const std::byte* own, const Copy& copy) {
    place_.sent[static_cast<std::size_t>(rank())] = own;
    place_.here.arrive_and_wait();
    for (int r = 0; r < size(); ++r) copy(r, place_.sent[static_cast<std::size_t>(r)]);
    place_.here.arrive_and_wait();
  }
  using offsets = tapeless::array_view<const std::int64_t>;
  void all_gather_bytes(const std::byte* own, std::byte* all, std::size_t bytes) override {
    exchange(own, [&](int r, const std::byte* from) {
      std::memcpy(all + static_cast<std::size_t>(r) * bytes, from, bytes);
    });
  }
  void gather_ranges_of_bytes(std::byte* all, offsets begin) override {
    exchange(all, [&](int r, const std::byte* from) {
      const std::int64_t first = begin[static_cast<std::size_t>(r)];
      if (r != rank() && length(begin, r) > 0)
        std::memcpy(all + first, from + first, static_cast<std::size_t>(length(begin, r)));
    });
  }
  void broadcast_bytes(tapeless::array_view<std::byte> bytes, int root) override {
    exchange(bytes.data(), [&](int r, const std::byte* from) {
      if (r == root && r != rank() && !bytes.empty()) std::memcpy(bytes.data(), from, bytes.size());
    });
  }

  // Calls copy(rank, what it sends) for each rank once all have started it.
  template <class Copy>
  class copying final : public tapeless::transfer {
   public:
    copying(thread_group& group, char kind, const std::byte* own, Copy copy)
        : group_(group), kind_(kind), own_(own), copy_(std::move(copy)) {}
    bool has_ended() override {
      const std::lock_guard lock(group_.place_.mutex);
      return goes_on();
    }
    void wait() override {
      std::unique_lock lock(group_.place_.mutex);
      while (!goes_on()) {
        if (group_.place_.is_left) tapeless::throw_error("a rank has left what is under way");
        group_.place_.changed.wait(lock);
      }
    }

   private:
    thread_group& group_;
    char kind_;
    const std::byte* own_;
    Copy copy_;
    meeting_place::under_way* now_ = nullptr;
    bool has_copied_ = false;

    void start() override {
      const std::lock_guard lock(group_.place_.mutex);
      now_ = &group_.place_.transfers[{kind_, group_.started_[kind_]++}];
      now_->sent.resize(static_cast<std::size_t>(group_.size()));
      now_->sent[static_cast<std::size_t>(group_.rank())] = own_;
      ++now_->started;
      has_copied_ = false;
      group_.place_.changed.notify_all();
    }
    bool goes_on() {
      if (now_->started == group_.size() && !has_copied_) {
        for (int r = 0; r < group_.size(); ++r) copy_(r, now_->sent[static_cast<std::size_t>(r)]);
        has_copied_ = true;
        ++now_->copied;
        group_.place_.changed.notify_all();
      }
      return now_->copied == group_.size();
    }
  };
  template <class Copy>
  std::unique_ptr<tapeless::transfer> make(char kind, const std::byte* own, Copy copy) {
    return std::make_unique<copying<Copy>>(*this, kind, own, std::move(copy));
  }
  std::unique_ptr<tapeless::transfer> make_gathering(std::byte* all, offsets begin) override {
    const std::vector<std::int64_t> b(begin.begin(), begin.end());
    return make('g', all, [this, all, b](int r, const std::byte* from) {
      const std::int64_t first = b[static_cast<std::size_t>(r)];
      if (r != rank() && length(b, r) > 0)
        std::memcpy(all + first, from + first, static_cast<std::size_t>(length(b, r)));
    });
  }
  std::unique_ptr<tapeless::transfer> make_scattering(const std::byte* all, offsets begin,
                                                      std::byte* received) override {
    const auto bytes = static_cast<std::size_t>(length(begin, rank()));
    const std::int64_t first = begin[static_cast<std::size_t>(rank())];
    return make('s', all, [bytes, first, received](int r, const std::byte* from) {
      if (bytes > 0) std::memcpy(received + static_cast<std::size_t>(r) * bytes, from + first, bytes);
    });
  }
};

/// What the error says that `body` throws; nothing where it throws none.
template <class Body>
std::string sentence_of(const Body& body) {
  tapeless::first_exception thrown;
  thrown.guard(body);
  return thrown.text();
}

/// Calls `body(group)` on as many ranks at once; throws what rank `shown` throws.
template <class Body>
void on_ranks(int size, const Body& body, int shown = 0) {
  meeting_place place(size);
  std::vector<tapeless::first_exception> thrown(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      thread_group group(place, r);
      thrown[static_cast<std::size_t>(r)].guard([&] { body(group); });
    });
  for (std::thread& t : threads) t.join();
  thrown[static_cast<std::size_t>(shown)].rethrow();
}

}  // namespace test
