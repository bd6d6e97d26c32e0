/* <sched.h>, and what POSIX threads have of priorities, processors and names. Who runs when is open
   anyway, so that these only have results. */
#include "libc.h"

static int sched_fails(int why) {
  errno = why;
  return -1;
}

int sched_yield(void) { return 0; }

/* SCHED_DEADLINE is 6; 7 is there since Linux 6.12. */
static int is_policy(int policy) {
  if (policy == 7)
    return __comus_nondet_bool();
  return (policy >= SCHED_OTHER && policy <= SCHED_BATCH) || policy == SCHED_IDLE || policy == 6;
}

int sched_get_priority_max(int policy) {
  if (!is_policy(policy))
    return sched_fails(EINVAL);
  return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
}

int sched_get_priority_min(int policy) {
  if (!is_policy(policy))
    return sched_fails(EINVAL);
  return policy == SCHED_FIFO || policy == SCHED_RR;
}

int sched_getcpu(void) {
  int r = __comus_nondet_int();
  __comus_assume(r >= 0);
  return r;
}

/* 0, or an error of the system's, which also is in errno then. */
static int any_error(void) {
  int e = __comus_nondet_int();
  __comus_assume(e >= 0 && e < 134);
  if (e)
    errno = e;
  return e;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
  (void)pid, (void)size, (void)*(const char *)set;
  int e = any_error();
  return e ? sched_fails(e) : 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
  (void)pid;
  int e = any_error();
  if (e)
    return sched_fails(e);
  __comus_havoc_bytes(set, size);
  return 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set) {
  int n = 0;
  for (size_t i = 0; i < size / sizeof set->__bits[0]; i++)
    n += __builtin_popcountl(set->__bits[i]);
  return n;
}

cpu_set_t *__sched_cpualloc(size_t count) {
  size_t word = 8 * sizeof(unsigned long);
  return malloc((count + word - 1) / word * sizeof(unsigned long));
}

void __sched_cpufree(cpu_set_t *set) { free(set); }

static int concurrency;

int pthread_setconcurrency(int n) {
  if (n < 0)
    return EINVAL;
  concurrency = n;
  return 0;
}

int pthread_getconcurrency(void) { return concurrency; }

int pthread_setschedparam(pthread_t id, int policy, const struct sched_param *p) {
  (void)__comus_thread_of(id), (void)p->sched_priority;
  GIVEN(p->sched_priority);
  int e = any_error();
  __comus_assume(e || is_policy(policy));
  return e;
}

int pthread_getschedparam(pthread_t id, int *policy, struct sched_param *p) {
  (void)__comus_thread_of(id);
  *policy = __comus_nondet_int();
  __comus_assume(is_policy(*policy));
  p->sched_priority = __comus_nondet_int();
  __comus_assume(p->sched_priority >= 0 && p->sched_priority <= 99);
  return 0;
}

int pthread_setschedprio(pthread_t id, int priority) {
  (void)__comus_thread_of(id), (void)priority;
  return any_error();
}

int pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *set) {
  (void)__comus_thread_of(id), (void)size, (void)*(const char *)set;
  return any_error();
}

int pthread_getaffinity_np(pthread_t id, size_t size, cpu_set_t *set) {
  (void)__comus_thread_of(id);
  __comus_havoc_bytes(set, size);
  return any_error();
}

enum { LONGEST_NAME = 16 };

int pthread_setname_np(pthread_t id, const char *name) {
  (void)__comus_thread_of(id);
  return strlen(name) >= LONGEST_NAME ? ERANGE : any_error();
}

/* Any name: the system may have given it another one. */
int pthread_getname_np(pthread_t id, char *name, size_t n) {
  (void)__comus_thread_of(id);
  if (n < LONGEST_NAME)
    return ERANGE;
  __comus_havoc_bytes(name, LONGEST_NAME - 1);
  name[LONGEST_NAME - 1] = 0;
  return any_error();
}

int pthread_getcpuclockid(pthread_t id, clockid_t *clock_id) {
  (void)__comus_thread_of(id);
  *clock_id = __comus_nondet_int();
  return 0;
}
