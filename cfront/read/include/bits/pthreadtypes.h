#ifndef _BITS_PTHREADTYPES_H
#define _BITS_PTHREADTYPES_H
/* The types of POSIX threads, laid out as in glibc: the models of the library rely on it. */
#ifdef __LP64__
#define __COMUS_WORDS(lp64, ilp32) lp64
#else
#define __COMUS_WORDS(lp64, ilp32) ilp32
#endif
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef volatile int pthread_spinlock_t;
struct __pthread_mutex_s {
  int __lock;
  unsigned int __count;
  int __owner;
#ifdef __LP64__
  unsigned int __nusers;
#endif
  int __kind;
#ifdef __LP64__
  short __spins, __elision;
  struct { void *__prev, *__next; } __list;
#else
  unsigned int __nusers;
  struct { void *__next; } __list;
#endif
};
typedef union { struct __pthread_mutex_s __data; char __size[__COMUS_WORDS(40, 24)]; long __align; } pthread_mutex_t;
struct __pthread_cond_s {
  unsigned long long __wseq, __g1_start;
  unsigned int __g_refs[2], __g_size[2], __g1_orig_size, __wrefs, __g_signals[2];
};
typedef union { struct __pthread_cond_s __data; char __size[48]; long long __align; } pthread_cond_t;
struct __pthread_rwlock_s {
  unsigned int __readers, __writers, __wrphase_futex, __writers_futex, __pad3, __pad4;
#ifdef __LP64__
  int __cur_writer, __shared;
  signed char __rwelision;
  unsigned char __pad1[7];
  unsigned long __pad2;
  unsigned int __flags;
#else
  unsigned char __flags, __shared;
  signed char __rwelision;
  unsigned char __pad2;
  int __cur_writer;
#endif
};
typedef union { struct __pthread_rwlock_s __data; char __size[__COMUS_WORDS(56, 32)]; long __align; } pthread_rwlock_t;
typedef union { char __size[__COMUS_WORDS(32, 20)]; long __align; } pthread_barrier_t;
union pthread_attr_t { char __size[__COMUS_WORDS(56, 36)]; long __align; };
typedef union pthread_attr_t pthread_attr_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
typedef union { char __size[4]; int __align; } pthread_condattr_t;
typedef union { char __size[4]; int __align; } pthread_barrierattr_t;
typedef union { char __size[8]; long __align; } pthread_rwlockattr_t;
#endif
