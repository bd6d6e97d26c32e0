package explore_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"comus/ir/explore"
)

// TestOpenValues compares explorations that take every value for too many with
// a naive search by the reference semantics.
func TestOpenValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	verdicts := map[explore.Verdict]int{}
	for i := range 500 {
		p := randomProgram(r)
		opts := explore.Options{MaxChoices: 1, Recheck: true, Reduce: i%2 == 1}
		res, err := explore.Explore(context.Background(), p, opts)
		if err != nil {
			t.Fatal(err)
		}
		verdicts[res.Verdict]++
		if want := shortest(t, p); res.Verdict != explore.Unknown && (res.Verdict == explore.Unsafe) != (want >= 0) {
			t.Fatalf("%v, want %d steps (-1: safe)\n%s", res.Verdict, want, p)
		}
	}
	if verdicts[explore.Safe] < 100 || verdicts[explore.Unsafe] < 60 {
		t.Errorf("verdicts %v: not a good mixture", verdicts)
	}
}

// TestOpenValuesInC explores programs with values that are left open.
func TestOpenValuesInC(t *testing.T) {
	const head = "#include <assert.h>\n#include <stdlib.h>\n#include <pthread.h>\nint x, y; int nondet(void);\n"
	run := func(worker, body, after string) string {
		return head + "void *w(void *arg) {" + worker + "return 0;}\n" +
			"int main(void) { pthread_t t; int v; pthread_create(&t, 0, w, &v);" + body + "pthread_join(t, 0);" + after + "}"
	}
	tests := []struct {
		name string
		src  string
		want explore.Verdict
	}{
		{"result of a thread", run("*(int *)arg = 3;", "", "assert(v == 3);"), explore.Safe},
		{"result that is wrong", run("*(int *)arg = 3;", "", "assert(v == 4);"), explore.Unsafe},
		{"result that is read too early", run("*(int *)arg = 3;", "x = v > 5;", "assert(x || v == 3);"), explore.Unknown},
		{"result that is copied too early", run("*(int *)arg = 3;", "x = v;", "x = 1; assert(x == 1);"), explore.Safe},
		{"copy that is read", run("*(int *)arg = 3;", "x = v;", "assert(x == 3);"), explore.Unknown},
		{"member of allocated memory", head + "struct s { int a, b; }; int main(void) { struct s *p = malloc(sizeof *p), q; p->a = 1; q = *p; assert(q.a == 1); }", explore.Safe},
		{"member that has no value", head + "struct s { int a, b; }; int main(void) { struct s *p = malloc(sizeof *p), q; p->a = 1; q = *p; assert(q.b == 1); }", explore.Unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if res := explored(t, parse(t, tt.src), explore.Options{Recheck: true}); res.Verdict != tt.want {
				t.Errorf("%v (%s), want %v", res.Verdict, res.Reason, tt.want)
			}
		})
	}
}
