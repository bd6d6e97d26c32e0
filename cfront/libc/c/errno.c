/* errno: one for each thread. glibc's header makes it (*__errno_location()), comus's own a variable. */
#include "libc.h"

#ifdef COMUS_HOST
#undef errno
#define errno __comus_errno
#endif
_Thread_local int errno;

int *__errno_location(void) { return &errno; }
