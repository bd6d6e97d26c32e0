package comus

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"comus/cir"
	"comus/internal/long"
	"comus/replay"
	"comus/seqmc"
)

// sharedHead is what the programs of TestSanitized begin with.
const sharedHead = `#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }
`

// TestSanitized has gcc make runs that confirm races, and ThreadSanitizer judge them. Each depends on something else of what is outside of the program, or of how its threads
// wait for one another.
func TestSanitized(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc")
	}
	for _, c := range []struct{ name, f, main string }{
		{"plain", "x = 1;", "x = 2;"},
		{"an argument", "x = 1;", `if (argc > 1 && !strcmp(argv[1], "--fast")) x = 2;`},
		{"getopt", "x = 1;", `extern char *optarg; int o, n = 0; while ((o = getopt(argc, argv, "vf:")) != -1) if (o == 'f') n = strlen(optarg); if (n) x = 2;`},
		{"the environment", "x = 1;", `char *v = getenv("MODE"); if (v && !strcmp(v, "fast")) x = 2;`},
		{"the standard input", "x = 1;", `char b[64]; if (fgets(b, sizeof b, stdin) && b[0] == 'q') x = 2;`},
		{"a file", "x = 1;", `FILE *f = fopen("settings", "r"); char b[64]; if (f && fgets(b, sizeof b, f) && !strncmp(b, "fast", 4)) x = 2;`},
		{"a descriptor", "x = 1;", `char b[8]; int d = open("settings", O_RDONLY); if (d >= 0 && read(d, b, 4) > 0) x = 2;`},
		{"an error of the kernel's", "x = 1;", `if (access("a", 0) < 0 && errno == EACCES) x = 2;`},
		{"the calendar", "x = 1;", `time_t now = 86400; struct tm d; gmtime_r(&now, &d); if (d.tm_mday == 2 && d.tm_zone[0] == 'G') x = 2;`},
		{"the heap", "int *p = malloc(8); *p = 1; x = *p; free(p);", "int *p = calloc(4, 4); p = realloc(p, 64); x = p[3]; free(p);"},
		{"a condition", "lock(); while (!y) pthread_cond_wait(&c, &m); unlock(); x = 1;", "lock(); y = 1; pthread_cond_signal(&c); unlock(); x = 2;"},
		{"a window", "lock(); y = 1; unlock(); x = 1; lock(); y = 0; unlock();", "lock(); int seen = y; unlock(); if (seen) x = 2;"},
		{"once", "static pthread_once_t o; pthread_once(&o, lock); x = 1;", "x = 2;"},
		{"a struct", "struct s { int a, b[3]; }; static struct s s; s.b[1] = 3; struct s k = s; x = k.b[1];", "x = 2;"},
		{"text", `char b[32]; snprintf(b, sizeof b, "%d %s", 17, "a"); x = b[0];`, `printf("%d\n", 1); x = 2;`},
		{"the library", "memset(&x, 0, 4);", "x = 2;"},
		{"an input", "x = 1;", "extern int __VERIFIER_nondet_int(void); if (__VERIFIER_nondet_int() == 3) x = 2;"},
		{"memory that nobody has written", "x = 1;", "int *p = malloc(4); if (p && *p != 0) x = 2;"},
		{"atomics", "__atomic_store_n(&y, 1, __ATOMIC_RELAXED); x = 1;", "if (__atomic_load_n(&y, __ATOMIC_RELAXED)) x = 2;"},
	} {
		t.Run(c.name, func(t *testing.T) { long.OneOf(t, 12); sanitized(t, threadAndMain(c.f, c.main)) })
	}
	for _, c := range []struct{ name, text string }{
		{"many threads", `void *f(void *a) { int i = (long)a; if (i % 2) lock(); x++; if (i % 2) unlock(); return 0; }
int main(void) { pthread_t t[20]; for (long i = 0; i < 20; i++) pthread_create(&t[i], 0, f, (void *)i); for (int i = 0; i < 20; i++) pthread_join(t[i], 0); return 0; }`},
		{"a list", `struct n { struct n *next; int v; }; struct n *head;
void *f(void *a) { for (int i = 0; i < 5; i++) { struct n *p = malloc(sizeof *p); p->v = i; lock(); p->next = head; head = p; unlock(); } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (struct n *p = head; p; p = p->next) x += p->v; pthread_join(t, 0); return 0; }`},
		{"semaphores", `sem_t s; void *f(void *a) { sem_wait(&s); x = 1; return 0; }
int main(void) { pthread_t t[2]; sem_init(&s, 0, 1); for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0); sem_post(&s); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }`},
		{"a barrier", `pthread_barrier_t b; void *f(void *a) { y = 1; pthread_barrier_wait(&b); x++; return 0; }
int main(void) { pthread_t t; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, f, 0); pthread_barrier_wait(&b); x += y; pthread_join(t, 0); return 0; }`},
		{"a read-write lock", `pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; void *f(void *a) { pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }`},
		{"a thread of a thread", `void *g(void *a) { x = 1; return 0; } void *f(void *a) { pthread_t t; pthread_create(&t, 0, g, 0); pthread_detach(t); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); x = 2; return 0; }`},
		{"structs by value", `struct p { int a, b, c, d, e; } shared; int sum(struct p p) { return p.a + p.e; } 
void *f(void *a) { shared.e = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = sum(shared); pthread_join(t, 0); return 0; }`},
	} {
		t.Run(c.name, func(t *testing.T) { long.OneOf(t, 6); sanitized(t, sharedHead+c.text) })
	}
}

// threadAndMain is a program with a thread beside main.
func threadAndMain(f, main string) string {
	return sharedHead + "void *f(void *arg) {\n" + f + "\nreturn 0; }\nint main(int argc, char **argv) {\npthread_t t;\nif (pthread_create(&t, 0, f, 0)) abort();\n" + main +
		"\npthread_join(t, 0);\nreturn 0; }\n"
}

// sanitized decides a program, and compares what ThreadSanitizer says.
func sanitized(t *testing.T, text string) {
	t.Helper()
	s, _ := opened(t, text)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	res, err := s.Verify(ctx, Options{Strategy: scanStrategy, Question: asksRaces, Sanitize: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	confirmed := res.Sanitizer == "confirmed by ThreadSanitizer" ||
		strings.Contains(text, "pthread_detach") && strings.HasSuffix(res.Sanitizer, "ThreadSanitizer forgets the accesses of detached threads when they end")
	if res.Verdict != seqmc.Unsafe || !confirmed {
		t.Fatalf("%v (%s): %q", res.Verdict, res.Reason, res.Sanitizer)
	}
	unset := strings.Contains(text, "*p != 0")
	if says := len(res.Assumptions) > 0 && strings.Contains(res.Assumptions[0], "memory that nobody has written"); says != unset {
		t.Errorf("assumed: %q", res.Assumptions)
	}
}

// TestJudge judges runs that are not what they are said to be.
func TestJudge(t *testing.T) {
	long.Only(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc")
	}
	s, _ := opened(t, threadAndMain("x = 1;\nlock(); y = 1; unlock();", "lock();\nint seen = y; unlock();\nif (!seen) x = 2;"))
	res, err := s.Verify(t.Context(), Options{Strategy: scanStrategy, Question: asksRaces})
	if err != nil || res.Certificate == nil || res.Certificate.Execution == nil {
		t.Fatal(err, res.Reason)
	}
	for _, c := range []struct {
		name   string
		change func(*replay.Whole)
		within time.Duration
		want   string // regular expression
	}{
		{"as it is", func(*replay.Whole) {}, time.Minute, `^confirmed by ThreadSanitizer$`},
		{"another race", func(w *replay.Whole) { w.Race.First.Site = &cir.Site{Pos: cir.Pos{File: "p.c", Line: 1}} }, time.Minute, `^ThreadSanitizer does not see the race in the same run$`},
		{"another race, for a reason", func(w *replay.Whole) {
			w.Race.First.Site, w.Between = &cir.Site{Pos: cir.Pos{File: "p.c", Line: 1}}, 10
		}, time.Minute, `perhaps because the same bytes were accessed too often`},
		{"another run", func(w *replay.Whole) { changed(w, "schedule.c", `\{1, (\d+), \d+u\}`, "{1, $1, 7u}") }, time.Minute, `not run: gcc's program does not make the run: out of step: thread 1 has come another way`},
		{"no C", func(w *replay.Whole) { changed(w, "schedule.c", `const`, "konst") }, time.Minute, `not run: gcc fails: schedule.c`},
		{"no time", func(*replay.Whole) {}, time.Millisecond, `not run: there was too little time left for it`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := s.WeaveRun(t.Context(), res.Certificate.Execution)
			if err != nil {
				t.Fatal(err)
			}
			c.change(w)
			ctx, stop := context.WithTimeout(t.Context(), c.within)
			defer stop()
			j := w.Judge(ctx)
			if !regexp.MustCompile(c.want).MatchString(j.String()) {
				t.Errorf("%s", j)
			}
			if j.Contradicts() != (c.name == "another race") {
				t.Error("contradicts:", j.Contradicts())
			}
		})
	}
}

// changed changes a file of a program.
func changed(w *replay.Whole, name, from, to string) {
	for i := range w.Files {
		if w.Files[i].Name == name {
			w.Files[i].Text = regexp.MustCompile(from).ReplaceAll(w.Files[i].Text, []byte(to))
		}
	}
}
