#include "compare.h"

static sem_t gate[2];


static int in_model(void *arg) { return (intptr_t)arg == 0; }
static void *returns(void *arg) { return arg; }
static void *exits(void *arg) { in_model(arg) ? model_pthread_exit((void *)6) : pthread_exit((void *)6); }

static void *waits_at_gate(void *arg) {
  while (sem_wait(&gate[in_model(arg)]))
    ;
  return (void *)17;
}

static void open_gates(void) { sem_post(&gate[0]), sem_post(&gate[1]); }

#define WHICH ((void *)(intptr_t)(W - worlds))

static void joins(void) {
  struct timespec past = {1, 0};
  CALL(pthread_create, (&W->thread[0], 0, returns, (void *)5));
  CALL(pthread_join, (W->thread[0], (void **)&W->out[0]));
  OUTCOME(UNDEFINED, pthread_join, (W->thread[0], 0));
  OUTCOME(UNDEFINED, pthread_detach, (W->thread[0]));
  CALL(pthread_create, (&W->thread[0], 0, waits_at_gate, WHICH));
  CALL(pthread_create, (&W->thread[1], 0, waits_at_gate, WHICH));
  EXPECT(worlds[0].thread[0] != worlds[0].thread[1] && worlds[0].thread[0] > 100000);
  CALL(pthread_equal, (W->thread[0], W->thread[1]) != 0);
  CALL(pthread_tryjoin_np, (W->thread[0], (void **)&W->out[0]));
  CALL(pthread_timedjoin_np, (W->thread[0], (void **)&W->out[0], &past));
  for (int c = -1; c < 4; c++)
    CALL(pthread_clockjoin_np, (W->thread[0], (void **)&W->out[0], c, &past));
  CALL(pthread_detach, (W->thread[1]));
  OUTCOME(UNDEFINED, pthread_detach, (W->thread[1]));
  OUTCOME(UNDEFINED, pthread_join, (W->thread[1], 0));
  open_gates(), open_gates();
  host_nonblocking = 0;
  CALL(pthread_clockjoin_np, (W->thread[0], (void **)&W->out[0], 1, 0));
  CALL(pthread_join, (W == worlds ? model_pthread_self() : pthread_self(), 0));
  CALL(pthread_timedjoin_np, (W == worlds ? model_pthread_self() : pthread_self(), 0, &past));
  CALL(pthread_tryjoin_np, (W == worlds ? model_pthread_self() : pthread_self(), 0));
  OUTCOME(UNDEFINED, pthread_join, (0, 0));
  OUTCOME(UNDEFINED, pthread_join, (12345, 0));
  CALL(pthread_attr_init, (&W->attr));
  CALL(pthread_attr_setdetachstate, (&W->attr, PTHREAD_CREATE_DETACHED));
  CALL(pthread_create, (&W->thread[0], &W->attr, waits_at_gate, WHICH));
  OUTCOME(UNDEFINED, pthread_join, (W->thread[0], 0));
  open_gates();
}

static char log_[2][100];
#define LOG log_[W - worlds]

static void say(void *s) { strcat(LOG, s); }

/* Handlers are called in reverse order, and so are nested blocks. */
static void *with_handlers(void *arg) {
  W = &worlds[(intptr_t)arg];
  if (W == worlds) {
    model___comus_cleanup_push(say, "a");
    struct _pthread_cleanup_buffer b;
    model__pthread_cleanup_push(&b, say, "b");
    model__pthread_cleanup_pop(&b, 1);
    model__pthread_cleanup_push(&b, say, "x");
    model__pthread_cleanup_pop(&b, 0);
    model___comus_cleanup_push(say, "c");
    model_pthread_exit((void *)3);
  }
  pthread_cleanup_push(say, "a");
  pthread_cleanup_push(say, "b");
  pthread_cleanup_pop(1);
  pthread_cleanup_push(say, "x");
  pthread_cleanup_pop(0);
  pthread_cleanup_push(say, "c");
  pthread_exit((void *)3);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}

/* What the macros of glibc expand to, with the model's functions. */
static void *with_jumps(void *arg) {
  W = &worlds[(intptr_t)arg];
  if (W != worlds)
    return with_handlers(arg);
  __pthread_unwind_buf_t a, b;
  if (setjmp(*(jmp_buf *)a.__cancel_jmp_buf)) {
    say("a");
    model___pthread_unwind_next(&a);
  }
  model___pthread_register_cancel(&a);
  model___pthread_register_cancel_defer(&b);
  model___pthread_unregister_cancel_restore(&b);
  say("b");
  if (setjmp(*(jmp_buf *)b.__cancel_jmp_buf)) {
    say("c");
    model___pthread_unwind_next(&b);
  }
  model___pthread_register_cancel(&b);
  model_pthread_exit((void *)3);
  model___pthread_unregister_cancel(&b);
}

static void run_both(void *(*f)(void *)) {
  memset(log_, 0, sizeof log_);
  CALL(pthread_create, (&W->thread[0], 0, f, WHICH));
  CALL(pthread_join, (W->thread[0], (void **)&W->out[0]));
  if (strcmp(log_[0], log_[1]))
    printf("log %s, want %s\n", log_[0], log_[1]), EXPECT(0);
}

static pthread_key_t keys[2][3];
#define KEY(i) keys[W - worlds][i]
#define SET(i, v) (W == worlds ? model_pthread_setspecific(KEY(i), v) : pthread_setspecific(KEY(i), v))

/* The first is called once in each of the rounds, the second sets the third's value. */
static void destroy_first(void *v) { strcat(LOG, "1"), SET(0, v); }
static void destroy_second(void *v) { strcat(LOG, "2"), SET(2, v); }
static void destroy_third(void *v) { strcat(LOG, v); }

static void *with_keys(void *arg) {
  W = &worlds[(intptr_t)arg];
  SET(0, "v"), SET(1, "w");
  return (W == worlds ? model_pthread_getspecific(KEY(0)) : pthread_getspecific(KEY(0))) ? (void *)1 : 0;
}

static void key_sequences(void) {
  CALL(pthread_key_create, (&KEY(0), destroy_first));
  CALL(pthread_key_create, (&KEY(1), destroy_second));
  CALL(pthread_key_create, (&KEY(2), destroy_third));
  run_both(with_keys);
  CALL(pthread_setspecific, (KEY(0), (void *)8));
  CALL(pthread_getspecific, (KEY(0)));
  CALL(pthread_key_delete, (KEY(0)));
  OUTCOME(UNDEFINED, pthread_getspecific, (KEY(0)));
  OUTCOME(UNDEFINED, pthread_setspecific, (KEY(0), 0));
  OUTCOME(UNDEFINED, pthread_key_delete, (KEY(0)));
  OUTCOME(UNDEFINED, pthread_getspecific, (99999));
  CALL(pthread_key_create, (&KEY(0), 0));
  CALL(pthread_getspecific, (KEY(0))); /* not the old key's value */
  int k = 0;
  pthread_key_t key, first = 0;
  while (model_pthread_key_create(&key, 0) == 0)
    first = k++ ? first : key;
  EXPECT(k == PTHREAD_KEYS_MAX - 3 && model_pthread_key_create(&key, 0) == EAGAIN);
  for (key = first; k-- > 0; key++)
    model_pthread_key_delete(key);
  CALL(tss_create, (&W->tss, destroy_third));
  CALL(tss_set, (W->tss, (void *)4));
  CALL(tss_get, (W->tss));
  VOID(tss_delete, (W->tss));
}

static int once_calls[2], once_exits[2];
static void once_function(void) { once_calls[W - worlds]++; }
static void once_exit(void) {
  if (once_exits[W - worlds]++ == 0)
    W == worlds ? model_pthread_exit(0) : pthread_exit(0);
}
static once_flag flags[2];

static void *with_once(void *arg) {
  W = &worlds[(intptr_t)arg];
  W == worlds ? model_pthread_once(&W->once, once_exit) : pthread_once(&W->once, once_exit);
  return (void *)9;
}

static void once(void) {
  for (int i = 0; i < 3; i++) {
    CALL(pthread_once, (&W->once, once_function));
    VOID(call_once, (&flags[W - worlds], once_function));
  }
  EXPECT(once_calls[0] == 2 && once_calls[1] == 2);
  worlds[0].once = worlds[1].once = PTHREAD_ONCE_INIT;
  for (int i = 0; i < 3; i++)
    run_both(with_once);
  EXPECT(once_exits[0] == 2 && once_exits[1] == 2);
}

static pthread_mutex_t robust[2][2];

static void *dies_with_mutex(void *arg) {
  W = &worlds[(intptr_t)arg];
  for (int i = 0; i < 2; i++)
    W == worlds ? model_pthread_mutex_lock(&robust[0][i]) : pthread_mutex_lock(&robust[1][i]);
  return 0;
}

static void robust_mutexes(void) {
  for (int kind = 0; kind < 3; kind++) {
    CALL(pthread_mutexattr_init, (&W->mutexattr));
    CALL(pthread_mutexattr_setrobust, (&W->mutexattr, PTHREAD_MUTEX_ROBUST));
    CALL(pthread_mutexattr_settype, (&W->mutexattr, kind));
    for (int i = 0; i < 2; i++)
      CALL(pthread_mutex_init, (&robust[W - worlds][i], &W->mutexattr));
    run_both(dies_with_mutex);
    CALL(pthread_mutex_lock, (&robust[W - worlds][0]));
    CALL(pthread_mutex_consistent, (&robust[W - worlds][0]));
    CALL(pthread_mutex_consistent, (&robust[W - worlds][0]));
    CALL(pthread_mutex_unlock, (&robust[W - worlds][0]));
    CALL(pthread_mutex_unlock, (&robust[W - worlds][0]));
    CALL(pthread_mutex_lock, (&robust[W - worlds][0]));
    CALL(pthread_mutex_unlock, (&robust[W - worlds][0]));
    CALL(pthread_mutex_trylock, (&robust[W - worlds][1]));
    CALL(pthread_mutex_trylock, (&robust[W - worlds][1]));
    if (kind == 1)
      CALL(pthread_mutex_unlock, (&robust[W - worlds][1]));
    CALL(pthread_mutex_unlock, (&robust[W - worlds][1]));
    CALL(pthread_mutex_lock, (&robust[W - worlds][1]));
    CALL(pthread_mutex_unlock, (&robust[W - worlds][1]));
    CALL(pthread_mutex_trylock, (&robust[W - worlds][1])); /* after which glibc crashes in an unlock */
    CALL(pthread_mutex_destroy, (&robust[W - worlds][1]));
  }
}

static int c11_returns(void *arg) { return (int)(intptr_t)arg; }
static int c11_exits(void *arg) { (intptr_t)arg == 0 ? model_thrd_exit(-5) : thrd_exit(-5); }

static void c11_threads(void) {
  struct timespec none = {0, 1}, wrong = {0, -1};
  CALL(thrd_create, (&W->thrd[0], c11_returns, (void *)-3));
  CALL(thrd_join, (W->thrd[0], (int *)&W->out[0]));
  CALL(thrd_create, (&W->thrd[0], c11_exits, WHICH));
  CALL(thrd_join, (W->thrd[0], (int *)&W->out[0]));
  CALL(thrd_create, (&W->thrd[0], c11_returns, 0));
  CALL(thrd_detach, (W->thrd[0]));
  EXPECT(model_thrd_equal(model_thrd_current(), model_thrd_current()));
  VOID(thrd_yield, ());
  CALL(thrd_sleep, (&none, 0));
  CALL(thrd_sleep, (&wrong, 0));
}

static void *is_cancelled(void *arg) {
  W = &worlds[(intptr_t)arg];
  if (W == worlds) {
    model___comus_cleanup_push(say, "h");
    model_pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    while (sem_wait(&gate[1]))
      ;
    model_pthread_testcancel();
    say("t");
    model_pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    model_pthread_testcancel();
  }
  pthread_cleanup_push(say, "h");
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  while (sem_wait(&gate[0]))
    ;
  pthread_testcancel();
  say("t");
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_testcancel();
  pthread_cleanup_pop(0);
  return 0;
}

static sem_t never[2]; /* nobody posts them */

static void *waits_and_is_cancelled(void *arg) {
  W = &worlds[(intptr_t)arg];
  W == worlds ? model_sem_wait(&never[0]) : sem_wait(&never[1]);
  return 0;
}

static void cancellation(void) {
  memset(log_, 0, sizeof log_);
  CALL(pthread_create, (&W->thread[0], 0, is_cancelled, WHICH));
  CALL(pthread_cancel, (W->thread[0]));
  open_gates();
  CALL(pthread_join, (W->thread[0], (void **)&W->out[0]));
  EXPECT(!strcmp(log_[0], "th") && !strcmp(log_[1], "th") && worlds[0].out[0] == -1);
  CALL(pthread_create, (&W->thread[0], 0, waits_and_is_cancelled, WHICH));
  CALL(pthread_cancel, (W->thread[0]));
  CALL(pthread_join, (W->thread[0], (void **)&W->out[0]));
  for (int i = -1; i < 3; i++) {
    CALL(pthread_setcancelstate, (i, (int *)&W->out[0]));
    CALL(pthread_setcanceltype, (i, (int *)&W->out[0]));
  }
  CALL(pthread_setcanceltype, (0, 0));
  CALL(pthread_setcancelstate, (0, 0));
}

/* Two rounds of two threads: one of each round is the serial one. */
static void *at_barrier(void *arg) {
  W = &worlds[(intptr_t)arg];
  intptr_t n = 0;
  for (int i = 0; i < 50; i++)
    n += (W == worlds ? model_pthread_barrier_wait(&W->barrier) : pthread_barrier_wait(&W->barrier)) != 0;
  return (void *)n;
}

static void barrier_rounds(void) {
  CALL(pthread_barrier_init, (&W->barrier, 0, 2));
  for (int i = 0; i < 2; i++)
    CALL(pthread_create, (&W->thread[i], 0, at_barrier, WHICH));
  long serial[2] = {0, 0};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      void *n;
      W = &worlds[k];
      EXPECT((k ? pthread_join(W->thread[i], &n) : model_pthread_join(W->thread[i], &n)) == 0);
      serial[k] += (intptr_t)n;
    }
  EXPECT(serial[0] == 50 && serial[1] == 50);
  CALL(pthread_barrier_destroy, (&W->barrier));
}

void compare_threads(void) {
  sem_init(&gate[0], 0, 0), sem_init(&gate[1], 0, 0);
  model_sem_init(&never[0], 0, 0), sem_init(&never[1], 0, 0);
  joins();
  run_both(exits);
  run_both(with_handlers);
  run_both(with_jumps);
  key_sequences();
  once();
  robust_mutexes();
  c11_threads();
  cancellation();
  barrier_rounds();
  host_nonblocking = 1;
  struct __pthread_cleanup_frame frame = {say, "f", 0, 0};
  model___pthread_cleanup_routine(&frame);
  frame.__do_it = 1;
  memset(log_, 0, sizeof log_);
  model___pthread_cleanup_routine(&frame);
  EXPECT(!strcmp(LOG, "f"));
}
