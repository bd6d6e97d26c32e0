/* Signals. A handler that is installed may run at any time: in a thread of its own, which interrupts another one until it ends, where
   __comus_interrupt can tell which one; masks do not hold it back. raise calls it at once, as it should, unless some thread has blocked it. */
#include "libc.h"

enum { NO_DEFER = 0x40000000, RESTORER = 0x04000000, RESTART = 0x10000000 }; /* flags on Linux */

static struct sigaction actions[NSIG];
static char delivers[NSIG]; /* how many threads there are for the signal */
static char no_restart[NSIG]; /* whether signal installs handlers without SA_RESTART, as siginterrupt wants it */
static char settled[NSIG];  /* whether it is known what is done with the signal: who runs a program may have ignored it */
#ifdef COMUS_SIGNALS
int __comus_signals, __comus_interrupting;
static char interrupts[NSIG]; /* whether it is counted there */
_Thread_local int __comus_handles;

/* For good. */
void __comus_wait_in_handler(void) {
  static int never;
  __comus_approximation("a signal handler runs as a thread");
  __comus_atomic_begin();
  __comus_await_from(never, __comus_me());
  __comus_atomic_end();
}
#endif

static int is_signal(int signal) { return signal > 0 && signal < NSIG; }

static int signal_fails(int why) {
  errno = why;
  return -1;
}

static int is_function(__sighandler_t h) { return h != SIG_DFL && h != SIG_IGN; }

/* What is done with a signal that nobody has set. */
static void settle(int signal) {
  __comus_atomic_begin();
  if (!settled[signal]) {
    settled[signal] = 1;
    if (signal != SIGKILL && signal != SIGSTOP && __comus_nondet_bool())
      actions[signal].sa_handler = SIG_IGN;
  }
  __comus_atomic_end();
}

static unsigned long bit_of(int signal) { return 1UL << ((size_t)(signal - 1) % (8 * sizeof(long))); }

/* Signals of which this thread runs the handler; in a thread that is there for handlers, without those that the interrupted thread runs. */
static _Thread_local unsigned long running[NSIG / (8 * sizeof(long)) + 1];

static _Thread_local int depth; /* how many handlers it is within */

static unsigned long *runs(int signal) { return &running[(size_t)(signal - 1) / (8 * sizeof(long))]; }

/* Takes what is done with a signal, in one step as the kernel does; whether that is a handler. */
static int takes(int signal, struct sigaction *a) {
  __comus_atomic_begin();
  *a = actions[signal];
  int is = is_function(a->sa_handler);
  if (is && a->sa_flags & SA_RESETHAND)
    actions[signal].sa_handler = SIG_DFL;
  __comus_atomic_end();
  return is;
}

static void call_handler(int signal) {
  struct sigaction a;
  if (!takes(signal, &a))
    return;
  unsigned long before = *runs(signal);
  if (!(a.sa_flags & NO_DEFER))
    *runs(signal) |= bit_of(signal);
  depth++;
  if (a.sa_flags & SA_SIGINFO) {
    siginfo_t info;
    __comus_havoc_bytes(&info, sizeof info);
    info.si_signo = signal;
    a.sa_sigaction(signal, &info, 0);
  } else
    a.sa_handler(signal);
  depth--;
  *runs(signal) = before;
}

/* Signals that some thread has blocked, or a handler while it runs: threads inherit that. */
static unsigned long blocked[NSIG / (8 * sizeof(long)) + 1];

/* Those that tell a thread what it has done itself: nobody sends them at other times. */
static int is_fault(int signal) {
  return signal == SIGILL || signal == SIGTRAP || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE || signal == SIGSEGV || signal == SIGPIPE || signal == SIGSYS;
}

/* This thread runs the handler of a signal from now on, and another one does nothing meanwhile. */
static void begin_handler(int signal) {
  int who = __comus_interrupt(signal, actions[signal].sa_flags & NO_DEFER);
#ifdef COMUS_SIGNALS
  __comus_handles = who;
#endif
  if (who < 0)
    __comus_approximation("a signal handler runs as a thread");
  else if (is_fault(signal) || blocked[(size_t)(signal - 1) / (8 * sizeof(long))] & bit_of(signal))
    __comus_approximation("a signal that may be blocked");
}

static _Thread_local char pausing; /* no handler has ended since this thread began to wait for one */

static void deliver(void *signal) {
  int s = (int)(intptr_t)signal;
  while (__comus_nondet_bool()) {
    begin_handler(s);
    call_handler(s);
    pausing = 0;
    __comus_resume();
  }
  __comus_thread_exit();
}

static void block(const sigset_t *set) {
  __comus_atomic_begin();
  for (size_t i = 0; i < 64 / (8 * sizeof(long)); i++) /* Linux has 64 signals */
    blocked[i] |= set->__val[i];
  __comus_atomic_end();
}

/* Whether a signal stays pending that a thread sends to itself. */
static int stays(int signal) {
  if (!((blocked[(size_t)(signal - 1) / (8 * sizeof(long))] | *runs(signal)) & bit_of(signal)) && !HANDLES())
    return 0;
  __comus_approximation("a signal that may be blocked");
  return __comus_nondet_bool();
}

#ifdef COMUS_THREADS
#define SEVERAL 1
#else
#define SEVERAL 0
#endif

/* A signal is held back in the thread only that its handler interrupts; with SA_NODEFER not even there. */
static void install(int signal, const struct sigaction *a) {
  int begin = 0, second = 0;
  __comus_atomic_begin();
  settled[signal] = 1;
  actions[signal] = *a;
  actions[signal].sa_flags |= RESTORER; /* glibc's own, which it gives back */
  if (is_function(a->sa_handler)) {
    begin = delivers[signal] == 0;
    second = delivers[signal] < 2 && (SEVERAL || a->sa_flags & NO_DEFER);
    delivers[signal] = (char)(delivers[signal] + begin + second);
  }
#ifdef COMUS_SIGNALS
  int now = is_function(a->sa_handler) && !(a->sa_flags & RESTART);
  __comus_interrupting += now - interrupts[signal];
  interrupts[signal] = (char)now;
#endif
  __comus_atomic_end();
#ifdef COMUS_SIGNALS
  __comus_signals = 1;
#endif
  if (begin)
    __comus_thread_create(deliver, (void *)(intptr_t)signal, 0, 0);
  if (second) {
    __comus_assumption("at most two executions of the handler of a signal go on at once");
    __comus_thread_create(deliver, (void *)(intptr_t)signal, 0, 0);
  }
}

int sigaction(int signal, const struct sigaction *a, struct sigaction *old) {
  if (!is_signal(signal) || (a && (signal == SIGKILL || signal == SIGSTOP)))
    return signal_fails(EINVAL);
  if (old) {
    settle(signal);
    *old = actions[signal];
  }
  if (a) {
    GIVEN(a->sa_handler);
    GIVEN(a->sa_flags);
    GIVEN(a->sa_mask.__val[0]);
    block(&a->sa_mask);
    install(signal, a);
  }
  return 0;
}

__sighandler_t signal(int signal, __sighandler_t handler) {
  struct sigaction a = {0};
  if (!is_signal(signal) || signal == SIGKILL || signal == SIGSTOP || handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  settle(signal);
  __sighandler_t old = actions[signal].sa_handler;
  a.sa_handler = handler;
  a.sa_flags = no_restart[signal] ? 0 : RESTART;
  install(signal, &a);
  return old;
}

/* What a signal does that has no handler: most end the program. */
static void act(int signal) {
  settle(signal);
  __sighandler_t h = actions[signal].sa_handler;
  if (is_function(h))
    call_handler(signal);
  else if (h == SIG_DFL && signal != SIGCHLD && signal != SIGCONT && signal != SIGURG && signal != SIGWINCH && (signal < SIGSTOP || signal > SIGTTOU))
    __comus_trap();
}

int raise(int signal) {
  if (signal == 0)
    return 0;
  if (!is_signal(signal))
    return signal_fails(EINVAL);
  if (!stays(signal))
    act(signal);
  return 0;
}

/* For abort, whose signal may have a handler. */
void __comus_raise_abort(void) {
  if (is_function(actions[SIGABRT].sa_handler))
    call_handler(SIGABRT);
}

/* Another process may be meant; a handler of this one runs at any time anyway. */
int kill(pid_t pid, int signal) {
  (void)pid;
  if (signal != 0 && !is_signal(signal))
    return signal_fails(EINVAL);
  if (__comus_nondet_bool()) {
    __comus_approximation("a signal to another process");
    return signal_fails(ESRCH);
  }
  if (signal != 0 && __comus_nondet_bool())
    act(signal);
  else if (signal != 0)
    __comus_approximation("a signal to another process");
  return 0;
}

int pthread_kill(pthread_t id, int signal) {
  struct thread *t = __comus_thread_of(id);
  if (signal < 0 || signal >= NSIG)
    return EINVAL;
  if (signal != 0 && (t == __comus_self || !is_function(actions[signal].sa_handler)) && !__comus_thread_ended(t->id) && !stays(signal))
    act(signal);
  return 0;
}

int sigemptyset(sigset_t *set) {
  *set = (sigset_t){{0}};
  return 0;
}

int sigfillset(sigset_t *set) {
  __comus_fill(set, 255, sizeof *set);
  set->__val[0] &= ~(3UL << 31); /* glibc keeps 32 and 33 for itself */
  return 0;
}

/* Where the bit of a signal is; null if it is none. */
static unsigned long *word_of(sigset_t *set, int signal) {
  if (!is_signal(signal)) {
    errno = EINVAL;
    return 0;
  }
  unsigned long *w = &set->__val[(size_t)(signal - 1) / (8 * sizeof(long))];
  GIVEN(*w);
  return w;
}

int sigaddset(sigset_t *set, int signal) {
  unsigned long *w = word_of(set, signal);
  if (!w)
    return -1;
  *w |= bit_of(signal);
  return 0;
}

int sigdelset(sigset_t *set, int signal) {
  unsigned long *w = word_of(set, signal);
  if (!w)
    return -1;
  *w &= ~bit_of(signal);
  return 0;
}

int sigismember(const sigset_t *set, int signal) {
  unsigned long *w = word_of((sigset_t *)set, signal);
  return w ? (*w & bit_of(signal)) != 0 : -1;
}

static _Thread_local sigset_t mask;
static _Thread_local int masked; /* whether it is known */

/* A thread begins with the mask of who creates it. */
static void inherit(void) {
  if (masked)
    return;
  masked = 1;
  __comus_assumption("no signal is blocked when the program starts");
  if (__comus_thread_self() != 0) {
    __comus_approximation("the signals that a thread inherits as blocked");
    for (size_t i = 0; i < 64 / (8 * sizeof(long)); i++)
      mask.__val[i] = blocked[i] & __comus_nondet_ulong();
    sigdelset(&mask, SIGKILL);
    sigdelset(&mask, SIGSTOP);
  }
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
    return EINVAL;
  inherit();
  sigset_t was = mask;
  if (depth > 0) { /* the signal of the handler, and those of its sa_mask, which are noted with others only */
    __comus_approximation("the signals that a thread inherits as blocked");
    for (size_t i = 0; i < 64 / (8 * sizeof(long)); i++)
      was.__val[i] |= (running[i] | blocked[i]) & __comus_nondet_ulong();
  }
  for (size_t i = 0; set && i < 64 / (8 * sizeof(long)); i++) { /* Linux has 64 signals */
    unsigned long s = set->__val[i];
    GIVEN(set->__val[i]);
    mask.__val[i] = how == SIG_BLOCK ? was.__val[i] | s : how == SIG_UNBLOCK ? was.__val[i] & ~s : s;
  }
  if (set) {
    block(&mask);
    sigdelset(&mask, SIGKILL);
    sigdelset(&mask, SIGSTOP);
  }
  if (old)
    *old = was;
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int e = pthread_sigmask(how, set, old);
  return e ? signal_fails(e) : 0;
}

/* Waits until a handler has run in this thread: whether one does, nobody knows where there are several. Where threads are asked for that wait for good, it is taken for
   granted that one does. */
int pause(void) {
  CANCELLATION_POINT();
  int ends = __comus_wakeups() == 1 || (SEVERAL && __comus_nondet_bool());
  pausing = 1;
  __comus_atomic_begin();
  __comus_await((pausing == 0) | ends);
  __comus_atomic_end();
  if (pausing)
    __comus_approximation("a wait for a signal");
  return signal_fails(EINTR);
}

int sigsuspend(const sigset_t *set) {
  sigset_t mask = *set;
  (void)mask;
  GIVEN(set->__val[0]);
  return pause();
}

int sigwait(const sigset_t *set, int *signal) {
  CANCELLATION_POINT();
  int s = __comus_nondet_int();
  __comus_assume(is_signal(s) && sigismember(set, s) == 1);
  *signal = s;
  return 0;
}

int siginterrupt(int signal, int flag) {
  struct sigaction a;
  if (sigaction(signal, 0, &a) < 0)
    return -1;
  no_restart[signal] = flag != 0;
  a.sa_flags = flag ? a.sa_flags & ~RESTART : a.sa_flags | RESTART;
  return sigaction(signal, &a, 0);
}

unsigned alarm(unsigned seconds) {
  (void)seconds;
  return __comus_nondet_uint();
}
