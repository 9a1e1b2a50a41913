// SPDX-License-Identifier: BSL-1.0
// The file that new contents are written to until it takes the place of the old one; POSIX and elsewhere.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <filesystem>
#endif

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::io::platform {

#if defined(__unix__) || defined(__APPLE__)

namespace detail {

/// The folder of a name, with the slash: "" where the name has none.
inline std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// The name at the end of the symbolic links that begin at `path`; nothing need be there.
TAPELESS_COLD inline std::string behind_links(std::string path) {
  constexpr int most = 40;  // as in Linux
  for (int i = 0; i < most; ++i) {
    char text[4096];
    const ::ssize_t length = ::readlink(path.c_str(), text, sizeof text);
    if (length <= 0) return path;
    std::string next(text, static_cast<std::size_t>(length));
    path = next.front() == '/' ? std::move(next) : join({folder_of(path), next});
  }
  fail("write", path, ELOOP);
}

/// Whether `path` names the open file.
inline bool is_name_of(const std::string& path, int descriptor) {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Removes the temporary file of a writer that is no more: one of this user's or `owner`'s, on which nobody
/// has a lock.
TAPELESS_COLD inline bool remove_stale(const std::string& path, uid_t owner) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_uid != ::geteuid() && status.st_uid != owner) return false;
  constexpr int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  int descriptor =
      ::open(path.c_str(), O_RDWR | flags);  // network file systems lock only what can be written
  if (descriptor < 0) descriptor = ::open(path.c_str(), O_RDONLY | flags);
  if (descriptor < 0) return false;
  const bool removed = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_name_of(path, descriptor) &&
                       ::unlink(path.c_str()) == 0;
  ::close(descriptor);
  return removed;
}

}  // namespace detail

/// A file beside another, open for writing, that takes its place at replace() or disappears. As long as a
/// process writes it has a lock on it, so that what a killed one has left is known, and removed by the next.
class temporary_file {
 public:
  /// Creates "TARGET.tmp0", or with the first number that nobody writes to, where TARGET is `path`, or the
  /// name at the end of the links that begin there. Throws tl::error if that is there and no regular file, or
  /// one that may not be written, or with the system's reason.
  TAPELESS_COLD explicit temporary_file(const std::string& path) {
    require_name(path);
    replaces_ = ::stat(path.c_str(), &old_) == 0;
    if (replaces_) require_regular(old_, "write", path);
    target_ = detail::behind_links(path);
    if (replaces_ && ::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0 && errno == EACCES)
      fail("replace", target_, EACCES);
    const int descriptor = create();
    file_.reset(::fdopen(descriptor, "wb"));
    if (file_) return;
    const int code = errno;
    ::close(descriptor);
    ::unlink(name_.c_str());
    fail("create", name_, code);
  }

  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  // It goes before its lock does: afterwards another writer may use the name.
  ~temporary_file() {
    if (file_) ::unlink(name_.c_str());
  }

  /// The open file.
  std::FILE* file() const { return file_.get(); }

  /// The name of what is replaced, with links followed.
  const std::string& target() const { return target_; }

  /// Puts the file in its target's place, with its bytes on the disk first, and the target's mode and owner
  /// where it exists; throws tl::error with the system's reason. The target is as it was then, but for an
  /// error that says otherwise: that the disk may not know of the replacement yet.
  TAPELESS_COLD void replace() {
    const std::string folder = detail::folder_of(target_);  // where there is no memory, nothing is replaced
    if (std::fflush(file_.get()) != 0) fail("write", target_, errno);
    if (replaces_) take_over_mode();
    if (::fsync(::fileno(file_.get())) != 0) fail("write", target_, errno);
    if (std::rename(name_.c_str(), target_.c_str()) != 0) fail("replace", target_, errno);
    file_.reset();
    sync_folder(folder);
  }

 private:
  TAPELESS_COLD int create() {
    for (int i = 0; remove_stale(numbered(i)); ++i) continue;
    for (int i = 0;; ++i) {
      name_ = numbered(i);
      if (const int descriptor = create_named(); descriptor >= 0) return descriptor;
    }
  }

  // Nothing below 0, where another writes to it.
  TAPELESS_SELDOM int create_named() {
    const mode_t mode = replaces_ ? 0600 : 0666;  // less the umask, by the system
    do {
      const int descriptor =
          ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
      if (descriptor < 0 && errno != EEXIST) fail("create", name_, errno);
      if (descriptor < 0) continue;
      // Before the lock is there, another writer may have found the file without one, and removed it. Where
      // the file system knows no locks, nobody has removed anything.
      const bool locked_by_other = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
      if (!locked_by_other && detail::is_name_of(name_, descriptor)) return descriptor;
      ::close(descriptor);
      return -1;
    } while (remove_stale(name_));
    return -1;
  }

  bool remove_stale(const std::string& name) const {
    return detail::remove_stale(name, replaces_ ? old_.st_uid : ::geteuid());
  }

  std::string numbered(int i) const { return join({target_, ".tmp", i}); }

  // A group that cannot be kept must not be replaced by one that may then read what it could not before.
  void take_over_mode() {
    const int descriptor = ::fileno(file_.get());
    mode_t mode = old_.st_mode & 0777;
    const bool owned = ::fchown(descriptor, old_.st_uid, old_.st_gid) == 0;
    if (!owned && ::fchown(descriptor, static_cast<uid_t>(-1), old_.st_gid) != 0) mode &= 0707;
    if (::fchmod(descriptor, mode) != 0) fail("write", target_, errno);
  }

  // Not every folder can be opened for it, and not every file system syncs folders.
  void sync_folder(const std::string& folder) const {
    const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == EACCES) return;
    const bool failed = descriptor < 0 || (::fsync(descriptor) != 0 && errno != EINVAL && errno != EBADF &&
                                           errno != ENOTSUP && errno != EOPNOTSUPP);
    const int code = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (failed)
      throw_error({target_, " is replaced, but its folder cannot be synced to the disk: ", message_of(code),
                   "; after a crash of the system the file from before may be there"});
  }

  struct stat old_ = {};
  bool replaces_ = false;
  std::string target_, name_;
  file_handle file_;
};

#else

/// A file beside another, open for writing, that takes its place at replace() or disappears.
class temporary_file {
 public:
  /// Creates "TARGET.tmp0", or with the first number that nobody writes to, where TARGET is `path`, or the
  /// name at the end of the links that begin there. Throws tl::error if that is there and no regular file, or
  /// with the system's reason.
  TAPELESS_COLD explicit temporary_file(const std::string& path) {
    require_name(path);
    require_regular("write", path);
    std::error_code code;
    const std::filesystem::path followed = std::filesystem::weakly_canonical(path, code);
    target_ = code ? path : followed.string();
    for (int i = 0; !file_; ++i) {
      name_ = join({target_, ".tmp", i});
#if defined(_WIN32)
      std::remove(name_.c_str());  // fails as long as someone has it open
#endif
      file_.reset(std::fopen(name_.c_str(), "wbx"));
      if (!file_ && errno != EEXIST) fail("create", name_, errno);
    }
  }

  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  ~temporary_file() {
    file_.reset();
    if (!name_.empty()) std::remove(name_.c_str());
  }

  /// The open file.
  std::FILE* file() const { return file_.get(); }

  /// The name of what is replaced, with links followed.
  const std::string& target() const { return target_; }

  /// Puts the file in its target's place; throws tl::error with the system's reason, and then that is as it
  /// was.
  TAPELESS_COLD void replace() {
    if (std::fclose(file_.release()) != 0) fail("write", target_, errno);
    std::error_code code;  // std::rename need not replace a file
    std::filesystem::rename(name_, target_, code);
    if (code) fail("replace", target_, code.default_error_condition().value());
    name_.clear();
  }

 private:
  std::string target_, name_;
  file_handle file_;
};

#endif

/// Throws where `path` cannot be replaced now, for who will do so much later. Nothing is left of it.
TAPELESS_COLD inline void require_replaceable(const std::string& path) { const temporary_file dropped(path); }

}  // namespace tapeless::io::platform
