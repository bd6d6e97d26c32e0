/* The execution that the program runs: schedule.c has it, comus_replay.c plays it. */
#ifndef COMUS_REPLAY_H
#define COMUS_REPLAY_H

struct comus_turn { unsigned thread, number, known; unsigned long value; };
struct comus_given { unsigned thread, number; unsigned long value; };
struct comus_site { unsigned number; const char *place; };

extern const struct comus_turn comus_turns[];    /* in this order; value is what is read */
extern const struct comus_given comus_inputs[];  /* of each thread in this order */
extern const struct comus_site comus_sites[];    /* of the instructions that take turns */
extern const unsigned comus_nturns, comus_ninputs, comus_nsites, comus_nthreads;
extern const unsigned comus_failing;             /* the thread that fails */
enum comus_end { COMUS_FAILS, COMUS_RACES, COMUS_WAITS, COMUS_ERRS };
extern const enum comus_end comus_end;           /* what it ends with */
struct comus_stop { unsigned thread, number; const char *place; };
extern const struct comus_stop comus_stops[];    /* the accesses of a race, in the order they are made; where threads wait */
extern const unsigned comus_nstops;
extern const char *const comus_what;             /* the race, the deadlock, the error */
extern const int comus_compares;                 /* whether values are known */
extern char *comus_args[];

/* The runtime's, for the wrappers of functions that synchronise (comus_real.c). */
extern __thread unsigned comus_self;
extern __thread long comus_joined;               /* the thread whose end was asked for last, and had come; -1 */
void comus_really_join(long thread);

#endif
