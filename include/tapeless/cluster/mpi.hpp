// SPDX-License-Identifier: BSL-1.0
// mpi: the processes that mpirun has started, as a process_group. Links MPI: tapeless::mpi.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <limits>
#include <vector>

#include <mpi.h>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>

namespace tapeless {

/// What MPI has answered to a call of ours.
class mpi_error : public error {
 public:
  using error::error;
};

/// All processes of a job that mpirun, srun or their like have started: mpirun -n 4 ./program. Without them
/// the one that there is. It starts MPI and ends it, unless the program itself does so; it has messages of
/// its own, which nothing else in the program mixes with. It is made once, in the thread that trains, before
/// the trainers of its group, and goes after them. What throws on one rank alone, so that others would wait
/// for it for ever, ends them too, when this program ends.
class mpi final : public process_group {
 public:
  mpi() { begin(nullptr, nullptr); }
  mpi(int& argc, char**& argv) { begin(&argc, &argv); }
  ~mpi() {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over != 0) return;
    if (is_broken() || std::uncaught_exceptions() > 0 || !have_all_ended()) {
      std::atexit([] { MPI_Abort(MPI_COMM_WORLD, 1); });  // after what main still has to say
      return;
    }
    MPI_Comm_free(&group_);
    if (is_ours_) MPI_Finalize();
  }

 private:
  MPI_Comm group_ = MPI_COMM_NULL;
  bool is_ours_ = false;

  [[gnu::cold]] void begin(int* argc, char*** argv) {
    int is_begun = 0;
    check(MPI_Initialized(&is_begun), "MPI_Initialized");
    if (is_begun == 0) {
      int provided = 0;
      check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
      is_ours_ = true;
    }
    check(MPI_Comm_dup(MPI_COMM_WORLD, &group_), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(group_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int rank = 0, size = 1;
    check(MPI_Comm_rank(group_, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(group_, &size), "MPI_Comm_size");
    set_rank(rank, size);
  }

  bool have_all_ended() {
    const bool have = all_end();
    if (!have)
      std::fprintf(stderr, "tapeless: rank %d of %d is at the end of its program, but others wait for it\n",
                   rank(), size());
    return have;
  }

  static void check(int code, const char* call) {
    if (code != MPI_SUCCESS) [[unlikely]]
      refuse(code, call);
  }
  [[noreturn, gnu::cold]] static void refuse(int code, const char* call) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw_error(mpi_error({call, ": ", text}));
  }

  // MPI counts in int: large ranges are counted in blocks of 64 bytes.
  struct counted_ranges {
    std::vector<int> counts, begins;
    MPI_Datatype type = MPI_BYTE;
    counted_ranges() = default;
    counted_ranges(const counted_ranges&) = delete;
    counted_ranges& operator=(const counted_ranges&) = delete;
    ~counted_ranges() {
      if (type != MPI_BYTE) MPI_Type_free(&type);
    }
  };
  void count(array_view<const std::int64_t> begin, counted_ranges& ranges) const {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    std::int64_t unit = 1;
    if (begin[static_cast<std::size_t>(size())] * size() > most) {
      unit = 64;
      check(MPI_Type_contiguous(64, MPI_BYTE, &ranges.type), "MPI_Type_contiguous");
      check(MPI_Type_commit(&ranges.type), "MPI_Type_commit");
    }
    for (int r = 0; r < size(); ++r) {
      const std::int64_t first = begin[static_cast<std::size_t>(r)], bytes = length(begin, r);
      if (first % unit != 0 || bytes % unit != 0 || (first + bytes) / unit * size() > most)
        throw_error("more bytes travel in one call than MPI counts");
      ranges.begins.push_back(static_cast<int>(first / unit));
      ranges.counts.push_back(static_cast<int>(bytes / unit));
    }
  }

  void all_gather_bytes(const std::byte* own, std::byte* all, std::size_t bytes) override {
    if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw_error("more bytes travel in one call than MPI counts");
    const int count = static_cast<int>(bytes);
    check(MPI_Allgather(own, count, MPI_BYTE, all, count, MPI_BYTE, group_), "MPI_Allgather");
  }
  void gather_ranges_of_bytes(std::byte* all, array_view<const std::int64_t> begin) override {
    counted_ranges r;
    count(begin, r);
    check(MPI_Allgatherv(MPI_IN_PLACE, 0, r.type, all, r.counts.data(), r.begins.data(), r.type, group_),
          "MPI_Allgatherv");
  }
  void scatter_ranges_of_bytes(const std::byte* all, array_view<const std::int64_t> begin,
                               std::byte* received) override {
    counted_ranges r;
    count(begin, r);
    const auto here = static_cast<std::size_t>(rank());
    const std::vector<int> counts(static_cast<std::size_t>(size()), r.counts[here]);
    std::vector<int> begins;
    for (int i = 0; i < size(); ++i) begins.push_back(i * r.counts[here]);
    check(MPI_Alltoallv(all, r.counts.data(), r.begins.data(), r.type, received, counts.data(), begins.data(),
                        r.type, group_),
          "MPI_Alltoallv");
  }
  void broadcast_bytes(array_view<std::byte> bytes, int root) override {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t first = 0; first < bytes.size(); first += most) {
      const std::size_t count = bytes.size() - first < most ? bytes.size() - first : most;
      check(MPI_Bcast(bytes.data() + first, static_cast<int>(count), MPI_BYTE, root, group_), "MPI_Bcast");
    }
  }
};

}  // namespace tapeless
