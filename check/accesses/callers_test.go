package accesses_test

// emptied are programs in which a helper of a helper empties an object: for its maker, and for others.
var emptied = []twin{
	{"emptied by a helper's helper", again(`s->p = &cell;`, ``), again(`s->p = &cell;`, `reset(shared);`)},
	{"emptied by a helper's helper, after that one filled it", "", again(`s->p = &cell;`, `shared->p = &cell; clear(shared);`)},
	{"a global emptied by a helper's helper", everywhere(`s.p = NULL;`, ``), everywhere(`s.p = NULL;`, `reset();`)},
	{"a global of which a helper's helper sets what may be null", everywhere(`s.p = __VERIFIER_nondet_int() ? &cell : NULL;`, ``), everywhere(`s.p = __VERIFIER_nondet_int() ? &cell : NULL;`, `reset();`)},
	{"a global emptied by what a thread begins with", "", `struct s { int *p; int n; }; static struct s s; static int cell; static void clear(void) { s.p = NULL; }
static void *reset(void *a) { clear(); if (a) *s.p = 1; return NULL; } int main(void) { pthread_t t; reset(NULL); s.p = &cell; pthread_create(&t, NULL, reset, &t); pthread_join(t, NULL); return 0; }`},
}

// again is a program with an object that main makes, and begins with a helper of a helper, and what main and a thread do with it then.
func again(main, thread string) string {
	return `struct s { int *p; int n; }; static struct s *shared; static int cell; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void clear(struct s *s) { s->p = NULL; } static void reset(struct s *s) { clear(s); s->n = 0; }
static void *work(void *a) { pthread_mutex_lock(&m); ` + thread + ` *shared->p = 1; pthread_mutex_unlock(&m); return NULL; }
int main(void) { pthread_t t; struct s *s = malloc(sizeof *s); if (!s) return 1; reset(s); ` + main + ` shared = s; pthread_create(&t, NULL, work, NULL); pthread_join(t, NULL); free(s); return 0; }`
}

// everywhere is the same with a global.
func everywhere(clear, thread string) string {
	return `struct s { int *p; int n; }; static struct s s; static int cell; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void clear(void) { ` + clear + ` } static void reset(void) { clear(); s.n = 0; }
static void *work(void *a) { pthread_mutex_lock(&m); ` + thread + ` *s.p = 1; pthread_mutex_unlock(&m); return NULL; }
int main(void) { pthread_t t; reset(); if (!s.p) s.p = &cell; pthread_create(&t, NULL, work, NULL); pthread_join(t, NULL); return 0; }`
}
