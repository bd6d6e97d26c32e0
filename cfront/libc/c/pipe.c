/* Pipes between threads of the program: how many bytes are in them is exact, and so who waits for them; what the bytes are is not. That is so where all
   that is done with descriptors can be seen (COMUS_PIPES); otherwise a pipe is as any file. */
#include "libc.h"

enum { CAPACITY = 65536, AT_ONCE = 4096, FIRST = 3, NO_WAIT = 04000 };

static int pipe_fails(int why) {
  errno = why;
  return -1;
}

#ifdef COMUS_PIPES
static struct pipe { size_t bytes; int reads, writes, waits; } pipes[4];
static int made;

/* The pipe of which a descriptor is an end; null if it is none of these. */
static struct pipe *pipe_of(int fd, int end) {
  int i = fd - FIRST - end;
  return i >= 0 && i % 2 == 0 && i / 2 < made ? &pipes[i / 2] : 0;
}

int __comus_is_pipe(int fd) { return pipe_of(fd, 0) || pipe_of(fd, 1); }

ssize_t __comus_pipe_read(int fd, void *p, size_t n) {
  struct pipe *q = pipe_of(fd, 0);
  if (!q || !q->reads)
    return pipe_fails(EBADF);
  if (n == 0)
    return 0;
  int waits = q->waits;
  __comus_atomic_begin();
  __comus_await(q->bytes > 0 || !q->writes || !waits);
  size_t k = q->bytes < n ? q->bytes : n;
  q->bytes -= k;
  int again = k == 0 && q->writes;
  __comus_atomic_end();
  if (again)
    return pipe_fails(EAGAIN);
  if (k > 0)
    __comus_unknown_bytes(p, k, "the bytes in a pipe");
  return (ssize_t)k;
}

/* Few bytes are written together. */
ssize_t __comus_pipe_write(int fd, const void *p, size_t n) {
  struct pipe *q = pipe_of(fd, 1);
  if (!q || !q->writes)
    return pipe_fails(EBADF);
  __comus_write(fd, p, n);
  size_t done = 0;
  int waits = q->waits;
  while (done < n) {
    size_t least = n <= AT_ONCE ? n : 1;
    __comus_atomic_begin();
    __comus_await(q->bytes + least <= CAPACITY || !q->reads || !waits);
    size_t k = q->bytes + least <= CAPACITY ? CAPACITY - q->bytes : 0;
    if (k > n - done)
      k = n - done;
    int broken = !q->reads;
    q->bytes += broken ? 0 : k;
    __comus_atomic_end();
    if (broken) {
      __comus_approximation("SIGPIPE does not end the program");
      return pipe_fails(EPIPE);
    }
    if (k == 0)
      return done > 0 ? (ssize_t)done : pipe_fails(EAGAIN);
    done += k;
  }
  return (ssize_t)n;
}

int __comus_pipe_close(int fd) {
  struct pipe *q = pipe_of(fd, 0);
  if (q) {
    if (!q->reads)
      return pipe_fails(EBADF);
    q->reads = 0;
    return 0;
  }
  q = pipe_of(fd, 1);
  if (!q || !q->writes)
    return pipe_fails(EBADF);
  q->writes = 0;
  return 0;
}
#endif

static int any_ends(int *ends) {
  __comus_approximation("a pipe that is as any file");
  for (int i = 0; i < 2; i++) {
    int fd = __comus_nondet_int();
    ends[i] = fd < 0 ? INT_MAX : fd;
  }
  return 0;
}

int pipe2(int ends[2], int flags) {
  (void)flags;
  if (__comus_nondet_bool())
    return pipe_fails(EMFILE);
#ifdef COMUS_PIPES
  __comus_assumption("the descriptors of pipes are the numbers that comus gives them");
  __comus_atomic_begin();
  int i = made;
  if (i < 4)
    made++;
  __comus_atomic_end();
  if (i >= 4)
    return any_ends(ends);
  pipes[i].waits = !(flags & NO_WAIT);
  pipes[i].reads = pipes[i].writes = 1;
  ends[0] = FIRST + 2 * i;
  ends[1] = FIRST + 2 * i + 1;
  return 0;
#else
  return any_ends(ends);
#endif
}

int pipe(int ends[2]) { return pipe2(ends, 0); }
