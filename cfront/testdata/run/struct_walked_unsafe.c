// expect: UNSAFE
// Structs are copied by pointers to their bytes and words, which walk over the arrays in them to the pointer behind.
#include <assert.h>
#include <pthread.h>

struct tagged { char tag; char name[7]; int *value; } a, b;
struct words { long first; long more[2]; int *value; } c, d;
struct row { long words[2]; int *value; } e, f;
int x, y, z;

static void copy(void *to, const void *from, unsigned long n) {
    char *t = to;
    const char *s = from;
    while (n--)
        *t++ = *s++;
}

static void copy_words(void *to, const void *from, unsigned long n) {
    long *t = to;
    const long *s = from;
    for (n /= sizeof *t; n > 0; n--)
        *t++ = *s++;
}

void *writer(void *arg) {
    copy(&b, &a, sizeof b);
    *b.value = 1;
    copy_words(&d, &c, sizeof d);
    *d.value = 2;
    copy_words(&f, &e, sizeof f);
    *f.value = 3;
    return 0;
}

int main(void) {
    pthread_t t;
    a.value = &x;
    c.value = &y;
    e.value = &z;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(x + y + z != 6);
    return 0;
}
