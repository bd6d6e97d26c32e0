/* <setjmp.h>. setjmp and its like are names of the intrinsic __comus_setjmp (Aliases), as they
   return twice; masks of signals are not kept. */
#include "libc.h"

void longjmp(jmp_buf buf, int value) { __comus_longjmp(buf, value ? value : 1); }

void _longjmp(jmp_buf buf, int value) { longjmp(buf, value); }

void siglongjmp(sigjmp_buf buf, int value) { longjmp(buf, value); }

void __longjmp_chk(jmp_buf buf, int value) { longjmp(buf, value); }
