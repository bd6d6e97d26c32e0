#include "compare.h"

static void clocks(void) {
  struct timespec t, bad[] = {{0, -1}, {0, 1000000000}, {-1, 0}}, none = {0, 0};
  struct timeval v;
  for (int c = 0; c < 16; c++) {
    if (c == 8 || c == 9)
      continue;
    CALL(clock_gettime, (c, &t));
    CALL(clock_getres, (c, &t));
    CALL(clock_getres, (c, 0));
    CALL(clock_nanosleep, (c, 0, &bad[0], 0));
    if (c < 8 || c > 9)
      CALL(clock_nanosleep, (c, 0, &none, 0));
    CALL(clock_settime, (c, &bad[c % 3]));
  }
  for (int i = 0; i < 3; i++)
    CALL(nanosleep, (&bad[i], 0));
  CALL(nanosleep, (&none, &t));
  CALL(sleep, (0));
  CALL(usleep, (1));
  CALL(usleep, (2000000 * 0));
  CALL(gettimeofday, (&v, 0));
  CALL(timespec_get, (&t, 0));
  CALL(timespec_get, (&t, TIME_UTC));
  CHOOSE(12, 34);
  EXPECT(model_clock_gettime(0, &t) == 0 && t.tv_sec == 12 && t.tv_nsec == 34);
  CHOOSE(56);
  EXPECT(model_time(&t.tv_sec) == 56 && t.tv_sec == 56);
  CHOOSE(1, -1);
  OUTCOME(IMPOSSIBLE, clock_gettime, (0, &t));
  CHOOSE(8, 7999);
  EXPECT(model_clock() == 8000007);
  EXPECT(model_difftime(5, 3) == difftime(5, 3));
}

static int is_date(const struct tm *d) {
  return d && d->tm_hour >= 0 && d->tm_hour < 24 && d->tm_mday > 0 && d->tm_mday < 32 && d->tm_mon >= 0 && d->tm_mon < 12;
}

static void calendar(void) {
  time_t t = 1000000;
  struct tm d;
  char text[26];
  EXPECT(is_date(model_gmtime(&t)) && is_date(model_localtime(&t)) && model_gmtime(&t) == model_localtime(&t));
  EXPECT(model_gmtime_r(&t, &d) == &d && is_date(&d));
  EXPECT(model_localtime_r(&t, &d) == &d && is_date(&d));
  EXPECT(model_asctime_r(&d, text) == text && strlen(text) == 25);
  EXPECT(strlen(model_asctime(&d)) == 25 && model_ctime(&t) == model_asctime(&d));
  EXPECT(model_ctime_r(&t, text) == text && strlen(text) == 25);
  CHOOSE(1);
  EXPECT(!model_localtime(&t) && *model___errno_location() == EOVERFLOW);
}

static void scheduling(void) {
  for (int p = -2; p < 9; p++) {
    if (p == 7)
      continue;
    CALL(sched_get_priority_max, (p));
    CALL(sched_get_priority_min, (p));
  }
  CALL(sched_yield, ());
  for (int i = -2; i < 3; i++) {
    CALL(pthread_setconcurrency, (i));
    CALL(pthread_getconcurrency, ());
  }
  cpu_set_t s;
  CPU_ZERO(&s);
  CPU_SET(3, &s);
  CPU_SET(70, &s);
  CALL(__sched_cpucount, (sizeof s, &s));
  cpu_set_t *p = model___sched_cpualloc(100);
  EXPECT(p && model_malloc_usable_size(p) == 16);
  model___sched_cpufree(p);
  CHOOSE(3);
  EXPECT(model_sched_getcpu() == 3);
  CALL(sched_setaffinity, (0, sizeof s, W == worlds ? &s : (sched_getaffinity(0, sizeof s, &s), &s)));
  CHOOSE(EINVAL);
  CALL(sched_getaffinity, (0, 1, &s));
  OUTCOME(RETURNED, sched_getaffinity, (0, 8, &s));
#define ME (W == worlds ? model_pthread_self() : pthread_self())
  struct sched_param param = {0};
  CHOOSE(EINVAL);
  CALL(pthread_setschedparam, (ME, 99, &param));
  CALL(pthread_setschedparam, (ME, SCHED_OTHER, &param));
  CALL(pthread_getschedparam, (ME, (int *)&W->out[0], (struct sched_param *)&W->out[1]));
  CALL(pthread_setschedprio, (ME, 0));
  CHOOSE(EINVAL);
  CALL(pthread_setschedprio, (ME, 1000));
  OUTCOME(RETURNED, pthread_setaffinity_np, (ME, sizeof s, &s));
  OUTCOME(RETURNED, pthread_getaffinity_np, (ME, sizeof s, &s));
  CALL(pthread_setname_np, (ME, "0123456789abcdef"));
  CALL(pthread_setname_np, (ME, "0123456789abcde"));
  CALL(pthread_getname_np, (ME, W->text, 15));
  OUTCOME(RETURNED, pthread_getname_np, (ME, W->text, 16));
  memcpy(worlds[0].text, worlds[1].text, 16);
  clockid_t c;
  CALL(pthread_getcpuclockid, (ME, &c));
}

static void files(void) {
  char b[10];
  CALL(read, (-1, b, 1));
  CALL(write, (-1, b, 1));
  CALL(close, (-1));
  CALL(fsync, (-1));
  CALL(lseek, (-1, 0, 0));
  CALL(isatty, (-1));
  host_input = "xyz";
  EXPECT(model_read(0, b, 2) == 2 && b[0] == 'x' && model_read(0, b, 9) == 1 && model_read(0, b, 9) == 0);
  CHOOSE(0, 4);
  EXPECT(model_read(5, b, 9) == 4 && !memcmp(b, "hhhh", 4));
  CHOOSE(1, EIO);
  EXPECT(model_read(5, b, 9) == -1 && *model___errno_location() == EIO);
  host_output_length = 0;
  EXPECT(model_write(1, "abc", 3) == 3 && host_output_length == 3);
  CHOOSE(0, 2);
  EXPECT(model_write(1, "abc", 3) == 1 && host_output_length == 4);
  CHOOSE(1);
  EXPECT(model_isatty(0) == 1);
  CHOOSE(9);
  EXPECT(model_lseek(3, 0, 0) == 9 && model_fsync(3) == 0);
  host_output_length = 0;
}

static void processes(void) {
  EXPECT(model_getpid() > 0 && model_getpid() == model_getpid() && model_getppid() > 0 && model_gettid() > 0);
  OUTCOME(RETURNED, getuid, ());
  OUTCOME(RETURNED, geteuid, ());
  OUTCOME(RETURNED, getgid, ());
  OUTCOME(RETURNED, getegid, ());
  CALL(getpagesize, ());
  CALL(sysconf, (_SC_PAGESIZE));
  EXPECT(model_sysconf(_SC_NPROCESSORS_ONLN) == 1);
  CHOOSE(-1, 1);
  CALL(sysconf, (-1));
  EXPECT(model_fork() == 0);
  CHOOSE(5);
  EXPECT(model_vfork() == 5);
  CHOOSE(-1);
  EXPECT(model_fork() == -1 && *model___errno_location() == EAGAIN);
  int ends[2] = {-1, -1};
  EXPECT(model_pipe(ends) == 0 && ends[0] >= 0 && ends[1] >= 0);
  CHOOSE(1);
  EXPECT(model_pipe2(ends, 0) == -1 && *model___errno_location() == EMFILE);
  EXPECT(model__Fork() == 0 && model_daemon(1, 1) == 0);
  int terminal;
  char name[64] = "";
  CHOOSE(0, 7, 3);
  EXPECT(model_forkpty(&terminal, name, 0, 0) == 7 && terminal == 3 && strlen(name) < 20);
  EXPECT(model_pthread_atfork(0, 0, 0) == 0 && model___register_atfork(0, 0, 0, 0) == 0);
#define EXEC(f, args) OUTCOME(STOPPED, f, args); CHOOSE(1, ENOENT); CALL(f, args)
  char *argv[] = {0};
  EXEC(execve, ("/nothing", argv, argv));
  EXEC(execv, ("/nothing", argv));
  EXEC(execvp, ("/nothing", argv));
  EXEC(execvpe, ("/nothing", argv, argv));
  EXEC(execl, ("/nothing", "x", (char *)0));
  EXEC(execlp, ("/nothing", "x", (char *)0));
  EXEC(execle, ("/nothing", "x", (char *)0, argv));
  int status;
  CHOOSE(-1, ECHILD);
  CALL(waitpid, (-1, &status, 0));
  CHOOSE(7, 1, 1);
  EXPECT(model_wait(&status) == 7 && WIFEXITED(status) && WEXITSTATUS(status) == 1);
  CHOOSE(7, SIGSEGV - 1, 0, 1);
  EXPECT(model_waitpid(7, &status, 0) == 7 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV && WCOREDUMP(status));
  CHOOSE(9, SIGSTOP - 1, 0, 1);
  EXPECT(model_waitpid(7, &status, WUNTRACED) == 7 && WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
  CHOOSE(9, 0, 0, 1);
  EXPECT(model_waitpid(7, &status, WCONTINUED) == 7 && WIFCONTINUED(status));
  CHOOSE(0, EINTR);
  EXPECT(model_waitpid(-1, &status, 0) == -1);
  CHOOSE(0);
  EXPECT(model_waitpid(-1, &status, WNOHANG) == 0);
}

static int program(int argc, char **argv, char **env) { return argc + (argv == env); }

void compare_system(void) {
  clocks();
  calendar();
  scheduling();
  files();
  processes();
  OUTCOME(UNDEFINED, __comus_start, (program, 1, 0, 0)); /* exit was called before */
  jmp_buf b;
  if (!setjmp(b))
    model_longjmp(b, 0);
  if (!setjmp(b))
    model__longjmp(b, 1);
  if (!setjmp(b))
    model_siglongjmp(b, 1);
  if (!setjmp(b))
    model___longjmp_chk(b, 1);
}
