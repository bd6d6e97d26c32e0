/* The end of the program: exit, atexit, on_exit, quick_exit, abort. */
#include "libc.h"

struct handler {
  struct handler *next;
  void (*plain)(void);
  void (*with_status)(int, void *);
  void *arg;
};
static struct handler *at_exit, *at_quick;

static int add_handler(struct handler **list, void (*plain)(void), void (*with_status)(int, void *), void *arg) {
  struct handler *h = __comus_alloc(sizeof *h);
  h->plain = plain;
  h->with_status = with_status;
  h->arg = arg;
  __comus_atomic_begin();
  h->next = *list;
  *list = h;
  __comus_atomic_end();
  return 0;
}

int atexit(void (*function)(void)) {
  return add_handler(&at_exit, function, 0, 0);
}

int on_exit(void (*function)(int, void *), void *arg) {
  return add_handler(&at_exit, 0, function, arg);
}

/* The last one first, also those that functions add. */
static void call_handlers(struct handler **list, int status) {
  while (*list) {
    struct handler *h = *list;
    *list = h->next;
    if (h->plain)
      h->plain();
    else
      h->with_status(status, h->arg);
  }
}

#ifdef COMUS_EXIT_FUNCTIONS
/* main's return is a call, too. A thread that calls exit while another one is at it waits for the end. */
static void begin_exit(void) {
  static int exiting; /* the thread's id + 1 */
  __comus_atomic_begin();
  __comus_await_from(exiting == 0 || exiting == __comus_me(), exiting);
  __comus_undefined(exiting == 0, "threads", "call of exit in a function that exit calls");
  exiting = __comus_me();
  __comus_atomic_end();
}
#endif

void exit(int status) {
#ifdef COMUS_EXIT_FUNCTIONS
  begin_exit();
  call_handlers(&at_exit, status);
#endif
  __comus_stop(status);
}

int at_quick_exit(void (*function)(void)) { return add_handler(&at_quick, function, 0, 0); }

void quick_exit(int status) {
  call_handlers(&at_quick, status);
  __comus_stop(status);
}

void _exit(int status) { __comus_stop(status); }
void _Exit(int status) { __comus_stop(status); }

void abort(void) {
#ifdef COMUS_SIGNALS
  __comus_raise_abort();
#endif
  __comus_trap();
}

/* Where the program begins. */
void __comus_start(int (*main)(int, char **, char **), int argc, char **argv, char **environment) {
  exit(main(argc, argv, environment));
}
