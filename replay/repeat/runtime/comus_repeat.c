/* Runs a program again and again, with real threads, and counts how often an assertion fails.

   The process that the program begins as runs nothing of it: it forks for each run, so that a run costs less than to begin a process, and waits. Where
   nothing outlives a run (comus_together), a child makes many runs: its variables are set back after each. The threads that a run creates wait for one another
   before their first instruction, each on a processor of its own, and then go on within a few nanoseconds of one another: what store buffers
   let happen takes no longer. The linker replaces main and the calls that create threads and wait for them (--wrap). This is how litmus7 does
   it (Alglave, Maranget, Sarkar, Sewell: Litmus: running tests against hardware, TACAS 2011). */
#define _GNU_SOURCE
#include "comus_repeat.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long u64;

enum { ROUNDS = 1000, GROUPS = 8, PATIENCE = 300000 /* cycles */, HANGS = 1 /* seconds without the end of a run */ };

/* How a child ends. It runs until it says otherwise. */
enum { RUNNING, SEEN, ELSEWHERE, CUT, OVER };

/* What the processes share. Nothing of it is set back. */
static struct shared {
    u64 runs, seen, elsewhere, cut, crashed, hung;
    int result;
    /* Threads that are created before somebody waits for one are a group: how many there were in the run before, how many have come, and when they go on. */
    unsigned size[GROUPS], made[GROUPS], came[GROUPS], group;
    u64 go[GROUPS];
    unsigned created, alive;
    unsigned first; /* the processor of the first thread; NOWHERE: the system chooses */
    u64 random;
} *s;

enum { NOWHERE = -1u };

static cpu_set_t allowed;
static unsigned processors;

static u64 next_random(u64 *x) { /* xorshift */
    *x ^= *x << 13;
    *x ^= *x >> 7;
    return *x ^= *x << 17;
}

/* begin_run forgets the run before. */
static void begin_run(void) {
    for (unsigned g = 0; g < GROUPS; g++) {
        s->size[g] = s->made[g];
        s->made[g] = s->came[g] = 0;
        s->go[g] = 0;
    }
    s->group = s->created = s->alive = 0;
    u64 r = next_random(&s->random);
    s->first = r % 8 == 0 ? NOWHERE : r / 8 % processors;
}

static void pin(unsigned number) {
    if (s->first == NOWHERE || processors < 2)
        return;
    unsigned k = (s->first + number) % processors;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && k-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

/* line_up waits for the other threads of a group, but not long: they may wait for this one. */
static void line_up(unsigned g, int counts, u64 random) {
    if (g >= GROUPS)
        return;
    u64 from = __builtin_ia32_rdtsc();
    unsigned all = s->size[g];
    if (counts && __atomic_add_fetch(&s->came[g], 1, __ATOMIC_SEQ_CST) == all)
        __atomic_store_n(&s->go[g], from + 2000, __ATOMIC_SEQ_CST);
    u64 go;
    while ((go = __atomic_load_n(&s->go[g], __ATOMIC_SEQ_CST)) == 0)
        if (__builtin_ia32_rdtsc() - from > PATIENCE)
            return;
    go += random % (1u << random / 1024 % 11);
    while (__builtin_ia32_rdtsc() < go && __builtin_ia32_rdtsc() - from < 2 * PATIENCE)
        ;
}

/* A thread of the program's. */
struct begins {
    void *(*f)(void *);
    int (*g)(void *);
    void *arg;
    unsigned number, group;
    u64 random;
};

static void ends(void *b) {
    free(b);
    __atomic_sub_fetch(&s->alive, 1, __ATOMIC_SEQ_CST);
}

static void *begins(void *p) {
    struct begins *b = p;
    void *r = 0;
    pthread_cleanup_push(ends, b);
    pin(b->number);
    line_up(b->group, 1, b->random);
    r = b->f ? b->f(b->arg) : (void *)(long)b->g(b->arg);
    pthread_cleanup_pop(1);
    return r;
}

static int begins11(void *p) { return (int)(long)begins(p); }

static struct begins *creates(void *(*f)(void *), int (*g)(void *), void *arg) {
    struct begins *b = malloc(sizeof *b);
    if (!b)
        return 0;
    unsigned group = __atomic_load_n(&s->group, __ATOMIC_SEQ_CST);
    *b = (struct begins){f, g, arg, __atomic_fetch_add(&s->created, 1, __ATOMIC_SEQ_CST), group, 0};
    b->random = s->random ^ (b->number + 1) * 0x9e3779b97f4a7c15u;
    next_random(&b->random);
    __atomic_add_fetch(&s->alive, 1, __ATOMIC_SEQ_CST);
    return b;
}

/* created is called by who has created a thread. The last of a group may take part itself: it lines up, too, half of the time. */
static int created(unsigned group, u64 random, int failed) {
    if (failed) {
        __atomic_sub_fetch(&s->alive, 1, __ATOMIC_SEQ_CST);
        return 0;
    }
    if (group < GROUPS && __atomic_add_fetch(&s->made[group], 1, __ATOMIC_SEQ_CST) == s->size[group] && random >> 40 & 1)
        line_up(group, 0, random >> 20);
    return 0;
}

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg) {
    struct begins *b = creates(f, 0, arg);
    if (!b)
        return EAGAIN;
    unsigned group = b->group;
    u64 random = b->random; /* it may have ended */
    int e = __real_pthread_create(t, a, begins, b);
    created(group, random, e);
    return e;
}

int __real_thrd_create(thrd_t *, thrd_start_t, void *);
int __wrap_thrd_create(thrd_t *t, thrd_start_t f, void *arg) {
    struct begins *b = creates(0, f, arg);
    if (!b)
        return thrd_nomem;
    unsigned group = b->group;
    u64 random = b->random;
    int e = __real_thrd_create(t, begins11, b);
    created(group, random, e != thrd_success);
    return e;
}

/* joins is called before somebody waits for a thread: a group is complete, and what waits for more threads goes on. */
static void joins(void) {
    unsigned g = __atomic_load_n(&s->group, __ATOMIC_SEQ_CST);
    if (g >= GROUPS || __atomic_load_n(&s->made[g], __ATOMIC_SEQ_CST) == 0)
        return;
    u64 none = 0;
    if (s->made[g] != s->size[g])
        __atomic_compare_exchange_n(&s->go[g], &none, __builtin_ia32_rdtsc(), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __atomic_compare_exchange_n(&s->group, &g, g + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

int __real_pthread_join(pthread_t, void **);
int __wrap_pthread_join(pthread_t t, void **r) {
    joins();
    return __real_pthread_join(t, r);
}

int __real_thrd_join(thrd_t, int *);
int __wrap_thrd_join(thrd_t t, int *r) {
    joins();
    return __real_thrd_join(t, r);
}

/* The variables of the program, and these here, of which none changes. */
extern char __data_start[], _end[];

int __real_main(int, char **, char **);
int __wrap_main(int argc, char **argv, char **envp) {
    if (!comus_together)
        return __real_main(argc, argv, envp);
    size_t n = (size_t)(_end - __data_start);
    char *kept = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (kept == MAP_FAILED)
        return __real_main(argc, argv, envp);
    memcpy(kept, __data_start, n);
    for (int k = 0; k < ROUNDS; k++) {
        int code = __real_main(argc, argv, envp);
        if (__atomic_load_n(&s->alive, __ATOMIC_SEQ_CST) > 0) /* the end of the process ends them */
            return code;
        __atomic_add_fetch(&s->runs, 1, __ATOMIC_SEQ_CST);
        memcpy(__data_start, kept, n);
        begin_run();
    }
    s->result = OVER;
    _exit(0);
}

/* What the program calls where it fails, and for its inputs. */
static void stops(int result) {
    int running = RUNNING;
    __atomic_compare_exchange_n(&s->result, &running, result, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    _exit(1);
}

static const char *base(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text;
    stops(line == comus_line && strcmp(base(file), base(comus_file)) == 0 || function && strcmp(function, "reach_error") == 0 ? SEEN : ELSEWHERE);
    abort();
}

#define WEAK __attribute__((weak))
void reach_error(void) { stops(SEEN); }
void __VERIFIER_error(void) { stops(SEEN); }
WEAK void __VERIFIER_assert(int holds) {
    if (!holds)
        stops(SEEN);
}
WEAK void __VERIFIER_assume(int holds) {
    if (!holds)
        stops(CUT);
}
WEAK void assume_abort_if_not(int holds) { __VERIFIER_assume(holds); }

#define INPUT(name, type) WEAK type __VERIFIER_nondet_##name(void) { return 0; }
INPUT(char, char) INPUT(uchar, unsigned char) INPUT(short, short) INPUT(ushort, unsigned short) INPUT(int, int) INPUT(uint, unsigned)
INPUT(long, long) INPUT(ulong, unsigned long) INPUT(longlong, long long) INPUT(ulonglong, unsigned long long) INPUT(unsigned, unsigned)
INPUT(float, float) INPUT(double, double) INPUT(pointer, void *) INPUT(size_t, size_t) INPUT(u8, unsigned char) INPUT(u16, unsigned short)
INPUT(u32, unsigned) INPUT(u64, unsigned long)
static _Bool coin(void) { return __builtin_ia32_rdtsc() >> 4 & 1; }
WEAK _Bool __VERIFIER_nondet_bool(void) { return coin(); }
WEAK _Bool __VERIFIER_nondet__Bool(void) { return coin(); }

/* The first process. */
static volatile pid_t child;
static volatile sig_atomic_t killed;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double until;

/* ticks kills a run that does not end. */
static void ticks(int signal) {
    (void)signal;
    static u64 before;
    static pid_t of;
    static double since;
    double now = seconds();
    u64 runs = __atomic_load_n(&s->runs, __ATOMIC_SEQ_CST);
    if (child != of || runs != before) {
        of = child;
        before = runs;
        since = now;
    }
    if (child > 0 && (now > until || now - since > HANGS)) {
        killed = now > until ? 2 : 1;
        kill(child, SIGKILL);
    }
}

/* number prints a number with commas. */
static char *number(u64 n) {
    static char text[8][32];
    static int k;
    char digits[24], *out = text[k++ % 8], *p = out;
    int len = snprintf(digits, sizeof digits, "%llu", n);
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = 0;
    return out;
}

static void also(u64 n, const char *what) {
    if (n > 0)
        printf("; %s %s", number(n), what);
}

static void report(double took) {
    if (s->seen > 0)
        printf("seen in %s of %s runs", number(s->seen), number(s->runs));
    else
        printf("not seen in %s runs, which does not say that it cannot happen", number(s->runs));
    printf(" (%.1f s, x86-64, %u processor%s)", took, processors, processors == 1 ? "" : "s");
    also(s->elsewhere, "failed another assertion");
    also(s->crashed, "crashed");
    also(s->hung, "did not end");
    also(s->cut, "ended at an assumption that did not hold");
    printf("\n");
    fflush(stdout);
    _exit(0);
}

static void quiet(void) {
    int null = open("/dev/null", O_RDWR);
    if (null >= 0)
        for (int fd = 0; fd < 3; fd++)
            dup2(null, fd);
}

/* The program begins here, in the first process and in each child. */
__attribute__((constructor(101))) static void repeat(void) {
    const char *text = getenv("COMUS_SECONDS");
    double from = seconds(), most = text ? atof(text) : comus_seconds;
    until = from + most;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    processors = CPU_COUNT(&allowed) > 0 ? (unsigned)CPU_COUNT(&allowed) : 1;
    s = mmap(0, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) {
        perror("mmap");
        _exit(1);
    }
    s->random = __builtin_ia32_rdtsc() | 1;
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGALRM, ticks);
    struct itimerval tick = {{0, 50000}, {0, 50000}};
    setitimer(ITIMER_REAL, &tick, 0);
    pid_t parent = getpid();
    while (seconds() < until) {
        begin_run();
        s->result = RUNNING;
        killed = 0;
        pid_t pid = fork();
        if (pid == 0) {
            signal(SIGALRM, SIG_DFL);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent)
                _exit(1);
            quiet();
            return; /* to main */
        }
        if (pid < 0) {
            perror("fork");
            _exit(1);
        }
        child = pid;
        int status;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        child = 0;
        if (killed == 2 && WIFSIGNALED(status) && s->result == RUNNING) /* the time is over */
            break;
        s->runs += s->result != OVER;
        s->seen += s->result == SEEN;
        s->elsewhere += s->result == ELSEWHERE;
        s->cut += s->result == CUT;
        if (s->result == RUNNING && WIFSIGNALED(status))
            *(killed ? &s->hung : &s->crashed) += 1;
    }
    report(seconds() - from);
}
