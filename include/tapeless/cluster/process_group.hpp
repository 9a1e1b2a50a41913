// SPDX-License-Identifier: BSL-1.0
// process_group: processes that train one network together. Who carries their bytes is another matter.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/cluster/transfer.hpp>
#include <tapeless/error.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/name.hpp>

namespace tapeless {

/// Processes with numbers, their ranks. All of them make the same calls in the same order: a call waits for
/// the others. Where one makes another call, or has ended, all get an error that says who does what.
/// One who derives from it carries bytes; it has the functions at the end.
class process_group {
 public:
  process_group(const process_group&) = delete;
  process_group& operator=(const process_group&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Whether the predicate holds on all ranks; each calls it with its own.
  template <std::predicate<int> Predicate>
  bool all(Predicate holds) {
    return agree(holds(rank_), "world.all");
  }
  /// Whether it holds on one of them.
  template <std::predicate<int> Predicate>
  bool any(Predicate holds) {
    return !agree(!holds(rank_), "world.any");
  }
  /// Whether it is so on all ranks, each of which says `what` it is that waits for the others.
  bool agree(bool own, std::string_view what) {
    double nothing = 0;
    return agree(own, what, nothing);
  }
  /// The same; on all ranks the number becomes what it is on rank 0.
  bool agree(bool own, std::string_view what, double& number) {
    struct vote {
      double number = 0;
      std::int64_t agrees = 0;
    };
    meet(what);
    const vote here{number, own ? 1 : 0};
    std::vector<vote> all(static_cast<std::size_t>(size_));
    all_gather(reinterpret_cast<const std::byte*>(&here), reinterpret_cast<std::byte*>(all.data()),
               sizeof(vote));
    number = all[0].number;
    for (const vote& v : all)
      if (v.agrees == 0) return false;
    return true;
  }

  /// The numbers of all ranks, in the order of ranks.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  std::vector<T> gather(const T& own) {
    meet("world.gather or world.sum", sizeof(T));
    std::vector<T> values(static_cast<std::size_t>(size_));
    all_gather(reinterpret_cast<const std::byte*>(&own), reinterpret_cast<std::byte*>(values.data()),
               sizeof(T));
    return values;
  }
  std::vector<bool> gather(bool own) {
    const std::vector<char> values = gather(static_cast<char>(own));
    return {values.begin(), values.end()};
  }
  /// Their sum, added up in the order of ranks: the same bits everywhere and each time. Of bools, how many
  /// are true.
  template <class T>
    requires std::is_arithmetic_v<T>
  auto sum(T own) {
    std::conditional_t<std::is_same_v<T, bool>, int, T> total{};
    for (const T one : gather(own)) total += one;
    return total;
  }
  /// Gives all ranks what `root` has.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void broadcast(T& value, int root = 0) {
    broadcast(array_view<std::byte>(reinterpret_cast<std::byte*>(&value), sizeof(T)), root);
  }
  void broadcast(array_view<std::byte> bytes, int root = 0) {
    if (root < 0 || root >= size_) throw_error({"broadcast: there is no rank ", root, "; there are ", size_});
    meet("world.broadcast", static_cast<std::int64_t>(bytes.size()));
    broadcast_bytes(bytes, root);
  }

  /// Waits until all ranks are here. Each says what it does and with what number; where they say different
  /// things, all throw an error with them.
  void meet(std::string_view what, std::int64_t number = 0) { check_meeting(exchange(what, number, false)); }

  /// The bytes of gathered ranges and of transfers, such as gradients, that this rank has received of the
  /// others. What the other calls bring is not counted.
  std::int64_t received() const { return received_; }

  /// What `body` returns. An exception that leaves it on this rank alone leaves others waiting for it: then
  /// the group is broken, and ends with this program; its calls throw an error from then on.
  template <class Body>
  auto or_broken(const Body& body) {
    is_agreed_ = false;
    return undone_by([this] { is_broken_ = is_broken_ || (size_ > 1 && !is_agreed_); }, body);
  }
  bool is_broken() const { return is_broken_; }
  /// Whether all ranks throw what is being thrown here, and nobody waits for another.
  bool all_throw() const { return is_agreed_; }
  /// Throws an error that all ranks throw here, by what they have told each other: the group goes on.
  [[noreturn]] TAPELESS_COLD void throw_on_all(std::initializer_list<text_piece> message) {
    is_agreed_ = true;
    throw_error(message);
  }

  /// Calls `body` on all ranks, each for itself. Where it throws on one, all throw; that one its own
  /// exception, the others an error with its sentence.
  template <class Body>
  void together(std::string_view what, std::int64_t number, const Body& body) {
    first_exception own;
    own.guard(body);
    const std::string sentence = own.text();
    const std::vector<meeting> all = exchange(what, number, !sentence.empty());
    if (!are_equal(all)) {
      is_broken_ = true;
      own.rethrow();  // the others will not listen
    }
    check_meeting(all);
    for (const meeting& m : all)
      if (m.failed != 0) tell_failure(all, sentence, own);
  }

  // What is carried. Ranges of bytes are by rank: rank r's is from begin[r] to begin[r + 1].

  /// all[r] becomes rank r's `own`, of as many bytes.
  void all_gather(const std::byte* own, std::byte* all, std::size_t bytes) {
    check_whole();
    if (size_ == 1) return void(std::memcpy(all, own, bytes));
    all_gather_bytes(own, all, bytes);
  }
  /// Rank r's range becomes what it is on rank r.
  void gather_ranges(std::byte* all, array_view<const std::int64_t> begin) {
    check_whole();
    if (size_ == 1) return;
    gather_ranges_of_bytes(all, begin);
    received_ += begin[static_cast<std::size_t>(size_)] - begin[0] - length(begin, rank_);
  }
  /// The same while this process goes on; nothing travels before it is started.
  std::unique_ptr<transfer> transfer_gathering(std::byte* all, array_view<const std::int64_t> begin) {
    std::unique_ptr<transfer> t = make_gathering(all, begin);
    t->brings_ = begin[static_cast<std::size_t>(size_)] - begin[0] - length(begin, rank_);
    return t;
  }
  /// Puts into `received` what this rank's range is on each rank, one after the other.
  std::unique_ptr<transfer> transfer_scattering(const std::byte* all, array_view<const std::int64_t> begin,
                                                std::byte* received) {
    std::unique_ptr<transfer> t = make_scattering(all, begin, received);
    t->brings_ = (size_ - 1) * length(begin, rank_);
    return t;
  }
  /// Precondition: it is one of the two, of this group, and not under way.
  void start(transfer& t) {
    check_whole();
    t.start();
    received_ += t.brings_;
  }

 protected:
  process_group() = default;
  ~process_group() = default;
  void set_rank(int rank, int size) {
    rank_ = rank;
    size_ = size;
  }

  static std::int64_t length(array_view<const std::int64_t> begin, int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return begin[r + 1] - begin[r];
  }

  /// Whether all ranks have come to an end. Others may still wait for this one in a call, which then throws.
  bool all_end() {
    for (const meeting& m : exchange(end_of_program, 0, false))
      if (m.what != hash_of(end_of_program)) return false;
    return true;
  }

 private:
  static constexpr std::string_view end_of_program = "the end of its program";

  /// What a rank says when ranks meet.
  struct meeting {
    std::uint64_t what = 0;  // hash of its text
    std::int64_t number = 0, failed = 0;
    std::array<char, 40> text{};
  };

  int rank_ = 0, size_ = 1;
  std::int64_t received_ = 0;
  bool is_broken_ = false, is_agreed_ = false;

  void check_whole() const {
    if (is_broken_) [[unlikely]]
      refuse_broken();
  }
  [[noreturn]] TAPELESS_COLD static void refuse_broken() {
    throw_error(
        "the group of processes is broken: something was thrown on this rank alone, or the ranks have made "
        "different calls; end the program, and go on from the last checkpoint");
  }

  std::vector<meeting> exchange(std::string_view what, std::int64_t number, bool failed) {
    is_agreed_ = false;
    meeting own{hash_of(what), number, failed ? 1 : 0, {}};
    what.copy(own.text.data(), own.text.size() - 1);
    std::vector<meeting> all(static_cast<std::size_t>(size_));
    all_gather(reinterpret_cast<const std::byte*>(&own), reinterpret_cast<std::byte*>(all.data()),
               sizeof(meeting));
    return all;
  }

  TAPELESS_COLD static std::string text_of(const meeting& m) {
    // Of another message's bytes, which may have no end, all.
    std::string text(m.text.begin(), std::find(m.text.begin(), m.text.end(), '\0'));
    if (m.number != 0) append(text, {" (", m.number, ")"});
    return text;
  }

  static bool is_equal(const meeting& a, const meeting& b) {
    return a.what == b.what && a.number == b.number;
  }
  static bool are_equal(const std::vector<meeting>& all) {
    for (const meeting& m : all)
      if (!is_equal(m, all[0])) return false;
    return true;
  }
  void check_meeting(const std::vector<meeting>& all) {
    for (std::size_t r = 1; r < all.size(); ++r)
      if (!is_equal(all[r], all[0])) refuse(all, r);
  }
  [[noreturn]] TAPELESS_COLD void refuse(const std::vector<meeting>& all, std::size_t other) {
    is_broken_ = true;
    throw_error({"the ranks do not do the same: rank 0 is at ", text_of(all[0]), ", rank ", other, " at ",
                 text_of(all[other]),
                 "; all ranks must make the same calls, with the same data and options, as often"});
  }

  [[noreturn]] TAPELESS_COLD void tell_failure(const std::vector<meeting>& all, const std::string& sentence,
                                               first_exception& own) {
    struct line {
      std::array<char, 400> text{};
    };
    line mine;
    sentence.copy(mine.text.data(), mine.text.size() - 1);
    std::vector<line> lines(all.size());
    all_gather(reinterpret_cast<const std::byte*>(&mine), reinterpret_cast<std::byte*>(lines.data()),
               sizeof(line));
    is_agreed_ = true;
    own.rethrow();
    std::size_t r = 0;
    while (all[r].failed == 0) ++r;
    throw_error({"rank ", r, " has failed in ", all[r].text.data(), ": ", lines[r].text.data()});
  }

  virtual void all_gather_bytes(const std::byte* own, std::byte* all, std::size_t bytes) = 0;
  virtual void gather_ranges_of_bytes(std::byte* all, array_view<const std::int64_t> begin) = 0;
  virtual void broadcast_bytes(array_view<std::byte> bytes, int root) = 0;
  virtual std::unique_ptr<transfer> make_gathering(std::byte* all, array_view<const std::int64_t> begin) = 0;
  virtual std::unique_ptr<transfer> make_scattering(const std::byte* all,
                                                    array_view<const std::int64_t> begin,
                                                    std::byte* received) = 0;
};

}  // namespace tapeless
