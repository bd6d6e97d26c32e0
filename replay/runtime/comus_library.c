/* Library functions that touch shared memory, a scalar after the other. */
#include <stdarg.h>
#include <string.h>
#include "comus_replay.h"

enum { KEYS = 1024, OTHERS = KEYS / 2 };

static __thread void *values[KEYS];

_Thread_local int comus_errno; /* the errno of the program */

/* comus_key_create gives a key the number that it has in the execution, or any. */
int comus_key_create(unsigned *key) {
    static unsigned others = OTHERS;
    unsigned k = comus_next_write(key, __sync_fetch_and_add(&others, 1));
    comus_write(key, &k, sizeof k);
    return 0;
}

int comus_key_set(unsigned key, const void *v) {
    values[key % KEYS] = (void *)v;
    return 0;
}

void *comus_key_get(unsigned key) { return values[key % KEYS]; }

static unsigned char get(const char *p) { return *(unsigned char *)comus_read((volatile void *)p, 1); }

static void put(char *p, char c) { comus_write(p, &c, 1); }

unsigned long comus_strlen(const char *s) {
    unsigned long n = 0;
    while (get(s + n))
        n++;
    return n;
}

char *comus_strcpy(char *to, const char *from) {
    char *p = to, c;
    do
        put(p++, c = get(from++));
    while (c);
    return to;
}

char *comus_strcat(char *to, const char *from) {
    comus_strcpy(to + comus_strlen(to), from);
    return to;
}

char *comus_strncpy(char *to, const char *from, unsigned long n) {
    int padding = 0;
    for (unsigned long i = 0; i < n; i++) {
        char c = padding ? 0 : get(from + i);
        put(to + i, c);
        padding = !c;
    }
    return to;
}

/* comus_compare compares strings (text != 0) or bytes, n at most. If they differ,
   the result is an input. */
int comus_compare(int site, const void *a, const void *b, unsigned long n, int text) {
    for (unsigned long i = 0; i < n; i++) {
        unsigned char x = get((const char *)a + i), y = get((const char *)b + i);
        if (x != y)
            return site < 0 ? x - y : comus_nondet(site);
        if (text && !x)
            break;
    }
    return 0;
}

/* comus_scan takes the number of conversions and then their values; its arguments are
   the sizes and addresses of n targets. */
int comus_scan(int site, int n, ...) {
    va_list args;
    int count = comus_nondet(site);
    va_start(args, n);
    for (int i = 0; i < n && i < count; i++) {
        int size = va_arg(args, int);
        void *p = va_arg(args, void *);
        long long v = comus_nondet(site);
        comus_write(p, &v, size);
    }
    va_end(args);
    return count;
}

/* comus_memset sets the scalars one after the other. */
void *comus_memset(volatile void *p, int c, unsigned long n) {
    char v[4096];
    memset(v, c, sizeof v);
    for (unsigned long off = 0; off < n; off += sizeof v)
        comus_write((volatile char *)p + off, v, n - off < sizeof v ? n - off : sizeof v);
    return (void *)p;
}
