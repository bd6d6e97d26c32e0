/* A run of the program as a whole: schedule.c has it, comus_whole.c plays it. */
#ifndef COMUS_WHOLE_H
#define COMUS_WHOLE_H

#include "comus_replay.h"

/* A thread does so many of what takes turns; hash is of their numbers. */
struct comus_slice { unsigned thread, count, hash; };

/* What a thread gets, so many times, in the order of threads: a value at an instruction, or what it finds in memory itself. */
struct comus_value { unsigned thread, number, count, keeps; unsigned long value; };

/* Numbers, and addresses: a distance from where something begins. */
enum comus_base { COMUS_NUMBER, COMUS_ARGUMENT, COMUS_GLOBAL, COMUS_ARGV, COMUS_MADE };
struct comus_spot { enum comus_base base; unsigned index; unsigned long offset; };

/* What a call does to memory that has no body, and what it returns. */
enum comus_doing { COMUS_READS, COMUS_WRITES, COMUS_POINTS, COMUS_MAKES };
struct comus_effect { enum comus_doing doing; struct comus_spot at, to; unsigned long length; const char *bytes; };
struct comus_call { unsigned thread, number, known, first, end; struct comus_spot result; };

extern const struct comus_slice comus_slices[];
extern const struct comus_value comus_values[];
extern const struct comus_effect comus_effects[];
extern const struct comus_call comus_calls[];
extern const unsigned comus_circle; /* whether threads wait in a circle, each for the lock that the next one holds */
extern const unsigned comus_fails; /* the number of the assertion that the run ends with; 0: it ends with a race */
extern const unsigned comus_nvalues, comus_ncalls, comus_nmade;
extern const char comus_stdin[];
extern const unsigned long comus_nstdin;

#endif
