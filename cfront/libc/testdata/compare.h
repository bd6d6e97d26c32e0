/* Calls of a model and of glibc's function in the same way: CALL(f, (args)) evaluates model_f(args)
   and then f(args), and compares results, errno and what was written. Arguments refer to W, which is
   another copy of the world for each of the two. Where the model's call has no meaning, would block
   or ends the program, glibc is not asked. */
#ifndef COMPARE_H
#define COMPARE_H
#include "host.h"
#include <assert.h>
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include "models.h" /* model_f for each f that is mentioned, of f's type */

struct world {
  char text[256];
  long out[8];
  double number;
  void *pointer;
  pthread_mutex_t mutex[4];
  pthread_cond_t cond;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  pthread_barrier_t barrier;
  pthread_once_t once;
  sem_t sem[2], *named[3];
  pthread_key_t key[4];
  pthread_t thread[4];
  pthread_attr_t attr;
  pthread_mutexattr_t mutexattr;
  pthread_condattr_t condattr;
  pthread_rwlockattr_t rwlockattr;
  pthread_barrierattr_t barrierattr;
  sigset_t set, old;
  mtx_t mtx;
  cnd_t cnd;
  tss_t tss;
  thrd_t thrd[2];
};
extern struct world worlds[2];
extern __thread struct world *W;

void differ(const char *file, int line, const char *call, int outcome, long long a, int ea, long long b, int eb);
long long normal(long long result);
void same_worlds(const char *file, int line, const char *call);
void unknown_outcome(const char *call, int outcome);
void count_call(void);

#define CALL_TYPE(T, f, args)                                                      \
  do {                                                                             \
    volatile T a_ = 0, b_ = 0;                                                     \
    volatile int o_ = RETURNED, ea_ = 0, eb_ = 0;                                  \
    jmp_buf j_, *old_ = host_guard;                                                \
    count_call();                                                                  \
    host_guard = &j_;                                                              \
    W = &worlds[0];                                                                \
    *model___errno_location() = 0;                                                 \
    if (setjmp(j_))                                                                \
      o_ = host_outcome;                                                           \
    else                                                                           \
      a_ = (T)(model_##f args);                                                    \
    host_guard = old_;                                                             \
    ea_ = *model___errno_location();                                               \
    if (o_ == RETURNED) {                                                          \
      W = &worlds[1];                                                              \
      errno = 0;                                                                   \
      b_ = (T)(f args);                                                            \
      eb_ = errno;                                                                 \
      long long na_ = (W = &worlds[0], normal((long long)a_)), nb_ = (W = &worlds[1], normal((long long)b_)); \
      if (na_ != nb_ || ea_ != eb_)                                                \
        differ(__FILE__, __LINE__, #f #args, o_, na_, ea_, nb_, eb_);              \
    } else                                                                         \
      unknown_outcome(#f #args, o_);                                               \
    same_worlds(__FILE__, __LINE__, #f #args);                                     \
  } while (0)
#define CALL(f, args) CALL_TYPE(long long, f, args)

/* Functions without a result. */
#define VOID(f, args)                                                              \
  do {                                                                             \
    volatile int o_ = RETURNED;                                                    \
    jmp_buf j_, *old_ = host_guard;                                                \
    count_call();                                                                  \
    host_guard = &j_;                                                              \
    W = &worlds[0];                                                                \
    if (setjmp(j_))                                                                \
      o_ = host_outcome;                                                           \
    else                                                                           \
      (model_##f args);                                                            \
    host_guard = old_;                                                             \
    W = &worlds[1];                                                                \
    if (o_ == RETURNED)                                                            \
      (f args);                                                                    \
    else                                                                           \
      unknown_outcome(#f #args, o_);                                               \
    same_worlds(__FILE__, __LINE__, #f #args);                                     \
  } while (0)

/* The model's call has this outcome. */
#define OUTCOME(want, f, args)                                                     \
  do {                                                                             \
    volatile int o_ = RETURNED;                                                    \
    jmp_buf j_, *old_ = host_guard;                                                \
    count_call();                                                                  \
    host_guard = &j_;                                                              \
    W = &worlds[0];                                                                \
    if (setjmp(j_))                                                                \
      o_ = host_outcome;                                                           \
    else                                                                           \
      (void)(model_##f args);                                                      \
    host_guard = old_;                                                             \
    if (o_ != (want))                                                              \
      differ(__FILE__, __LINE__, #f #args, o_, want, 0, o_, 0);                    \
  } while (0)

/* The choices of the model in the next call. */
#define CHOOSE(...) host_choose(sizeof((long long[]){__VA_ARGS__}) / sizeof(long long), (long long[]){__VA_ARGS__})

/* A condition of the test. */
#define EXPECT(c) ((c) ? (void)0 : differ(__FILE__, __LINE__, #c, 0, 0, 0, 0, 0))

int pick(int n); /* a random number below n */

/* Runs f in one of two threads that live as long as the test. */
void in_thread(int which, void (*f)(void));

void compare_strings(void), compare_numbers(void), compare_stdlib(void), compare_stdio(void), compare_attributes(void);
void compare_locks(void), compare_threads(void), compare_signals(void), compare_system(void), compare_math(void), compare_paths(void);
#endif
