// expect: UNKNOWN
//
// A pool of workers, fifth version. Workers take jobs from a list under a lock, and
// count what they have done. The number of workers and of jobs comes from the command
// line, or from -DWORKERS=1 -DJOBS=2. Main checks that all jobs are done.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS (argc > 1 ? atoi(argv[1]) : 2)
#define JOBS (argc > 2 ? atoi(argv[2]) : 2)
#endif

struct job {
    struct job *next;
    int n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int closed;
static int done;

static void put(int n) {
    struct job *j = malloc(sizeof *j);
    j->n = n;
    pthread_mutex_lock(&lock);
    j->next = jobs;
    jobs = j;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static struct job *take(void) {
    pthread_mutex_lock(&lock);
    while (!jobs && !closed)
        pthread_cond_wait(&more, &lock);
    struct job *j = jobs;
    if (j)
        jobs = j->next;
    pthread_mutex_unlock(&lock);
    return j;
}

static void *work(void *arg) {
    struct job *j;
    while ((j = take())) {
        free(j);
        pthread_mutex_lock(&lock);
        done++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(int argc, char **argv) {
    int workers = WORKERS;
    int n = JOBS;
    if (workers < 1 || workers > 64 || n < 0)
        return 1;
    pthread_t *ids = malloc(workers * sizeof *ids);
    for (int i = 0; i < workers; i++)
        pthread_create(&ids[i], 0, work, 0);
    for (int i = 0; i < n; i++)
        put(i);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < workers; i++)
        pthread_join(ids[i], 0);
    free(ids);
    assert(done == n);
    printf("%d jobs done\n", done);
    return 0;
}
