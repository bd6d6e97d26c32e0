// A small server of jobs: threads take them from a queue, main puts them in. The last statistic has no lock.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 3

struct job {
  int kind, weight;
  struct job *next;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct job *first, *last;
  int length, closed;
};

static struct queue jobs = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char last_line[64];
static int lines;
static _Atomic int served;
static int heaviest;
static const char *const names[] = {"light", "heavy"};

static void log_line(const char *text) {
  pthread_mutex_lock(&log_lock);
  strncpy(last_line, text, sizeof last_line - 1);
  lines++;
  pthread_mutex_unlock(&log_lock);
}

static void put(struct queue *q, struct job *j) {
  pthread_mutex_lock(&q->lock);
  if (q->last)
    q->last->next = j;
  else
    q->first = j;
  q->last = j;
  q->length++;
  pthread_cond_signal(&q->filled);
  pthread_mutex_unlock(&q->lock);
}

static struct job *take(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  while (!q->first && !q->closed)
    pthread_cond_wait(&q->filled, &q->lock);
  struct job *j = q->first;
  if (j) {
    q->first = j->next;
    if (!q->first)
      q->last = 0;
    q->length--;
  }
  pthread_mutex_unlock(&q->lock);
  return j;
}

static void *serve(void *arg) {
  struct queue *q = arg;
  struct job *j;
  while ((j = take(q))) {
    log_line(names[j->kind & 1]);
    served++;
    if (j->weight > heaviest)
      heaviest = j->weight;
  }
  return 0;
}

static struct job *make(int kind, int weight) {
  struct job *j = malloc(sizeof *j);
  if (!j)
    abort();
  j->kind = kind;
  j->weight = weight;
  j->next = 0;
  return j;
}

int main(int argc, char **argv) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    if (pthread_create(&workers[i], 0, serve, &jobs))
      abort();
  for (int i = 1; i < argc; i++)
    put(&jobs, make(i, strlen(argv[i])));
  pthread_mutex_lock(&jobs.lock);
  jobs.closed = 1;
  pthread_cond_broadcast(&jobs.filled);
  pthread_mutex_unlock(&jobs.lock);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(workers[i], 0);
  return served == argc - 1 && lines == served ? 0 : 1;
}
