/* What a program printed by package cir/cgen needs: types, accesses to memory, the intrinsics. */
#ifndef COMUS_CIR_H
#define COMUS_CIR_H

typedef signed char comus_i8;
typedef unsigned char comus_u8;
typedef short comus_i16;
typedef unsigned short comus_u16;
typedef int comus_i32;
typedef unsigned int comus_u32;
typedef long comus_i64;
typedef unsigned long comus_u64;
typedef __int128 comus_i128;
typedef unsigned __int128 comus_u128;
typedef _Float16 comus_f16;
typedef float comus_f32;
typedef double comus_f64;
typedef long double comus_f80;
typedef _Float128 comus_f128;
typedef unsigned char *comus_ptr;

/* COMUS_AT is the scalar of a type at an address: it may overlap anything, and lie anywhere. Sanitizers know more of accesses that are
   aligned, as nearly all are. */
#define COMUS_PACKED(T) typedef struct { T v; } __attribute__((packed, may_alias)) T##_at
#ifdef COMUS_SANITIZED
#define COMUS_SCALAR(T) typedef struct { T v; } __attribute__((may_alias)) T##_at
#else
#define COMUS_SCALAR COMUS_PACKED
#endif
COMUS_SCALAR(comus_i8);
COMUS_SCALAR(comus_u8);
COMUS_SCALAR(comus_i16);
COMUS_SCALAR(comus_u16);
COMUS_SCALAR(comus_i32);
COMUS_SCALAR(comus_u32);
COMUS_SCALAR(comus_i64);
COMUS_SCALAR(comus_u64);
COMUS_PACKED(comus_i128);
COMUS_PACKED(comus_u128);
COMUS_SCALAR(comus_f16);
COMUS_SCALAR(comus_f32);
COMUS_SCALAR(comus_f64);
COMUS_PACKED(comus_f80);
COMUS_PACKED(comus_f128);
COMUS_SCALAR(comus_ptr);
#define COMUS_AT(T, p) (((T##_at *)(p))->v)

/* Objects lie apart for ThreadSanitizer, which keeps few accesses of eight bytes. */
#ifdef COMUS_SANITIZED
#define COMUS_APART __attribute__((aligned(8)))
#else
#define COMUS_APART
#endif

/* Atomic accesses. */
#define COMUS_LOAD(T, p, order) ({ T comus_x; __atomic_load((T *)(p), &comus_x, order); comus_x; })
#define COMUS_STORE(T, p, x, order) ({ T comus_x = x; __atomic_store((T *)(p), &comus_x, order); })
#define COMUS_SWAP(T, p, x, order) ({ T comus_x = x, comus_y; __atomic_exchange((T *)(p), &comus_x, &comus_y, order); })

/* ThreadSanitizer does not see the accesses of COMUS_QUIET functions, but those of calls of functions of the system,
   which gcc must not take for its own. */
#ifdef __SANITIZE_THREAD__
#define COMUS_QUIET __attribute__((no_sanitize("thread")))
void *memcpy(void *, const void *, unsigned long), *memmove(void *, const void *, unsigned long), *memset(void *, int, unsigned long);
#define COMUS_COPY(T) if (n == sizeof(T) && ((unsigned long)to | (unsigned long)from) % sizeof(T) == 0) { COMUS_AT(T, to) = COMUS_AT(T, from); return; }
static inline void comus_memmove(void *to, const void *from, unsigned long n) {
    COMUS_COPY(comus_u8) COMUS_COPY(comus_u16) COMUS_COPY(comus_u32) COMUS_COPY(comus_u64)
    memmove(to, from, n);
}
#define comus_memcpy comus_memmove
#define comus_memset memset
#else
#define COMUS_QUIET
#define comus_memcpy __builtin_memcpy
#define comus_memmove __builtin_memmove
#define comus_memset __builtin_memset
#endif

/* Bits first to first+width-1 from p on; width is at most 128. */
static inline comus_u128 comus_load_bits(const void *p, long first, long width) {
    const unsigned char *b = p;
    comus_u128 v = 0;
    for (long i = 0; i < width; i++)
        v |= (comus_u128)(b[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    return v;
}

static inline void comus_store_bits(void *p, long first, long width, comus_u128 v) {
    unsigned char *b = p;
    for (long i = 0; i < width; i++) {
        int bit = (first + i) % 8;
        b[(first + i) / 8] = (b[(first + i) / 8] & ~(1 << bit)) | (v >> i & 1) << bit;
    }
}

/* Memory and text: comus_cir.c. */
void *comus_alloc(comus_u64 n);
void *comus_alloc_aligned(comus_u64 n, comus_u64 alignment);
void comus_free(void *p);
long comus_object_size(const void *p);
long comus_is_heap(const void *p);
long comus_is_set(const void *p, comus_u64 n);
long comus_is_const(const void *p);
long comus_wakeups(void);
void *comus_resize(void *p, comus_u64 n);
void comus_havoc_bytes(void *p, comus_u64 n);
long comus_format(void *p, comus_u64 n, const void *fmt, void *ap);
long comus_print(int fd, const void *fmt, void *ap);
void comus_write(int fd, const void *p, comus_u64 n);
long comus_read(void *p, comus_u64 n);
long comus_read_line(void *p, comus_u64 n);
long comus_scan(const void *s, const void *fmt, void *ap);
double comus_strtod(const void *s);
double comus_ldexp(double x, double n), comus_frexp(double x), comus_frexp_exp(double x), comus_modf(double x), comus_ilogb(double x);
void *comus_jump(void *buf);
long comus_setjmp(void *jump) __asm__("_setjmp") __attribute__((returns_twice));
void comus_longjmp(void *buf, int v) __attribute__((noreturn));

/* Threads, and how the program ends: who runs the program. */
void comus_assume(long c);
void comus_await(long c);
void comus_await_from(long c, long giver);
void comus_assert(long c, const char *name);
void comus_undefined(long c, const char *check, const char *why);
void comus_unreachable(const char *why);
void comus_atomic_begin(void);
void comus_atomic_end(void);
long comus_thread_create(void *f, void *a, void *b, void *c);
void comus_thread_exit(void);
long comus_thread_self(void);
long comus_thread_ended(comus_u64 id);
long comus_thread_count(void);
long comus_thread_many(long here);
void comus_lock(void *p);
void comus_unlock(void *p);
void comus_stop(int status);
void comus_exit(int status);
void comus_trap(void);

/* The program: its static data, how it begins and ends. */
void comus_init(void);
void comus_init_thread(void);
void comus_constructors(void);
void comus_destructors(void);
int comus_entry(int argc, char **argv, char **envp);
void comus_leave(int status);

#endif
