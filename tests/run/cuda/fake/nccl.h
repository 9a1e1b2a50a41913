// SPDX-License-Identifier: BSL-1.0
// The part of NCCL that tapeless uses, between devices that are not there. What NCCL's documentation forbids
// ends the test with a sentence: ranks that call other things, or of which one has captured a call and
// another has not.
#pragma once

#include "collectives.hpp"

using ncclComm_t = fake_nccl::communicator*;

#define NCCL_UNIQUE_ID_BYTES 128
struct ncclUniqueId {
  char internal[NCCL_UNIQUE_ID_BYTES];
};

inline const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    default:
      return "some other error";
  }
}
inline const char* ncclGetLastError(ncclComm_t) { return "what NCCL says"; }

inline ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  return fake_nccl::call("ncclGetUniqueId", [&](fake_cuda::machine&) {
    static int number = 0;
    *id = {};
    const int now = ++number;
    std::memcpy(id->internal, &now, sizeof now);
    return ncclSuccess;
  });
}
/// Waits for all ranks.
inline ncclResult_t ncclCommInitRank(ncclComm_t* comm, int size, ncclUniqueId id, int rank) {
  return fake_nccl::call("ncclCommInitRank", [&](fake_cuda::machine& m) {
    int number = 0;
    std::memcpy(&number, id.internal, sizeof number);
    const auto all = fake_nccl::clique::of(number, size);
    for (const int d : all->devices) all->is_refused = all->is_refused || d == m.device;
    all->devices.push_back(m.device);
    while (!all->is_refused && all->devices.size() < static_cast<std::size_t>(size)) m.let_others_go_on();
    if (all->is_refused) return ncclInvalidUsage;
    *comm =
        new fake_nccl::communicator{.rank = static_cast<std::size_t>(rank), .device = m.device, .all = all};
    m.count_handle("communicators", 1);
    return ncclSuccess;
  });
}
inline ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  return fake_nccl::call("ncclCommDestroy", [&](fake_cuda::machine& m) {
    if (comm->in_graphs.use_count() > 1)
      fake_cuda::stop("a communicator is destroyed, but a graph has its calls: NCCL waits for ever");
    delete comm;
    m.count_handle("communicators", -1);
    return ncclSuccess;
  });
}
/// What is under way here ends. Then it waits until no graph has its calls.
inline ncclResult_t ncclCommAbort(ncclComm_t comm) {
  return fake_nccl::call("ncclCommAbort", [&](fake_cuda::machine& m) {
    comm->call_off();
    while (comm->in_graphs.use_count() > 1) m.let_others_go_on();
    delete comm;
    m.count_handle("communicators", -1);
    return ncclSuccess;
  });
}
/// A test that lets it fail sets the error that it finds.
inline ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* error) {
  *error = fake_nccl::call("ncclCommGetAsyncError", [](fake_cuda::machine&) { return ncclSuccess; });
  return ncclSuccess;
}

inline ncclResult_t ncclGroupStart() {
  ++fake_nccl::groups;
  return ncclSuccess;
}
inline ncclResult_t ncclGroupEnd() {
  return fake_nccl::call("ncclGroupEnd", [](fake_cuda::machine& m) {
    --fake_nccl::groups;
    return fake_nccl::exchange_messages(m);
  });
}

inline ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t type,
                                             ncclScalarResidence_t where, ncclComm_t comm) {
  return fake_nccl::call("ncclRedOpCreatePreMulSum", [&](fake_cuda::machine&) {
    if (where != ncclScalarDevice) fake_cuda::stop("scalars that are here are not known here");
    comm->scalars.push_back({type, scalar});
    *op = static_cast<ncclRedOp_t>(ncclNumOps + static_cast<int>(comm->scalars.size()));
    return ncclSuccess;
  });
}
inline ncclResult_t ncclRedOpDestroy(ncclRedOp_t, ncclComm_t) { return ncclSuccess; }

namespace fake_nccl {

inline ncclResult_t reduce(const char* function, const void* from, void* to, std::size_t count,
                           ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t on) {
  return call(function, [&](fake_cuda::machine& m) {
    if (m.device != comm->device || m.stream_of(on).device != comm->device) return ncclInvalidUsage;
    const void* scalar = nullptr;
    if (op > ncclNumOps) {
      const fake_nccl::scalar& s = comm->scalars[static_cast<std::size_t>(op - ncclNumOps - 1)];
      if (s.type != type) return ncclInvalidUsage;
      scalar = s.at;
    } else if (op != ncclSum) {
      return ncclInvalidUsage;
    }
    return type == ncclFloat64 ? reduce<double>(m, function, from, to, count, scalar, root, *comm, on)
                               : reduce<float>(m, function, from, to, count, scalar, root, *comm, on);
  });
}

}  // namespace fake_nccl

inline ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                                  ncclRedOp_t op, ncclComm_t comm, cudaStream_t on) {
  return fake_nccl::reduce("ncclAllReduce", from, to, count, type, op, -1, comm, on);
}
inline ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t on) {
  return fake_nccl::reduce("ncclReduce", from, to, count, type, op, root, comm, on);
}
inline ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type,
                                  int root, ncclComm_t comm, cudaStream_t on) {
  return fake_nccl::call("ncclBroadcast", [&](fake_cuda::machine& m) {
    if (m.device != comm->device || m.stream_of(on).device != comm->device || type != ncclUint8)
      return ncclInvalidUsage;
    return fake_nccl::broadcast(m, from, to, count, root, *comm, on);
  });
}
inline ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type,
                                  ncclComm_t comm, cudaStream_t on) {
  return fake_nccl::call("ncclAllGather", [&](fake_cuda::machine& m) {
    if (m.device != comm->device || m.stream_of(on).device != comm->device || type != ncclBfloat16)
      return ncclInvalidUsage;
    return fake_nccl::all_gather(m, from, to, 2 * count, *comm, on);
  });
}
inline ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer,
                             ncclComm_t comm, cudaStream_t on) {
  return fake_nccl::call("ncclSend", [&](fake_cuda::machine& m) {
    if (m.device != comm->device || m.stream_of(on).device != comm->device || type != ncclBfloat16)
      return ncclInvalidUsage;
    return fake_nccl::add_message(
        m, "ncclSend", {true, static_cast<std::size_t>(peer), from, nullptr, 2 * count}, *comm, on);
  });
}
inline ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                             cudaStream_t on) {
  return fake_nccl::call("ncclRecv", [&](fake_cuda::machine& m) {
    if (m.device != comm->device || m.stream_of(on).device != comm->device || type != ncclBfloat16)
      return ncclInvalidUsage;
    return fake_nccl::add_message(m, "ncclRecv",
                                  {false, static_cast<std::size_t>(peer), nullptr, to, 2 * count}, *comm, on);
  });
}
