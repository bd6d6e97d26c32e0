/* What verifiers have in common (those of SV-COMP, CBMC), if a program does not define it.
   __VERIFIER_nondet_T is an intrinsic, as its value is an input that reports name. */
#include "libc.h"

void __VERIFIER_assume(int c);
void __VERIFIER_assume(int c) { __comus_assume(c); }

void assume(int c);
void assume(int c) { __comus_assume(c); }

void assume_abort_if_not(int c);
void assume_abort_if_not(int c) { __comus_assume(c); }

void __VERIFIER_assert(int c);
void __VERIFIER_assert(int c) { __comus_assert(c, "__VERIFIER_assert"); }

void reach_error(void);
void reach_error(void) { __comus_assert(0, "reach_error"); }

void __VERIFIER_error(void);
void __VERIFIER_error(void) { __comus_assert(0, "__VERIFIER_error"); }

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_begin(void) { __comus_atomic_begin(); }

void __VERIFIER_atomic_end(void);
void __VERIFIER_atomic_end(void) { __comus_atomic_end(); }

void __CPROVER_assume(int c);
void __CPROVER_assume(int c) { __comus_assume(c); }

void __CPROVER_assert(int c, const char *text);
void __CPROVER_assert(int c, const char *text) {
  (void)text;
  __comus_assert(c, "__CPROVER_assert");
}

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_begin(void) { __comus_atomic_begin(); }

void __CPROVER_atomic_end(void);
void __CPROVER_atomic_end(void) { __comus_atomic_end(); }
