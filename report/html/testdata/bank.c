// Two accounts; transfer locks both, in the order of its arguments.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
struct account bob = {PTHREAD_MUTEX_INITIALIZER, 50};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay(void *unused) {
    transfer(&alice, &bob, 30);
    return 0;
}

static void *refund(void *unused) {
    transfer(&bob, &alice, 10);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pay, 0);
    pthread_create(&b, 0, refund, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
