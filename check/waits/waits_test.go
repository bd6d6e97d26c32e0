package waits_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/waits"
	"comus/cir"
	"comus/internal/long"
	"comus/scan/certificate"
	"comus/scan/order"
	"comus/scan/pointsto"
)

// program is one with what its pointers may point to.
type program struct {
	prog *cir.Program
	pts  *pointsto.Result
}

func load(t testing.TB, file string) *program {
	t.Helper()
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	pts, err := pointsto.AnalyseOpen(context.Background(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	return &program{p.Program, pts}
}

func loadText(t testing.TB, text string) *program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return load(t, file)
}

// arranged returns the order that is found, nil if there is none; the checker has to accept it.
func (p *program) arranged(t testing.TB) (*certificate.Orders, error) {
	t.Helper()
	c, why := order.Arrange(t.Context(), p.prog, p.pts)
	if why != nil {
		return nil, why
	}
	said, err := waits.Check(t.Context(), p.prog, p.pts, c)
	if err != nil {
		t.Fatalf("the order is not confirmed: %v", err)
	}
	if !slices.Contains(said, waits.AssumeGives) {
		t.Errorf("it is not said that %s", waits.AssumeGives)
	}
	return c, nil
}

// proved are the programs without a deadlock for which there is a proof, of those with a twin that has one.
var proved = strings.Fields(`abba address_order account_numbers barrier_count barrier_many barrier_phases barrier_stop broadcast callback closed_queue cnd_gate cond_gate condition_if continue_path element_helper error_path handler_resets held_at_end join_children join_held lost_wakeup nested_monitor no_signal
	once_recursive other_condition partial partial_array partial_barrier partial_ended partial_five partial_never_unlocked partial_once partial_reader partial_spin partial_writers promise_each rwlock_mutex rwlock_upgrade shutdown
	spin_twice timed_condition timed_lock trylock_backoff`)

// TestPairs proves programs, and none of those that have a deadlock.
func TestPairs(t *testing.T) {
	files, err := filepath.Glob("../../cfront/testdata/deadlock/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for i, file := range files {
		if !long.Turn(i/2, 5) {
			continue
		}
		name, safe := strings.CutSuffix(filepath.Base(file), "_safe.c")
		p := load(t, file)
		switch c, why := p.arranged(t); {
		case !safe && c != nil:
			t.Errorf("%s has a deadlock, and an order: %v", file, c.Order)
		case safe && c == nil && slices.Contains(proved, name):
			t.Errorf("%s: %v", file, why)
		case safe && c != nil && !slices.Contains(proved, name):
			t.Errorf("%s is proved, and not listed", file)
		}
	}
}

const head = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#define L pthread_mutex_lock
#define U pthread_mutex_unlock
#define I PTHREAD_MUTEX_INITIALIZER
struct s { int v; pthread_mutex_t m; struct s *next; };
pthread_mutex_t a = I, b = I, many[3] = {I, I, I};
pthread_cond_t cv = PTHREAD_COND_INITIALIZER, cv2 = PTHREAD_COND_INITIALIZER;
struct s *heap[2];
int done, x;
pthread_t t, u;
static void lock(struct s *q) { L(&q->m); }
static void unlock(struct s *q) { U(&q->m); }
static void perhaps(struct s *q) { if (x) U(&q->m); }
static void other(struct s *q) { q = heap[1]; U(&q->m); }
static void change(struct s **q) { *q = heap[1]; }
static void reset(void) { done = 0; }
static void keeps(void) { L(&a); }
`

// TestThreads has what two threads do, and what main does between their creation and their joins; a proof is there or not. Each program without a proof of a group has a
// deadlock, or what C leaves undefined, and differs from one with a proof.
func TestThreads(t *testing.T) {
	const waiting = "L(&a); while (!done) pthread_cond_wait(&cv, &a); U(&a);"
	const closing = "L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a);"
	for i, c := range []struct {
		name, f, g, main string
		proved           bool
	}{
		{"one order", "L(&a); L(&b); U(&b); U(&a);", "L(&a); L(&b); U(&a); U(&b);", "", true},
		{"two orders", "L(&a); L(&b); U(&b); U(&a);", "L(&b); L(&a); U(&a); U(&b);", "", false},
		{"a try that fails", "if (pthread_mutex_trylock(&a)) return 0; U(&a);", "L(&a); U(&a);", "", true},
		{"a try, by a variable", "int r = pthread_mutex_trylock(&a); if (r != 0) return 0; U(&a);", "L(&a); U(&a);", "", true},
		{"a try, the other way", "if (!pthread_mutex_trylock(&a)) return 0; U(&b);", "L(&a); U(&a);", "", false},
		{"a try, another result", "int r = pthread_mutex_trylock(&a); r = x; if (r != 0) return 0; U(&a);", "L(&a); U(&a);", "", false},
		{"a return with a lock", "L(&a); if (x) return 0; U(&a);", "x = 1;", "", false},
		{"an end with a lock", "L(&a); if (x) pthread_exit(0); U(&a);", "x = 1;", "", false},
		{"a callee keeps a lock", "keeps(); U(&a);", "L(&a); U(&a);", "", true},
		{"a callee keeps a lock for ever", "keeps();", "L(&a); U(&a);", "", false},
		{"a lock again", "L(&a); keeps();", "", "", false},
		{"by a pointer", "struct s *q = heap[0]; L(&q->m); U(&q->m);", "struct s *q = heap[1]; L(&q->m); U(&q->m);", "", true},
		{"by a pointer that is another one then", "struct s *q = heap[0]; L(&q->m); q = heap[1]; U(&q->m);", "struct s *q = heap[1]; L(&q->m); U(&q->m);", "", false},
		{"by a pointer that is changed elsewhere", "struct s *q = heap[0]; L(&q->m); change(&q); U(&q->m);", "", "", false},
		{"by helpers", "struct s *q = heap[0]; lock(q); unlock(q);", "struct s *q = heap[1]; lock(q); unlock(q);", "", true},
		{"by a helper of another one", "struct s *q = heap[0]; lock(q); q = heap[1]; unlock(q);", "", "", false},
		{"by a helper that may not", "struct s *q = heap[0]; lock(q); perhaps(q);", "", "", false},
		{"by a helper that takes another one", "struct s *q = heap[0]; lock(q); other(q);", "", "", false},
		{"all elements, one by one", "for (int i = 0; i < 3; i++) { L(&many[i]); U(&many[i]); }", "", "", true},
		{"all elements, and a way out", "for (int i = 0; i < 3; i++) { L(&many[i]); if (x == i) break; U(&many[i]); }", "", "", false},
		{"all elements, the first is given back", "for (int i = 0; i < 3; i++) { L(&many[i]); U(&many[0]); }", "", "", false},
		{"all elements at once", "for (int i = 0; i < 3; i++) L(&many[i]); for (int i = 0; i < 3; i++) U(&many[i]);", "", "", false},
		{"a loop for ever with a lock", "L(&a); for (;;) x++;", "L(&a); U(&a);", "", false},
		{"a loop for ever without", "L(&a); U(&a); for (;;) x++;", "L(&a); U(&a);", "", true},
		{"a join with a lock", "L(&a); U(&a);", "", "L(&a); pthread_join(t, 0); U(&a); exit(0);", false},
		{"a join of the other one", "", "pthread_join(t, 0);", "", true},
		{"a join of itself", "", "pthread_join(u, 0);", "", false},
		{"joins of each other", "pthread_join(u, 0);", "pthread_join(t, 0);", "", false},
		{"a flag", waiting, waiting, closing, true},
		{"a flag of another thread", waiting, closing, "", true},
		{"a flag of another thread, for main", "", closing, waiting, true},
		{"a flag of a thread that waits, too", waiting, waiting + closing, "", false},
		{"a signal for two", waiting, waiting, "L(&a); done = 1; pthread_cond_signal(&cv); U(&a);", false},
		{"a signal for one", waiting, "", "L(&a); done = 1; pthread_cond_signal(&cv); U(&a);", true},
		{"told later", waiting, waiting, "L(&a); done = 1; U(&a); pthread_cond_broadcast(&cv);", true},
		{"told before", waiting, "", "pthread_cond_broadcast(&cv); L(&a); done = 1; U(&a);", false},
		{"told of another one", waiting, "", "L(&a); done = 1; pthread_cond_broadcast(&cv2); U(&a);", false},
		{"set without the lock", waiting, "", "done = 1; pthread_cond_broadcast(&cv);", false},
		{"set with another lock", waiting, "", "L(&b); done = 1; pthread_cond_broadcast(&cv); U(&b);", false},
		{"set when the lock was given back", waiting, "", "L(&a); U(&a); done = 1; pthread_cond_broadcast(&cv);", false},
		{"set to a number that may be 0", waiting, "", "L(&a); done = x; pthread_cond_broadcast(&cv); U(&a);", false},
		{"set perhaps", waiting, "", "L(&a); if (x) done = 1; pthread_cond_broadcast(&cv); U(&a);", false},
		{"reset", waiting, "", closing + "reset();", false},
		{"reset by another one", waiting, "L(&a); done = 0; U(&a);", closing, false},
		{"reset by who waits", waiting + "done = 0;", waiting, closing, false},
		{"set when all have ended", waiting, "", "pthread_join(t, 0);" + closing + "exit(0);", false},
		{"main ends before", waiting, "", "if (x) pthread_exit(0);" + closing, false},
		{"main waits for ever before", waiting, "", "while (1) x++;", false},
		{"the program ends before", waiting, "", "if (x) exit(1);" + closing, true},
		{"who sets waits for a lock that who waits holds", "L(&b);" + waiting + "U(&b);", "", "L(&b); U(&b);" + closing, false},
		{"who waits holds a lock", "L(&b);" + waiting + "U(&b);", "", closing + "L(&b); U(&b);", true},
		{"read before the lock is taken", "int d = done; L(&a); if (!d) pthread_cond_wait(&cv, &a); U(&a);", "", closing, false},
		{"read, and the lock given back", "L(&a); if (!done) { U(&a); L(&a); pthread_cond_wait(&cv, &a); } U(&a);", "", closing, false},
		{"waited for twice", "L(&a); if (!done) { pthread_cond_wait(&cv, &a); pthread_cond_wait(&cv, &a); } U(&a);", "", closing, false},
		{"more than the flag is waited for", "L(&a); while (!done || x) pthread_cond_wait(&cv, &a); U(&a);", "", closing, false},
		{"less than the flag is waited for", "L(&a); while (!done && x) pthread_cond_wait(&cv, &a); U(&a);", "", closing, true},
		{"the condition variable is destroyed", waiting, "", "pthread_cond_destroy(&cv);" + closing, false},
		{"the condition variable is destroyed later", waiting, "", closing + "pthread_join(t, 0); pthread_cond_destroy(&cv); exit(0);", true},
		{"the lock is taken again behind the wait", "while (!done) pthread_cond_wait(&cv, &a); L(&a); U(&a);", "", closing, false},
		{"no flag", "L(&a); pthread_cond_wait(&cv, &a); U(&a);", "", closing, false},
	} {
		if !long.Turn(i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			text := head + "static void *f(void *p) { " + c.f + " return 0; }\nstatic void *g(void *p) { " + c.g + " return 0; }\n" +
				"int main(void) {\nfor (int i = 0; i < 2; i++) { heap[i] = malloc(sizeof *heap[i]); if (!heap[i]) return 1; pthread_mutex_init(&heap[i]->m, 0); }\n" +
				"pthread_create(&t, 0, f, 0);\npthread_create(&u, 0, g, 0);\n" + c.main + "\npthread_join(t, 0);\npthread_join(u, 0);\nreturn 0; }\n"
			if found, why := loadText(t, text).arranged(t); (found != nil) != c.proved {
				t.Errorf("proved: %v (%v)", found != nil, why)
			}
		})
	}
}

// wrong is what is wrong with a program of TestPrograms.
var wrong = regexp.MustCompile(`«[^»]*»`)

// TestPrograms has programs of which nothing is proved, as something is not understood or wrong; without what stands in «», they are proved.
func TestPrograms(t *testing.T) {
	const plain = "static void *f(void *p) { L(&a); U(&a); return 0; }\n"
	for i, c := range []struct{ name, text string }{
		{"a lock is copied", plain + "int main(void) { «many[0] = a;» L(&many[0]); U(&many[0]); f(0); return 0; }"},
		{"bytes of a lock are copied", plain + "int main(void) { «memcpy(&many[0], &a, sizeof a);» L(&many[0]); U(&many[0]); f(0); return 0; }"},
		{"a lock is written", plain + "int main(void) { «*(int *)&a = 7;» f(0); return 0; }"},
		{"a lock is filled", plain + "int main(void) { memset(&many, 0, sizeof many); «memset(&a, 1, sizeof a);» f(0); return 0; }"},
		{"a lock of another kind", "int main(void) { pthread_mutexattr_t r; pthread_mutex_t m; pthread_mutexattr_init(&r); «pthread_mutexattr_settype(&r, PTHREAD_MUTEX_RECURSIVE);» pthread_mutex_init(&m, &r); L(&m); U(&m); return 0; }"},
		{"a lock of another kind from the beginning", "pthread_mutex_t m = I«, n = {{0, 0, 0, 0, PTHREAD_MUTEX_RECURSIVE}}»; int main(void) { L(&m); U(&m); «L(&n); U(&n);» return 0; }"},
		{"a recursive one of C11", "mtx_t m; int main(void) { mtx_init(&m, mtx_plain «| mtx_recursive»); mtx_lock(&m); mtx_unlock(&m); return 0; }"},
		{"a thread is cancelled", plain + "int main(void) { pthread_create(&t, 0, f, 0); «pthread_cancel(t);» pthread_join(t, 0); return 0; }"},
		{"what is called at the end", plain + "«__attribute__((destructor))» static void last(void) { f(0); } int main(void) { last(); return 0; }"},
		{"what is called at exit", plain + "static void last(void) { f(0); } int main(void) { last(); «atexit(last);» return 0; }"},
		{"what is called before main", plain + "__attribute__((constructor)) static void early(void) { L(&b); «return;» U(&b); } int main(void) { f(0); return 0; }"},
		{"a destructor of a key", plain + "pthread_key_t k; static void d(void *p) { L(&a); «L(&b);» U(&a); } int main(void) { pthread_key_create(&k, d); pthread_setspecific(k, &x); pthread_create(&t, 0, f, 0); pthread_exit(0); }"},
		{"a function that is called once", "pthread_once_t o = PTHREAD_ONCE_INIT; static void init(void) { L(&a); U(&a); } int main(void) { «L(&a);» pthread_once(&o, init); L(&a); U(&a); return 0; }"},
		{"a function that is called once calls itself", "pthread_once_t o = PTHREAD_ONCE_INIT; static void init(void) { «pthread_once(&o, init);» x++; } int main(void) { pthread_once(&o, init); return 0; }"},
		{"a reader writes", "pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; int main(void) { pthread_rwlock_rdlock(&r); «pthread_rwlock_wrlock(&r);» pthread_rwlock_unlock(&r); return 0; }"},
		{"a reader reads once more", "pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; static void *f(void *p) { if (pthread_rwlock_tryrdlock(&r) == 0) { «if (pthread_rwlock_tryrdlock(&r) == 0) x++;» pthread_rwlock_unlock(&r); } return 0; }\n" +
			"int main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r); return 0; }"},
		{"the result of a thread is put into the flag", "long word; static void *f(void *p) { L(&a); while (!word) pthread_cond_wait(&cv, &a); U(&a); return 0; } static void *g(void *p) { return 0; }\n" +
			"int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); L(&a); word = 1; pthread_cond_broadcast(&cv); U(&a); pthread_join(u, «(void **)&word + »0); pthread_join(t, 0); return 0; }"},
		{"a number is read into the flag", "#include <stdio.h>\nint number; static void *f(void *p) { L(&a); while (!done) pthread_cond_wait(&cv, &a); U(&a); return 0; }\n" +
			"int main(void) { pthread_create(&t, 0, f, 0); L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a); sscanf(\"0\", \"%d\", &number); «sscanf(\"0\", \"%d\", &done);» pthread_join(t, 0); return 0; }"},
		{"a lock is moved", plain + "int main(void) { struct s *q = malloc(sizeof *q); if (!q) return 1; pthread_mutex_init(&q->m, 0); «q = realloc(q, 2 * sizeof *q); if (!q) return 1;» L(&q->m); U(&q->m); return 0; }"},
		{"a thread joins by an id that others write", "static void *f(void *p) { long n = (long)p; «static» pthread_t v; if (n > 0) { pthread_create(&v, 0, f, (void *)(n - 1)); pthread_join(v, 0); } return 0; }\n" +
			"int main(void) { f((void *)2); return 0; }"},
		{"a thread joins itself", "static void *f(void *p) { long n = (long)p; pthread_t v; if (n > 0) { pthread_create(&v, 0, f, (void *)(n - 1)); «v = pthread_self();» pthread_join(v, 0); } return 0; }\n" +
			"int main(void) { pthread_create(&t, 0, f, (void *)2); pthread_join(t, 0); return 0; }"},
		{"recursion", "static void r(int k) { L(&a); «if (k) r(k - 1);» U(&a); } int main(void) { r(1); return 0; }"},
		{"a callback", "static int cmp(const void *p, const void *q) { L(&b); U(&b); return 0; } static void *g(void *p) { L(&b); «L(&a); U(&a);» U(&b); return 0; }\n" +
			"int main(void) { int v[2] = {0}; pthread_create(&t, 0, g, 0); L(&a); qsort(v, 2, sizeof *v, cmp); U(&a); return 0; }"},
	} {
		if !long.Turn(i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			with, without := strings.NewReplacer("«", "", "»", "").Replace(c.text), wrong.ReplaceAllString(c.text, "")
			if found, _ := loadText(t, head+with).arranged(t); found != nil {
				t.Errorf("it is proved: %v", found.Order)
			}
			if _, why := loadText(t, head+without).arranged(t); why != nil {
				t.Errorf("without what is wrong: %v", why)
			}
		})
	}
}
