/* Other processes: fork, exec, wait. The child that fork makes goes on as another execution of the
   program; in truth it has one thread only. */
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

pid_t fork(void) {
  for (struct fork_handlers *h = fork_handlers; h; h = h->next)
    if (h->prepare)
      h->prepare();
  int r = __comus_nondet_int();
  if (r < 0)
    r = process_fails();
  else if (r == 0)
    __comus_approximation("fork: the child goes on beside the other threads");
  call_after(fork_handlers, r == 0);
  return r;
}

pid_t vfork(void) { return fork(); }

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

pid_t waitpid(pid_t pid, int *status, int options) {
  (void)pid, (void)options;
  CANCELLATION_POINT();
  int r = __comus_nondet_int();
  if (r < 0)
    return process_fails();
  if (status)
    *status = __comus_nondet_int();
  return r;
}

pid_t wait(int *status) {
  pid_t r = waitpid(-1, status, 0);
  __comus_assume(r != 0);
  return r;
}
