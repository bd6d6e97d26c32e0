package comus_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"comus/comus"
	"comus/comus/involved"
	"comus/internal/long"
	"comus/ir"
	"comus/seqmc"
	"comus/specialise"
)

var involvedIn = []struct {
	name, check, program string
	want                 []string
}{
	{"nested", "race", `int x;
static void put(int v) { x = v; }
static void *f(void *p) { put(1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
put(2); pthread_join(t, 0); }`, []string{
		"0: put:2 main:5", "1: put:2 f:3 by main:4"}},
	{"creator", "race", `int x;
static void *f(void *p) { x++; return 0; }
static void *g(void *p) { pthread_t t; pthread_create(&t, 0, f, 0);
pthread_join(t, 0); return 0; }
static void start(pthread_t *t) { pthread_create(t, 0, g, 0); }
int main(void) { pthread_t t; start(&t);
x = 1; pthread_join(t, 0); }`, []string{
		"0: main:7", "2: f:2 by g:3"}},
	{"creator's calls", "race", `int x;
static void *f(void *p) { x++; return 0; }
static void start(pthread_t *t) { pthread_create(t, 0, f, 0); }
int main(void) { pthread_t t; start(&t);
x = 1; pthread_join(t, 0); }`, []string{
		"0: main:5", "1: f:2 by start:3 main:4"}},
	{"library", "race", `char a[2];
static void put(void) { memset(a, 1, 2); }
static void *f(void *p) { put(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
put(); pthread_join(t, 0); }`, []string{
		"0: memset put:2 main:5", "1: memset put:2 f:3 by main:4"}},
	{"state of the library", "race", `static void *f(void *p) { localtime(p); return 0; }
time_t now;
int main(void) { pthread_t t; pthread_create(&t, 0, f, &now);
localtime(&now); pthread_join(t, 0); }`, []string{
		"0: localtime main:4", "1: localtime f:1 by main:3"}},
	{"once", "race", `int x; pthread_once_t o = PTHREAD_ONCE_INIT;
static void init(void) { x = 1; }
static void *f(void *p) { pthread_once(&o, init); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
x = 2; pthread_join(t, 0); }`, []string{
		"0: main:5", "1: init:2 pthread_once f:3 by main:4"}},
	{"handler", "race", `int x;
static void at_end(void) { x = 1; }
static void *f(void *p) { x = 2; return 0; }
int main(void) { pthread_t t; atexit(at_end); pthread_create(&t, 0, f, 0); return 0; }`, []string{
		"0: at_end:2 exit", "1: f:3 by main:4"}},
	{"handler of a call of exit", "race", `int x;
static void at_end(void) { x = 1; }
static void *f(void *p) { x = 2; return 0; }
int main(void) { pthread_t t; atexit(at_end); pthread_create(&t, 0, f, 0); exit(0); }`, []string{
		"0: at_end:2 exit main:4", "1: f:3 by main:4"}},
	{"destructor of a key", "race", `int x; pthread_key_t k;
static void gone(void *p) { x = 1; }
static void *f(void *p) { pthread_setspecific(k, &x); return 0; }
int main(void) { pthread_t t; pthread_key_create(&k, gone); pthread_create(&t, 0, f, 0);
x = 2; pthread_join(t, 0); }`, []string{
		"0: main:5", "1: gone:2 by main:4"}},
	{"constructor", "assert", `extern void __VERIFIER_assert(int);
static void check(int v) { __VERIFIER_assert(v); }
__attribute__((constructor)) static void before(void) { check(0); }
int main(void) { return 0; }`, []string{"0: check:2 before:3"}},
	{"C11", "race", `int x; mtx_t m;
static int f(void *p) { mtx_lock(&m); x++; mtx_unlock(&m); return 0; }
int main(void) { thrd_t t; mtx_init(&m, mtx_plain); thrd_create(&t, f, 0); x++; thrd_join(t, 0); }`, []string{
		"0: main:3", "1: f:2 by main:3 holds m"}},
	{"arrays and structs", "race", `struct node { int v; pthread_mutex_t lock; pthread_rwlock_t rw; pthread_spinlock_t spin; } node;
pthread_mutex_t locks[4];
static void *f(void *p) { struct node *n = p; pthread_mutex_lock(&n->lock); pthread_rwlock_rdlock(&n->rw); n->v = 1;
pthread_rwlock_unlock(&n->rw); pthread_mutex_unlock(&n->lock); return 0; }
int main(void) { pthread_t t; pthread_spin_init(&node.spin, 0); pthread_create(&t, 0, f, &node);
pthread_mutex_lock(&locks[3]); pthread_spin_lock(&node.spin); node.v = 2; pthread_spin_unlock(&node.spin); pthread_mutex_unlock(&locks[3]);
pthread_join(t, 0); }`, []string{
		"0: main:6 holds locks[3], node.spin", "1: f:3 by main:5 holds node.lock, node.rw (read)"}},
	{"modes", "race", `int x; pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static void *f(void *p) { pthread_rwlock_wrlock(&a); pthread_rwlock_unlock(&a); pthread_rwlock_tryrdlock(&a); pthread_rwlock_rdlock(&a); x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
pthread_rwlock_wrlock(&b); x = 2; pthread_rwlock_unlock(&b); pthread_join(t, 0); }`, []string{
		"0: main:4 holds b (write)", "1: f:2 by main:3 holds a (read)"}},
	{"index that is not known", "race", `int x; pthread_mutex_t m[2]; extern int __VERIFIER_nondet_int(void);
static void *f(void *p) { int i = __VERIFIER_nondet_int() & 1; pthread_mutex_lock(&m[i]); x++; pthread_mutex_unlock(&m[i]); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m[0]); x = 2; pthread_mutex_unlock(&m[0]); pthread_join(t, 0); }`, []string{
		"0: main:3 holds m[0]", "1: f:2 by main:3 holds m[1]"}},
	{"memory on the heap", "race", `int x; struct node { int v; pthread_mutex_t lock; };
static void work(struct node *n) { pthread_mutex_lock(&n->lock); x++; pthread_mutex_unlock(&n->lock); }
static void *f(void *p) { work(p); return 0; }
static struct node *make(void) { struct node *n = malloc(sizeof *n); pthread_mutex_init(&n->lock, 0); return n; }
int main(void) { pthread_t t; struct node *n = make(); pthread_create(&t, 0, f, make());
work(n); pthread_join(t, 0); }`, []string{
		"0: work:2 main:6 holds n->lock (allocated at f.c:4, no. 1)", "1: work:2 f:3 by main:5 holds n->lock (allocated at f.c:4, no. 2)"}},
	{"deadlock", "deadlock", `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *p, pthread_mutex_t *q) { pthread_mutex_lock(p); pthread_mutex_lock(q); pthread_mutex_unlock(q); pthread_mutex_unlock(p); }
static void *f(void *p) { both(&a, &b); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); both(&b, &a); pthread_join(t, 0); }`, []string{
		"0: pthread_mutex_lock both:2 main:4 holds b", "1: pthread_mutex_lock both:2 f:3 by main:4 holds a"}},
	{"weak atomics", "race", `#include <stdatomic.h>
int x; atomic_int done;
static void set(void) { x = 1; }
static void *f(void *p) { set(); atomic_store_explicit(&done, 1, memory_order_relaxed); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
if (atomic_load_explicit(&done, memory_order_relaxed)) set(); pthread_join(t, 0); }`, []string{
		"0: set:3 main:6", "1: set:3 f:4 by main:5"}},
	{"memory", "memory", `static void set(int *p) { *p = 1; }
static void *f(void *p) { set(p); return 0; }
int main(void) { pthread_t t; int *p = malloc(4); free(p); pthread_create(&t, 0, f, p); pthread_join(t, 0); }`, []string{
		"1: set:1 f:2 by main:3"}},
	{"free", "memory", `static void done(void *p) { free(p); }
int main(void) { void *p = malloc(4); done(p); done(p); }`, []string{"0: free done:1 main:2"}},
	{"overflow", "overflow", `extern int __VERIFIER_nondet_int(void);
static int add(int a) { return a + 1; }
int main(void) { return add(__VERIFIER_nondet_int()); }`, []string{"0: add:2 main:3"}},
	{"locks", "locks", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void leave(void) { pthread_mutex_unlock(&m); }
int main(void) { leave(); }`, []string{"0: pthread_mutex_unlock leave:2 main:3"}},
}

// TestInvolved asks for the calls that led to findings, and for the locks that threads hold: innermost first, a line for each thread.
func TestInvolved(t *testing.T) {
	const begin = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n#include <time.h>\n"
	for i, tt := range involvedIn {
		if !long.Turn(i, 3) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			const file = "f.c"
			if err := os.WriteFile(file, []byte(begin+"#line 1\n"+tt.program+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			var opts comus.Options
			opts.Question.Check, _ = specialise.ChecksNamed([]string{tt.check})
			r, err := comus.Verify(t.Context(), file, opts)
			if err != nil || r.Verdict != seqmc.Unsafe {
				t.Fatalf("%v, error %v", r, err)
			}
			if got := toldOf(r); !slices.Equal(got, tt.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
			}
		})
	}
}

// toldOf writes the part of each thread in a violation as a line.
func toldOf(r *comus.Result) []string {
	parts := involved.In(r.Trace)
	if last := r.Trace.Error; parts == nil {
		x := involved.Thread{Thread: last.Thread}
		x.Calls, x.Created = last.Frame.Stack(last.Pos)
		parts = append(parts, x)
	}
	var out []string
	for _, x := range parts {
		line := fmt.Sprintf("%d:%s", x.Thread.Index, stackText(x.Calls))
		if len(x.Created) > 0 {
			line += " by" + stackText(x.Created)
		}
		if len(x.Held) > 0 {
			line += " holds " + strings.Join(x.Held, ", ")
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func stackText(stack []ir.At) (text string) {
	for _, a := range stack {
		text += " " + a.Func
		if a.Pos.Line > 0 {
			text += fmt.Sprintf(":%d", a.Pos.Line)
		}
	}
	return text
}
