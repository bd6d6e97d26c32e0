// expect: SAFE
// A pointer is copied byte by byte, and in pieces that are put together again: what it points to is written.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct named { char name[8]; int *value; };

int x, y, z;
int *p = &x, *q;
struct named from = {"a", &y}, to;
unsigned char parts[sizeof(uintptr_t)];

static void copy(void *d, const void *s, size_t n) {
    char *a = d;
    const char *b = s;
    while (n--)
        *a++ = *b++;
}

void *writer(void *arg) {
    copy(&q, &p, sizeof q);
    *q = 1;
    copy(&to, &from, sizeof to);
    *to.value = 2;
    for (size_t i = 0; i < sizeof parts; i++)
        parts[i] = (uintptr_t)&z >> 8 * i;
    uintptr_t whole = 0;
    for (size_t i = 0; i < sizeof parts; i++)
        whole |= (uintptr_t)parts[i] << 8 * i;
    *(int *)whole = 3;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(x + y + z == 6);
    return 0;
}
