#include <pthread.h>
#include <stdlib.h>

struct node { pthread_mutex_t lock; int hits; };
struct { pthread_rwlock_t lock; int size; } table;
pthread_mutex_t shards[4];
int hits;

static void count(struct node *n) {
    pthread_mutex_lock(&n->lock);
    n->hits++;
    hits++;
    pthread_mutex_unlock(&n->lock);
}

static void *serve(void *arg) {
    struct node *n = arg;
    count(n);
    return 0;
}

static pthread_t start(struct node *n) {
    pthread_t t;
    pthread_mutex_init(&n->lock, 0);
    pthread_create(&t, 0, serve, n);
    return t;
}

int main(void) {
    struct node *n = malloc(sizeof *n);
    pthread_t t = start(n);
    pthread_mutex_lock(&shards[3]);
    pthread_rwlock_rdlock(&table.lock);
    hits = table.size;
    pthread_rwlock_unlock(&table.lock);
    pthread_mutex_unlock(&shards[3]);
    pthread_join(t, 0);
    return 0;
}
