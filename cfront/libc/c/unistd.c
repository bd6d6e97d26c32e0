/* <unistd.h>: input and output by descriptors, and who the process is. What a file holds is open; the
   standard input and output are the program's. */
#include "libc.h"

static int call_fails(int usual) {
  int e = __comus_nondet_int();
  errno = e > 0 ? e : usual;
  return -1;
}

ssize_t read(int fd, void *p, size_t n) {
  CANCELLATION_POINT();
  IF_PIPE(fd, __comus_pipe_read(fd, p, n));
  if (fd < 0 || __comus_nondet_bool())
    return call_fails(EBADF);
  if (fd == 0) {
    long r = __comus_read(p, n);
    return r < 0 ? 0 : r;
  }
  size_t k = __comus_nondet_ulong();
  if (k > n)
    k = n;
  __comus_havoc_bytes(p, k);
  return (ssize_t)k;
}

/* All that fits, or less. */
ssize_t write(int fd, const void *p, size_t n) {
  CANCELLATION_POINT();
  IF_PIPE(fd, __comus_pipe_write(fd, p, n));
  if (fd < 0 || __comus_nondet_bool())
    return call_fails(EBADF);
  size_t less = __comus_nondet_ulong();
  __comus_assume(less <= n);
  __comus_write(fd, p, n - less);
  return (ssize_t)(n - less);
}

int close(int fd) {
  CANCELLATION_POINT();
  IF_PIPE(fd, __comus_pipe_close(fd));
  return fd < 0 || __comus_nondet_bool() ? call_fails(EBADF) : 0;
}

int fsync(int fd) {
  CANCELLATION_POINT();
  return fd < 0 || __comus_nondet_bool() ? call_fails(EBADF) : 0;
}

off_t lseek(int fd, off_t offset, int from) {
  (void)offset, (void)from;
  long r = __comus_nondet_long();
  return fd < 0 || r < 0 ? call_fails(EBADF) : r;
}

int isatty(int fd) {
  if (fd >= 0 && __comus_nondet_bool())
    return 1;
  call_fails(fd < 0 ? EBADF : ENOTTY);
  return 0;
}

/* The same number at each call. */
static pid_t number(pid_t *p) {
  __comus_atomic_begin();
  if (*p == 0) {
    pid_t r = __comus_nondet_int();
    *p = r > 0 ? r : 4711;
  }
  pid_t r = *p;
  __comus_atomic_end();
  return r;
}

pid_t getpid(void) {
  static pid_t pid;
  return number(&pid);
}

pid_t getppid(void) {
  static pid_t pid;
  return number(&pid);
}

pid_t gettid(void) {
  static _Thread_local pid_t pid;
  return number(&pid);
}

uid_t getuid(void) { return __comus_nondet_uint(); }
uid_t geteuid(void) { return __comus_nondet_uint(); }
gid_t getgid(void) { return __comus_nondet_uint(); }
gid_t getegid(void) { return __comus_nondet_uint(); }

int getpagesize(void) { return 4096; }

/* Any value; errno is set for names that are none. */
long sysconf(int name) {
  if (name == _SC_PAGESIZE)
    return 4096;
  long r = __comus_nondet_long();
  if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN)
    return r > 0 ? r : 1;
  if (r < 0 && __comus_nondet_bool())
    errno = EINVAL;
  return r < 0 ? -1 : r;
}
