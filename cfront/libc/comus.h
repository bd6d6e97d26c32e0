/* The intrinsics of comus: what the models of the C library are made of. A call of one of
   these is an instruction of cir (package cir, intrinsic.go, says what each means), not a call.
   The tests define them in C over POSIX threads, so that gcc compiles the models, too. */
#ifndef COMUS_H
#define COMUS_H

#include <stdarg.h>
#include <stddef.h>

/* Any value of the type; a choice of ours and no input of the program. */
_Bool __comus_nondet_bool(void);
char __comus_nondet_char(void);
unsigned char __comus_nondet_uchar(void);
int __comus_nondet_int(void);
unsigned __comus_nondet_uint(void);
long __comus_nondet_long(void);
unsigned long __comus_nondet_ulong(void);
long long __comus_nondet_llong(void);
unsigned long long __comus_nondet_ullong(void);
double __comus_nondet_double(void);
void *__comus_nondet_pointer(void);

void __comus_assume(int c);
#ifndef __comus_await /* in C it has to be a macro */
void __comus_await(int c); /* in an atomic section: blocks until c */
#endif
#ifndef __comus_await_from
void __comus_await_from(int c, int giver); /* as await; the id + 1 of the thread that alone can make c hold, if it is one */
#endif
void __comus_assert(int c, const char *name);                    /* a literal */
void __comus_undefined(int c, const char *check, const char *why); /* literals: no meaning in C unless c */
void __comus_atomic_begin(void);
void __comus_atomic_end(void);

unsigned long __comus_thread_create(void *f, void *a, void *b, void *c); /* calls f(a, b, c), a function of up to three pointers */
_Noreturn void __comus_thread_exit(void);
unsigned long __comus_thread_self(void);
int __comus_thread_ended(unsigned long id);
unsigned long __comus_thread_count(void);
void __comus_thread_joined(unsigned long id); /* it has ended, and nobody else waits for it */
void __comus_thread_alone(void); /* all others stop for good, and have not ended */
int __comus_interrupt(int signal, int again); /* the handler of a signal runs now, or it is asked which thread it interrupts; see cir.Interrupt */
void __comus_resume(void); /* that goes on */
int __comus_thread_many(int here); /* any number of threads are asked about; here: may be created here */
_Noreturn void __comus_stop(int status);
_Noreturn void __comus_trap(void);

void *__comus_alloc(size_t size);
void *__comus_alloc_aligned(size_t size, size_t alignment); /* a power of two */
void __comus_free(void *p);
size_t __comus_object_size(const void *p);
int __comus_is_heap(const void *p);
int __comus_is_set(const void *p, size_t n);
int __comus_is_const(const void *p);
#ifndef __comus_wakeups
int __comus_wakeups(void); /* waits end only with what is promised to end them */
#endif
void *__comus_resize(void *p, size_t n);
void __comus_havoc_bytes(void *p, size_t n);
void __comus_unknown_bytes(void *p, size_t n, const char *name); /* the same, an approximation: a literal */
void __comus_havoc_reachable(const void *p);
void __comus_copy(void *to, const void *from, size_t n, int overlap); /* overlap: a constant */
void __comus_apart(const void *p, size_t n, const void *q, size_t m); /* undefined if they have bytes in common */
void __comus_given(const void *p, size_t n); /* undefined if a byte is indeterminate: a model is given a value by its user */
void __comus_fill(void *p, unsigned char byte, size_t n);

void __comus_lock(int *p);
void __comus_unlock(int *p);
/* *p is the number of threads that hold a lock as readers, or negative: one holds it as a writer. For reports. */
void __comus_readers(int *p);

/* The functions of setjmp.h of these meanings are calls of these (Aliases in package libc). */
#ifndef COMUS_HOST
int __comus_setjmp(void *buf);
#endif
_Noreturn void __comus_longjmp(void *buf, int value);

/* Sentences that a report of a verdict has to repeat if an execution gets here; literals. */
void __comus_assumption(const char *sentence);
/* value; its uses rest on the sentence. */
int __comus_assumed(int value, const char *sentence);
/* What passes here is approximated, and how: a literal. */
void __comus_approximation(const char *name);

/* Formatting and mathematics, exact in the interpreter and approximated by the engines. */
int __comus_format(char *p, size_t n, const char *fmt, va_list ap);
int __comus_print(int fd, const char *fmt, va_list ap);
int __comus_scan(const char *s, const char *fmt, va_list ap);
void __comus_write(int fd, const void *p, size_t n);
long __comus_read(void *p, size_t n);
long __comus_read_line(void *p, size_t n);
double __comus_strtod(const char *s);
double __comus_math(const char *name, double x, double y);
float __comus_mathf(const char *name, float x, float y);

#endif
