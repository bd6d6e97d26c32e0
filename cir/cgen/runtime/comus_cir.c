/* The intrinsics of comus about memory and text, over the C library. */
#include "comus_cir.h"

#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Objects on the heap, in a table by address, which is kept apart from them, so that they are nobody's but the program's. Memory is
   not used again, so that a pointer to an object that has ended is none to another one; with a sanitizer it is as usual.
   What guards the table is no lock that ThreadSanitizer knows of: the program has none there. */
struct object { struct object *next; unsigned long address, size, live; }; /* the address is in disguise, for LeakSanitizer */
enum { BUCKETS = 65536 };
static struct object *buckets[BUCKETS];
static volatile char heap;
static unsigned long kept;
int comus_frees __attribute__((weak)); /* memory is used again */

static void heap_lock(void) {
    while (__atomic_test_and_set(&heap, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void heap_unlock(void) { __atomic_clear(&heap, __ATOMIC_RELEASE); }

static struct object **bucket(const void *p) { return &buckets[((unsigned long)p >> 4) * 40503 % BUCKETS]; }

static struct object *find(const void *p) {
    for (struct object *o = *bucket(p); o; o = o->next)
        if (o->address == ~(unsigned long)p)
            return o;
    return 0;
}

/* allocated notes an object that malloc has made. */
static void *allocated(void *p, comus_u64 n) {
    struct object *o = 0;
    if (p) {
        heap_lock();
        o = find(p);
        heap_unlock();
    }
    if (p && !o && (o = malloc(sizeof *o))) {
        o->address = ~(unsigned long)p;
        heap_lock();
        o->next = *bucket(p);
        *bucket(p) = o;
        heap_unlock();
    }
    if (!o) {
        static const char text[] = "comus: no memory is left\n";
        write(2, text, sizeof text - 1);
        _exit(4);
    }
    o->size = n;
    o->live = 1;
    return p;
}

void *comus_alloc(comus_u64 n) { return allocated(n > 1UL << 40 ? 0 : malloc(n ? n : 1), n); }

void *comus_alloc_aligned(comus_u64 n, comus_u64 alignment) {
    void *p;
    return allocated(n > 1UL << 40 || posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, n ? n : 1) ? 0 : p, n);
}

/* comus_free keeps the memory of small objects, as long as there are not too many. */
void comus_free(void *p) {
    heap_lock();
    struct object *o = find(p);
    int ours = o && o->live, now = comus_frees;
    if (ours) {
        o->live = 0;
        now = now || (kept += o->size) > 1UL << 28;
        if (now)
            kept -= comus_frees ? 0 : o->size;
    }
    heap_unlock();
    if (now) {
        free(p);
    } else if (!ours) {
        static const char text[] = "comus: free of what is no object on the heap\n";
        write(2, text, sizeof text - 1);
        abort();
    }
}

long comus_is_heap(const void *p) {
    heap_lock();
    struct object *o = find(p);
    long r = o && o->live;
    heap_unlock();
    return r;
}

long comus_object_size(const void *p) {
    heap_lock();
    struct object *o = find(p);
    long r = o ? o->size : 0;
    heap_unlock();
    return r;
}

/* Whether a wait on a condition variable ends only when it is signalled. */
int comus_wakes __attribute__((weak));
long comus_wakeups(void) { return comus_wakes; }

/* Whether memory was written, or can be, is not known here. */
long comus_is_set(const void *p, comus_u64 n) { return n == 0; }
long comus_is_const(const void *p) { return 0; }

void *comus_resize(void *p, comus_u64 n) {
    comus_u64 old = comus_object_size(p);
    void *q = comus_alloc(n);
    memcpy(q, p, n < old ? n : old);
    comus_free(p);
    return q;
}

void comus_havoc_bytes(void *p, comus_u64 n) { memset(p, 0, n); }

long comus_format(void *p, comus_u64 n, const void *fmt, void *ap) { return vsnprintf(p, n, fmt, *(va_list *)ap); }

long comus_print(int fd, const void *fmt, void *ap) {
    va_list copy;
    va_copy(copy, *(va_list *)ap);
    int n = vsnprintf(0, 0, fmt, copy);
    va_end(copy);
    if (n < 0)
        return n;
    char *s = malloc(n + 1UL);
    vsnprintf(s, n + 1UL, fmt, *(va_list *)ap);
    comus_write(fd, s, n);
    free(s);
    return n;
}

void comus_write(int fd, const void *p, comus_u64 n) {
    const char *s = p;
    while ((fd == 1 || fd == 2) && n > 0) {
        long k = write(fd, s, n);
        if (k <= 0)
            return;
        s += k;
        n -= k;
    }
}

long comus_read(void *p, comus_u64 n) {
    long k = n ? read(0, p, n) : 0;
    return k == 0 && n ? -1 : k;
}

long comus_read_line(void *p, comus_u64 n) {
    char *s = p;
    comus_u64 k = 0;
    while (k < n && read(0, s + k, 1) == 1)
        if (s[k++] == '\n')
            break;
    return k == 0 && n ? -1 : k;
}

long comus_scan(const void *s, const void *fmt, void *ap) { return vsscanf(s, fmt, *(va_list *)ap); }

double comus_strtod(const void *s) { return strtod(s, 0); }

double comus_ldexp(double x, double n) { return ldexp(x, n > 1e6 ? 1000000 : n < -1e6 ? -1000000 : (int)n); }

double comus_frexp(double x) {
    int e;
    return frexp(x, &e);
}

double comus_frexp_exp(double x) {
    int e = 0;
    frexp(x, &e);
    return e;
}

double comus_modf(double x) {
    double whole;
    return modf(x, &whole);
}

double comus_ilogb(double x) { return ilogb(x); }

/* What setjmp keeps is not in the program's buffer, which may be the small one of __builtin_setjmp: that has the
   address. comus_jump returns it; a buffer that has one keeps it. */
struct jump { jmp_buf buf; char pad[8]; };

void *comus_jump(void *buf) {
    struct jump **j = buf;
    if (!comus_is_heap(*j) || comus_object_size(*j) != sizeof **j)
        *j = comus_alloc(sizeof **j);
    return *j;
}

/* ThreadSanitizer knows where longjmp goes back to, but not _longjmp, which is the same here. */
void comus_longjmp(void *buf, int v) { longjmp((*(struct jump **)buf)->buf, v); }
