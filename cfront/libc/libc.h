/* What the models of the C library are compiled with: the types, constants and functions of
   glibc's headers, as far as the models need them, with glibc's layout for LP64 and ILP32. comus
   reads this instead of the headers of the system, which may not be there, and which take long.
   The tests compile the models with glibc's headers (COMUS_HOST) and compare sizes and offsets. */
#ifndef COMUS_LIBC_H
#define COMUS_LIBC_H

#include "comus.h"

#ifdef COMUS_HOST
#define __NO_CTYPE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <getopt.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <pty.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#else

#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX (2UL * LONG_MAX + 1)
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ULL
#define PTRDIFF_MAX LONG_MAX
#define SIZE_MAX ULONG_MAX
#define HUGE_VAL __builtin_huge_val()

typedef long ssize_t, off_t, time_t, clock_t, suseconds_t, intptr_t;
typedef unsigned long uintptr_t, pthread_t, thrd_t;
typedef long long off64_t, intmax_t;
typedef unsigned long long uintmax_t;
typedef int pid_t, clockid_t, pthread_once_t, sig_atomic_t, wint_like_t;
typedef unsigned mode_t, uid_t, gid_t, useconds_t, pthread_key_t, tss_t;
typedef volatile int pthread_spinlock_t;
typedef struct locale *locale_t;
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef struct { intmax_t quot, rem; } imaxdiv_t;
typedef int (*__compar_fn_t)(const void *, const void *);
typedef int (*__compar_d_fn_t)(const void *, const void *, void *);

struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
struct sched_param { int sched_priority; };
struct termios;
struct winsize;

#ifdef __LP64__
#define WORDS(lp64, ilp32) lp64
#else
#define WORDS(lp64, ilp32) ilp32
#endif
typedef union { char __size[WORDS(40, 24)]; long __align; } pthread_mutex_t, mtx_t;
typedef union { char __size[48]; long long __align; } pthread_cond_t, cnd_t;
typedef union { char __size[WORDS(56, 32)]; long __align; } pthread_rwlock_t;
typedef union { char __size[WORDS(32, 20)]; long __align; } pthread_barrier_t;
typedef union { char __size[WORDS(32, 16)]; long __align; } sem_t;
typedef union pthread_attr_t { char __size[WORDS(56, 36)]; long __align; } pthread_attr_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t, pthread_condattr_t, pthread_barrierattr_t;
typedef union { char __size[8]; long __align; } pthread_rwlockattr_t;
typedef struct { int __data; } once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef struct { unsigned long __bits[1024 / 8 / sizeof(long)]; } cpu_set_t;
typedef struct { unsigned long __val[1024 / 8 / sizeof(long)]; } sigset_t;
typedef long jmp_buf_words[WORDS(8, 6)];
typedef struct __jmp_buf_tag { jmp_buf_words __jmpbuf; int __mask_was_saved; sigset_t __saved_mask; } jmp_buf[1], sigjmp_buf[1];
typedef struct {
  struct { jmp_buf_words __cancel_jmp_buf; int __mask_was_saved; } __cancel_jmp_buf[1];
  void *__pad[4];
} __pthread_unwind_buf_t __attribute__((aligned(16)));
struct _pthread_cleanup_buffer {
  void (*__routine)(void *);
  void *__arg;
  int __canceltype;
  struct _pthread_cleanup_buffer *__prev;
};
struct __pthread_cleanup_frame {
  void (*__cancel_routine)(void *);
  void *__cancel_arg;
  int __do_it;
  int __cancel_type;
};

typedef void (*__sighandler_t)(int), (*sighandler_t)(int);
union sigval { int sival_int; void *sival_ptr; };
typedef struct {
  int si_signo, si_errno, si_code;
  long __rest[WORDS(14, 29)];
} siginfo_t;
struct sigaction {
  union { __sighandler_t sa_handler; void (*sa_sigaction)(int, siginfo_t *, void *); } __sigaction_handler;
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
#define sa_handler __sigaction_handler.sa_handler
#define sa_sigaction __sigaction_handler.sa_sigaction
struct option { const char *name; int has_arg, *flag, val; };
struct iovec { void *iov_base; size_t iov_len; };

typedef struct _IO_FILE {
  int _flags;
  char *_IO_read_ptr, *_IO_read_end, *_IO_read_base, *_IO_write_base, *_IO_write_ptr, *_IO_write_end;
  char *_IO_buf_base, *_IO_buf_end, *_IO_save_base, *_IO_backup_base, *_IO_save_end;
  void *_markers;
  struct _IO_FILE *_chain;
  int _fileno, _flags2;
  off_t _old_offset;
  unsigned short _cur_column;
  signed char _vtable_offset;
  char _shortbuf[1];
  void *_lock;
  off64_t _offset;
  void *_codecvt, *_wide_data;
  struct _IO_FILE *_freeres_list;
  void *_freeres_buf;
  size_t __pad5;
  int _mode;
  struct { int lock; unsigned count; char rest[13 * sizeof(int) - 4 * sizeof(void *) - sizeof(size_t)]; } _unused2; /* of flockfile */
} FILE;
extern FILE *stdin, *stdout, *stderr;
extern _Thread_local int errno;
extern char **environ;

enum { EPERM = 1, ENOENT, ESRCH, EINTR, EIO, ENXIO, E2BIG, ENOEXEC, EBADF, ECHILD, EAGAIN, ENOMEM, EACCES, EFAULT,
  ENOTBLK, EBUSY, EEXIST, EXDEV, ENODEV, ENOTDIR, EISDIR, EINVAL, ENFILE, EMFILE, ENOTTY, ETXTBSY, EFBIG, ENOSPC,
  ESPIPE, EROFS, EMLINK, EPIPE, EDOM, ERANGE, EDEADLK, ENAMETOOLONG, ENOLCK, ENOSYS, ENOTEMPTY, ELOOP,
  EOVERFLOW = 75, EILSEQ = 84, ENOTSUP = 95, EOPNOTSUPP = 95, ETIMEDOUT = 110, EINPROGRESS = 115, ECANCELED = 125,
  EOWNERDEAD = 130, ENOTRECOVERABLE = 131 };
enum { PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED };
enum { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP };
enum { PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT };
enum { PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED };
enum { PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST };
enum { PTHREAD_INHERIT_SCHED, PTHREAD_EXPLICIT_SCHED };
enum { PTHREAD_SCOPE_SYSTEM, PTHREAD_SCOPE_PROCESS };
enum { PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE };
enum { PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS };
enum { PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };
enum { SCHED_OTHER, SCHED_FIFO, SCHED_RR, SCHED_BATCH, SCHED_IDLE = 5 };
enum { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, CLOCK_REALTIME_COARSE = 5, CLOCK_BOOTTIME = 7, CLOCK_TAI = 11, TIMER_ABSTIME = 1, TIME_UTC = 1 };
enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
enum { SIGHUP = 1, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2,
  SIGPIPE, SIGALRM, SIGTERM, SIGCHLD = 17, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH = 28, SIGSYS = 31 };
#define SA_SIGINFO 4
#define SA_RESETHAND 0x80000000
#define BUFSIZ 8192
enum { SEEK_SET, SEEK_CUR, SEEK_END, _IOFBF = 0, _IOLBF, _IONBF };
enum { O_WRONLY = 1, O_RDWR = 2, O_CREAT = 0100, O_EXCL = 0200 };
enum { _SC_ARG_MAX = 0, _SC_CLK_TCK = 2, _SC_OPEN_MAX = 4, _SC_PAGESIZE = 30, _SC_NPROCESSORS_CONF = 83, _SC_NPROCESSORS_ONLN = 84 };
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_KEYS_MAX 1024
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define NSIG 65
#define EOF (-1)
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1
#define TMP_MAX 238328
#define NAME_MAX 255
#define PATH_MAX 4096
#define CLOCKS_PER_SEC 1000000L
#define MAP_FAILED ((void *)-1)

/* Functions of the library that models of other files call. */
void abort(void) __attribute__((noreturn));
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
int atoi(const char *);
long strtol(const char *, char **, int);
double strtod(const char *, char **);
double trunc(double), round(double), rint(double), copysign(double, double);
float roundf(float), rintf(float);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t), *mempcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *), *stpcpy(char *, const char *), *strcat(char *, const char *);
char *strncpy(char *, const char *, size_t), *stpncpy(char *, const char *, size_t), *strncat(char *, const char *, size_t);
char *strchr(const char *, int), *strrchr(const char *, int);
char *strdup(const char *), *strndup(const char *, size_t);
char *strerror(int);
int toupper(int), tolower(int);
int fputs(const char *, FILE *);
int fputc(int, FILE *), putchar(int);
int fgetc(FILE *), getchar(void);
int feof(FILE *), ferror(FILE *), fileno(FILE *);
void clearerr(FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fflush(FILE *);
char *fgets(char *, int, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
ssize_t read(int, void *, size_t);
int vfprintf(FILE *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int vasprintf(char **, const char *, va_list), vdprintf(int, const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vsscanf(const char *, const char *, va_list);
int raise(int);
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
void pthread_exit(void *) __attribute__((noreturn));
pthread_t pthread_self(void);
void pthread_testcancel(void);
int pthread_attr_init(pthread_attr_t *);
int pthread_once(pthread_once_t *, void (*)(void));
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_key_delete(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);
void *pthread_getspecific(pthread_key_t);
int clock_gettime(clockid_t, struct timespec *);
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
time_t time(time_t *);
#endif

/* What models of several files share. */

/* A thread that waits for a condition variable: a part of its control block, as it waits for one at a time. So waits make no objects,
   however many there are. */
struct waiter {
  struct waiter *next; /* that waits for the same one */
  int woken;
};

/* A thread's control block: a pthread_t is its address, so that ids are large, apart while the
   threads live, and may be used again afterwards. */
struct thread {
  unsigned long id;              /* of the intrinsics */
  void *result;
  struct thread *joiner;         /* who joins or has joined it */
  int detached;
  int cancelled;                 /* by pthread_cancel */
  struct waiter waiter;          /* used where it is known who waits */
};
extern _Thread_local struct thread *__comus_self;
struct thread *__comus_thread_of(pthread_t id);
/* Whether the id of a thread is stored before it runs: POSIX leaves that open, glibc does it. The sentence is pointsto.StoresFirst. */
#ifdef COMUS_STORES_LATE
#define STORES_FIRST()
#define STORE_FIRST(t)
#define STORE_LAST(t) (*id = (pthread_t)(t))
#else
#define STORES_FIRST() __comus_assumption("the id of a thread is stored before it runs, as glibc does")
#define STORE_FIRST(t) (*id = (pthread_t)(t))
#define STORE_LAST(t) ((void)(t))
#endif
struct thread *__comus_thread_begin(pthread_t *id, const pthread_attr_t *attr, void *run, void *start, void *arg);
_Noreturn void __comus_thread_end(void);
#ifdef COMUS_KEYS
void __comus_key_destructors(void);
#define KEY_DESTRUCTORS() __comus_key_destructors()
#else
#define KEY_DESTRUCTORS() ((void)0)
#endif

/* The handlers of pthread_cleanup_push that a thread has to call, the last one first. */
struct cleanup {
  struct cleanup *next;
  __pthread_unwind_buf_t *jump; /* where the handler is called, or */
  void (*routine)(void *);
  void *arg;
};
void __comus_push_cleanup(struct cleanup *c);
void __comus_pop_cleanup(void);
#ifdef COMUS_CLEANUPS
void __comus_run_cleanups(void);
#define RUN_CLEANUPS() __comus_run_cleanups()
#else
#define RUN_CLEANUPS() ((void)0)
#endif

/* What only some programs need is there in those only, which mention a function that brings it
   (features of package libc): cancellation, handlers of signals, which let blocking functions fail with
   EINTR, functions to call at the end of the program, of a thread, or of pthread_exit. */
#ifdef COMUS_CANCELLATION
int __comus_is_cancelled(void);
#define IS_CANCELLED() __comus_is_cancelled()
#define CANCELLATION_POINT() pthread_testcancel()
#else
#define IS_CANCELLED() 0
#define CANCELLATION_POINT() ((void)0)
#endif
#ifdef COMUS_SIGNALS
extern int __comus_signals; /* a handler is installed */
extern int __comus_interrupting; /* how many signals have a handler that is installed without SA_RESTART */
#define INTERRUPTED() (__comus_signals && __comus_nondet_bool())
/* The same for what begins again behind a handler with SA_RESTART (signal(7)). */
#define WAIT_INTERRUPTED() (__comus_interrupting && __comus_nondet_bool())
/* Whether a handler runs in this thread, as one of its own; negative: nobody knows which thread it interrupts. The only thread-local variable, but for who a thread is, that a handler does not have in common with the thread that
   it interrupts (pointsto.Result.Interrupted). */
extern _Thread_local int __comus_handles;
void __comus_wait_in_handler(void);
#define HANDLES() __comus_handles
/* Whether a handler is here that has interrupted the thread that holds something, or may have: the id + 1 of that thread. */
#define INTERRUPTS(held, holder) (__comus_handles && (held) && (__comus_handles < 0 ? __comus_nondet_bool() : __comus_interrupt(0, 0) == (holder)))
/* Here a handler may wait for what the thread that it interrupts holds, which goes on only after the handler. Where it is known which one that is, it waits anyway. */
#define WAITS_FOR(held)                                            \
  do {                                                             \
    if (__comus_handles < 0 && (held) && __comus_nondet_bool())    \
      __comus_wait_in_handler();                                   \
  } while (0)
/* The same for INTERRUPTS: a thread is meant that need not be the one. */
#define PERHAPS_INTERRUPTED()                                            \
  do {                                                                   \
    if (__comus_handles < 0)                                             \
      __comus_approximation("a signal handler runs as a thread");        \
  } while (0)
#else
#define INTERRUPTED() 0
#define WAIT_INTERRUPTED() 0
#define HANDLES() 0
#define INTERRUPTS(held, holder) 0
#define PERHAPS_INTERRUPTED() ((void)0)
#define WAITS_FOR(held) ((void)0)
#endif

/* A function of <stdio.h> uses a stream: it waits for its lock, if the program takes such locks, and writes
   the buffer that the program may have given it. Functions that do not lock use the buffer only. */
#ifdef COMUS_STREAM_BUFFERS
void __comus_use_buffer(FILE *f);
#define USE_BUFFER(f) __comus_use_buffer(f)
#else
#define USE_BUFFER(f) ((void)(f))
#endif
#ifdef COMUS_PIPES
int __comus_is_pipe(int), __comus_pipe_close(int);
ssize_t __comus_pipe_read(int, void *, size_t), __comus_pipe_write(int, const void *, size_t);
#define IF_PIPE(fd, call)    \
  do {                       \
    if (__comus_is_pipe(fd)) \
      return call;           \
  } while (0)
#else
#define IF_PIPE(fd, call) (void)0
#endif
#ifdef COMUS_STREAM_LOCKS
void __comus_use_stream(FILE *f);
#define USE_STREAM(f) __comus_use_stream(f)
#else
#define USE_STREAM(f) USE_BUFFER(f)
#endif
void __comus_use_all_streams(void);
int __comus_fputc(int, FILE *), __comus_fputs(const char *, FILE *), __comus_fflush(void), __comus_ferror(FILE *);
size_t __comus_fwrite(const void *, size_t, size_t, FILE *), __comus_fread(void *, size_t, size_t, FILE *);
int __comus_fgetc(FILE *);
char *__comus_fgets(char *, int, FILE *);

/* Functions of the library may set errno although they do not fail: any value, or none. */
void __comus_any_errno(void);
void __comus_raise_abort(void);

/* In a FILE's _flags, as glibc's macros have them, and in its _mode. */
enum { AT_EOF = 16, FAILED = 32, READ_ONLY = -2 };
static inline int at_end(const FILE *f) { return (f->_flags & AT_EOF) != 0; }
static inline void clear_errors(FILE *f) { f->_flags &= ~(AT_EOF | FAILED); }

struct attr { /* in a pthread_attr_t */
  int priority, policy, inherit, detached, scope, initialised;
  size_t guard, stack_size;
  void *stack;
};

struct mutex { /* in a pthread_mutex_t, as glibc lays it out: KIND is in static initialisers */
  int lock;            /* 0, the owner's id + 1, or GONE */
  unsigned count;      /* how often a recursive one is held, less 1 */
  int state;           /* of a robust one: ROBUST_... */
#ifdef __LP64__
  unsigned users;
#endif
  int kind;
  struct mutex *self;
};
struct sem { /* in a sem_t */
  unsigned value;
  int made; /* how often it was initialised; negative after its destruction */
  struct sem *self;
};
/* An object that is initialised by a function, and not destroyed, knows where it is: bytes that are copied from one are none. */
#define GIVEN(x) __comus_given(&(x), sizeof (x))
#define IS_INITIALISED(p) (__comus_is_set(&(p)->self, sizeof (p)->self) && (p)->self == (p))
#define FITS(inner, outer) _Static_assert(sizeof(inner) <= sizeof(outer), "an object of the user's is too small")
FITS(struct attr, pthread_attr_t);
FITS(struct mutex, pthread_mutex_t);
FITS(struct sem, sem_t);
FITS(struct cleanup, ((__pthread_unwind_buf_t *)0)->__pad);
enum { GONE = -1 }; /* a lock that was destroyed */
enum { KIND = 3, ROBUST = 16, INHERIT = 32, PROTECT = 64 }; /* in a mutex's kind, as in glibc's */

int __comus_mutex_kind(const pthread_mutexattr_t *attr);

static inline int __comus_valid_time(const struct timespec *t) {
  (void)t->tv_sec; /* which is read, too */
  GIVEN(t->tv_sec);
  GIVEN(t->tv_nsec);
  return t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

static inline int __comus_me(void) { return (int)__comus_thread_self() + 1; }
#endif
