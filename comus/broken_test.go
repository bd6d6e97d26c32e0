package comus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"comus/ir"
	"comus/seqmc"
	"comus/specialise"
)

// TestBroken has programs of ir break a rule: the question is out, with an error of comus's own in one line, and others go on.
func TestBroken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	src := "#include <assert.h>\n#include <pthread.h>\nint g;\nvoid *f(void *a) { g = 1; return a; }\n" +
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(g == 1); return 0; }\n"
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	times := 0 // that programs are still to break
	afterRead = func(p *ir.Program) {
		if times--; times >= 0 {
			for _, v := range p.Vars {
				v.Index += 1000
			}
		}
	}
	defer func() { afterRead = nil }()
	for _, c := range []struct {
		name   string
		times  int
		opts   Options
		broken bool
	}{
		{"one engine", 1000, Options{Strategy: "modular"}, true},
		{"none broken", 0, Options{Strategy: "modular"}, false},
		{"the first of several questions", 1, Options{Strategy: "modular", Question: specialise.Options{Check: specialise.Checks{Overflow: true, Locks: true}}}, false},
		{"all questions", 1000, Options{Strategy: "modular", Question: specialise.Options{Check: specialise.Checks{Overflow: true, Locks: true}}}, true},
	} {
		times = c.times
		res, err := Verify(t.Context(), file, c.opts)
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.broken && (res.Verdict != seqmc.Unknown || res.Internal == nil || !strings.HasPrefix(res.Internal.Error(), "internal error: ") || strings.Contains(res.Reason, "\n") || len(res.Reason) > 500):
			t.Errorf("%s: %v, %v: %s", c.name, res.Verdict, res.Internal, res.Reason)
		case !c.broken && (res.Verdict != seqmc.Safe || res.Internal != nil):
			t.Errorf("%s: %v, %v: %s", c.name, res.Verdict, res.Internal, res.Reason)
		}
	}
}

// TestBrokenEngine has one engine of a portfolio fail: what is said at the end is that, if no other one decides.
func TestBrokenEngine(t *testing.T) {
	r := &contest{q: &question{opts: Options{Log: hclog.NewNullLogger()}}, plan: []string{"modular", "explore"}, running: map[string]*runner{},
		record: &Portfolio{}, reasons: map[string]string{}}
	r.settle(t.Context(), &runner{Contestant: Contestant{Engine: "modular"}, says: &message{Verdict: "UNKNOWN", Reason: "too large"}})
	if internalOf(r.undecided()) != nil {
		t.Error("no engine has failed")
	}
	r.settle(t.Context(), &runner{Contestant: Contestant{Engine: "explore"}, says: &message{Verdict: "UNKNOWN", Internal: "a rule is broken"}})
	if e := internalOf(r.undecided()); e == nil || e.What != "explore: a rule is broken" {
		t.Errorf("it ends with %v", r.undecided())
	}
}
