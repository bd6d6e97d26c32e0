/* pthread_cleanup_push and pop. Without exceptions glibc's macros expand to a __sigsetjmp, where
   pthread_exit jumps back to call the handler, and to a registration:

     __pthread_unwind_buf_t buf;
     if (__sigsetjmp_cancel(buf.__cancel_jmp_buf, 0)) { handler(arg); __pthread_unwind_next(&buf); }
     __pthread_register_cancel(&buf); do { … } while (0); __pthread_unregister_cancel(&buf);
     if (execute) handler(arg);                                                                    */
#include "libc.h"

static _Thread_local struct cleanup *cleanups;

void __comus_push_cleanup(struct cleanup *c) {
  c->next = cleanups;
  cleanups = c;
}

void __comus_pop_cleanup(void) { cleanups = cleanups->next; }

/* Calls the handlers; it does not return if one of them is called where a jump leads to, which goes
   on with __pthread_unwind_next. */
void __comus_run_cleanups(void);
void __comus_run_cleanups(void) {
  while (cleanups) {
    struct cleanup *c = cleanups;
    cleanups = c->next;
    if (c->jump)
      __comus_longjmp(c->jump, 1);
    c->routine(c->arg);
  }
}

void __pthread_register_cancel(__pthread_unwind_buf_t *buf) {
  struct cleanup *c = (void *)buf->__pad;
  c->jump = buf;
  __comus_push_cleanup(c);
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf) {
  (void)buf;
  __comus_pop_cleanup();
}

/* pthread_cleanup_push_defer_np: asynchronous cancellation is modelled as deferred anyway. */
void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf) { __pthread_register_cancel(buf); }

void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf) { __pthread_unregister_cancel(buf); }

void __pthread_unwind_next(__pthread_unwind_buf_t *buf) {
  (void)buf;
  __comus_run_cleanups();
  __comus_thread_end();
}

/* The form without jumps: of comus's own headers, and of programs built for old glibcs. */
void __comus_cleanup_push(void (*routine)(void *), void *arg) {
  struct cleanup *c = __comus_alloc(sizeof *c);
  c->jump = 0;
  c->routine = routine;
  c->arg = arg;
  __comus_push_cleanup(c);
}

void __comus_cleanup_pop(int execute) {
  struct cleanup *c = cleanups;
  cleanups = c->next;
  if (execute)
    c->routine(c->arg);
  __comus_free(c);
}

void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *arg) {
  buffer->__routine = routine;
  buffer->__arg = arg;
  __comus_cleanup_push(routine, arg);
}

void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute) {
  (void)buffer;
  __comus_cleanup_pop(execute);
}

/* What the macros expand to with -fexceptions: only the end of the block calls the handler there,
   pthread_exit does not. */
void __pthread_cleanup_routine(struct __pthread_cleanup_frame *frame) {
  if (frame->__do_it)
    frame->__cancel_routine(frame->__cancel_arg);
}
