/* pthread_once: 0 is not yet, 2 is done, as in glibc; -(id + 1) of the thread that is at it. */
#include "libc.h"

/* The function ended its thread: the next call runs it again. */
static void not_done(void *control) { *(pthread_once_t *)control = 0; }

int pthread_once(pthread_once_t *control, void (*function)(void)) {
  __comus_atomic_begin();
  __comus_await_from(*control >= 0, -*control);
  int done = *control == 2;
  if (!done)
    *control = -__comus_me();
  __comus_atomic_end();
  if (done)
    return 0;
  struct cleanup c = {0, 0, not_done, control};
  __comus_push_cleanup(&c);
  function();
  __comus_pop_cleanup();
  *control = 2;
  return 0;
}
