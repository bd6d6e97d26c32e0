// expect: UNSAFE
//
// Peterson's mutual exclusion algorithm for 3 threads: a thread climbs through
// 2 levels. At each it becomes the last to arrive, and waits until it no longer is,
// or no other thread is as high. cs tells who is in the critical section; thread 0
// checks that it is alone there.
// Broken: at the highest level, thread 2 makes thread 0 the last.
// Made by: comus gen pet --threads 3 --unsafe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define THREADS 3

int level[THREADS]; // 0: not interested
int last[THREADS];  // at levels 1 to THREADS - 1
bool cs[THREADS];

void *thread0(void *arg) {
    (void)arg;
    while (true) {
        for (int n = 1; n < THREADS; n++) {
            level[0] = n;
            last[n] = 0;
            while (last[n] == 0 && (level[1] >= n || level[2] >= n)) { }
        }
        cs[0] = true;
        assert(!cs[1] && !cs[2]);
        cs[0] = false;
        level[0] = 0;
    }
    return 0;
}

void *thread1(void *arg) {
    (void)arg;
    while (true) {
        for (int n = 1; n < THREADS; n++) {
            level[1] = n;
            last[n] = 1;
            while (last[n] == 1 && (level[0] >= n || level[2] >= n)) { }
        }
        cs[1] = true;
        cs[1] = false;
        level[1] = 0;
    }
    return 0;
}

void *thread2(void *arg) {
    (void)arg;
    while (true) {
        for (int n = 1; n < THREADS; n++) {
            level[2] = n;
            last[n] = n < THREADS - 1 ? 2 : 0; // should be 2
            while (last[n] == 2 && (level[0] >= n || level[1] >= n)) { }
        }
        cs[2] = true;
        cs[2] = false;
        level[2] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    pthread_create(&t[2], 0, thread2, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
