/* Attributes of mutexes. */
#include "libc.h"

struct mutexattr { unsigned kind : 2, robust : 1, protocol : 2, shared : 1, ceiling : 7; };
FITS(struct mutexattr, pthread_mutexattr_t);

static struct mutexattr *attributes_of(const pthread_mutexattr_t *a) { return (struct mutexattr *)a; }

/* A mutex's kind as struct mutex has it. */
int __comus_mutex_kind(const pthread_mutexattr_t *attr) {
  const struct mutexattr *a = attributes_of(attr);
  int protocol = a->protocol == PTHREAD_PRIO_INHERIT ? INHERIT : a->protocol == PTHREAD_PRIO_PROTECT ? PROTECT : 0;
  return (int)a->kind | (a->robust ? ROBUST : 0) | protocol;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
  *attributes_of(attr) = (struct mutexattr){0};
  return 0;
}

/* A write: nobody else may use them at the same time. */
int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) { return pthread_mutexattr_init(attr); }

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind) {
  if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  attributes_of(attr)->kind = (unsigned)kind & 3;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *kind) {
  *kind = attributes_of(attr)->kind;
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST)
    return EINVAL;
  attributes_of(attr)->robust = (unsigned)robust & 1;
  return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
  *robust = attributes_of(attr)->robust;
  return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT)
    return EINVAL;
  attributes_of(attr)->protocol = (unsigned)protocol & 3;
  return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol) {
  *protocol = attributes_of(attr)->protocol;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  attributes_of(attr)->shared = (unsigned)shared & 1;
  return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *shared) {
  *shared = attributes_of(attr)->shared;
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
  if (ceiling < 1 || ceiling > 99)
    return EINVAL;
  attributes_of(attr)->ceiling = (unsigned)ceiling & 127;
  return 0;
}

/* glibc gives the least priority if none was set. */
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attr, int *ceiling) {
  *ceiling = attributes_of(attr)->ceiling ? attributes_of(attr)->ceiling : 1;
  return 0;
}
