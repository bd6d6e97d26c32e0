/* Keys of threads. As in glibc, a key is a place in a table; the place's generation tells a value
   of the key from one of a key that was deleted. Few programs use more than a handful, and each costs; more than KEYS
   are an approximation. */
#include "libc.h"

#ifdef COMUS_HOST
#define KEYS PTHREAD_KEYS_MAX
#else
#define KEYS 8
#endif

static struct key {
  unsigned generation; /* 0 if there is none; else it differs from that of older keys */
  unsigned last;       /* the generation of the latest key here */
  void (*destructor)(void *);
} keys[KEYS];
static unsigned created; /* all keys are below */

static _Thread_local struct value {
  unsigned generation;
  void *value;
} values[KEYS];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  unsigned k = 0;
  __comus_atomic_begin();
  while (k < created && keys[k].generation)
    k++;
  if (k < KEYS) {
    if (k == created)
      created = k + 1;
    keys[k].generation = ++keys[k].last;
    keys[k].destructor = destructor;
  }
  __comus_atomic_end();
  if (k == KEYS) {
    if (KEYS < PTHREAD_KEYS_MAX) {
      __comus_approximation("more keys of threads than are modelled");
      __comus_assert(0, "pthread_key_create");
    }
    return EAGAIN;
  }
  *key = k;
  return 0;
}

static void check_key(pthread_key_t key) {
  __comus_undefined(key < KEYS && keys[key].generation, "threads", "use of a key that was deleted, or never created");
}

int pthread_key_delete(pthread_key_t key) {
  __comus_atomic_begin();
  check_key(key);
  keys[key].generation = 0;
  __comus_atomic_end();
  return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  __comus_atomic_begin();
  check_key(key);
  values[key].generation = keys[key].generation;
  __comus_atomic_end();
  values[key].value = (void *)value;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  __comus_atomic_begin();
  check_key(key);
  int current = values[key].generation == keys[key].generation;
  __comus_atomic_end();
  return current ? values[key].value : 0;
}

static int is_pending(unsigned k) {
  return values[k].value && values[k].generation == keys[k].generation;
}

/* Any key that is pending and has not been called in this round, or CREATED. */
static unsigned pick(const unsigned char *called) {
  unsigned k = 0;
  while (k < created && (!is_pending(k) || called[k]))
    k++;
  if (k == created)
    return k;
  for (unsigned i = k + 1; i < created; i++)
    if (is_pending(i) && !called[i] && __comus_nondet_bool())
      k = i;
  return k;
}

/* The end of a thread: destructors are called for values other than null, in any order, and again
   for values that destructors have set. Values without a destructor may become null, as in glibc. */
void __comus_key_destructors(void);
void __comus_key_destructors(void) {
  for (int turn = 0; created > 0 && turn < PTHREAD_DESTRUCTOR_ITERATIONS; turn++) {
    unsigned char called[KEYS] = {0};
    unsigned k;
    int any = 0;
    while ((k = pick(called)) < created) {
      void *value = values[k].value;
      void (*destructor)(void *) = keys[k].destructor;
      called[k] = 1;
      if (!destructor && __comus_nondet_bool())
        continue;
      values[k].value = 0;
      if (destructor) {
        any = 1;
        destructor(value);
      }
    }
    if (!any)
      return;
  }
}
