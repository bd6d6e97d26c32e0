/* Runs a program of one thread. */
#include "comus_cir.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void say(const char *what, const char *why) {
    dprintf(2, "comus: %s: %s\n", what, why);
}

void comus_assume(long c) {
    if (!c)
        _exit(5);
}

void comus_await(long c) {
    if (!c) {
        say("deadlock", "a wait that nobody ends");
        _exit(6);
    }
}

void comus_await_from(long c, long giver) { comus_await(c); }

void comus_assert(long c, const char *name) {
    if (!c) {
        say("assertion fails", name);
        abort();
    }
}

void comus_undefined(long c, const char *check, const char *why) {
    if (!c) {
        say(check, why);
        _exit(7);
    }
}

void comus_unreachable(const char *why) {
    say("unreachable", why);
    _exit(7);
}

void comus_atomic_begin(void) {}
void comus_atomic_end(void) {}

long comus_thread_create(void *f, void *a, void *b, void *c) {
    say("threads", "there is only one");
    _exit(8);
}

void comus_thread_exit(void) { _exit(0); }
long comus_thread_self(void) { return 0; }
long comus_thread_ended(comus_u64 id) { return id != 0; }
long comus_thread_count(void) { return 1; }
long comus_thread_many(long here) { return here & 0; }

void comus_lock(void *p) {
    comus_await(*(int *)p == 0);
    *(int *)p = 1;
}

void comus_unlock(void *p) { *(int *)p = 0; }

void comus_stop(int status) { _exit(status); }

void comus_exit(int status) {
    static int once;
    if (!once++)
        comus_destructors();
    _exit(status);
}

void comus_trap(void) { abort(); }

/* The program begins here, before its function main would be called: that is the user's. */
__attribute__((constructor)) static void begin(int argc, char **argv, char **envp) {
    static char *args[] = {"program", 0};
    struct rlimit r;
    if (!getenv("COMUS_STACK") && !getrlimit(RLIMIT_STACK, &r)) { /* unoptimised frames are large */
        r.rlim_cur = r.rlim_max != RLIM_INFINITY && r.rlim_max < 1UL << 30 ? r.rlim_max : 1UL << 30;
        if (!setrlimit(RLIMIT_STACK, &r)) {
            putenv("COMUS_STACK=1");
            execv("/proc/self/exe", argv);
        }
    }
    comus_init();
    comus_init_thread();
    comus_constructors();
    comus_leave(comus_entry(1, args, (char *[]){0}));
}
