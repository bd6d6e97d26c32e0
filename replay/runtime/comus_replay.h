/* What a program that comus replay wrote calls instead of touching shared memory,
   locking and creating threads by itself. comus_replay.c implements it. */
#ifndef COMUS_REPLAY_H
#define COMUS_REPLAY_H

/* The kinds of accesses. The cell of COMUS_CREATE and COMUS_JOIN is a thread. */
enum { COMUS_R = 1, COMUS_W = 2, COMUS_LOCK = 4, COMUS_UNLOCK = 8, COMUS_CREATE = 16, COMUS_JOIN = 32 };

/* A scalar in shared memory. The size is 0 if it is a bit-field. Of a
   pointer the schedule knows whether it is null. */
struct comus_cell { const char *name; volatile void *addr; unsigned long size; int pointer; };
/* An access of a turn: the value is the one read, or written at the end. */
struct comus_access { int kind, cell; long long value; };
/* A turn of a thread: what it does before the next thread goes on. A thread may
   leave out an optional turn. */
struct comus_turn { int thread, first, count, optional, line; };
/* An input: the value that a thread gets at a place. */
struct comus_input { int thread, site; long long value; };

extern struct comus_cell comus_cells[];
extern const struct comus_access comus_accesses[];
extern const struct comus_turn comus_turns[];
extern const struct comus_input comus_inputs[];
extern const int comus_ncells, comus_nturns, comus_ninputs, comus_nthreads, comus_failing;
extern const char comus_ended[]; /* by thread: whether it comes to its end */

void *comus_read(volatile void *, unsigned long);
void comus_write(volatile void *, volatile void *, unsigned long);
void comus_open(volatile void *, int kind);
void comus_close(volatile void *, int kind, long long value);
void comus_initialised(volatile void *, unsigned long);
void comus_bind(int cell, int thread, volatile void *, unsigned long, int pointer);
void *comus_alloc(unsigned long);
void comus_moves(void *, void *);
int comus_block(int line);
int comus_is(int thread);
void comus_holds(volatile void *, unsigned long, int pointer, long long, int cell);
void comus_any(int site, volatile void *, unsigned long);
long long comus_nondet(int site);
int comus_spurious(int site, volatile void *);
void comus_begin(void);
void comus_end(void);
int comus_lock(void *);
int comus_trylock(void *);
int comus_unlock(void *);
int comus_timedlock(void *);
int comus_wait(void *);
int comus_mutex_init(void *, const void *);
int comus_destroy(void *);
int comus_mtx_init(void *, int);
int comus_barrier_init(void *, unsigned);
int comus_barrier_wait(void *);
long long comus_next_write(volatile void *, long long);
void *comus_copy(volatile void *, const volatile void *, unsigned long);
/* in comus_library.c */
extern _Thread_local int comus_errno;
int comus_key_create(unsigned *);
int comus_key_set(unsigned, const void *);
void *comus_key_get(unsigned);
void *comus_memset(volatile void *, int, unsigned long);
unsigned long comus_strlen(const char *);
char *comus_strcpy(char *, const char *);
char *comus_strcat(char *, const char *);
char *comus_strncpy(char *, const char *, unsigned long);
int comus_compare(int site, const void *, const void *, unsigned long, int text);
int comus_scan(int site, int n, ...);
int comus_sem_post(void *);
int comus_sem_wait(void *);
int comus_sem_try(void *);
int comus_rdlock(void *);
int comus_wrlock(void *);
int comus_tryrdlock(void *);
int comus_trywrlock(void *);
int comus_rwunlock(void *);
int comus_once(void *, void (*)(void));
int comus_create(unsigned long *, void *(*)(void *), void *, int atomic);
int comus_join(unsigned long, void **);
void comus_exit(void *) __attribute__((__noreturn__));
int comus_returns(int) __attribute__((__noreturn__));
unsigned long comus_self(void);
void comus_fail(const char *) __attribute__((__noreturn__));
void comus_stop(void) __attribute__((__noreturn__));

#define COMUS_READ(l) (*({ __auto_type comus_p = &(l); \
  (__typeof__(comus_p))comus_read((volatile void *)comus_p, sizeof *comus_p); }))
#define COMUS_WRITE(l, ...) ({ __auto_type comus_l = &(l); __typeof__(*comus_l) comus_v = (__VA_ARGS__); \
  comus_write((volatile void *)comus_l, (volatile void *)&comus_v, sizeof comus_v); comus_v; })
#define COMUS_UPDATE(l, op, e) ({ __auto_type comus_l = &(l); __auto_type comus_o = COMUS_READ(*comus_l); \
  __auto_type comus_r = (e); __typeof__(*comus_l) comus_v = comus_o op comus_r; \
  comus_write((volatile void *)comus_l, (volatile void *)&comus_v, sizeof comus_v); comus_v; })
#define COMUS_UPDATE_OLD(l, op, e) ({ __auto_type comus_l = &(l); __auto_type comus_o = COMUS_READ(*comus_l); \
  __auto_type comus_r = (e); __typeof__(*comus_l) comus_v = comus_o op comus_r; \
  comus_write((volatile void *)comus_l, (volatile void *)&comus_v, sizeof comus_v); comus_o; })
#define COMUS_BITS_READ(s, f, byte) ({ __auto_type comus_s = &(s); volatile char *comus_y = (volatile char *)comus_s + byte; \
  comus_open(comus_y, COMUS_R); __auto_type comus_v = comus_s->f + 0; comus_close(comus_y, COMUS_R, comus_v); comus_v; })
#define COMUS_BITS_WRITE(s, f, byte, e) ({ __auto_type comus_s = &(s); volatile char *comus_y = (volatile char *)comus_s + byte; \
  __auto_type comus_r = (e); comus_open(comus_y, COMUS_W); comus_s->f = comus_r; \
  __auto_type comus_v = comus_s->f + 0; comus_close(comus_y, COMUS_W, comus_v); comus_v; })
#define COMUS_BITS_UPDATE(s, f, byte, op, e) ({ __auto_type comus_l = &(s); __auto_type comus_o = COMUS_BITS_READ(*comus_l, f, byte); \
  COMUS_BITS_WRITE(*comus_l, f, byte, comus_o op (e)); })
#define COMUS_BITS_UPDATE_OLD(s, f, byte, op, e) ({ __auto_type comus_l = &(s); __auto_type comus_o = COMUS_BITS_READ(*comus_l, f, byte); \
  COMUS_BITS_WRITE(*comus_l, f, byte, comus_o op (e)); comus_o; })
#define COMUS_ATOMIC(e) ({ comus_begin(); __auto_type comus_x = (e); comus_end(); comus_x; })
#define COMUS_ATOMIC_VOID(e) ({ comus_begin(); (e); comus_end(); })
#define COMUS_FETCH(how, p, op, v) ({ __auto_type comus_h = (p); __auto_type comus_m = (v); \
  COMUS_ATOMIC(how(*comus_h, op, comus_m)); })
#define COMUS_EXCHANGE(p, v) ({ __auto_type comus_e = (p); __auto_type comus_n = (v); comus_begin(); \
  __auto_type comus_q = COMUS_READ(*comus_e); COMUS_WRITE(*comus_e, comus_n); comus_end(); comus_q; })
/* Compare and swap; comus_ok tells whether it swapped, comus_q is the old value. */
#define COMUS_CAS(p, w, d, weak) __auto_type comus_e = (p); __auto_type comus_w = (w); __auto_type comus_d = (d); \
  comus_begin(); __auto_type comus_q = COMUS_READ(*comus_e); _Bool comus_s = weak; \
  _Bool comus_ok = !comus_s && comus_q == (__typeof__(comus_q))comus_w; \
  if (comus_ok) COMUS_WRITE(*comus_e, comus_d);
#define COMUS_CAS_BOOL(p, w, d) ({ COMUS_CAS(p, w, d, 0) comus_end(); comus_ok; })
#define COMUS_CAS_VALUE(p, w, d) ({ COMUS_CAS(p, w, d, 0) comus_end(); comus_q; })
#define COMUS_CAS_EXPECTED(p, e, d, site) ({ __auto_type comus_f = (e); COMUS_CAS(p, COMUS_READ(*comus_f), d, comus_spurious(site, comus_e)) \
  comus_end(); if (!comus_ok) COMUS_WRITE(*comus_f, comus_q); comus_ok; })
#endif
