package query

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
	"comus/seqmc"
	"comus/seqmc/spacer"
)

// switches are the techniques that can be switched off.
var switches = []struct {
	name string
	opts Options
}{
	{"all", Options{}},
	{"no generalisation", Options{NoGeneralize: true}},
	{"no projection", Options{NoProject: true}},
	{"no batch", Options{NoBatch: true}},
	{"one path", Options{NoMultiPath: true}},
	{"no cache", Options{NoCache: true}},
	{"not parallel", Options{NoParallel: true}},
	{"no guide", Options{NoGuide: true}},
	{"none", Options{NoBatch: true, NoMultiPath: true, NoCache: true, NoParallel: true, NoGuide: true}},
}

// unseeded returns a hierarchy over a program without seeds, in the threads' order.
func unseeded(t *testing.T, p *ir.Program, opts Options) *Hierarchy {
	t.Helper()
	var order []int
	for i := range p.Threads {
		order = append(order, i)
	}
	h, err := New(p, cutpoints.Compute(p, cutpoints.Options{}), nil, order, &spacer.Checker{}, hclog.NewNullLogger())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	h.Options = opts
	h.Observe = func(e Event) {
		if e.Kind == Checking {
			declared(t, e.Program.Program)
		}
	}
	return h
}

// declared fails the test if a sequential program speaks of a variable that is none of its
// own: backends could not write it down.
func declared(t *testing.T, p *seqmc.Program) {
	t.Helper()
	own := map[*logic.Term]bool{}
	for _, v := range p.Vars {
		own[v.Sym] = true
	}
	look := func(what string, f *logic.Term) {
		if f == nil {
			return
		}
		for _, s := range logic.FreeVars(f) {
			if !own[s] {
				t.Errorf("%s: %s: %s is not declared", p.Name, what, s)
			}
		}
	}
	look("the initial states", p.Init)
	for _, e := range p.Edges {
		for _, c := range e.Cmds {
			look(e.Text, c.Cond)
			look(e.Text, c.Expr)
			if c.Var != nil {
				look(e.Text, c.Var.Sym)
			}
		}
	}
}

// TestSwitches: whatever is switched off, the verdict on Peterson's algorithm
// without seeds is the same. Run with -race, it tests the parallel checks, too.
func TestSwitches(t *testing.T) {
	for _, s := range switches {
		for _, broken := range []bool{false, true} {
			if !broken && (testing.Short() || s.opts.NoGeneralize || s.opts.NoProject) {
				continue // without the first two it need not end
			}
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			h := unseeded(t, peterson(broken), s.opts)
			start := time.Now()
			proof, blocks, err := h.Main(ctx)
			cancel()
			if err != nil || (proof == nil) != broken || (blocks == nil) == broken {
				t.Errorf("%s, broken %v: proof %v, %d blocks, %v", s.name, broken, proof != nil, len(blocks), err)
			}
			st := h.Snapshot()
			t.Logf("%-18s broken %-5v %3d checks %4d solver calls %3d cache hits %.1f s", s.name, broken, st.Checks, st.SolverCalls, st.CacheHits, time.Since(start).Seconds())
		}
	}
}

// scripted is a checker whose answers are known; a check that is to wait ends only
// when it is stopped.
type scripted struct {
	verdicts map[*seqmc.Program]seqmc.Verdict
	waits    map[*seqmc.Program]bool
	running  atomic.Int32
	closed   int
}

func (c *scripted) Name() string { return "scripted" }

func (c *scripted) Check(ctx context.Context, p *seqmc.Program) (seqmc.Result, error) {
	t := c.Prepare(p)
	defer t.Close()
	t.Run(ctx)
	return t.Result(ctx)
}

func (c *scripted) Prepare(p *seqmc.Program) seqmc.Task { return &scriptedTask{c: c, p: p} }

type scriptedTask struct {
	c   *scripted
	p   *seqmc.Program
	err error
}

func (t *scriptedTask) Run(ctx context.Context) {
	t.c.running.Add(1)
	defer t.c.running.Add(-1)
	if t.c.waits[t.p] {
		<-ctx.Done()
		t.err = ctx.Err()
	}
}

func (t *scriptedTask) Result(context.Context) (seqmc.Result, error) {
	return seqmc.Result{Verdict: t.c.verdicts[t.p]}, t.err
}

func (t *scriptedTask) Close() {
	if t.c.running.Load() != 0 {
		panic("closed while running")
	}
	t.c.closed++
}

// TestCheckAll: of several candidates the first that succeeds counts, whichever
// ends first; those after it are stopped, and every check is counted.
func TestCheckAll(t *testing.T) {
	const safe, unsafe = seqmc.Safe, seqmc.Unsafe
	tests := []struct {
		name     string
		verdicts []seqmc.Verdict
		waits    int // the check that has to be stopped, -1 for none
		want     []seqmc.Verdict
	}{
		{"the first succeeds", []seqmc.Verdict{safe, safe, safe}, 2, []seqmc.Verdict{safe, seqmc.Unknown, seqmc.Unknown}},
		{"the second succeeds", []seqmc.Verdict{unsafe, safe, unsafe}, 2, []seqmc.Verdict{unsafe, safe, seqmc.Unknown}},
		{"none succeeds", []seqmc.Verdict{unsafe, unsafe, unsafe}, -1, []seqmc.Verdict{unsafe, unsafe, unsafe}},
	}
	for _, tt := range tests {
		h := unseeded(t, peterson(false), Options{})
		c := &scripted{verdicts: map[*seqmc.Program]seqmc.Verdict{}, waits: map[*seqmc.Program]bool{}}
		h.Checker = c
		var batch []*attempt
		for i, v := range tt.verdicts {
			lv := &Level{Program: &seqmc.Program{Name: "candidate"}, query: &QueryDetail{}}
			c.verdicts[lv.Program], c.waits[lv.Program] = v, i == tt.waits
			batch = append(batch, &attempt{level: lv})
		}
		if err := h.checkAll(context.Background(), batch); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for i, a := range batch {
			if a.result.Verdict != tt.want[i] {
				t.Errorf("%s: candidate %d is %v, want %v", tt.name, i, a.result.Verdict, tt.want[i])
			}
		}
		if h.Stats.Checks != len(batch) || c.closed != len(batch) {
			t.Errorf("%s: %d checks counted, %d closed, of %d", tt.name, h.Stats.Checks, c.closed, len(batch))
		}
	}
}

// TestConcretize: the hook is asked with the main thread's blocks from its entry to
// the violation, and what it answers is the result.
func TestConcretize(t *testing.T) {
	for _, answers := range []bool{false, true} {
		p := peterson(true)
		h := unseeded(t, p, Options{})
		var first []*cutpoints.Block
		h.Concretize = func(_ context.Context, main []*cutpoints.Block) ([]*cutpoints.Block, error) {
			at := p.Threads[0].Entry
			for _, b := range main {
				if b.From != at {
					t.Errorf("a block from %v, at %v", b.From, at)
				}
				at = b.To
			}
			if !at.Error {
				t.Errorf("the blocks end at %v", at)
			}
			if !answers {
				return nil, nil
			}
			first = main
			return main, nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		_, blocks, err := h.Main(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		st := h.Snapshot()
		if st.Concretized == 0 || answers && (st.Checks != 1 || !slices.Equal(blocks, first)) || !answers && st.Checks == 1 {
			t.Errorf("answers %v: %d attempts, %d checks, %d blocks", answers, st.Concretized, st.Checks, len(blocks))
		}
	}
}

// TestSnapshot counts on from the statistics that a hierarchy starts with.
func TestSnapshot(t *testing.T) {
	h := unseeded(t, peterson(false), Options{})
	h.Stats = Stats{Checks: 1, SolverCalls: 5, SolverTime: time.Second}
	if _, _, err := h.solver.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := h.Snapshot(); s.Checks != 1 || s.SolverCalls != 6 || s.SolverTime <= time.Second || h.Snapshot() != s {
		t.Errorf("statistics %+v", s)
	}
}
