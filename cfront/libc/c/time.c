/* <time.h>: any time, which need not go on from call to call but for clocks that nobody sets; sleeping takes any time. */
#include "libc.h"

/* A time as the system has it: not before 1970, and not after the last that Linux lets anyone set, of 2232. It counts
   nanoseconds in 64 bits, which these have room for, and for 30 years more. */
#ifdef __LP64__
#define LAST_SECOND 8277292035L
#else
#define LAST_SECOND LONG_MAX
#endif
static time_t any_seconds(void) {
  long s = __comus_nondet_long();
  __comus_assume(s >= 0 && s <= LAST_SECOND);
  return s;
}

static long any_part(long parts) {
  long n = __comus_nondet_long();
  __comus_assume(n >= 0 && n < parts);
  return n;
}

time_t time(time_t *to) {
  time_t t = any_seconds();
  if (to)
    *to = t;
  return t;
}

/* As glibc has it; in 32 bits it goes round. */
clock_t clock(void) {
#ifdef __LP64__
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
#else
  return __comus_nondet_long();
#endif
}

double difftime(time_t a, time_t b) { return (double)a - (double)b; }

/* The clocks of Linux; those that wake the machine, and those of other processes and threads, which have
   negative numbers, may be there or not. */
static int is_clock(clockid_t clock_id) {
  if (clock_id < 0 || clock_id == 8 || clock_id == 9)
    return !__comus_nondet_bool();
  return clock_id <= CLOCK_TAI && clock_id != 10;
}

static int time_fails(int why) {
  errno = why;
  return -1;
}

/* What the clocks have shown that nobody sets: they never go back. That of processor time is each thread's own. */
static struct timespec shown[CLOCK_BOOTTIME + 1];
static _Thread_local struct timespec shown_to_thread;

static int is_set(clockid_t clock_id) {
  return clock_id < 0 || clock_id > CLOCK_BOOTTIME || clock_id == CLOCK_REALTIME || clock_id == CLOCK_REALTIME_COARSE;
}

/* It has values, no pointers: it is called within atomic sections for what threads share, and without for what is each thread's own. */
static struct timespec not_before(struct timespec last, struct timespec t) {
  return t.tv_sec < last.tv_sec || (t.tv_sec == last.tv_sec && t.tv_nsec < last.tv_nsec) ? last : t;
}

int clock_gettime(clockid_t clock_id, struct timespec *to) {
  if (!is_clock(clock_id))
    return time_fails(EINVAL);
  struct timespec t = {any_seconds(), any_part(1000000000)};
  if (clock_id == CLOCK_THREAD_CPUTIME_ID) {
    t = shown_to_thread = not_before(shown_to_thread, t);
  } else if (!is_set(clock_id)) {
    __comus_atomic_begin();
    t = shown[clock_id] = not_before(shown[clock_id], t);
    __comus_atomic_end();
  }
  *to = t;
  return 0;
}

int clock_getres(clockid_t clock_id, struct timespec *to) {
  if (!is_clock(clock_id))
    return time_fails(EINVAL);
  if (to) {
    to->tv_sec = any_seconds();
    to->tv_nsec = any_part(1000000000);
  }
  return 0;
}

int clock_settime(clockid_t clock_id, const struct timespec *t) {
  if (!__comus_valid_time(t) || t->tv_sec < 0 || clock_id != CLOCK_REALTIME)
    return time_fails(EINVAL);
  return __comus_nondet_bool() ? 0 : time_fails(EPERM);
}

int timespec_get(struct timespec *to, int base) {
  if (base != TIME_UTC)
    return 0;
  clock_gettime(CLOCK_REALTIME, to);
  return base;
}

int gettimeofday(struct timeval *to, void *zone) {
  if (zone)
    __comus_havoc_bytes(zone, 2 * sizeof(int));
  if (to) {
    to->tv_sec = any_seconds();
    to->tv_usec = any_part(1000000);
  }
  return 0;
}

/* The calendar: any date that there is. What gmtime, localtime, asctime and ctime return is the same for all threads. Package
   scan/directed/world has to_date and to_text as they are. */
static struct tm the_date;
static char the_text[26];

static struct tm *to_date(const time_t *t, struct tm *to) {
  time_t seconds = *t;
  (void)seconds;
  GIVEN(*t);
  __comus_approximation("the calendar");
  if (__comus_nondet_bool()) {
    errno = EOVERFLOW;
    return 0;
  }
  to->tm_sec = (int)any_part(61);
  to->tm_min = (int)any_part(60);
  to->tm_hour = (int)any_part(24);
  to->tm_mday = (int)any_part(31) + 1;
  to->tm_mon = (int)any_part(12);
  to->tm_year = __comus_nondet_int();
  to->tm_wday = (int)any_part(7);
  to->tm_yday = (int)any_part(366);
  to->tm_isdst = __comus_nondet_int();
  to->tm_gmtoff = any_part(2 * 86400) - 86400;
  to->tm_zone = __comus_nondet_pointer();
  return to;
}

struct tm *gmtime_r(const time_t *t, struct tm *to) { return to_date(t, to); }
struct tm *localtime_r(const time_t *t, struct tm *to) { return to_date(t, to); }
struct tm *gmtime(const time_t *t) { return to_date(t, &the_date); }
struct tm *localtime(const time_t *t) { return to_date(t, &the_date); }

static char *to_text(const struct tm *date, char *to) {
  struct tm copy = *date;
  (void)copy;
  GIVEN(date->tm_sec);
  GIVEN(date->tm_min);
  GIVEN(date->tm_hour);
  GIVEN(date->tm_mday);
  GIVEN(date->tm_mon);
  GIVEN(date->tm_year);
  GIVEN(date->tm_wday);
  __comus_approximation("the calendar");
  if (__comus_nondet_bool()) {
    errno = EOVERFLOW;
    return 0;
  }
  __comus_havoc_bytes(to, 24);
  to[24] = '\n';
  to[25] = 0;
  return to;
}

char *asctime_r(const struct tm *date, char *to) { return to_text(date, to); }
char *asctime(const struct tm *date) { return to_text(date, the_text); }

char *ctime_r(const time_t *t, char *to) {
  struct tm date;
  return to_date(t, &date) ? to_text(&date, to) : 0;
}

char *ctime(const time_t *t) { return to_date(t, &the_date) ? to_text(&the_date, the_text) : 0; }

/* The time that is left when a handler of a signal ends a sleep. */
static void left_of(struct timespec *left, const struct timespec *all) {
  if (!left)
    return;
  time_t s = any_seconds();
  long ns = any_part(1000000000);
  __comus_assume(s < all->tv_sec || (s == all->tv_sec && ns <= all->tv_nsec));
  left->tv_sec = s;
  left->tv_nsec = ns;
}

/* What CLOCK_MONOTONIC shows at least, and that it goes on while a thread sleeps. */
#ifdef COMUS_CLOCKS
static struct timespec now_at_least(void) {
  __comus_atomic_begin();
  struct timespec t = shown[CLOCK_MONOTONIC];
  __comus_atomic_end();
  return t;
}

static void goes_on(struct timespec since, time_t seconds, long parts) {
  __comus_assume(seconds < LAST_SECOND - since.tv_sec);
  since.tv_sec += seconds;
  since.tv_nsec += parts;
  if (since.tv_nsec >= 1000000000) {
    since.tv_nsec -= 1000000000;
    since.tv_sec++;
  }
  __comus_atomic_begin();
  shown[CLOCK_MONOTONIC] = not_before(shown[CLOCK_MONOTONIC], since);
  __comus_atomic_end();
}
#define SLEEP_BEGINS() struct timespec since = now_at_least()
#define SLEPT(seconds, parts) goes_on(since, seconds, parts)
#else
#define SLEEP_BEGINS() ((void)0)
#define SLEPT(seconds, parts) ((void)0)
#endif

/* measured tells that the sleep takes its length by CLOCK_MONOTONIC, or longer. */
static int sleep_for(const struct timespec *t, struct timespec *left, int measured) {
  if (!__comus_valid_time(t) || t->tv_sec < 0)
    return EINVAL;
  SLEEP_BEGINS();
  CANCELLATION_POINT();
  if (!INTERRUPTED()) {
    if (measured)
      SLEPT(t->tv_sec, t->tv_nsec);
    return 0;
  }
  left_of(left, t);
  return EINTR;
}

int nanosleep(const struct timespec *t, struct timespec *left) {
  int e = sleep_for(t, left, 1);
  return e ? time_fails(e) : 0;
}

int clock_nanosleep(clockid_t clock_id, int flags, const struct timespec *t, struct timespec *left) {
  if (!is_clock(clock_id) || clock_id == CLOCK_THREAD_CPUTIME_ID || clock_id == 4 || clock_id == 5 || clock_id == 6)
    return clock_id == 4 || clock_id == 5 || clock_id == 6 ? EOPNOTSUPP : EINVAL;
  int until = flags & TIMER_ABSTIME;
  /* Several threads use up processor time faster than it goes by, and others count the sleep of the machine. */
  return sleep_for(t, until ? 0 : left, !until && (clock_id == CLOCK_REALTIME || clock_id == CLOCK_MONOTONIC));
}

unsigned sleep(unsigned seconds) {
  SLEEP_BEGINS();
  CANCELLATION_POINT();
  if (!INTERRUPTED()) {
    SLEPT(seconds, 0);
    return 0;
  }
  unsigned left = __comus_nondet_uint();
  __comus_assume(left <= seconds);
  return left;
}

int usleep(useconds_t time) {
  SLEEP_BEGINS();
  (void)time;
  CANCELLATION_POINT();
  if (INTERRUPTED())
    return time_fails(EINTR);
  SLEPT(time / 1000000, time % 1000000 * 1000L);
  return 0;
}
