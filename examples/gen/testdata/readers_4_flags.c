// expect: SAFE
//
// Readers and writers, for ever: 2 threads read, 2 write. Who reads is known by a flag, who
// writes sets a flag, and both look at the other before, under a lock that they do not
// keep. Nobody reads while somebody writes.
// Made by: comus gen readers --threads 4 --vary flags
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define THREADS 4

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
bool reading[2];
bool writing;

static bool somebody(void) { return reading[0] || reading[1]; }

void *reader0(void *arg) {
    (void)arg;
    while (true) {
        pthread_mutex_lock(&mutex);
        if (!writing) {
            reading[0] = true;
            pthread_mutex_unlock(&mutex);
            assert(!writing);
            pthread_mutex_lock(&mutex);
            reading[0] = false;
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

void *reader1(void *arg) {
    (void)arg;
    while (true) {
        pthread_mutex_lock(&mutex);
        if (!writing) {
            reading[1] = true;
            pthread_mutex_unlock(&mutex);
            assert(!writing);
            pthread_mutex_lock(&mutex);
            reading[1] = false;
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

void *writer(void *arg) {
    (void)arg;
    while (true) {
        pthread_mutex_lock(&mutex);
        if (!writing && !somebody()) {
            writing = true;
            pthread_mutex_unlock(&mutex);
            assert(!somebody());
            pthread_mutex_lock(&mutex);
            writing = false;
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, reader0, 0);
    pthread_create(&t[1], 0, reader1, 0);
    pthread_create(&t[2], 0, writer, 0);
    pthread_create(&t[3], 0, writer, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
