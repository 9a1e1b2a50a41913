// SPDX-License-Identifier: BSL-1.0
// Threads that stand for ranks, each with a trainer of its own.
#pragma once

#include <barrier>
#include <cstring>
#include <mutex>
#include <source_location>
#include <string>
#include <thread>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/exceptions.hpp>

#include "catch.hpp"

namespace test {

/// What the ranks of a group share: where each has put what it sends.
struct meeting_place {
  explicit meeting_place(int size) : sent(static_cast<std::size_t>(size)), begins(sent.size()), here(size) {}
  std::vector<const std::byte*> sent;
  std::vector<const std::int64_t*> begins;
  std::barrier<> here;
};

class thread_group final : public tapeless::process_group {
 public:
  thread_group(meeting_place& place, int rank) : place_(place) {
    set_rank(rank, static_cast<int>(place.sent.size()));
  }
  ~thread_group() {
    if (!is_broken()) all_end();
    place_.here.arrive_and_drop();
  }

 private:
  meeting_place& place_;

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
  void scatter_ranges_of_bytes(const std::byte* all, offsets begin, std::byte* received) override {
    const auto bytes = static_cast<std::size_t>(length(begin, rank()));
    exchange(all, [&](int r, const std::byte* from) {
      if (bytes > 0)
        std::memcpy(received + static_cast<std::size_t>(r) * bytes,
                    from + begin[static_cast<std::size_t>(rank())], bytes);
    });
  }
  void broadcast_bytes(tapeless::array_view<std::byte> bytes, int root) override {
    exchange(bytes.data(), [&](int r, const std::byte* from) {
      if (r == root && r != rank() && !bytes.empty()) std::memcpy(bytes.data(), from, bytes.size());
    });
  }
};

/// A check that any thread may make.
inline void check(bool holds, std::source_location at = std::source_location::current()) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  INFO("line " << at.line());
  CHECK(holds);
}

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
