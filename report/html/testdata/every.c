#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, busy;
extern int __VERIFIER_nondet_int(void);
void *work(void *arg) {
    pthread_mutex_lock(&m);
    assert(busy == 0);
    busy = 1;
    x++;
    busy = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
    }
    return 0;
}
