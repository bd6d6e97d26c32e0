/* Keys of threads. As in glibc, a key is a place in a table; the place's generation tells a value
   of the key from one of a key that was deleted. */
#include "libc.h"

static struct key {
  unsigned generation; /* 0 if there is none; else it differs from that of older keys */
  unsigned last;       /* the generation of the latest key here */
  void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];
static unsigned created; /* all keys are below */

static _Thread_local struct value {
  unsigned generation;
  void *value;
} values[PTHREAD_KEYS_MAX];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  unsigned k = 0;
  __comus_atomic_begin();
  while (k < created && keys[k].generation)
    k++;
  if (k < PTHREAD_KEYS_MAX) {
    if (k == created)
      created++;
    keys[k].generation = ++keys[k].last;
    keys[k].destructor = destructor;
  }
  __comus_atomic_end();
  if (k == PTHREAD_KEYS_MAX)
    return EAGAIN;
  *key = k;
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  __comus_undefined(key < PTHREAD_KEYS_MAX && keys[key].generation, "threads", "use of a key that was deleted, or never created");
  keys[key].generation = 0;
  return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  __comus_undefined(key < PTHREAD_KEYS_MAX && keys[key].generation, "threads", "use of a key that was deleted, or never created");
  values[key].generation = keys[key].generation;
  values[key].value = (void *)value;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  __comus_undefined(key < PTHREAD_KEYS_MAX && keys[key].generation, "threads", "use of a key that was deleted, or never created");
  return values[key].generation == keys[key].generation ? values[key].value : 0;
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
    unsigned char called[PTHREAD_KEYS_MAX] = {0};
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
