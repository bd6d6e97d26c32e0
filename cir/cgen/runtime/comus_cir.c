/* The intrinsics of comus about memory and text, over the C library. */
#include "comus_cir.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

comus_u128 comus_load_bits(const void *p, long first, long width) {
    const unsigned char *b = p;
    comus_u128 v = 0;
    for (long i = 0; i < width; i++)
        v |= (comus_u128)(b[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    return v;
}

void comus_store_bits(void *p, long first, long width, comus_u128 v) {
    unsigned char *b = p;
    for (long i = 0; i < width; i++) {
        int bit = (first + i) % 8;
        b[(first + i) / 8] = (b[(first + i) / 8] & ~(1 << bit)) | (v >> i & 1) << bit;
    }
}

/* Objects on the heap: each begins with a header, in a table by address. Memory is not used again, so that a
   pointer to an object that has ended is none to another one. */
struct object { struct object *next; unsigned long size, live; unsigned long pad; };
enum { BUCKETS = 65536 };
static struct object *buckets[BUCKETS];
static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static unsigned long kept;

static struct object **bucket(const void *p) { return &buckets[((unsigned long)p >> 4) * 40503 % BUCKETS]; }

static struct object *find(const void *p) {
    for (struct object *o = *bucket(p); o; o = o->next)
        if (o + 1 == p)
            return o;
    return 0;
}

void *comus_alloc(comus_u64 n) {
    struct object *o = n > 1UL << 40 ? 0 : malloc(sizeof *o + (n ? n : 1));
    if (!o) {
        static const char text[] = "comus: no memory is left\n";
        write(2, text, sizeof text - 1);
        _exit(4);
    }
    o->size = n;
    o->live = 1;
    pthread_mutex_lock(&heap);
    struct object **b = bucket(o + 1);
    o->next = *b;
    *b = o;
    pthread_mutex_unlock(&heap);
    return o + 1;
}

/* comus_free keeps the memory of small objects, as long as there are not too many. */
void comus_free(void *p) {
    pthread_mutex_lock(&heap);
    struct object *o = find(p);
    if (!o || !o->live) {
        static const char text[] = "comus: free of what is no object on the heap\n";
        write(2, text, sizeof text - 1);
        abort();
    }
    o->live = 0;
    if ((kept += o->size) > 1UL << 28) {
        struct object **b = bucket(p);
        while (*b != o)
            b = &(*b)->next;
        *b = o->next;
        kept -= o->size;
        free(o);
    }
    pthread_mutex_unlock(&heap);
}

long comus_is_heap(const void *p) {
    pthread_mutex_lock(&heap);
    struct object *o = find(p);
    long r = o && o->live;
    pthread_mutex_unlock(&heap);
    return r;
}

long comus_object_size(const void *p) {
    pthread_mutex_lock(&heap);
    struct object *o = find(p);
    long r = o ? o->size : 0;
    pthread_mutex_unlock(&heap);
    return r;
}

/* Whether memory was written, or can be, is not known here. */
long comus_is_set(const void *p, comus_u64 n) { return n == 0; }
long comus_is_const(const void *p) { return 0; }

/* A wait for a condition may end at any time. */
long comus_wakeups(void) { return 0; }

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

void comus_longjmp(void *buf, int v) { _longjmp((*(struct jump **)buf)->buf, v); }
