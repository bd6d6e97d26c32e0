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
extern const int comus_compares;                 /* whether values are known */
extern char *comus_args[];

#endif
