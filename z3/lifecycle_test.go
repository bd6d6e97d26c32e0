package z3

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

func TestVersion(t *testing.T) {
	if v := Version(); len(v) < 5 || v[0] < '4' {
		t.Errorf("version %q", v)
	}
}

// assertUsable checks that nothing is left of an earlier interrupt.
func assertUsable(t *testing.T, c *Context) {
	t.Helper()
	v := ints(c, "ux", "uy")
	body := c.And(c.Eq(v[0], c.Int(5)), c.Gt(v[0], v[1]))
	if _, err := c.QELite(v[:1], body); err != nil {
		t.Errorf("QELite: %v", err)
	}
	if got := c.Simplify(c.Add(c.Int(1), c.Int(2)), nil).String(); got != "3" {
		t.Errorf("Simplify gave %s", got)
	}
	if _, err := c.ParseSMTLIB2("(assert true)", nil); err != nil {
		t.Errorf("ParseSMTLIB2: %v", err)
	}
	s := c.NewSolver()
	s.Assert(body)
	wantStatus(t, Sat, s.Check)
	m, err := s.Model()
	if err != nil {
		t.Fatal(err)
	}
	if value, err := m.Eval(v[0], true); err != nil || value.String() != "5" {
		t.Errorf("Eval gave %v, %v", value, err)
	}
}

func TestDeadline(t *testing.T) {
	c := newTestContext(t)
	for name, s := range map[string]*Solver{
		"simple": c.NewSimpleSolver(), "default": c.NewSolver(), "qfbv": c.NewSolverForLogic("QF_BV"),
	} {
		s.Assert(hardFormula(c))
		for _, limit := range []time.Duration{time.Microsecond, time.Millisecond, 60 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			start := time.Now()
			got, err := s.Check(ctx)
			cancel()
			if got != Unknown || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: Check gave %v, %v", name, got, err)
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("%s: interrupted after %v only", name, d)
			}
			assertUsable(t, c)
		}
	}
}

func TestCancelledBefore(t *testing.T) {
	c := newTestContext(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := c.NewSolver().Check(ctx); got != Unknown || !errors.Is(err, context.Canceled) {
		t.Errorf("Check gave %v, %v", got, err)
	}
	assertUsable(t, c)
}

func TestInterrupt(t *testing.T) {
	c := newTestContext(t)
	s := c.NewSimpleSolver()
	s.Assert(hardFormula(c))
	c.Interrupt() // concerns no call
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(30 * time.Millisecond):
					c.Interrupt()
				}
			}
		})
	}
	for range 3 {
		if got, err := s.Check(context.Background()); got != Unknown || !errors.Is(err, ErrInterrupted) {
			t.Errorf("Check gave %v, %v", got, err)
		}
	}
	close(stop)
	wg.Wait()
	assertUsable(t, c)
}

// TestInterruptRace interrupts short calls at random moments: each call either
// gives the right answer or says that it was interrupted.
func TestInterruptRace(t *testing.T) {
	c := newTestContext(t)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Duration(i%50) * 10 * time.Microsecond):
				c.Interrupt()
			}
		}
	})
	x := c.Const("x", c.IntSort())
	for i := range 300 {
		s := c.NewSimpleSolver()
		s.Assert(c.Eq(c.Mul(x, x), c.Int(int64(i*i))))
		got, err := s.Check(context.Background())
		if (err != nil || got != Sat) && (got != Unknown || !errors.Is(err, ErrInterrupted)) {
			t.Errorf("Check gave %v, %v", got, err)
		}
		if v := c.Simplify(c.Add(c.Int(1), c.Int(int64(i))), nil); !v.IsNumeral() {
			t.Errorf("interrupt hit Simplify: %v", c.ResetErr())
		}
	}
	close(stop)
	wg.Wait()
	assertUsable(t, c)
}

func TestClose(t *testing.T) {
	c, err := NewContext(nil)
	if err != nil {
		t.Fatal(err)
	}
	x := c.Const("x", c.IntSort())
	f := c.FuncDecl("f", []Sort{c.IntSort()}, c.BoolSort())
	s, fp, tactic, goal := c.NewSolver(), c.NewFixedpoint(), c.NewTactic("skip"), c.NewGoal(c.True())
	s.Assert(c.Gt(x, c.Int(0)))
	wantStatus(t, Sat, s.Check)
	m, err := s.Model()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, call := range map[string]func() error{
		"Close":     c.Close,
		"Err":       c.Err,
		"Check":     func() error { _, err := s.Check(ctx); return err },
		"Model":     func() error { _, err := s.Model(); return err },
		"UnsatCore": func() error { _, err := s.UnsatCore(); return err },
		"Eval":      func() error { _, err := m.Eval(x, true); return err },
		"Query":     func() error { _, err := fp.Query(ctx, x); return err },
		"GetAnswer": func() error { _, err := fp.GetAnswer(); return err },
		"Apply":     func() error { _, err := tactic.Apply(ctx, goal); return err },
		"Parse":     func() error { _, err := c.ParseSMTLIB2("", nil); return err },
		"QELite":    func() error { _, err := c.QELite(nil, x); return err },
		"Project":   func() error { _, err := c.ModelProject(m, nil, x); return err },
	} {
		if err := call(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close gave %v", name, err)
		}
	}
	for name, term := range map[string]Term{
		"Add": c.Add(x, x), "Not": c.Not(x), "Int": c.Int(1), "BV": c.BV(1, 8), "Apply": f.Apply(x),
		"Const": c.Const("y", c.IntSort()), "Arg": x.Arg(0), "Forall": c.Forall(nil, x),
		"Simplify": c.Simplify(x, nil), "Substitute": c.Substitute(x, nil, nil),
	} {
		if term.IsValid() {
			t.Errorf("%s works after Close", name)
		}
	}
	s.Push()
	s.Assert(x)
	fp.AddRule(x, "r")
	c.Interrupt()
	c.NewSolver().SetParams(NewParams())
	c.NewTactic("skip").AndThen(tactic)
	if x.Kind() != KindInvalid || x.NumArgs() != 0 || x.String() == "x" || s.String() == "" || f.Name() != "" {
		t.Error("inspection works after Close")
	}
}

// TestReleaseTerms builds a million terms and demands that memory stays flat,
// with the garbage collector of Go running by itself or by force of the package
// only. Without release, Z3 would allocate more than a gigabyte.
func TestReleaseTerms(t *testing.T) {
	for name, percent := range map[string]int{"GC": 100, "no GC": -1} {
		t.Run(name, func(t *testing.T) {
			defer debug.SetGCPercent(debug.SetGCPercent(percent))
			c := newTestContext(t)
			x := c.Const("x", c.IntSort())
			const total, warmup, allowance = 1_000_000, 200_000, 400 << 20
			var before uint64
			for i := 0; i < total; i += 2 { // each round makes two distinct terms
				if i == warmup {
					before = EstimatedAllocSize()
				}
				c.Add(x, c.Int(int64(i)))
			}
			if after := EstimatedAllocSize(); after > before+allowance {
				t.Errorf("Z3 memory grew from %d to %d bytes", before, after)
			}
			if c.liveNodes > 3*minGCGoal {
				t.Errorf("%d nodes are alive", c.liveNodes)
			}
			if v := x.String(); v != "x" {
				t.Errorf("a live term was released: %s", v)
			}
		})
	}
}

// TestReleaseObjects makes many solvers and models and demands that memory
// stays flat.
func TestReleaseObjects(t *testing.T) {
	c := newTestContext(t)
	x := c.Const("x", c.IntSort())
	const total, warmup, allowance = 2000, 500, 40 << 20
	var before uint64
	for i := range total {
		if i == warmup {
			before = EstimatedAllocSize()
		}
		if i%100 == 0 {
			runtime.GC()
		}
		s := c.NewSimpleSolver()
		s.Assert(c.Gt(x, c.Int(int64(i))))
		wantStatus(t, Sat, s.Check)
		if _, err := s.Model(); err != nil {
			t.Fatal(err)
		}
	}
	if after := EstimatedAllocSize(); after > before+allowance {
		t.Errorf("Z3 memory grew from %d to %d bytes", before, after)
	}
}

// TestCloseReleases closes contexts with live terms and solvers.
func TestCloseReleases(t *testing.T) {
	const rounds, warmup, allowance = 30, 10, 20 << 20
	var before uint64
	for round := range rounds {
		if round == warmup {
			before = EstimatedAllocSize()
		}
		c, err := NewContext(nil)
		if err != nil {
			t.Fatal(err)
		}
		x := c.Const("x", c.IntSort())
		s := c.NewSimpleSolver()
		for i := range 3000 {
			s.Assert(c.Gt(x, c.Int(int64(i))))
		}
		wantStatus(t, Sat, s.Check)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := EstimatedAllocSize(); after > before+allowance {
		t.Errorf("Z3 memory grew from %d to %d bytes", before, after)
	}
}

// TestMemoryLimit runs itself in a process of its own, since the limit is
// process-wide.
func TestMemoryLimit(t *testing.T) {
	const variable = "COMUS_Z3_TEST_MEMORY_LIMIT"
	if os.Getenv(variable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMemoryLimit$")
		cmd.Env = append(os.Environ(), variable+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	SetMemoryLimit(60)
	c, err := NewContext(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := c.NewSimpleSolver()
	sort := c.BVSort(512)
	for i := range 20 {
		x := c.Const(fmt.Sprint("x", i), sort)
		s.Assert(c.Eq(c.BVMul(x, x), c.BVUDiv(x, c.BV(12345, 512))))
	}
	got, err := s.Check(context.Background())
	var zerr *Error
	if got != Unknown || !errors.As(err, &zerr) || zerr.Code != CodeOutOfMemory {
		t.Errorf("Check gave %v, %v, %q", got, err, s.ReasonUnknown())
	}
}

func BenchmarkAdd(b *testing.B) {
	c := newTestContext(b)
	x, y := c.Const("x", c.IntSort()), c.Const("y", c.IntSort())
	b.ReportAllocs()
	for b.Loop() {
		c.Add(x, y)
	}
}

func BenchmarkCheck(b *testing.B) {
	c := newTestContext(b)
	s := c.NewSimpleSolver()
	s.Assert(c.Const("p", c.BoolSort()))
	for b.Loop() {
		if _, err := s.Check(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
