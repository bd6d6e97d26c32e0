// expect: UNSAFE
// Operators whose operands are read in steps of their own, in several orders.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };
struct pair p;
int x = 1, y, a[3];

static int sum(int l, int r) { return l * 10 + r; }

void *other(void *arg) {
    struct pair *q = arg;
    q->a += 2;
    q->b = q->a++ + --x;
    a[x + 1] |= 4;
    y = sum(x, q->b) ? 5 : -y;
    return (void *)7;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, other, &p);
    x++;
    a[1]++;
    y = x, y += p.b;
    pthread_join(t, &result);
    assert(x != 0 || a[1] != 5);
    return 0;
}
