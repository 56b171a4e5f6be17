// Loaded before the C library (LD_PRELOAD), this fails the n-th call of a kind, or ends the process
// at it, and counts the calls. Those that concern a file below $FAULTS_BELOW count, no others.
//
//   FAULTS=write:17:ENOSPC            the 17th write() fails as on a full disk
//   FAULTS=write:17+:ENOSPC           and every one after it
//   FAULTS=exchange:1+:EINVAL,rename:2:kill
//
// kinds   open read write fsync rename exchange mmap mkdir unlink truncate; exchange is renameat2()
// faults  the name of an errno; kill: SIGKILL before the call; of a write also short: half of the
//         bytes, and torn: half of them, then SIGKILL
//
// $FAULTS_COUNTS is a file of one uint64 per kind, in the order above. What the process starts is
// loaded with this, too, and counts in the same file.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind {
  kOpen,
  kRead,
  kWrite,
  kFsync,
  kRename,
  kExchange,
  kMmap,
  kMkdir,
  kUnlink,
  kTruncate,
  kKinds
};
constexpr const char* kNames[kKinds] = {"open",     "read", "write", "fsync",  "rename",
                                        "exchange", "mmap", "mkdir", "unlink", "truncate"};

constexpr size_t kAtOnce = 16;  // so few bytes are written by a system at once, or not at all
constexpr int kKill = -1, kShort = -2, kTorn = -3;  // beside numbers of errors; 0: none
struct Errno {
  const char* name;
  int number;
};
constexpr Errno kErrors[] = {{"EACCES", EACCES}, {"EINTR", EINTR},   {"EINVAL", EINVAL},
                             {"EIO", EIO},       {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
                             {"ENOSPC", ENOSPC}, {"EROFS", EROFS},   {"kill", kKill},
                             {"short", kShort},  {"torn", kTorn}};

struct Fault {
  int kind = kKinds;
  uint64_t first = 0, last = 0;
  int what = 0;
};

Fault faults[4];
char below[PATH_MAX];
std::atomic<uint64_t> own_counts[kKinds];
std::atomic<uint64_t>* counts = own_counts;

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "preload: %s\n", what);
  _exit(99);
}

// "write:17+:ENOSPC", up to a comma or the end; where it ended.
const char* parse(const char* text, Fault& fault) {
  const size_t name = std::strcspn(text, ":");
  for (int kind = 0; kind < kKinds; ++kind)
    if (std::strlen(kNames[kind]) == name && std::strncmp(kNames[kind], text, name) == 0)
      fault.kind = kind;
  if (fault.kind == kKinds || text[name] != ':') refuse("FAULTS has an unknown kind");
  char* end = nullptr;
  fault.first = fault.last = std::strtoull(text + name + 1, &end, 10);
  if (*end == '+') {
    fault.last = UINT64_MAX;
    ++end;
  }
  if (fault.first == 0 || *end != ':') refuse("FAULTS has no number");
  const size_t what = std::strcspn(++end, ",");
  for (const Errno& error : kErrors)
    if (std::strlen(error.name) == what && std::strncmp(error.name, end, what) == 0)
      fault.what = error.number;
  if (fault.what == 0) refuse("FAULTS has an unknown fault");
  return end + what;
}

__attribute__((constructor)) void begin() {
  if (const char* folder = std::getenv("FAULTS_BELOW"))
    std::snprintf(below, sizeof below, "%s/", folder);
  if (const char* file = std::getenv("FAULTS_COUNTS")) {
    const auto fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC));
    void* shared = reinterpret_cast<void*>(
        syscall(SYS_mmap, nullptr, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    if (fd < 0 || shared == MAP_FAILED) refuse("FAULTS_COUNTS cannot be mapped");
    counts = static_cast<std::atomic<uint64_t>*>(shared);
    syscall(SYS_close, fd);
  }
  const char* text = std::getenv("FAULTS");
  if (text == nullptr) return;
  for (Fault& fault : faults) {
    if (*text == '\0') return;
    text = parse(text, fault);
    if (*text == ',') ++text;
  }
  if (*text != '\0') refuse("FAULTS has too many faults");
}

bool is_below(const char* path) {
  return below[0] != '\0' && std::strncmp(path, below, std::strlen(below)) == 0;
}

bool path_of(int fd, char* path) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, PATH_MAX - 1);
  if (size < 0) return false;
  path[size] = '\0';
  return true;
}

bool concerns(int fd) {
  char path[PATH_MAX];
  const int before = errno;
  const bool concerned = below[0] != '\0' && path_of(fd, path) && is_below(path);
  errno = before;
  return concerned;
}

bool concerns(int folder, const char* path) {
  if (below[0] == '\0' || path == nullptr) return false;
  if (path[0] == '/') return is_below(path);
  char whole[2 * PATH_MAX];
  const int before = errno;
  const bool known =
      folder == AT_FDCWD ? getcwd(whole, PATH_MAX) != nullptr : path_of(folder, whole);
  errno = before;
  if (!known) return false;
  std::strcat(whole, "/");
  std::strncat(whole, path, PATH_MAX - 1);
  return is_below(whole);
}

// What becomes of a call: 0, an errno, kShort or kTorn.
int fate(Kind kind) {
  const uint64_t n = counts[kind].fetch_add(1) + 1;
  for (const Fault& fault : faults)
    if (fault.kind == kind && fault.first <= n && n <= fault.last) {
      if (fault.what == kKill) kill(getpid(), SIGKILL);
      return fault.what;
    }
  return 0;
}

// Whether the call fails, with errno set.
bool fails(Kind kind, bool concerned) {
  const int error = concerned ? fate(kind) : 0;
  if (error > 0) errno = error;
  return error > 0;
}

template <typename Function>
Function* next(const char* name, Function*& known) {
  if (known == nullptr) known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return known;
}

// A call that writes `size` bytes, call(n) the first n of them. What copies between files within
// the system is not interrupted.
template <typename Call>
ssize_t write_as_fated(int fd, size_t size, const Call& call, bool copies = false) {
  const int fate_of_it = concerns(fd) ? fate(kWrite) : 0;
  const int what = copies && fate_of_it == EINTR ? 0 : fate_of_it;
  if (what > 0) {
    errno = what;
    return -1;
  }
  const ssize_t done = call(what < 0 && size > kAtOnce ? size / 2 : size);
  if (what == kTorn) kill(getpid(), SIGKILL);
  return done;
}

// No test cuts the power, and a disk takes its time.
int sync(int fd) { return fails(kFsync, concerns(fd)) ? -1 : 0; }

int open_at(int folder, const char* path, int flags, mode_t mode) {
  if (fails(kOpen, concerns(folder, path))) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

}  // namespace

#define MODE_OF(last)                           \
  mode_t mode = 0;                              \
  if ((flags & (O_CREAT | __O_TMPFILE)) != 0) { \
    va_list rest;                               \
    va_start(rest, last);                       \
    mode = va_arg(rest, mode_t);                \
    va_end(rest);                               \
  }

extern "C" {

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(folder, path, flags, mode);
}
int __open_2(const char* path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char* path, int flags) { return open_at(folder, path, flags, 0); }
int __openat64_2(int folder, const char* path, int flags) {
  return open_at(folder, path, flags, 0);
}
int creat(const char* path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
std::FILE* fopen(const char* path, const char* mode) {
  static decltype(fopen)* real = nullptr;
  if (fails(kOpen, concerns(AT_FDCWD, path))) return nullptr;
  return next("fopen", real)(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) {
  static decltype(fopen64)* real = nullptr;
  if (fails(kOpen, concerns(AT_FDCWD, path))) return nullptr;
  return next("fopen64", real)(path, mode);
}

ssize_t read(int fd, void* bytes, size_t size) {
  if (fails(kRead, concerns(fd))) return -1;
  return syscall(SYS_read, fd, bytes, size);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  return write_as_fated(fd, size, [&](size_t n) { return syscall(SYS_write, fd, bytes, n); });
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  return write_as_fated(fd, size, [&](size_t n) -> ssize_t {
    if (n == size) return syscall(SYS_writev, fd, parts, count);
    while (parts->iov_len == 0) ++parts;
    return syscall(SYS_write, fd, parts->iov_base, n < parts->iov_len ? n : parts->iov_len);
  });
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  return write_as_fated(fd, size,
                        [&](size_t n) { return syscall(SYS_pwrite64, fd, bytes, n, at); });
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off_t at) {
  return pwrite(fd, bytes, size, at);
}
ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  return write_as_fated(
      to, size, [&](size_t n) { return syscall(SYS_sendfile, to, from, at, n); }, true);
}
ssize_t sendfile64(int to, int from, off_t* at, size_t size) {
  return sendfile(to, from, at, size);
}
ssize_t copy_file_range(int from, off_t* at, int to, off_t* to_at, size_t size, unsigned flags) {
  return write_as_fated(
      to, size,
      [&](size_t n) { return syscall(SYS_copy_file_range, from, at, to, to_at, n, flags); }, true);
}

int fsync(int fd) { return sync(fd); }
int fdatasync(int fd) { return sync(fd); }

int rename(const char* from, const char* to) noexcept {
  if (fails(kRename, concerns(AT_FDCWD, to))) return -1;
  return static_cast<int>(syscall(SYS_rename, from, to));
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  if (fails(kRename, concerns(to_folder, to))) return -1;
  return static_cast<int>(syscall(SYS_renameat, from_folder, from, to_folder, to));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  if (fails(kExchange, concerns(to_folder, to))) return -1;
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

void* mmap(void* address, size_t size, int access, int flags, int fd, off_t at) noexcept {
  if (fd >= 0 && fails(kMmap, concerns(fd))) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, size, access, flags, fd, at));
}
void* mmap64(void* address, size_t size, int access, int flags, int fd, off_t at) noexcept {
  return mmap(address, size, access, flags, fd, at);
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (fails(kMkdir, concerns(AT_FDCWD, path))) return -1;
  return static_cast<int>(syscall(SYS_mkdir, path, mode));
}
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  if (fails(kMkdir, concerns(folder, path))) return -1;
  return static_cast<int>(syscall(SYS_mkdirat, folder, path, mode));
}

int unlink(const char* path) noexcept {
  if (fails(kUnlink, concerns(AT_FDCWD, path))) return -1;
  return static_cast<int>(syscall(SYS_unlink, path));
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  if (fails(kUnlink, concerns(folder, path))) return -1;
  return static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
}
int rmdir(const char* path) noexcept {
  if (fails(kUnlink, concerns(AT_FDCWD, path))) return -1;
  return static_cast<int>(syscall(SYS_rmdir, path));
}
int remove(const char* path) noexcept {
  static decltype(remove)* real = nullptr;
  if (fails(kUnlink, concerns(AT_FDCWD, path))) return -1;
  return next("remove", real)(path);
}

int ftruncate(int fd, off_t size) noexcept {
  if (fails(kTruncate, concerns(fd))) return -1;
  return static_cast<int>(syscall(SYS_ftruncate, fd, size));
}
int ftruncate64(int fd, off_t size) noexcept { return ftruncate(fd, size); }

}  // extern "C"
