// SPDX-License-Identifier: BSL-1.0
// mpi: the processes that mpirun has started, as a process_group. Links MPI: tapeless::mpi.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/shares.hpp>
#include <tapeless/cluster/transfer.hpp>
#include <tapeless/error.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// What MPI has answered to a call of ours.
class mpi_error : public error {
 public:
  using error::error;
};

/// All processes of a job that mpirun, srun or their like have started: mpirun -n 4 ./program. Without them
/// the one that there is. It starts MPI and ends it, unless the program itself does so, which then asks for
/// MPI_THREAD_FUNNELED; it has messages of its own, which nothing else in the program mixes with. It is made
/// once, in the thread that trains, before the trainers of its group, and goes after them. What throws on one
/// rank alone, so that others would wait for it for ever, ends them too, when this program ends.
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
    for (MPI_Comm* const c : {&group_, &gathering_, &scattering_}) MPI_Comm_free(c);
    if (is_ours_) MPI_Finalize();
  }

 private:
  // Ranks start transfers of one kind in the same order, but how those of two kinds follow each other, and
  // what is waited for, is each rank's own affair: MPI wants a communicator for each.
  MPI_Comm group_ = MPI_COMM_NULL, gathering_ = MPI_COMM_NULL, scattering_ = MPI_COMM_NULL;
  bool is_ours_ = false;

  TAPELESS_COLD void begin(int* argc, char*** argv) {
    int is_begun = 0;
    check(MPI_Initialized(&is_begun), "MPI_Initialized");
    if (is_begun == 0) {
      int provided = 0;
      check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
      if (provided < MPI_THREAD_FUNNELED) refuse_to_be_alone();
      is_ours_ = true;
    }
    for (MPI_Comm* const c : {&group_, &gathering_, &scattering_}) {
      check(MPI_Comm_dup(MPI_COMM_WORLD, c), "MPI_Comm_dup");
      check(MPI_Comm_set_errhandler(*c, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    }
    int rank = 0, size = 1;
    check(MPI_Comm_rank(group_, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(group_, &size), "MPI_Comm_size");
    set_rank(rank, size);
  }

  // Where a rank is gone, MPI may say so.
  bool have_all_ended() noexcept {
    bool have = false;
    first_exception thrown;
    thrown.guard([&] { have = all_end(); });
    const std::string problem = thrown.text();
    if (!have)
      std::fprintf(stderr, "tapeless: rank %d of %d is at the end of its program, but %s\n", rank(), size(),
                   problem.empty() ? "others wait for it" : problem.c_str());
    return have;
  }
  [[noreturn]] TAPELESS_COLD static void refuse_to_be_alone() {
    MPI_Finalize();
    throw_error(mpi_error(
        "MPI_Init_thread: this MPI wants programs of one thread, but trainers have several: it must provide "
        "MPI_THREAD_FUNNELED"));
  }

  static void check(int code, const char* call) {
    if (code != MPI_SUCCESS) [[unlikely]]
      refuse(code, call);
  }
  [[noreturn]] TAPELESS_COLD static void refuse(int code, const char* call) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw_error(mpi_error({call, ": ", text}));
  }

  // MPI counts in int: large ranges are counted in the largest unit that all are multiples of.
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
      unit = detail::unit_of(begin, most);
      check(MPI_Type_contiguous(static_cast<int>(unit), MPI_BYTE, &ranges.type), "MPI_Type_contiguous");
      check(MPI_Type_commit(&ranges.type), "MPI_Type_commit");
    }
    for (int r = 0; r < size(); ++r) {
      const std::int64_t first = begin[static_cast<std::size_t>(r)], bytes = length(begin, r);
      if ((first + bytes) / unit * size() > most)
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
  void broadcast_bytes(array_view<std::byte> bytes, int root) override {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t first = 0; first < bytes.size(); first += most) {
      const std::size_t count = bytes.size() - first < most ? bytes.size() - first : most;
      check(MPI_Bcast(bytes.data() + first, static_cast<int>(count), MPI_BYTE, root, group_), "MPI_Bcast");
    }
  }

  // It goes on when MPI is called: has_ended() gives it the time.
  class request : public transfer {
   public:
    bool has_ended() final {
      int is_over = 0;
      check(MPI_Test(&under_way_, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
      return is_over != 0;
    }
    void wait() final { check(MPI_Wait(&under_way_, MPI_STATUS_IGNORE), "MPI_Wait"); }

   protected:
    MPI_Request under_way_ = MPI_REQUEST_NULL;
  };
  class gathering final : public request {
   public:
    gathering(const mpi& group, std::byte* all, array_view<const std::int64_t> begin)
        : group_(group.gathering_), all_(all) {
      group.count(begin, ranges_);
    }

   private:
    MPI_Comm group_;
    std::byte* all_;
    counted_ranges ranges_;

    void start() override {
      check(MPI_Iallgatherv(MPI_IN_PLACE, 0, ranges_.type, all_, ranges_.counts.data(), ranges_.begins.data(),
                            ranges_.type, group_, &under_way_),
            "MPI_Iallgatherv");
    }
  };
  class scattering final : public request {
   public:
    scattering(const mpi& group, const std::byte* all, array_view<const std::int64_t> begin,
               std::byte* received)
        : group_(group.scattering_), all_(all), received_(received) {
      group.count(begin, ranges_);
      const int own = ranges_.counts[static_cast<std::size_t>(group.rank())];
      for (int r = 0; r < group.size(); ++r) {
        counts_.push_back(own);
        begins_.push_back(r * own);
      }
    }

   private:
    MPI_Comm group_;
    const std::byte* all_;
    std::byte* received_;
    counted_ranges ranges_;
    std::vector<int> counts_, begins_;

    void start() override {
      check(MPI_Ialltoallv(all_, ranges_.counts.data(), ranges_.begins.data(), ranges_.type, received_,
                           counts_.data(), begins_.data(), ranges_.type, group_, &under_way_),
            "MPI_Ialltoallv");
    }
  };
  std::unique_ptr<transfer> make_gathering(std::byte* all, array_view<const std::int64_t> begin) override {
    return std::make_unique<gathering>(*this, all, begin);
  }
  std::unique_ptr<transfer> make_scattering(const std::byte* all, array_view<const std::int64_t> begin,
                                            std::byte* received) override {
    return std::make_unique<scattering>(*this, all, begin, received);
  }
};

}  // namespace tapeless
