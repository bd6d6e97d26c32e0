// expect: UNSAFE
// Local variables that another thread writes, static ones, and statement expressions.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define MAX(a, b) ({ int l = (a), r = (b); l > r ? l : r; })

struct job { int in, out; int *flag; };

static int next(void) {
    static int number = 3;
    return number++;
}

void *work(void *arg) {
    struct job *j = arg;
    int any;
    j->out = MAX(j->in, next());
    if (any == 12345)
        j->out = 99;
    return 0;
}

int main(void) {
    pthread_t t;
    struct job j = {__VERIFIER_nondet_int(), 0};
    __VERIFIER_assume(j.in > 40 && j.in < 50);
    pthread_create(&t, 0, work, &j);
    int got = next();
    pthread_join(t, 0);
    assert(j.out != 99 || got != 3 || next() != 4);
    return 0;
}
