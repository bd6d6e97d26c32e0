package comus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/confirm"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/query"
	"comus/seqmc"
)

// portfolioHead begins the programs of these tests.
const portfolioHead = `#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x, y;
void *f(void *a) { x++; return 0; }
`

// TestFeatures looks at programs, and at the orders of engines that come of it.
func TestFeatures(t *testing.T) {
	for _, tt := range []struct {
		text, want, first string
	}{
		{`int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); assert(x <= 1); return 0; }`,
			"2 threads, no loops, no inputs", "partial-order"},
		{`int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); x = __VERIFIER_nondet_int(); assert(x < 9); return 0; }`,
			"2 threads, no loops, inputs", "partial-order"},
		{`int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); while (y < 9) y = y + x; assert(x < 9); return 0; }`,
			"2 threads, loops, no inputs", "explore"},
		{`int main(void) { pthread_t p; while (__VERIFIER_nondet_int()) pthread_create(&p, 0, f, 0); assert(x < 9); return 0; }`,
			"4 threads, no loops, cut off at bounds, inputs", "modular"},
		{`int main(void) { pthread_t p; for (int i = 0; i < 20; i++) pthread_create(&p, 0, f, 0); assert(x < 90); return 0; }`,
			"21 threads, no loops, no inputs", "partial-order"},
	} {
		src, err := csource.Parse("p.c", []byte(portfolioHead+tt.text), csource.Options{MaxThreads: 3})
		if err != nil {
			t.Fatal(err)
		}
		p, err := confirm.New(src.Program, nil, check.Program{}, Options{}.passes(), nil).Simplify()
		if err != nil {
			t.Fatal(err)
		}
		f := engine.FeaturesOf(p)
		if f.String() != tt.want {
			t.Errorf("%s instead of %s\n%s", f, tt.want, tt.text)
		}
		plan := f.Plan()
		if plan[0] != tt.first {
			t.Errorf("%s: %v", f, plan)
		}
		names := Strategies()
		for i, name := range plan {
			if !slices.Contains(names, name) || slices.Contains(plan[:i], name) {
				t.Errorf("%s: %v", f, plan)
			}
		}
	}
}

// asked returns the question about a file.
func asked(t *testing.T, file string, opts Options) *question {
	t.Helper()
	opts = opts.Complete()
	src, err := Open(t.Context(), File(file), opts.Source)
	if err != nil {
		t.Fatal(err)
	}
	q, err := within(t.Context(), src, opts)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestAlike looks for loops that create threads.
func TestAlike(t *testing.T) {
	for text, want := range map[string]bool{
		`int main(void) { pthread_t p; for (int i = 0; i < 20; i++) pthread_create(&p, 0, f, 0); assert(x < 90); return 0; }`: true,
		`int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); pthread_create(&p, 0, f, 0); assert(x < 90); return 0; }`: false,
	} {
		file := source(t, portfolioHead+text)
		if got := asked(t, file, Options{}).replicates(t.Context()); got != want {
			t.Errorf("%v for %s", got, text)
		}
	}
}

// TestMessage sends a result and receives it.
func TestMessage(t *testing.T) {
	r := &Result{Verdict: seqmc.Safe, Engine: "modular", Stats: query.Stats{Checks: 3}, CheckTime: time.Second, CheckSolver: "s",
		Assumptions: []string{"a"}, Warnings: []string{"w"}, complete: true, program: check.Program{SHA256: "1"}, Certificate: &check.Certificate{Format: check.Format}}
	var b bytes.Buffer
	if err := r.Send(&b); err != nil {
		t.Fatal(err)
	}
	m, err := receive(&b)
	if err != nil {
		t.Fatal(err)
	}
	if m.verdict != r.Verdict || m.Complete != r.complete || m.CheckTime != r.CheckTime || m.CheckSolver != r.CheckSolver {
		t.Errorf("%+v", m)
	}
	got := m.result(confirm.Answer{})
	if got.Verdict != seqmc.Unknown || got.complete {
		t.Errorf("what a process says is a verdict without being confirmed: %v", got.Verdict)
	}
	got.Verdict, got.complete, got.CheckTime, got.CheckSolver, got.Certificate = r.Verdict, r.complete, r.CheckTime, r.CheckSolver, m.Certificate
	if fmt.Sprintf("%+v", *got.Certificate) != fmt.Sprintf("%+v", *r.Certificate) {
		t.Errorf("certificate %+v", got.Certificate)
	}
	got.Certificate = r.Certificate
	if a, b := fmt.Sprintf("%+v", *got), fmt.Sprintf("%+v", *r); a != b {
		t.Errorf("%s\ninstead of\n%s", a, b)
	}
	for _, bad := range []string{"", "{", `{"verdict": "PERHAPS"}`} {
		if _, err := receive(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// contestOf runs a portfolio on a program, in which the engines are what a shell makes of a
// script; $0 is "--strategy=" with the engine's name, and PROGRAM what such an engine has to
// say of the program.
func contestOf(t *testing.T, limit time.Duration, script string) *Result {
	t.Helper()
	ctx := t.Context()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	file := source(t, portfolioHead+`extern int __VERIFIER_nondet_int(void);
int main(void) { pthread_t p; int n = __VERIFIER_nondet_int(); if (n == 12345) x = 0; pthread_create(&p, 0, f, 0); assert(x <= 1); return 0; }`) // an input: it has too many states to be decided before
	program, err := json.Marshal(asked(t, file, Options{}).ID)
	if err != nil {
		t.Fatal(err)
	}
	script = strings.ReplaceAll(script, "PROGRAM", string(program))
	res, err := Verify(ctx, file, Options{NoSimulate: true, Command: []string{"/bin/sh", "sh", "-c", script}, Log: hclog.NewNullLogger()})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestContest takes engines that fail, lie and sleep.
func TestContest(t *testing.T) {
	const safe = `echo '{"verdict": "SAFE", "engine": "unbounded", "certificate": {"format": "f"}, "program": PROGRAM}'`
	r := contestOf(t, time.Minute, `case $0 in
		*=partial-order) echo '{"verdict": "UNSAFE", "certificate": {"format": "f"}, "program": PROGRAM}' ;;
		*=modular) echo nonsense; echo "out of luck" >&2; exit 70 ;;
		*=explore) echo '{"verdict": "UNKNOWN", "reason": "no idea"}' ;;
		*=unbounded) sleep 2; `+safe+` ;;
		*=thread-modular) echo '{"verdict": "SAFE", "engine": "thread-modular", "certificate": {"format": "f"}}' ;;
		*) echo '{"verdict": "UNSAFE", "program": PROGRAM}' ;; esac`)
	if r.Verdict != seqmc.Safe || r.Engine != "unbounded" || r.Portfolio == nil {
		t.Fatalf("%v by %s: %s", r.Verdict, r.Engine, r.Reason)
	}
	outcomes := map[string]string{}
	for _, c := range r.Portfolio.Contestants {
		outcomes[c.Engine] = c.Outcome
	}
	for engine, want := range map[string]string{"partial-order": "UNSAFE, which was not confirmed: ", "modular": "exit code 70 (out of luck)",
		"explore": "no idea", "unbounded": "SAFE", "thread-modular": "another source", "lazy": "no certificate"} {
		if !strings.Contains(outcomes[engine], want) {
			t.Errorf("%s: %q instead of %q", engine, outcomes[engine], want)
		}
	}

	r = contestOf(t, time.Minute, `echo '{"verdict": "UNKNOWN", "reason": "no idea of '$0'"}'`)
	if r.Verdict != seqmc.Unknown || r.Reason != "partial-order: no idea of --strategy=partial-order" {
		t.Errorf("%v: %s", r.Verdict, r.Reason)
	}
	if r = contestOf(t, 0, `echo '{"verdict": "UNKNOWN", "reason": "'$2 $3 ${1##*/}'"}'`); r.Reason != "partial-order: --timeout=0 -- reading" {
		t.Errorf("%v: %s", r.Verdict, r.Reason)
	}
	for script, want := range map[string]string{
		`kill -9 $$`: "partial-order: the process was killed",
		`printf 'runtime: x\npanic: oh\n\ngoroutine 1:\n' >&2; exit 2`: "partial-order: the process ended with exit code 2 (panic: oh)",
	} {
		if r = contestOf(t, time.Minute, script); r.Reason != want {
			t.Errorf("%v: %s instead of %s", r.Verdict, r.Reason, want)
		}
	}

	begin := time.Now()
	r = contestOf(t, 300*time.Millisecond, `sleep 1000 & sleep 1000`)
	if r.Verdict != seqmc.Unknown || r.Reason != "timeout" {
		t.Errorf("%v: %s", r.Verdict, r.Reason)
	}
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("the end was noticed after %v", d)
	}
}

// TestShared divides memory.
func TestShared(t *testing.T) {
	s := &shared{limit: 100, used: map[string]int64{}}
	for i, tt := range []struct {
		engine string
		bytes  int64
		want   bool
	}{{"a", 50, false}, {"b", 40, false}, {"b", 51, true}, {"a", 50, false}, {"b", 30, false}, {"a", 80, true}} {
		if got := s.tooMuch(tt.engine, tt.bytes); got != tt.want {
			t.Errorf("%d: %v", i, got)
		}
	}
	s.gone("b")
	if s.tooMuch("a", 80) {
		t.Error("memory of what is gone counts")
	}
}
