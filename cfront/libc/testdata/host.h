/* The intrinsics over real threads, for the tests: gcc includes this before the models. An await
   evaluates its condition again and again, so it is a macro. */
#ifndef HOST_H
#define HOST_H
#define COMUS_HOST
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define COMUS_CANCELLATION
#define COMUS_SIGNALS
#define COMUS_EXIT_FUNCTIONS
#define COMUS_KEYS
#define COMUS_CLEANUPS
#define COMUS_STREAM_LOCKS
#define COMUS_STREAM_BUFFERS
#define __comus_await(c) while (!(c)) host_wait()
#define __comus_await_from(c, giver) __comus_await(c)
void host_wait(void);
#ifdef COMUS_WAKEUPS
#define __comus_wakeups() 1
#else
#define __comus_wakeups() 0
#endif

#include <setjmp.h>
#include <stddef.h>

/* How a call of a model ends. */
enum outcome { RETURNED, UNDEFINED, BLOCKED, STOPPED, TRAPPED, FAILED_ASSERTION, IMPOSSIBLE };
extern __thread jmp_buf *host_guard;      /* where a call that does not return goes on */
extern __thread enum outcome host_outcome;
extern __thread const char *host_why;     /* it is undefined */
extern __thread int host_nonblocking;     /* an await that does not hold ends the call */
void host_leave(enum outcome o, const char *why);
void host_register(void);                 /* makes this thread one of the models' */

/* The choices to come, 0 behind them. */
void host_choose(int n, const long long *values);

/* What the models have written, and the input they get. */
extern char host_output[1 << 16];
extern size_t host_output_length;
extern const char *host_input;
#endif
