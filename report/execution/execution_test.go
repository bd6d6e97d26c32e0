package execution_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/comus"
	"comus/report/execution"
	"comus/seqmc"
	"comus/specialise"
)

// The executions of these programs are those with the fewest steps, so that there is little choice.
var programs = []struct{ name, property, text, want string }{
	{"lock", specialise.Assert, `
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
int x;
void *f(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	pthread_join(t, 0);
	pthread_mutex_lock(&m);
	assert(x == 0);
	return 0;
}`, `
start: 0 runs :9, 1 absent
1 0 pthread_create(&t, 0, f, 0): 0 waits for the end of thread 1 f :10, 1 created :6
2 1 thread starts: 1 runs :6
3 1 pthread_mutex_lock(&m): takes m, 1 runs :6
4 1 x = 1 x: 0 -> 1: 1 runs :6
5 1 pthread_mutex_unlock(&m): gives back m, 1 runs :6
6 1 thread ends: 0 runs :10, 1 ended
7 0 pthread_join(t, 0): 0 runs :11
8 0 pthread_mutex_lock(&m): takes m, 0 runs :12
9 0 !(x == 0): 0 stands for assert(x == 0) fails :12
create 1 2
join 6 7
lock m 5 8
read x 4 9
variables x`},
	{"lock that is tried", specialise.Race, `
#include <pthread.h>
pthread_spinlock_t l;
int x;
void *f(void *a) { if (pthread_spin_trylock(&l)) x++; return 0; }
int main(void) {
	pthread_t t;
	pthread_spin_init(&l, 0);
	pthread_create(&t, 0, f, 0);
	pthread_spin_lock(&l);
	x++;
	return 0;
}`, `
start: 0 runs :8, 1 absent
1 0 pthread_spin_init(&l, 0) l: 0 -> 0: 0 runs :9
2 0 pthread_create(&t, 0, f, 0): 0 runs :10, 1 created :5
3 0 pthread_spin_lock(&l): takes l
4 0 is about to execute x++: 0 stands for x++ :11
5 0 read x x is 0: 
6 1 thread starts: 1 runs :5
7 1 pthread_spin_trylock(&l): 1 runs :5
8 1 data race at x++ x is 0: 1 stands for data race at x++ :5
create 2 6
variables x`},
	{"deadlock", specialise.Deadlock, `
#include <pthread.h>
pthread_mutex_t m, n;
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	return 0;
}`, `
start: 0 runs :7, 1 absent
1 0 pthread_create(&t, 0, f, 0): 0 runs :8, 1 created :4
2 1 thread starts: 1 runs :4
3 1 pthread_mutex_lock(&m): takes m, 1 runs :4
4 1 pthread_mutex_lock(&n): takes n, 0 waits for n :8, 1 runs :4
5 1 thread ends: 1 ended
6 0 deadlock in pthread_mutex_lock(&n): 
create 1 2
variables`},
	{"deadlock by an index", specialise.Deadlock, `
#include <pthread.h>
pthread_mutex_t m[2];
int first;
void *f(void *a) { pthread_mutex_lock(&m[first]); pthread_mutex_lock(&m[1 - first]); pthread_mutex_unlock(&m[1 - first]); pthread_mutex_unlock(&m[first]); return 0; }
int main(void) {
	pthread_t t;
	first = __VERIFIER_nondet_bool();
	pthread_create(&t, 0, f, 0);
	pthread_mutex_lock(&m[1 - first]);
	pthread_mutex_lock(&m[first]);
	pthread_mutex_unlock(&m[first]);
	pthread_mutex_unlock(&m[1 - first]);
	pthread_join(t, 0);
	return 0;
}`, `
start: 0 runs :8, 1 absent
1 0 first = __VERIFIER_nondet_bool() __VERIFIER_nondet_bool() = 1, first: 0 -> 1: 0 runs :9
2 0 pthread_create(&t, 0, f, 0): 0 runs :10, 1 created :5
3 0 pthread_mutex_lock(&m[1 - first]): takes m[0], 0 runs :11
4 0 pthread_mutex_lock(&m[first]): 0 runs :11
5 1 thread starts: 1 runs :5
6 1 pthread_mutex_lock(&m[first]): takes m[1], 1 runs :5
7 0 waits in pthread_mutex_lock(&m[first]): 0 waits for m[1] :11
8 1 deadlock in pthread_mutex_lock(&m[1 - first]): 1 waits for m[0] :5
create 2 5
read first 1 6
read first 1 8
variables first`},
	{"race", specialise.Race, `
#include <pthread.h>
int x;
void *f(void *a) { x = 1; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	return x;
}`, `
start: 0 runs :7, 1 absent
1 0 pthread_create(&t, 0, f, 0): 0 runs :8, 1 created :4
2 1 thread starts: 1 runs :4
3 1 is about to execute x = 1: 1 stands for x = 1 :4
4 0 data race at x: 0 stands for data race at x :8
create 1 2
variables`},
}

// dump writes what an execution shows, one row a line.
func dump(x *execution.Execution) string {
	var b strings.Builder
	moves := func(ms []execution.Move) (out []string) {
		for _, m := range ms {
			s := fmt.Sprintf("%d %s", m.Thread.Index, m.Status)
			if m.For != "" {
				s += " for " + m.For
			}
			if m.Pos.Line > 0 {
				s += fmt.Sprintf(" :%d", m.Pos.Line)
			}
			out = append(out, s)
		}
		return out
	}
	fmt.Fprintf(&b, "\nstart: %s\n", strings.Join(moves(x.Moves[0]), ", "))
	for i, r := range x.Rows {
		var parts []string
		for _, l := range x.Locks[i] {
			parts = append(parts, map[bool]string{true: "takes ", false: "gives back "}[l.Taken]+l.Name)
		}
		effects := ""
		if len(x.Locks[i]) == 0 {
			effects = r.Effects()
		}
		fmt.Fprintf(&b, "%s: %s\n", strings.TrimSpace(fmt.Sprintf("%d %d %s %s", i+1, r.Thread.Index, r.Statement(), effects)), strings.Join(append(parts, moves(x.Moves[i+1])...), ", "))
	}
	for _, o := range x.Orders {
		fmt.Fprintln(&b, strings.Join(strings.Fields(fmt.Sprintf("%s %s %d %d", o.Kind, o.What, o.From+1, o.To+1)), " "))
	}
	b.WriteString("variables")
	for _, v := range x.Variables() {
		b.WriteString(" " + v.Source)
	}
	return b.String()
}

func TestNew(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), p.name+".c")
			if err := os.WriteFile(file, []byte(p.text), 0o644); err != nil {
				t.Fatal(err)
			}
			about, err := specialise.ChecksNamed([]string{p.property})
			if err != nil {
				t.Fatal(err)
			}
			res, err := comus.Verify(t.Context(), file, comus.Options{Strategy: "explore", Question: specialise.Options{Check: about}})
			if err != nil || res.Verdict != seqmc.Unsafe {
				t.Fatalf("%v, %v", err, res)
			}
			if got := strings.ReplaceAll(dump(execution.New(res.Trace, nil)), filepath.Dir(file)+"/", ""); got != p.want {
				t.Errorf("got%s\nwant%s", got, p.want)
			}
		})
	}
}
