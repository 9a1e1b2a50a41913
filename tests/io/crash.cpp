// SPDX-License-Identifier: BSL-1.0
// A writer that is killed, and a disk that is full: what was there before, or what is new, is whole.
#include <tapeless/io/safetensors.hpp>

#include "catch.hpp"
#include "temporary_folder.hpp"

#if defined(__linux__)

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

namespace tl = tapeless;

namespace {

enum class place { nowhere, file, folder };
place killed_at = place::nowhere;  // when this is about to be synced

/// A model of `count` equal numbers.
void save(const std::string& path, float number, std::size_t count) {
  const std::vector<float> numbers(count, number);
  const tl::io::tensor_entry entries[] = {
      {"weight", tl::element::f32, {static_cast<std::int64_t>(count)}, std::as_bytes(std::span(numbers))}};
  tl::io::write_safetensors(path, entries);
}

/// The number that the saved model has everywhere; throws where it is not whole.
float saved_number(const std::string& path) {
  const tl::io::safetensors file = tl::io::safetensors::read(path);
  const std::span<const float> numbers = file["weight"].as<float>();
  if (!std::all_of(numbers.begin(), numbers.end(), [&](float x) { return x == numbers[0]; }))
    throw tl::error("a mixture");
  return numbers[0];
}

/// A process that does something, until it is done or killed.
template <class Work>
class process {
 public:
  explicit process(Work work) : id_(::fork()) {
    REQUIRE(id_ >= 0);
    if (id_ > 0) return;
    try {
      ::_exit(work());
    } catch (...) {
      ::_exit(99);
    }
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  void kill() const { ::kill(id_, SIGKILL); }

  /// The code that it ends with, or minus the signal.
  int wait() const {
    int status = 0;
    ::waitpid(id_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t id_;
};

}  // namespace

// In the place of the C library's.
extern "C" int fsync(int descriptor) {
  struct stat status = {};
  const bool is_folder = ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
  if (killed_at == (is_folder ? place::folder : place::file)) ::raise(SIGKILL);
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

TEST_CASE("a writer that is killed before its file is in place leaves the old one, after it the new",
          "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("model");
  save(path, 1, 1000);
  for (const place where : {place::file, place::folder}) {
    const process writer([&] {
      killed_at = where;
      save(path, 2, 1000);
      return 0;
    });
    CHECK(writer.wait() == -SIGKILL);
    CHECK(saved_number(path) == (where == place::file ? 1 : 2));
    CHECK(folder.size() == (where == place::file ? 2 : 1));
    save(path, 1, 1000);
    CHECK(folder.size() == 1);
  }
}

// TAPELESS_KILLS is how often; the outcome does not depend on where a kill strikes.
TEST_CASE("whenever a writer is killed, a whole file is there", "[io]") {
  const char* given = std::getenv("TAPELESS_KILLS");
  const int kills = given != nullptr ? std::atoi(given) : 25;
  const test::temporary_folder folder;
  const std::string path = folder.path("model");
  save(path, 1, 100'000);
  int leftovers = 0;
  for (int i = 0; i < kills; ++i) {
    const process writer([&] {
      for (unsigned step = 0;; ++step)
        save(path, static_cast<float>(2 + step % 7), 100'000 + 50'000 * (step % 2));
      return 0;
    });
    ::usleep(static_cast<useconds_t>(i * 7919 % 9973));
    writer.kill();
    REQUIRE(writer.wait() == -SIGKILL);
    REQUIRE_NOTHROW(saved_number(path));
    REQUIRE(folder.size() <= 2);
    leftovers += folder.size() == 2 ? 1 : 0;
  }
  CAPTURE(leftovers);
  save(path, 1, 1000);
  CHECK(saved_number(path) == 1);
  CHECK(folder.size() == 1);
}

TEST_CASE("processes that save to one file at a time do not meet", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("model");
  const auto work = [&] {
    for (std::size_t i = 0; i < 50; ++i) {
      save(path, 3, 1000 + 100 * i);
      if (saved_number(path) != 3) return 1;
    }
    return 0;
  };
  {
    const process first(work), second(work), third(work);
    CHECK(first.wait() == 0);
    CHECK(second.wait() == 0);
    CHECK(third.wait() == 0);
  }
  CHECK(saved_number(path) == 3);
  CHECK(folder.size() == 1);
}

namespace {

constexpr int no_mount = 77;

/// Mounts a small disk for this process alone; whether that worked.
bool mount_small_disk(const std::string& folder) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=256k") == 0;
}

/// 0 where every save to the full disk fails as it should, otherwise what is wrong.
int save_to_small_disk(const test::temporary_folder& folder) {
  if (!mount_small_disk(folder.path())) return no_mount;
  const std::string path = folder.path("model");
  save(path, 1, 20'000);
  int fitted = 0, refused = 0;
  for (std::size_t count = 1000; count < 100'000; count += 7001) {
    const std::string message = test::error_of([&] { save(path, 2, count); });
    if (message == "(no error)") {
      ++fitted;
      if (saved_number(path) != 2) return 1;
      save(path, 1, 20'000);
    } else {
      ++refused;
      if (test::missing_in(message, {"cannot write " + path, "No space left"}) != "") return 2;
    }
    if (saved_number(path) != 1) return 3;
    if (folder.size() != 1) return 4;
  }
  return fitted > 3 && refused > 3 ? 0 : 5;
}

}  // namespace

TEST_CASE("on a full disk the old file stays, and nothing else", "[io]") {
  const test::temporary_folder folder;
  const process writer([&] { return save_to_small_disk(folder); });
  const int code = writer.wait();
  if (code == no_mount) {
    WARN("SKIPPED: no disk can be mounted here");
    return;
  }
  CHECK(code == 0);
}

#else

TEST_CASE("killed writers and full disks", "[io]") { WARN("SKIPPED: only on Linux"); }

#endif
