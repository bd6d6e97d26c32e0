#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H
#include <time.h>
#include <bits/pthreadtypes.h>
typedef union { char __size[__COMUS_WORDS(32, 16)]; long __align; } sem_t;
int sem_init(sem_t *, int, unsigned int);
#define SEM_FAILED ((sem_t *)0)
#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 2147483647
#endif
sem_t *sem_open(const char *, int, ...);
int sem_close(sem_t *);
int sem_unlink(const char *);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_timedwait(sem_t *, const struct timespec *);
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
int sem_post(sem_t *);
int sem_getvalue(sem_t *, int *);
#endif
