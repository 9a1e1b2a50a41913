// SPDX-License-Identifier: BSL-1.0
// The memory of GPUs that are not there, and pinned memory. What belongs to a device can be touched only
// while that device works; what was freed, and what lies behind the end of a block, never.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace fake_cuda {

/// Ends the test with one sentence: what has happened would be undefined behaviour on a GPU.
[[noreturn]] inline void stop(const std::string& sentence) {
  std::fprintf(stderr, "fake CUDA: %s\n", sentence.c_str());
  std::abort();
}

inline constexpr int pinned = -1;  // in place of a device's number

/// A block that was given out.
struct block {
  std::byte* begin = nullptr;
  std::size_t size = 0;
  std::byte* pages = nullptr;  // with one more that is never opened
  std::size_t page_bytes = 0;
  int device = 0;
  bool is_freed = false;
};

inline std::string name_of_device(int device) {
  return device == pinned ? "pinned memory" : "memory of device " + std::to_string(device);
}

class memory_table {
 public:
  memory_table() {
    now_ = this;
    struct sigaction action = {};
    action.sa_sigaction = &at_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_);
  }
  ~memory_table() {
    sigaction(SIGSEGV, &before_, nullptr);
    now_ = nullptr;
    for (const auto& [address, b] : blocks_) munmap(b.pages, b.page_bytes);
  }
  memory_table(const memory_table&) = delete;
  memory_table& operator=(const memory_table&) = delete;

  /// Every byte is 0xff, so that numbers that were never written are not numbers; but large blocks are zero.
  void* allocate(int device, std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t used = (bytes + 255) / 256 * 256;  // so aligned are CUDA's
    const std::size_t opened = (used + page - 1) / page * page;
    block b{.size = bytes, .page_bytes = opened + page, .device = device};
    void* pages = mmap(nullptr, b.page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) stop("mmap has no more memory");
    b.pages = static_cast<std::byte*>(pages);
    b.begin = b.pages + opened - used;
    protect(b, PROT_READ | PROT_WRITE);
    if (bytes < large) std::memset(b.begin, 0xff, used);
    if (device != pinned) protect(b, PROT_NONE);
    blocks_[address(b.begin)] = b;
    in_use_[device] += bytes;
    return b.begin;
  }
  /// As std::memset, but large blocks take no time.
  static void set(void* begin, int x, std::size_t bytes) {
    if (x != 0 || bytes < large) {
      std::memset(begin, x, bytes);
    } else {
      const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
      const std::size_t head = (page - address(begin) % page) % page, whole = (bytes - head) / page * page;
      auto* const p = static_cast<std::byte*>(begin);
      std::memset(p, 0, head);
      madvise(p + head, whole, MADV_DONTNEED);
      std::memset(p + head + whole, 0, bytes - head - whole);
    }
  }
  /// False where nothing of that kind starts there.
  bool free(void* begin, bool is_pinned) {
    const auto found = blocks_.find(address(begin));
    if (found == blocks_.end() || found->second.is_freed || (found->second.device == pinned) != is_pinned)
      return false;
    block& b = found->second;
    b.is_freed = true;
    protect(b, PROT_NONE);
    madvise(b.pages, b.page_bytes, MADV_DONTNEED);
    in_use_[b.device] -= b.size;
    return true;
  }
  std::size_t in_use(int device) const {
    const auto found = in_use_.find(device);
    return found == in_use_.end() ? 0 : found->second;
  }

  /// The block around an address, or null: memory that CUDA knows nothing of.
  const block* find(const void* p) const {
    auto after = blocks_.upper_bound(address(p));
    if (after == blocks_.begin()) return nullptr;
    const block& b = std::prev(after)->second;
    return address(p) < address(b.pages) + b.page_bytes ? &b : nullptr;
  }

  /// As long as it lives, a device works: its memory can be touched. A block is opened when that happens
  /// first, since most work touches few of them.
  class opened {
   public:
    opened(memory_table& table, int device, const char* what) : table_(table) {
      table_.open_ = device;
      table_.what_ = what;
    }
    ~opened() {
      while (table_.touched_ > 0) protect(*table_.all_touched_[--table_.touched_], PROT_NONE);
      table_.open_ = nobody;
      table_.what_ = nullptr;
    }
    opened(const opened&) = delete;
    opened& operator=(const opened&) = delete;

   private:
    memory_table& table_;
  };

 private:
  static constexpr int nobody = -2;
  static constexpr std::size_t large = std::size_t{1} << 20;
  static inline memory_table* now_ = nullptr;

  std::map<std::uintptr_t, block> blocks_;
  std::map<int, std::size_t> in_use_;
  std::array<const block*, 4096> all_touched_ = {};  // since the device works
  std::size_t touched_ = 0;
  int open_ = nobody;
  const char* what_ = nullptr;
  struct sigaction before_ = {};

  static std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
  static void protect(const block& b, int how) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    mprotect(b.pages, b.page_bytes - page, how);
  }
  /// Whether there is a block of the device that works, which is open from now on.
  bool open(const void* p) {
    const block* b = find(p);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (b == nullptr || b->is_freed || b->device != open_ ||
        address(p) >= address(b->pages) + b->page_bytes - page)
      return false;
    if (touched_ == all_touched_.size()) stop("one piece of work touches more blocks than there is room for");
    all_touched_[touched_++] = b;
    protect(*b, PROT_READ | PROT_WRITE);
    return true;
  }

  static void at_fault(int, siginfo_t* info, void*) {
    if (now_->open(info->si_addr)) return;
    std::string sentence = "the host";
    if (now_->what_ != nullptr)
      sentence = std::string(now_->what_) + " on device " + std::to_string(now_->open_);
    sentence += " touched ";
    const block* b = now_->find(info->si_addr);
    if (b == nullptr) {
      sentence += "memory of nobody";
    } else if (b->is_freed) {
      sentence += name_of_device(b->device) + " that was freed";
    } else if (address(info->si_addr) >= address(b->begin) + b->size ||
               address(info->si_addr) < address(b->begin)) {
      sentence += name_of_device(b->device) + " outside of a block";
    } else {
      sentence += name_of_device(b->device);
    }
    stop(sentence);
  }
};

}  // namespace fake_cuda
