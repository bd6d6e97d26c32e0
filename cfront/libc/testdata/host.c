/* The intrinsics over real threads: an atomic section holds one global lock. */
#include "host.h"
#undef __comus_await
#undef __comus_await_from
#define __comus_await unused_await
#define __comus_await_from unused_await_from
#include "comus.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__thread jmp_buf *host_guard;
__thread enum outcome host_outcome;
__thread const char *host_why;
__thread int host_nonblocking;
char host_output[1 << 16];
size_t host_output_length;
const char *host_input = "";

static pthread_mutex_t global = PTHREAD_MUTEX_INITIALIZER;
static __thread int depth;

void __comus_atomic_begin(void) {
  if (depth++ == 0)
    pthread_mutex_lock(&global);
}

void __comus_atomic_end(void) {
  if (--depth == 0)
    pthread_mutex_unlock(&global);
}

static void leave_section(void) {
  if (depth > 0)
    pthread_mutex_unlock(&global);
  depth = 0;
}

void host_leave(enum outcome o, const char *why) {
  leave_section();
  if (!host_guard) {
    fprintf(stderr, "outcome %d outside of a comparison: %s\n", o, why ? why : "");
    _exit(3);
  }
  host_outcome = o;
  host_why = why;
  longjmp(*host_guard, 1);
}

void host_wait(void) {
  if (host_nonblocking)
    host_leave(BLOCKED, 0);
  int d = depth;
  if (d > 0)
    pthread_mutex_unlock(&global);
  usleep(50);
  if (d > 0)
    pthread_mutex_lock(&global);
}

static long long choices[64];
static int chosen, choice_count;

void host_choose(int n, const long long *values) {
  memcpy(choices, values, (size_t)n * sizeof *values);
  choice_count = n;
  chosen = 0;
}

static long long choice(void) { return chosen < choice_count ? choices[chosen++] : 0; }

_Bool __comus_nondet_bool(void) { return choice() & 1; }
char __comus_nondet_char(void) { return (char)choice(); }
unsigned char __comus_nondet_uchar(void) { return (unsigned char)choice(); }
int __comus_nondet_int(void) { return (int)choice(); }
unsigned __comus_nondet_uint(void) { return (unsigned)choice(); }
long __comus_nondet_long(void) { return (long)choice(); }
unsigned long __comus_nondet_ulong(void) { return (unsigned long)choice(); }
long long __comus_nondet_llong(void) { return choice(); }
unsigned long long __comus_nondet_ullong(void) { return (unsigned long long)choice(); }
double __comus_nondet_double(void) { return (double)choice(); }
void *__comus_nondet_pointer(void) { return (void *)(uintptr_t)choice(); }

void __comus_assume(int c) {
  if (!c)
    host_leave(IMPOSSIBLE, 0);
}

void __comus_assert(int c, const char *name) {
  if (!c)
    host_leave(FAILED_ASSERTION, name);
}

void __comus_undefined(int c, const char *check, const char *why) {
  (void)check;
  if (!c)
    host_leave(UNDEFINED, why);
}

void __comus_stop(int status) {
  (void)status;
  host_leave(STOPPED, 0);
  abort();
}

void __comus_trap(void) {
  host_leave(TRAPPED, 0);
  abort();
}

void __comus_assumption(const char *sentence) { (void)sentence; }
int __comus_assumed(int value, const char *sentence) { return (void)sentence, value; }
void __comus_approximation(const char *name) { (void)name; }
void __comus_readers(int *p) { (void)p; }

enum { MOST_THREADS = 1 << 16 };
static char ended[MOST_THREADS];
static unsigned long threads = 1;
static __thread unsigned long self;

struct begin { void (*f)(void *, void *, void *); void *a, *b, *c; unsigned long id; };

static void *run_thread(void *p) {
  struct begin b = *(struct begin *)p;
  free(p);
  self = b.id;
  b.f(b.a, b.b, b.c);
  ended[self] = 1;
  return 0;
}

unsigned long __comus_thread_create(void *f, void *x, void *y, void *z) {
  pthread_t t;
  struct begin *b = malloc(sizeof *b);
  unsigned long id = __atomic_fetch_add(&threads, 1, __ATOMIC_SEQ_CST);
  *b = (struct begin){f, x, y, z, id};
  if (id >= MOST_THREADS || pthread_create(&t, 0, run_thread, b))
    abort();
  pthread_detach(t);
  return id;
}

void host_register(void) { self = __atomic_fetch_add(&threads, 1, __ATOMIC_SEQ_CST); }

void __comus_thread_exit(void) {
  ended[self] = 1;
  leave_section();
  pthread_exit(0);
}

unsigned long __comus_thread_self(void) { return self; }
int __comus_thread_ended(unsigned long id) { return id < sizeof ended / sizeof *ended && ended[id]; }
unsigned long __comus_thread_count(void) { return threads; }
void __comus_thread_alone(void) {}
int __comus_interrupt(int signal, int again) { return (signal | again) & 0 ? 0 : -1; }
void __comus_resume(void) {}
void __comus_thread_joined(unsigned long id) { (void)id; }
int __comus_thread_many(int here) { return here & 0; }

void __comus_lock(int *p) {
  for (;;) {
    __comus_atomic_begin();
    if (*p < 0)
      host_leave(UNDEFINED, "lock of what was destroyed");
    int is_free = *p == 0;
    if (is_free)
      *p = (int)self + 1;
    __comus_atomic_end();
    if (is_free)
      return;
    host_wait();
  }
}

void __comus_unlock(int *p) {
  __comus_undefined(*p == (int)self + 1, "locks", "unlock of what this thread does not hold");
  __atomic_store_n(p, 0, __ATOMIC_SEQ_CST);
}

/* Objects of the heap. */
static struct object { struct object *next; char *p; size_t size; } *objects;

static struct object **find(const void *p) {
  struct object **o = &objects;
  while (*o && (*o)->p != p)
    o = &(*o)->next;
  return o;
}

void *__comus_alloc_aligned(size_t size, size_t alignment) {
  struct object *o = malloc(sizeof *o);
  *o = (struct object){0, aligned_alloc(alignment, (size + 2 * alignment - 1) / alignment * alignment), size};
  memset(o->p, 0xa5, size);
  __comus_atomic_begin();
  o->next = objects;
  objects = o;
  __comus_atomic_end();
  return o->p;
}

void *__comus_alloc(size_t size) { return __comus_alloc_aligned(size, 2 * sizeof(void *)); }

void __comus_free(void *p) {
  __comus_atomic_begin();
  struct object **at = find(p), *o = *at;
  if (!o)
    host_leave(UNDEFINED, "free of what is no object");
  *at = o->next;
  __comus_atomic_end();
  free(o->p);
  free(o);
}

size_t __comus_object_size(const void *p) { return (*find(p))->size; }

int __comus_is_heap(const void *p) {
  __comus_atomic_begin();
  int r = *find(p) != 0;
  __comus_atomic_end();
  return r;
}

void __comus_given(const void *p, size_t n) { (void)p, (void)n; }
void __comus_apart(const void *p, size_t n, const void *q, size_t m) { (void)p, (void)n, (void)q, (void)m; }
int __comus_is_set(const void *p, size_t n) { return (void)p, (void)n, 0; }
int __comus_is_const(const void *p) { return (void)p, 0; }

void *__comus_resize(void *p, size_t n) {
  void *q = __comus_alloc(n);
  size_t old = __comus_object_size(p);
  memcpy(q, p, n < old ? n : old);
  __comus_free(p);
  return q;
}

void __comus_havoc_bytes(void *p, size_t n) { memset(p, 'h', n); }
void __comus_unknown_bytes(void *p, size_t n, const char *name) { (void)name, __comus_havoc_bytes(p, n); }
void __comus_copy(void *to, const void *from, size_t n, int overlap) { overlap ? memmove(to, from, n) : memcpy(to, from, n); }
void __comus_fill(void *p, unsigned char byte, size_t n) { memset(p, byte, n); }
void __comus_longjmp(void *buf, int value) { longjmp(*(jmp_buf *)buf, value); }

int __comus_format(char *p, size_t n, const char *fmt, va_list ap) {
  return n == SIZE_MAX ? vsprintf(p, fmt, ap) : vsnprintf(p, n, fmt, ap);
}

void __comus_write(int fd, const void *p, size_t n) {
  if (fd != 1 && fd != 2)
    return;
  memcpy(host_output + host_output_length, p, n);
  host_output_length += n;
}

int __comus_print(int fd, const char *fmt, va_list ap) {
  char text[4096];
  int n = vsnprintf(text, sizeof text, fmt, ap);
  if (n > 0)
    __comus_write(fd, text, (size_t)n);
  return n;
}

long __comus_read(void *p, size_t n) {
  size_t k = strnlen(host_input, n);
  memcpy(p, host_input, k);
  host_input += k;
  return k ? (long)k : -1;
}

long __comus_read_line(void *p, size_t n) {
  const char *end = memchr(host_input, '\n', strnlen(host_input, n));
  return __comus_read(p, end ? (size_t)(end + 1 - host_input) : n);
}

int __comus_scan(const char *s, const char *fmt, va_list ap) { return vsscanf(s, fmt, ap); }

double __comus_strtod(const char *s) {
  int e = errno;
  double x = strtod(s, 0);
  errno = e;
  return x;
}

static void *function(const char *name) {
  void *f = dlsym(RTLD_DEFAULT, name);
  if (!f)
    abort();
  return f;
}

double __comus_math(const char *name, double x, double y) {
  double (*f)(double, double) = (double (*)(double, double))function(name);
  int e = errno;
  double r = f(x, y); /* one argument too many does no harm on x86-64 and ARM */
  errno = e;
  return r;
}

float __comus_mathf(const char *name, float x, float y) {
  float (*f)(float, float) = (float (*)(float, float))function(name);
  int e = errno;
  float r = f(x, y);
  errno = e;
  return r;
}
