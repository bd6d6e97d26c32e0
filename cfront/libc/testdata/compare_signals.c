#include "compare.h"

static void sets(void) {
  CALL(sigemptyset, (&W->set));
  for (int i = 0; i < 300; i++) {
    int s = pick(70) - 2;
    if (s >= 32 && s < 34)
      continue; /* glibc's own */
    switch (pick(4)) {
    case 0: CALL(sigaddset, (&W->set, s)); break;
    case 1: CALL(sigdelset, (&W->set, s)); break;
    case 2:
      if (!pick(20))
        CALL(sigfillset, (&W->set));
      break;
    default: CALL(sigismember, (&W->set, s));
    }
  }
  for (int s = 0; s < 66; s++)
    CALL(sigismember, (&W->set, s));
}

static void masks(void) {
  for (int how = -1; how < 4; how++) {
    CALL(pthread_sigmask, (how, &W->set, &W->old));
    CALL(sigprocmask, (how, 0, &W->old));
    for (int s = 1; s < 65; s++)
      CALL(sigismember, (&W->old, s));
  }
  CALL(sigemptyset, (&W->set));
  CALL(sigprocmask, (SIG_SETMASK, &W->set, 0));
}

static int handled[2][70];
static void handle(int s) { handled[W - worlds][s]++; }
static void handle_info(int s, siginfo_t *i, void *p) { (void)p, handled[W - worlds][s] += 10 * (i->si_signo == s); }

#define IS_HANDLER(h) ((h) == SIG_DFL ? 0 : (h) == SIG_IGN ? 1 : (h) == SIG_ERR ? -1 : 2)

static void handlers(void) {
  struct sigaction a = {.sa_handler = handle}, b = {.sa_sigaction = handle_info, .sa_flags = SA_SIGINFO}, c = {.sa_handler = handle, .sa_flags = SA_RESETHAND};
  for (int s = 1; s < 32; s++)
    signal(s, SIG_DFL); /* whoever started the test may ignore some */
  for (int s = -1; s < 67; s++) {
    if ((s >= 32 && s < 34) || s == SIGALRM)
      continue;
    CALL(signal, (s, SIG_IGN));
    CALL(sigaction, (s, &a, 0));
    CALL(raise, (s == SIGKILL || s == SIGSTOP ? 0 : s));
    CALL(sigaction, (s, &b, 0));
    CALL(raise, (s == SIGKILL || s == SIGSTOP ? 0 : s));
    CALL(signal, (s, handle));
    CALL(pthread_kill, (W == worlds ? model_pthread_self() : pthread_self(), s == SIGKILL || s == SIGSTOP ? 0 : s));
    CALL(sigaction, (s, &c, 0));
    CALL(raise, (s == SIGKILL || s == SIGSTOP ? 0 : s));
    CALL(signal, (s, SIG_DFL));
    CALL(siginterrupt, (s, 0));
  }
  for (int s = 0; s < 70; s++)
    if (handled[0][s] != handled[1][s])
      printf("signal %d: %d, want %d\n", s, handled[0][s], handled[1][s]), EXPECT(0);
  for (int s = SIGCHLD; s < 30; s += 5)
    CALL(raise, (SIGCHLD));
  OUTCOME(TRAPPED, raise, (SIGTERM));
  OUTCOME(TRAPPED, pthread_kill, (model_pthread_self(), SIGUSR1));
  CHOOSE(0);
  CALL(kill, (getpid(), 0));
  CALL(kill, (getpid(), 99));
  CHOOSE(0, 1);
  OUTCOME(TRAPPED, kill, (1, SIGTERM));
  CHOOSE(1);
  EXPECT(model_kill(-77777, 0) == -1 && *model___errno_location() == ESRCH);
  CALL(pthread_kill, (W == worlds ? model_pthread_self() : pthread_self(), -1));
  CALL(signal, (SIGABRT, handle));
  handled[0][SIGABRT] = 0;
  OUTCOME(TRAPPED, abort, ());
  EXPECT(handled[0][SIGABRT] == 1);
  CALL(signal, (SIGABRT, SIG_DFL));
  host_nonblocking = 1; /* no handler comes */
  OUTCOME(BLOCKED, pause, ());
  OUTCOME(BLOCKED, sigsuspend, (&worlds[0].set));
  host_nonblocking = 0;
  int s = 0;
  CALL(sigaddset, (&W->set, SIGUSR2));
  CHOOSE(SIGUSR2);
  EXPECT(model_sigwait(&worlds[0].set, &s) == 0 && s == SIGUSR2);
  CHOOSE(SIGUSR1);
  OUTCOME(IMPOSSIBLE, sigwait, (&W->set, &s));
  CHOOSE(4);
  EXPECT(model_alarm(1) == 4);
  OUTCOME(RETURNED, __comus_raise_abort, ());
}

/* A handler's thread runs as often as it likes. */
static void delivery(void) {
  handled[0][SIGUSR1] = 0;
  CHOOSE(1, 1, 1, 0);
  W = &worlds[0];
  model_signal(SIGUSR1, handle);
  for (int i = 0; i < 1000 && handled[0][SIGUSR1] < 3; i++)
    usleep(1000);
  EXPECT(handled[0][SIGUSR1] == 0); /* its thread had begun in handlers, and had no choice left */
  CHOOSE(1, EINTR);
  EXPECT(model_nanosleep(&(struct timespec){5, 0}, 0) == -1 && *model___errno_location() == EINTR);
  CHOOSE(1, 3);
  EXPECT(model_sleep(5) == 3);
}

void compare_signals(void) {
  sets();
  masks();
  handlers();
  delivery();
}
