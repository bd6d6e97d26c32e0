package check_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"comus/check"
	"comus/cutpoints"
	"comus/envmove/linear"
	"comus/envmove/locpairs"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
)

// sums makes a random program whose threads add variables to each other; some have a
// lock, an input, a loop, or wait.
func sums(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n" +
		"pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x = 1, y = 1, z = 0, flag = 0;\n")
	v := func() string { return []string{"x", "y", "z"}[r.IntN(3)] }
	statement := func() string {
		switch r.IntN(20) {
		case 0:
			return fmt.Sprintf("%s = %s - %s;", v(), v(), v())
		case 1:
			return fmt.Sprintf("%s = 2 * %s + %d;", v(), v(), r.IntN(3))
		case 2:
			return fmt.Sprintf("{ int in = __VERIFIER_nondet_int(); __VERIFIER_assume(in >= 0 && in <= 2); %s = in; }", v())
		case 3:
			return fmt.Sprintf("if (%s > 2) %s = 1;", v(), v())
		case 4:
			return fmt.Sprintf("for (int i = 0; i < 2; i++) %s += %s;", v(), v())
		case 5:
			return fmt.Sprintf("pthread_mutex_lock(&m); %s += %s; %s = %s; pthread_mutex_unlock(&m);", v(), v(), v(), v())
		case 6:
			return []string{"flag = 1;", "while (!flag) ;"}[r.IntN(2)]
		}
		return fmt.Sprintf("%s = %s + %s;", v(), v(), v())
	}
	threads := 2 + r.IntN(2)
	for i := range threads {
		fmt.Fprintf(&b, "void *t%d(void *arg) {\n", i)
		for range 2 + r.IntN(2) {
			fmt.Fprintf(&b, "    %s\n", statement())
		}
		if i == 0 {
			fmt.Fprintf(&b, "    assert(%s <= %d);\n", v(), 6+r.IntN(20))
		}
		b.WriteString("    return 0;\n}\n")
	}
	b.WriteString("int main(void) {\n    pthread_t t[3];\n")
	for i := range threads {
		fmt.Fprintf(&b, "    pthread_create(&t[%d], 0, t%d, 0);\n", i, i)
	}
	if r.IntN(2) == 0 {
		for i := range threads {
			fmt.Fprintf(&b, "    pthread_join(t[%d], 0);\n", i)
		}
		b.WriteString("    assert(x + y <= 30);\n")
	}
	b.WriteString("    return 0;\n}\n")
	return b.String()
}

// TestBoundsOfSumsAreInductive lets the checker prove the facts of package linear
// about random programs.
func TestBoundsOfSumsAreInductive(t *testing.T) {
	programs := uint64(long.N(25, 4))
	for name, source := range map[string]func(uint64) string{
		"sums": sums,
		"any": func(seed uint64) string {
			return randprog.Generate(seed, randprog.Options{Threads: 2 + int(seed%2), MaxStatements: 5})
		},
	} {
		some, facts := 0, 0
		for seed := range programs {
			n := inductive(t, source(seed))
			facts += n
			if n > 0 {
				some++
			}
		}
		t.Logf("%s: %d facts about %d of %d programs", name, facts, some, programs)
		if name == "sums" && some < int(programs)/10 {
			t.Errorf("facts about %d of %d programs only", some, programs)
		}
	}
}

// inductive checks the facts about a program and returns how many there are.
func inductive(t *testing.T, src string) int {
	t.Helper()
	p, c, found := sumFacts(t, src)
	if found == 0 {
		return 0
	}
	if err := check.Safe(t.Context(), p, c); err != nil && !strings.HasPrefix(err.Error(), "there is no run for thread") {
		t.Errorf("%d facts: %v\n%s", found, err, src)
	}
	return found
}

// TestFalsifiedFacts attacks the facts about random programs.
func TestFalsifiedFacts(t *testing.T) {
	programs, rounds := uint64(long.N(20, 4)), long.N(12, 5)
	r := rand.New(rand.NewPCG(8, 9))
	accepted, rejected := 0, 0
	for seed := range programs {
		src := sums(seed)
		if seed%3 == 2 {
			src = randprog.Generate(seed, randprog.Options{Threads: 2 + int(seed%2), MaxStatements: 5})
		}
		p, c, _ := sumFacts(t, src)
		a, n := check.Attack(t, r, p, c, rounds)
		accepted, rejected = accepted+a, rejected+n
		if t.Failed() {
			t.Fatal(src)
		}
	}
	t.Logf("%d accepted, %d rejected", accepted, rejected)
	if accepted < int(programs) || rejected < int(programs) {
		t.Errorf("%d accepted and %d rejected only", accepted, rejected)
	}
}

// sumFacts returns a program with a certificate that has facts only, and how many of
// these are about sums.
func sumFacts(t *testing.T, src string) (*ir.Program, *check.Certificate, int) {
	t.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := res.Program
	p.Renumber()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	facts, err := locpairs.Analyze(t.Context(), p, graphs, locpairs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	facts.Simplify()
	found := 0
	for _, th := range p.Threads {
		if th.HasErrors() {
			more := linear.Analyze(t.Context(), p, graphs, facts, th.Index, false)
			facts.Add(more...)
			found += len(more)
		}
	}
	return p, &check.Certificate{Format: check.Format, Version: check.Version, Verdict: "SAFE",
		Facts: facts.Invariant().SMTLIB(), Threads: describe(graphs)}, found
}
