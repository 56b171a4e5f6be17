// Work in a child process whose system calls fail, or that is killed before one of them.
#pragma once

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <exception>

namespace textcrs {

// From then on such a system call of this process fails with `error`; with a `flag`, only where its
// fifth argument is that.
inline bool fail_system_call(int number, int error, uint32_t flag = 0) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[4])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, flag, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  if (flag == 0) filter[3] = BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 0);  // whatever it is
  const sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Runs `work` in a child: 0 if it returned, 1 if it threw, 2 if it could not be begun.
template <typename Work>
int in_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
      _exit(0);
    } catch (const std::exception&) {
      _exit(1);
    }
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

// Whether a child that stopped at a system call is about to make one that counts: memory that is
// asked for changes no file, and how often it is depends on the allocator.
inline bool begins_call(pid_t child) {
  __ptrace_syscall_info info{};
  const auto size = reinterpret_cast<void*>(sizeof info);
  if (ptrace(PTRACE_GET_SYSCALL_INFO, child, size, &info) <= 0 ||
      info.op != PTRACE_SYSCALL_INFO_ENTRY)
    return false;
  switch (info.entry.nr) {
    case SYS_brk:
    case SYS_futex:
    case SYS_madvise:
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_munmap:
      return false;
    default:
      return true;
  }
}

// Runs `work` in a child that is killed, as by kill -9, when it is about to make its system call
// `number`, counted from 1; false if it ended before that. Calls about memory do not count.
template <typename Work>
bool killed_before(int number, const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(2);
    raise(SIGSTOP);
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD);
  for (int calls = 0; WIFSTOPPED(status);) {
    if (WSTOPSIG(status) == (SIGTRAP | 0x80) && begins_call(child) && ++calls == number) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return true;
    }
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  return false;
}

}  // namespace textcrs
