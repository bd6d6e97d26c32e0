#include "compare.h"

struct world worlds[2];
__thread struct world *W = &worlds[0];
static int differences, calls, undefined, blocked;

void count_call(void) { calls++; }

void differ(const char *file, int line, const char *call, int outcome, long long a, int ea, long long b, int eb) {
  static int last, repeated; /* a few of each line */
  repeated = line == last ? repeated + 1 : 0;
  last = line;
  if (differences++ < 500 && repeated < 4)
    printf("%s:%d: %s: model %lld (errno %d, outcome %d), glibc %lld (errno %d)\n", file, line, call, a, ea, outcome, b, eb);
}

/* Pointers into the world's text, by their place in it. */
long long normal(long long result) {
  uintptr_t p = (uintptr_t)result, text = (uintptr_t)W->text;
  return p >= text && p <= text + sizeof W->text ? (long long)(p - text) + (1LL << 60) : result;
}

void same_worlds(const char *file, int line, const char *call) {
  if (memcmp(worlds[0].text, worlds[1].text, sizeof W->text))
    differ(file, line, call, 0, 1, 0, 0, 0), memcpy(worlds[0].text, worlds[1].text, sizeof W->text);
  for (int i = 0; i < 8; i++)
    if (worlds[0].out[i] != worlds[1].out[i]) {
      differ(file, line, call, 0, worlds[0].out[i], 0, worlds[1].out[i], i);
      worlds[0].out[i] = worlds[1].out[i];
    }
  if (memcmp(&worlds[0].number, &worlds[1].number, sizeof W->number)) {
    printf("%.17g %.17g ", worlds[0].number, worlds[1].number);
    differ(file, line, call, 0, 0, 0, 0, 0);
    worlds[0].number = worlds[1].number;
  }
}

/* What a call that did not return has written is undone. */
void unknown_outcome(const char *call, int outcome) {
  undefined += outcome == UNDEFINED;
  blocked += outcome == BLOCKED;
  memcpy(worlds[0].text, worlds[1].text, sizeof W->text);
  memcpy(worlds[0].out, worlds[1].out, sizeof W->out);
  if (outcome != UNDEFINED && outcome != BLOCKED)
    differ("", 0, call, outcome, 0, 0, 0, 0);
}

static unsigned long long seed = 1;

int pick(int n) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((seed >> 33) % (unsigned)n);
}

static struct helper {
  sem_t go, done;
  void (*f)(void);
} helpers[2];

static void *help(void *p) {
  struct helper *h = p;
  host_register();
  host_nonblocking = 1;
  for (;;) {
    while (sem_wait(&h->go))
      ;
    h->f();
    sem_post(&h->done);
  }
  return 0;
}

void in_thread(int which, void (*f)(void)) {
  struct helper *h = &helpers[which];
  h->f = f;
  sem_post(&h->go);
  while (sem_wait(&h->done))
    ;
}

int main(int argc, char **argv) {
  seed = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
  alarm(20);
  setvbuf(stdout, 0, _IONBF, 0);
  host_nonblocking = 1;
  for (int i = 0; i < 2; i++) {
    pthread_t t;
    sem_init(&helpers[i].go, 0, 0);
    sem_init(&helpers[i].done, 0, 0);
    pthread_create(&t, 0, help, &helpers[i]);
  }
  compare_strings();
  compare_numbers();
  compare_stdlib();
  compare_stdio();
  compare_attributes();
  compare_locks();
  compare_threads();
  compare_signals();
  compare_system();
  compare_math();
  compare_paths();
  printf("%d calls, %d undefined, %d blocked, %d differences\n", calls, undefined, blocked, differences);
  return differences > 0;
}
