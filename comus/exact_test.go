package comus

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/check"
	"comus/comus/confirm"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/ir"
	"comus/logic"
	"comus/seqmc"
)

// TestMain makes the test binary an engine's process of a portfolio if it is called as one.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "worker" {
		os.Exit(m.Run())
	}
	afterRead = nondetApproximated
	opts := Options{Options: engine.Options{Alone: true}}
	for _, arg := range os.Args[2:] {
		if name, ok := strings.CutPrefix(arg, "--strategy="); ok {
			opts.Strategy = name
		}
		opts.Exact = opts.Exact || arg == "--exact"
	}
	res, err := Verify(context.Background(), os.Args[len(os.Args)-1], opts)
	if err != nil || res.Send(os.Stdout) != nil {
		os.Exit(70)
	}
}

// nondetApproximated makes the inputs of a program approximations.
func nondetApproximated(p *ir.Program) {
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) {
			if slices.ContainsFunc(e.Cmds, func(c ir.Cmd) bool { return c.Input == "__VERIFIER_nondet_int" }) {
				e.Approx = "call of unknown function"
			}
		})
	}
}

// approximated are programs of two threads. The second one increments x, without a lock if
// race, and the first one does so after steps of its own, which may fail.
type approximated struct {
	p    *ir.Program
	main *ir.Thread
	at   *ir.Loc
	x, t *ir.Var
}

var int8Type = ir.Type{Bits: 8, Signed: true}

func newApproximated() *approximated {
	p := ir.NewProgram("f.c")
	a := &approximated{p: p, main: p.NewThread("main")}
	zero := logic.Value{}
	variable := func(name string, typ ir.Type, thread int) *ir.Var {
		v := p.NewVar(name, typ, thread)
		v.Init = &zero
		return v
	}
	a.x, a.t = variable("x", int8Type, ir.Shared), variable("t", int8Type, 0)
	other := p.NewThread("other")
	other.Created = variable("created", ir.Flag, ir.Shared)
	begun, done := other.NewLoc(ir.Pos{}), other.NewLoc(ir.Pos{})
	start := other.NewEdge(other.Entry, begun, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(other.Created.Sym, p.L.Int(1))))
	start.Kind = ir.Start
	other.NewEdge(begun, done, place(20), "x = 1", ir.AssignCmd(a.x, p.L.Int(1)))
	a.at = a.main.Entry
	a.step(2, "create", ir.AssignCmd(other.Created, p.L.Int(1))).Kind = ir.Create
	a.main.Entry.Out[0].Thread = 1
	return a
}

func place(line int) ir.Pos { return ir.Pos{File: "f.c", Line: line, Col: 3} }

// step adds a step of main.
func (a *approximated) step(line int, text string, cmds ...ir.Cmd) *ir.Edge {
	to := a.main.NewLoc(place(line))
	e := a.main.NewEdge(a.at, to, place(line), text, cmds...)
	a.at = to
	return e
}

// unknown gives t any value, in a step that is an approximation.
func (a *approximated) unknown(line int) {
	a.step(line, "t = g()", ir.HavocCmd(a.t, "")).Approx = "call of unknown function g"
}

// fails adds an assertion that fails if a condition holds.
func (a *approximated) fails(line int, cond *logic.Term) {
	bad := a.main.NewLoc(place(line))
	bad.Error, bad.Text = true, "assert(0)"
	a.main.NewEdge(a.at, bad, place(line), "assert", ir.AssumeCmd(cond))
	a.step(line, "", ir.AssumeCmd(a.p.L.Not(cond)))
}

func (a *approximated) eq(v *ir.Var, k int64) *logic.Term { return a.p.L.Eq(v.Sym, a.p.L.Int(k)) }

// approximatedCases are programs with approximations and their verdicts.
var approximatedCases = []struct {
	name    string
	make    func(a *approximated)
	verdict seqmc.Verdict
	reason  string
}{
	{"safe, whatever comes of it", func(a *approximated) {
		a.unknown(7)
		a.fails(12, a.p.L.And(a.eq(a.t, 5), a.eq(a.x, 2)))
	}, seqmc.Safe, ""},
	{"the violation hangs on it", func(a *approximated) {
		a.unknown(7)
		a.fails(12, a.eq(a.t, 5))
	}, seqmc.Unknown, "possible violation at f.c:12:3, it depends on call of unknown function g (f.c:7:3)"},
	{"it hangs on a copy of it", func(a *approximated) {
		a.unknown(7)
		u := a.p.NewVar("u", int8Type, 0)
		a.step(8, "u = t", ir.AssignCmd(u, a.t.Sym))
		a.step(9, "t = 0", ir.AssignCmd(a.t, a.p.L.Int(0)))
		a.fails(12, a.p.L.And(a.eq(u, 5), a.eq(a.x, 1)))
	}, seqmc.Unknown, "possible violation at f.c:12:3, it depends on call of unknown function g (f.c:7:3)"},
	{"it hangs on a step that is perhaps none", func(a *approximated) {
		a.step(8, "asm()").Approx = "inline assembly"
		a.fails(12, a.eq(a.x, 1))
	}, seqmc.Unknown, "possible violation at f.c:12:3, it depends on inline assembly (f.c:8:3)"},
	{"the values play no role", func(a *approximated) {
		a.unknown(7)
		a.fails(12, a.eq(a.x, 1))
	}, seqmc.Unsafe, ""},
	{"the values are overwritten", func(a *approximated) {
		a.unknown(7)
		a.step(8, "t = x", ir.AssignCmd(a.t, a.x.Sym))
		a.fails(12, a.eq(a.t, 1))
	}, seqmc.Unsafe, ""},
	{"another violation is exact", func(a *approximated) {
		from := a.at
		a.unknown(7)
		a.fails(12, a.eq(a.t, 5))
		a.at = from
		a.step(14, "else")
		a.fails(15, a.eq(a.x, 1))
	}, seqmc.Unsafe, ""},
	{"another violation is behind it", func(a *approximated) {
		a.unknown(7)
		a.fails(12, a.eq(a.t, 5))
		a.step(13, "t = 0", ir.AssignCmd(a.t, a.p.L.Int(0)))
		a.fails(15, a.eq(a.x, 1))
	}, seqmc.Unknown, "it depends on call of unknown function g (f.c:7:3)"},
}

// makeApproximated makes the program of a case.
func makeApproximated(t *testing.T, build func(*approximated)) *ir.Program {
	t.Helper()
	a := newApproximated()
	build(a)
	if err := a.p.Check(); err != nil {
		t.Fatal(err)
	}
	return a.p
}

// TestApproximated verifies programs with approximations in all ways.
func TestApproximated(t *testing.T) {
	for _, tt := range approximatedCases {
		for _, how := range append(Strategies(), "no simulation", "no passes") {
			opts := Options{Strategy: how}
			switch how {
			case engine.ThreadModular{}.Name(), engine.ResourceInvariants{}.Name(), scanStrategy: // which find no violations, or are asked about source only
				continue
			case "no simulation":
				opts = Options{NoSimulate: true}
			case "no passes":
				opts = Options{NoSimulate: true, Passes: []string{}}
			}
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				long.OneOf(t, 3)
				p := makeApproximated(t, tt.make)
				res, err := VerifyProgram(t.Context(), p, opts)
				if err != nil {
					t.Fatal(err)
				}
				if res.Verdict != tt.verdict || !strings.HasSuffix(res.Reason, tt.reason) || len(res.Approximations) != 1 {
					t.Fatalf("%v: %s, approximations %v", res.Verdict, res.Reason, res.Approximations)
				}
				switch s := res.Suspected; {
				case res.Verdict != seqmc.Unknown:
					if s != nil {
						t.Error("a verdict, and a suspicion")
					}
				case s == nil || s.Trace.Error == nil || len(s.On) != 1 || s.On[0] != res.Approximations[0]:
					t.Errorf("suspected: %+v", s)
				case res.Certificate != nil:
					t.Error("a certificate of nothing")
				default:
					if _, err := check.Unsafe(p, s.Certificate); err == nil {
						t.Error("the suspected execution is accepted as a certificate")
					}
				}
			})
		}
	}
}

// TestApproximatedExplore visits the states.
func TestApproximatedExplore(t *testing.T) {
	for _, tt := range approximatedCases {
		for _, names := range [][]string{nil, Options{}.passes()} {
			for _, inputs := range []int{256, 2} { // too few for the approximation's values
				p := makeApproximated(t, tt.make)
				res, err := exploreSubject(t.Context(), confirm.New(p, nil, check.Program{}, names, nil), ExploreOptions{Passes: names, MaxInputs: inputs})
				if err != nil {
					t.Fatal(err)
				}
				if inputs == 2 && tt.verdict != seqmc.Unsafe {
					if res.Verdict == seqmc.Unsafe {
						t.Errorf("%s, %v: %v", tt.name, names, res.Verdict)
					}
					continue
				}
				if res.Verdict != tt.verdict || !strings.HasSuffix(res.Reason, tt.reason) || (res.Suspected != nil) != (res.Verdict == seqmc.Unknown) {
					t.Errorf("%s, %v, %d inputs: %v: %s", tt.name, names, inputs, res.Verdict, res.Reason)
				}
			}
		}
	}
}

// TestApproximatedProof: what holds without approximations is no proof.
func TestApproximatedProof(t *testing.T) {
	p := makeApproximated(t, approximatedCases[1].make)
	s := confirm.New(p, nil, check.Program{}, nil, nil).Exact()
	proof := &check.Certificate{Method: check.MethodStates}
	if a, err := s.Safe(t.Context(), proof); err == nil || a.Verdict() != seqmc.Unknown {
		t.Errorf("%v", a.Verdict())
	}
	if a, err := s.SafeElsewhere(confirm.Claim{}); err == nil || a.Verdict() != seqmc.Unknown {
		t.Errorf("%v", a.Verdict())
	}
	res, err := VerifyProgram(t.Context(), p, Options{Exact: true})
	if err != nil || res.Verdict != seqmc.Unknown || !strings.Contains(res.Reason, "no violation without approximations") {
		t.Errorf("%v: %s, %v", res.Verdict, res.Reason, err)
	}
}

// TestApproximatedPortfolio lets engines run as processes.
func TestApproximatedPortfolio(t *testing.T) {
	long.Only(t)
	afterRead = nondetApproximated
	defer func() { afterRead = nil }()
	const main = `int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); int t = __VERIFIER_nondet_int(); `
	for _, tt := range []struct {
		name, text string
		verdict    seqmc.Verdict
		reason     string
	}{
		{"safe", `assert(t != 5 || x <= 1); return 0; }`, seqmc.Safe, ""},
		{"hangs", `assert(t != 123456789); return 0; }`, seqmc.Unknown, "it depends on call of unknown function ("},
		{"both", `if (x) assert(0); assert(t != 5); return 0; }`, seqmc.Unsafe, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := source(t, portfolioHead+main+tt.text)
			res, err := Verify(t.Context(), file, Options{NoSimulate: true, Command: []string{"/proc/self/exe", "comus", "worker"}})
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict != tt.verdict || !strings.Contains(res.Reason, tt.reason) || len(res.Approximations) != 1 || res.Portfolio == nil {
				t.Fatalf("%v: %s, by %s, approximations %v, %+v", res.Verdict, res.Reason, res.Engine, res.Approximations, res.Portfolio)
			}
			asked := slices.ContainsFunc(res.Portfolio.Contestants, func(c Contestant) bool { return c.Exact })
			if tt.verdict == seqmc.Unknown && !asked || tt.verdict == seqmc.Safe && asked {
				t.Errorf("without approximations: %+v", res.Portfolio.Contestants)
			}
			if (res.Suspected != nil) != (tt.verdict == seqmc.Unknown) {
				t.Errorf("suspected: %+v", res.Suspected)
			}
		})
	}
}

// TestSuspectedMessage: a process that has a suspicion hands it over as an execution, and one
// whose execution cannot be replayed is not believed.
func TestSuspectedMessage(t *testing.T) {
	s := &Suspicion{Certificate: &check.Certificate{Verdict: "UNSAFE", Schedule: &check.Schedule{}}}
	var b bytes.Buffer
	if err := (&Result{Suspected: s, hopeless: true}).Send(&b); err != nil {
		t.Fatal(err)
	}
	m, err := receive(&b)
	if err != nil || m.Suspected == nil || !m.Hopeless {
		t.Fatalf("%+v, %v", m, err)
	}
	bad, err := json.Marshal(s.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	r := contestOf(t, time.Minute, `echo '{"verdict": "UNKNOWN", "reason": "no idea", "suspected": `+string(bad)+`, "program": PROGRAM}'`)
	if r.Suspected != nil || !strings.HasSuffix(r.Reason, "no idea") {
		t.Errorf("%s: %+v", r.Reason, r.Suspected)
	}
}

// patient is an engine that says what another one does, and waits when it is asked again.
type patient struct {
	Engine
	asked *int
}

// Decide waits the second time.
func (p patient) Decide(ctx context.Context, t *Task) (Answer, error) {
	if *p.asked++; *p.asked > 1 {
		<-ctx.Done()
		return Answer{}, ctx.Err()
	}
	return p.Engine.Decide(ctx, t)
}

// TestSuspectedTimeout: when the time is over, the suspicion is the reason.
func TestSuspectedTimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	asked, c := 0, approximatedCases[1]
	res, err := VerifyProgram(ctx, makeApproximated(t, c.make), Options{Engine: patient{engine.Modular{}, &asked}})
	if err != nil || res.Verdict != seqmc.Unknown || res.Reason != c.reason || res.Suspected == nil || asked != 2 {
		t.Errorf("%v: %s, asked %d times, %v", res.Verdict, res.Reason, asked, err)
	}
}
