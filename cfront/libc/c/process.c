/* Other processes: fork, exec, wait. The child that fork makes goes on as another execution of the
   program, with the thread that forks alone. */
#include "libc.h"

static int process_fails(void) {
  int e = __comus_nondet_int();
  errno = e > 0 ? e : EAGAIN;
  return -1;
}

static struct fork_handlers {
  struct fork_handlers *next;
  void (*prepare)(void), (*parent)(void), (*child)(void);
} *fork_handlers;

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  struct fork_handlers *h = __comus_alloc(sizeof *h);
  *h = (struct fork_handlers){fork_handlers, prepare, parent, child};
  fork_handlers = h;
  return 0;
}

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object) {
  (void)object;
  return pthread_atfork(prepare, parent, child);
}

/* Those of the parent and the child are called in the order of their registration. */
static void call_after(struct fork_handlers *h, int child) {
  if (!h)
    return;
  call_after(h->next, child);
  void (*f)(void) = child ? h->child : h->parent;
  if (f)
    f();
}

#ifdef COMUS_STREAM_LOCKS
extern int __comus_in_child;
#endif

static pid_t start_child(void) {
  int r = __comus_nondet_int();
  if (r < 0)
    return process_fails();
  if (r == 0) {
    __comus_thread_alone();
#ifdef COMUS_STREAM_LOCKS
    __comus_in_child = 1;
#endif
  }
  return r;
}

pid_t fork(void) {
  for (struct fork_handlers *h = fork_handlers; h; h = h->next)
    if (h->prepare)
      h->prepare();
  pid_t r = start_child();
  call_after(fork_handlers, r == 0);
  return r;
}

pid_t _Fork(void) { return start_child(); }

/* The thread goes on as the child, in the memory of the parent and beside its other threads, until it ends or is another program. */
pid_t vfork(void) {
  int r = __comus_nondet_int();
  if (r < 0)
    return process_fails();
  if (r > 0)
    __comus_assumption("the child of vfork changes nothing that its parent looks at");
  return r;
}

/* The parent ends. */
int daemon(int keeps_directory, int keeps_streams) {
  (void)keeps_directory, (void)keeps_streams;
  pid_t r = fork();
  if (r > 0)
    __comus_stop(0);
  return r < 0 || __comus_nondet_bool() ? process_fails() : 0;
}

int forkpty(int *to, char *name, const struct termios *t, const struct winsize *size) {
  (void)t, (void)size;
  if (__comus_nondet_bool())
    return process_fails();
  pid_t r = fork();
  if (r > 0) {
    int fd = __comus_nondet_int();
    *to = fd < 0 ? 0 : fd;
    if (name) {
      __comus_havoc_bytes(name, sizeof "/dev/pts/0");
      name[sizeof "/dev/pts/0" - 1] = 0;
    }
  }
  return r;
}

/* The program is another one, or the call fails. */
static int exec(void) {
  if (!__comus_nondet_bool())
    __comus_stop(0);
  return process_fails();
}

int execve(const char *file, char *const *argv, char *const *env) {
  (void)*file, (void)argv, (void)env;
  return exec();
}

int execv(const char *file, char *const *argv) {
  (void)*file, (void)argv;
  return exec();
}

int execvp(const char *file, char *const *argv) {
  (void)*file, (void)argv;
  return exec();
}

int execvpe(const char *file, char *const *argv, char *const *env) {
  (void)*file, (void)argv, (void)env;
  return exec();
}

int execl(const char *file, const char *arg, ...) {
  (void)*file, (void)arg;
  return exec();
}

int execlp(const char *file, const char *arg, ...) {
  (void)*file, (void)arg;
  return exec();
}

int execle(const char *file, const char *arg, ...) {
  (void)*file, (void)arg;
  return exec();
}

enum { NO_HANG = 1, ALSO_STOPPED = 2, ALSO_CONTINUED = 8 }; /* options of waitpid on Linux */

/* How a child has ended: with an exit code, or by a signal, perhaps with a core; or, if that is asked for, that it was stopped or continued. */
static int end_of_child(int options) {
  __comus_approximation("how a child process has ended"); /* which its code may determine */
  unsigned s = __comus_nondet_uint();
  if (__comus_nondet_bool())
    return (int)(s % 256) << 8;
  if (options & ALSO_CONTINUED && __comus_nondet_bool())
    return 0xffff;
  if (options & ALSO_STOPPED && __comus_nondet_bool())
    return (int)(1 + s % 64) << 8 | 0x7f;
  return (int)(1 + s % 64) | (__comus_nondet_bool() ? 0x80 : 0);
}

/* Children may be those of the program that ran before this one in the same process. */
pid_t waitpid(pid_t pid, int *status, int options) {
  CANCELLATION_POINT();
  int r = __comus_nondet_int();
  if (r < 0 || (r == 0 && !(options & NO_HANG)))
    return process_fails();
  if (r == 0)
    return 0;
  if (status)
    *status = end_of_child(options);
  return pid > 0 ? pid : r;
}

pid_t wait(int *status) {
  return waitpid(-1, status, 0);
}
