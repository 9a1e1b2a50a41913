// SPDX-License-Identifier: BSL-1.0
// What the functions of NCCL have in common: communicators, and sums of what several devices have.
#pragma once

#include <algorithm>
#include <utility>

#include "cuda_runtime.h"

enum ncclResult_t {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
};
enum ncclDataType_t { ncclUint8 = 1, ncclFloat32 = 7, ncclFloat64 = 8, ncclBfloat16 = 9 };
enum ncclScalarResidence_t { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 };
// NCCL makes operations whose numbers are above those that it names.
enum ncclRedOp_t : int { ncclSum = 0, ncclNumOps = 5 };

namespace fake_nccl {

inline thread_local int groups = 0;

template <class Body>
ncclResult_t call(const char* function, Body body) {
  fake_cuda::machine& m = fake_cuda::machine::now();
  const auto here = m.lock();
  int status = m.begin(function);
  if (status == ncclSuccess) status = body(m);
  m.go_on();
  return static_cast<ncclResult_t>(status);
}

/// One call of all ranks.
struct joint_call : fake_cuda::joint_work {
  using joint_work::joint_work;
  std::vector<std::vector<std::byte>> sent;
  std::string what;           // with its arguments
  std::uint64_t capture = 0;  // in which it was captured, as the communicator counts them
};

/// Ranks that make the same calls.
struct clique {
  std::size_t size = 0;
  std::vector<int> devices;
  bool is_refused = false;                         // two ranks on one device
  std::vector<std::shared_ptr<joint_call>> calls;  // in their order

  static std::shared_ptr<clique> of(int number, int size) {
    static std::map<int, std::weak_ptr<clique>> all;
    std::shared_ptr<clique> found = all[number].lock();
    if (found == nullptr) {
      found = std::make_shared<clique>();
      found->size = static_cast<std::size_t>(size);
      all[number] = found;
    }
    return found;
  }
  std::shared_ptr<joint_call> call(std::size_t number) {
    while (calls.size() <= number) {
      calls.push_back(std::make_shared<joint_call>(size));
      calls.back()->sent.resize(size);
    }
    return calls[number];
  }
};

struct scalar {
  ncclDataType_t type;
  const void* at;
};
struct communicator {
  std::size_t rank;
  int device;
  std::shared_ptr<clique> all;
  std::size_t calls = 0;  // so far
  std::uint64_t captures = 0, last_captured = 0;
  std::vector<scalar> scalars = {};
  std::shared_ptr<int> in_graphs = std::make_shared<int>(0);
  bool is_called_off = false;

  void call_off() {
    is_called_off = true;
    for (const auto& c : all->calls) c->parts[rank].is_called_off = true;
  }
};

using rank_bytes = std::vector<std::byte>;

inline void require_own_memory(fake_cuda::machine& m, const char* function, const void* p, std::size_t bytes,
                               const communicator& comm) {
  const fake_cuda::block* b = fake_cuda::block_of(m, p, bytes, function);
  if (b == nullptr || b->device != comm.device) fake_cuda::stop("NCCL is given memory of somebody else");
}

/// Puts a rank's part of a joint call into a queue. `send` writes what the rank brings, `receive` reads what
/// all have brought.
template <class Send, class Receive>
ncclResult_t join(fake_cuda::machine& m, const char* function, const std::string& arguments,
                  communicator& comm, cudaStream_t on, Send send, Receive receive) {
  fake_cuda::stream& s = m.stream_of(on);
  std::uint64_t capture = 0;
  if (s.captured != nullptr) {
    if (s.captured->number != comm.last_captured) ++comm.captures;
    comm.last_captured = s.captured->number;
    capture = comm.captures;
  }
  const std::string what = std::string(function) + " of " + arguments;
  const auto joins = [=, &comm, kept = s.captured != nullptr ? comm.in_graphs : nullptr](
                         fake_cuda::stream& at, std::uint64_t position) {
    const std::shared_ptr<joint_call> c = comm.all->call(comm.calls++);
    if (c->what.empty()) {
      c->what = what;
      c->capture = capture;
    }
    if (c->what != what) fake_cuda::stop("a rank calls " + what + ", another one " + c->what);
    if (c->capture != capture)
      fake_cuda::stop("ranks launch graphs that they have not captured together: " + std::to_string(capture) +
                      " and " + std::to_string(c->capture));
    c->parts[comm.rank] = {.at = &at,
                           .position = position,
                           .send = [=, &comm, all = c.get()] { send(all->sent[comm.rank]); },
                           .receive = [=, all = c.get()] { receive(all->sent); },
                           .is_called_off = comm.is_called_off};
    return c;
  };
  m.enqueue(s, {.what = function, .joins = joins, .part = comm.rank});
  return ncclSuccess;
}

/// The sum in the order of ranks, of numbers that each rank multiplies by its scalar, if it has one. That of
/// one rank alone, where it is no negative number: the others' memory is as it was.
template <class T>
ncclResult_t reduce(fake_cuda::machine& m, const char* function, const void* from, void* to,
                    std::size_t count, const void* scalar, int root, communicator& comm, cudaStream_t on) {
  const std::size_t bytes = count * sizeof(T);
  const std::string arguments = std::to_string(count) + " numbers of " + std::to_string(sizeof(T)) +
                                " bytes" + (scalar != nullptr ? ", multiplied" : "") +
                                (root >= 0 ? ", to " + std::to_string(root) : "");
  const auto send = [=](rank_bytes& sent) {
    sent.resize(bytes);
    if (count == 0) return;
    std::memcpy(sent.data(), from, bytes);
    if (scalar != nullptr)
      for (std::size_t i = 0; i < count; ++i)
        reinterpret_cast<T*>(sent.data())[i] *= *static_cast<const T*>(scalar);
  };
  const auto receive = [=, rank = static_cast<int>(comm.rank)](const std::vector<rank_bytes>& all) {
    if (root >= 0 && root != rank) return;
    for (std::size_t i = 0; i < count; ++i) {
      T sum = 0;
      for (const rank_bytes& sent : all) sum += reinterpret_cast<const T*>(sent.data())[i];
      static_cast<T*>(to)[i] = sum;
    }
  };
  require_own_memory(m, function, from, bytes, comm);
  require_own_memory(m, function, to, bytes, comm);
  return join(m, function, arguments, comm, on, send, receive);
}

inline ncclResult_t broadcast(fake_cuda::machine& m, const void* from, void* to, std::size_t bytes, int root,
                              communicator& comm, cudaStream_t on) {
  const auto send = [=, is_root = root == static_cast<int>(comm.rank)](rank_bytes& sent) {
    if (!is_root) return;
    sent.resize(bytes);
    if (bytes > 0) std::memcpy(sent.data(), from, bytes);
  };
  const auto receive = [=](const std::vector<rank_bytes>& all) {
    if (bytes > 0) std::memcpy(to, all[static_cast<std::size_t>(root)].data(), bytes);
  };
  require_own_memory(m, "ncclBroadcast", from, bytes, comm);
  require_own_memory(m, "ncclBroadcast", to, bytes, comm);
  return join(m, "ncclBroadcast", std::to_string(bytes) + " bytes, from " + std::to_string(root), comm, on,
              send, receive);
}

/// Each rank's bytes, one behind the other.
inline ncclResult_t all_gather(fake_cuda::machine& m, const void* from, void* to, std::size_t bytes,
                               communicator& comm, cudaStream_t on) {
  const auto send = [=](rank_bytes& sent) {
    sent.resize(bytes);
    if (bytes > 0) std::memcpy(sent.data(), from, bytes);
  };
  const auto receive = [=](const std::vector<rank_bytes>& all) {
    for (std::size_t r = 0; r < all.size() && bytes > 0; ++r)
      std::memcpy(static_cast<std::byte*>(to) + r * bytes, all[r].data(), bytes);
  };
  require_own_memory(m, "ncclAllGather", from, bytes, comm);
  require_own_memory(m, "ncclAllGather", to, bytes * comm.all->size, comm);
  return join(m, "ncclAllGather", std::to_string(bytes) + " bytes", comm, on, send, receive);
}

/// A message of a group of calls, to or from a rank.
struct message {
  bool is_sent;
  std::size_t peer;
  const void* from;
  void* to;
  std::size_t bytes;
};
struct message_group {
  std::vector<message> messages;
  communicator* comm = nullptr;
  cudaStream_t on{};
};
inline thread_local message_group pending;

inline ncclResult_t add_message(fake_cuda::machine& m, const char* function, const message& one,
                                communicator& comm, cudaStream_t on) {
  if (groups == 0) fake_cuda::stop("a message on its own, while the other rank sends one too: both wait");
  if (one.peer == comm.rank || one.peer >= comm.all->size) return ncclInvalidArgument;
  require_own_memory(m, function, one.is_sent ? one.from : one.to, one.bytes, comm);
  pending.comm = &comm;
  pending.on = on;
  pending.messages.push_back(one);
  return ncclSuccess;
}

/// All messages of a group at once: what each rank sends is what the other one expects.
inline ncclResult_t exchange_messages(fake_cuda::machine& m) {
  const message_group now = std::exchange(pending, {});
  if (now.messages.empty()) return ncclSuccess;
  const auto send = [all = now.messages](rank_bytes& sent) {
    for (const message& one : all) {
      if (!one.is_sent) continue;
      const std::size_t at = sent.size();
      sent.resize(at + 2 * sizeof(std::size_t) + one.bytes);
      std::memcpy(sent.data() + at, &one.peer, sizeof one.peer);
      std::memcpy(sent.data() + at + sizeof one.peer, &one.bytes, sizeof one.bytes);
      std::memcpy(sent.data() + at + 2 * sizeof(std::size_t), one.from, one.bytes);
    }
  };
  const auto receive = [all = now.messages, rank = now.comm->rank](const std::vector<rank_bytes>& sent) {
    std::vector<message> expected = all;
    for (std::size_t r = 0; r < sent.size(); ++r)
      for (std::size_t at = 0; at < sent[r].size();) {
        std::size_t peer = 0, bytes = 0;
        std::memcpy(&peer, sent[r].data() + at, sizeof peer);
        std::memcpy(&bytes, sent[r].data() + at + sizeof peer, sizeof bytes);
        at += 2 * sizeof(std::size_t) + bytes;
        if (peer != rank) continue;
        const auto one = std::find_if(expected.begin(), expected.end(), [&](const message& e) {
          return !e.is_sent && e.peer == r && e.bytes == bytes;
        });
        if (one == expected.end())
          fake_cuda::stop("a rank sends a message that the other one does not expect");
        std::memcpy(one->to, sent[r].data() + at - bytes, bytes);
        expected.erase(one);
      }
    for (const message& e : expected)
      if (!e.is_sent) fake_cuda::stop("a rank expects a message that nobody sends");
  };
  return join(m, "ncclSend", "messages", *now.comm, now.on, send, receive);
}

}  // namespace fake_nccl
