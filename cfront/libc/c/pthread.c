/* Threads: pthread_create, join, detach, exit, self, equal.
   A thread id is the address of the thread's control block on the heap, which ends with the thread
   and its join or detachment: so ids are no small numbers, differ while their threads live, and may
   come again later. main's is a static object, and so is that of the one thread that is told apart
   where any number of them are asked about. */
#include "libc.h"

static struct thread first_thread, single_thread;
_Thread_local struct thread *__comus_self = &first_thread;

/* Whether this is the thread that is told apart. */
#define IS_SINGLE(t) (__comus_thread_many(0) && (t) == &single_thread)

static int is_static(struct thread *t) { return t == &first_thread || IS_SINGLE(t); }

struct thread *__comus_thread_of(pthread_t id) {
  struct thread *t = (struct thread *)id;
  __comus_undefined(is_static(t) || __comus_is_heap(t), "threads", "the id of a thread that was joined or detached, or of none");
  return t;
}

/* Whether the thread that is created here is told apart: any of them may be. */
static int is_single(void) {
  static int taken;
  int mine = 0;
  if (__comus_thread_many(1)) {
    __comus_atomic_begin();
    if (!taken && __comus_nondet_bool())
      mine = taken = 1;
    __comus_atomic_end();
  }
  return mine;
}

/* Nobody sees the thread before its number is known. Its id is stored when the rest of its control block is: until then nobody else can see the
   block, and what is put into it is no step that others see. */
#define BEGIN(t)                                                     \
  do {                                                               \
    (t)->result = 0;                                                 \
    (t)->joiner = 0;                                                 \
    (t)->cancelled = 0;                                              \
    if (__comus_wakeups())                                           \
      (t)->waiter.next = 0, (t)->waiter.woken = 0;                   \
    (t)->detached = attr && ((const struct attr *)attr)->detached;   \
    STORE_FIRST(t);                                                  \
    __comus_atomic_begin();                                          \
    (t)->id = __comus_thread_create(run, t, start, arg);             \
    __comus_atomic_end();                                            \
  } while (0)

/* Returns the new thread's id, which glibc stores before the thread runs. */
struct thread *__comus_thread_begin(pthread_t *id, const pthread_attr_t *attr, void *run, void *start, void *arg) {
  if (is_single()) {
    BEGIN(&single_thread);
    return &single_thread;
  }
  struct thread *t = __comus_alloc(sizeof *t);
  BEGIN(t);
  return t;
}

#ifdef COMUS_EXIT_FUNCTIONS
/* Whether no other thread is left. */
static int is_last(void) {
  for (unsigned long i = 0; i < __comus_thread_count(); i++)
    if (i != __comus_thread_self() && !__comus_thread_ended(i))
      return 0;
  return 1;
}
#endif

/* Ends this thread, whose result is stored. The program's last thread calls exit(0). */
void __comus_thread_end(void) {
  struct thread *t = __comus_self;
  KEY_DESTRUCTORS();
  __comus_atomic_begin();
#ifdef COMUS_EXIT_FUNCTIONS
  if (is_last()) {
    __comus_atomic_end();
    exit(0);
  }
#endif
  if (t->detached && !is_static(t))
    __comus_free(t);
  __comus_thread_exit();
}

static void run(struct thread *t, void *(*start)(void *), void *arg) {
  __comus_self = t;
  t->result = start(arg);
  __comus_thread_end();
}

int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg) {
#ifdef COMUS_PTHREAD_CREATE_MAY_FAIL
  if (__comus_nondet_bool()) {
    if (__comus_nondet_bool())
      *id = __comus_nondet_ulong();
    return EAGAIN;
  }
  STORES_FIRST();
  STORE_LAST(__comus_thread_begin(id, attr, run, start, arg));
  return 0;
#else
  STORES_FIRST();
  STORE_LAST(__comus_thread_begin(id, attr, run, start, arg));
  return __comus_assumed(0, "pthread_create does not fail");
#endif
}

void pthread_exit(void *result) {
  static _Thread_local int ending;
  __comus_undefined(!ending, "threads", "pthread_exit in a cleanup handler or destructor that it calls");
  ending = 1;
  __comus_self->result = result;
  RUN_CLEANUPS();
  __comus_thread_end();
}

pthread_t pthread_self(void) {
#ifdef COMUS_SIGNALS
  if (__comus_self == &first_thread && __comus_thread_self() != 0) { /* a handler, which interrupts any thread */
    __comus_approximation("a signal handler runs as a thread");
    if (__comus_nondet_bool())
      return __comus_nondet_ulong();
  }
#endif
  return (pthread_t)__comus_self;
}

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

/* Nobody else may join or have detached the thread. */
static void begin_join(struct thread *t) {
  __comus_atomic_begin();
  __comus_undefined(!t->detached, "threads", "join of a thread that was detached");
  __comus_undefined(!t->joiner, "threads", "join of a thread that another one joins");
  t->joiner = __comus_self;
  __comus_atomic_end();
}

static int end_join(struct thread *t, unsigned long n, void **result) {
  __comus_thread_joined(n);
  if (result)
    *result = t->result;
  if (!is_static(t))
    __comus_free(t);
  return 0;
}

/* As in glibc, two threads that join each other do not wait forever. */
#define JOIN(t)                                                      \
  do {                                                               \
    struct thread *mine = __comus_self->joiner;                      \
    if ((t) == __comus_self || (mine && mine == (t)))                \
      return EDEADLK;                                                \
    begin_join(t);                                                   \
    unsigned long n = (t)->id;                                       \
    __comus_atomic_begin();                                          \
    __comus_await(__comus_thread_ended(n) | IS_CANCELLED());         \
    if (!__comus_thread_ended(n)) {                                  \
      (t)->joiner = 0;                                               \
      __comus_atomic_end();                                          \
      CANCELLATION_POINT();                                          \
    } else                                                           \
      __comus_atomic_end();                                          \
    return end_join(t, n, result);                                    \
  } while (0)

int pthread_join(pthread_t id, void **result) {
  struct thread *t = __comus_thread_of(id);
  if (IS_SINGLE(t))
    JOIN(&single_thread);
  JOIN(t);
}

static int join_if_ended(struct thread *t, void **result) {
  if (!__comus_thread_ended(t->id))
    return 0;
  begin_join(t);
  end_join(t, t->id, result);
  return 1;
}

int pthread_tryjoin_np(pthread_t id, void **result) {
  return join_if_ended(__comus_thread_of(id), result) ? 0 : EBUSY;
}

/* Time passes between any two steps: a wait that ends in time is one that began later. */
int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock_id, const struct timespec *end) {
  struct thread *t = __comus_thread_of(id);
  if (clock_id != CLOCK_REALTIME && clock_id != CLOCK_MONOTONIC)
    return EINVAL;
  if (!end || (!__comus_valid_time(end) && !__comus_nondet_bool())) /* glibc waits forever for no time */
    return pthread_join(id, result);
  CANCELLATION_POINT();
  if (t == __comus_self || __comus_self->joiner == t)
    return EDEADLK;
  if (join_if_ended(t, result))
    return 0;
  return __comus_valid_time(end) ? ETIMEDOUT : EINVAL;
}

int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *end) {
  return pthread_clockjoin_np(id, result, CLOCK_REALTIME, end);
}

int pthread_detach(pthread_t id) {
  struct thread *t = __comus_thread_of(id);
  __comus_atomic_begin();
  __comus_undefined(!t->detached, "threads", "second detachment of a thread");
  __comus_undefined(!t->joiner, "threads", "detachment of a thread that is joined");
  t->detached = 1;
  if (__comus_thread_ended(t->id) && !is_static(t))
    __comus_free(t);
  __comus_atomic_end();
  return 0;
}
