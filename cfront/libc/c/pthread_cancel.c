/* Cancellation, as POSIX has it for deferred cancellation: a thread that was cancelled ends in its
   next cancellation point. A thread with asynchronous cancellation may end anywhere; here it ends
   in cancellation points, and as soon as it asks for that type. */
#include "libc.h"

static _Thread_local int state, type;

int __comus_is_cancelled(void);
/* No branch: in what is waited for, it tells how things are whenever that is looked at, and not how they were. */
int __comus_is_cancelled(void) { return (state == PTHREAD_CANCEL_ENABLE) & (__comus_self->cancelled != 0); }

void pthread_testcancel(void) {
  if (__comus_is_cancelled()) {
    state = PTHREAD_CANCEL_DISABLE;
    pthread_exit(PTHREAD_CANCELED);
  }
}

int pthread_cancel(pthread_t id) {
  struct thread *t = __comus_thread_of(id);
  t->cancelled = 1;
  if (t == __comus_self && type == PTHREAD_CANCEL_ASYNCHRONOUS)
    pthread_testcancel();
  return 0;
}

int pthread_setcancelstate(int to, int *old) {
  if (to != PTHREAD_CANCEL_ENABLE && to != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (old)
    *old = state;
  state = to;
  if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
    pthread_testcancel();
  return 0;
}

int pthread_setcanceltype(int to, int *old) {
  if (to != PTHREAD_CANCEL_DEFERRED && to != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  if (to == PTHREAD_CANCEL_ASYNCHRONOUS)
    __comus_assumption("a thread with asynchronous cancellation is cancelled in functions of the library only");
  if (old)
    *old = type;
  type = to;
  if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
    pthread_testcancel();
  return 0;
}
