/* Attributes of threads: what is set can be got; only whether a thread is detached has an effect. */
#include "libc.h"

enum { STACK_MIN = 16384, STACK_SIZE = 8 << 20, PAGE = 4096 };

static struct attr *attr_of(const pthread_attr_t *a) { return (struct attr *)a; }

int pthread_attr_init(pthread_attr_t *attr) {
  struct attr *a = attr_of(attr);
  a->priority = a->policy = a->inherit = a->detached = a->scope = 0;
  a->guard = PAGE;
  a->stack_size = 0; /* the default, which the system decides */
  a->stack = 0;
  return 0;
}

/* A write: nobody else may use them at the same time. */
int pthread_attr_destroy(pthread_attr_t *attr) { return pthread_attr_init(attr); }

int pthread_attr_setdetachstate(pthread_attr_t *attr, int detached) {
  if (detached != PTHREAD_CREATE_JOINABLE && detached != PTHREAD_CREATE_DETACHED)
    return EINVAL;
  attr_of(attr)->detached = detached;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *detached) {
  *detached = attr_of(attr)->detached;
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attr, int scope) {
  (void)attr;
  return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *attr, int *scope) {
  *scope = attr_of(attr)->scope;
  return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit) {
  if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED)
    return EINVAL;
  attr_of(attr)->inherit = inherit;
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit) {
  *inherit = attr_of(attr)->inherit;
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) {
  if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
    return EINVAL;
  attr_of(attr)->policy = policy;
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy) {
  *policy = attr_of(attr)->policy;
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *p) {
  int real_time = attr_of(attr)->policy == SCHED_FIFO || attr_of(attr)->policy == SCHED_RR;
  GIVEN(p->sched_priority);
  if (p->sched_priority < real_time || p->sched_priority > (real_time ? 99 : 0))
    return EINVAL;
  attr_of(attr)->priority = p->sched_priority;
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *p) {
  p->sched_priority = attr_of(attr)->priority;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
  attr_of(attr)->guard = size;
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
  *size = attr_of(attr)->guard;
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
  if (size < STACK_MIN)
    return EINVAL;
  attr_of(attr)->stack_size = size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
  *size = attr_of(attr)->stack_size;
  if (*size == 0) {
    *size = STACK_SIZE + __comus_nondet_ulong();
    __comus_assume(*size >= STACK_MIN);
  }
  return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
  if (size < STACK_MIN)
    return EINVAL;
  attr_of(attr)->stack = stack;
  attr_of(attr)->stack_size = size;
  return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size) {
  *stack = attr_of(attr)->stack;
  *size = attr_of(attr)->stack_size;
  return 0;
}

int pthread_attr_setstackaddr(pthread_attr_t *attr, void *stack) {
  attr_of(attr)->stack = stack;
  return 0;
}

int pthread_attr_getstackaddr(const pthread_attr_t *attr, void **stack) {
  *stack = attr_of(attr)->stack;
  return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set) {
  (void)attr, (void)size, (void)set;
  return __comus_nondet_bool() ? EINVAL : 0;
}

int pthread_attr_getaffinity_np(const pthread_attr_t *attr, size_t size, cpu_set_t *set) {
  (void)attr;
  __comus_havoc_bytes(set, size);
  return __comus_nondet_bool() ? EINVAL : 0;
}

/* The attributes of a thread that runs. */
int pthread_getattr_np(pthread_t id, pthread_attr_t *attr) {
  struct attr *a = attr_of(attr);
  pthread_attr_init(attr);
  a->detached = ((struct thread *)id)->detached;
  a->stack = __comus_nondet_pointer();
  a->stack_size = __comus_nondet_ulong();
  __comus_assume(a->stack_size >= STACK_MIN);
  return 0;
}
