package explore_test

import (
	"context"
	"strings"
	"testing"

	"comus/ir"
	"comus/ir/explore"
	"comus/ir/interp"
	"comus/logic"
)

var int32Type = ir.Type{Bits: 32, Signed: true}

// builder makes programs by hand.
type builder struct {
	*logic.Store
	p *ir.Program
}

func newBuilder() *builder {
	p := ir.NewProgram("test.c")
	return &builder{p.L, p}
}

// shared adds a shared variable that starts as 0.
func (b *builder) shared(name string) *ir.Var { return b.local(name, ir.Shared) }

// local adds a variable of the thread that starts as 0.
func (b *builder) local(name string, thread int) *ir.Var {
	v := b.p.NewVar(name, int32Type, thread)
	v.Init = new(logic.Value)
	return v
}

func (b *builder) set(v *ir.Var, t *logic.Term) ir.Cmd { return ir.AssignCmd(v, t) }
func (b *builder) is(v *ir.Var, k int64) ir.Cmd        { return ir.AssumeCmd(b.Eq(v.Sym, b.Int(k))) }

// seq adds edges one after the other from loc, one for each list of commands,
// and returns the location behind them.
func (b *builder) seq(loc *ir.Loc, edges ...[]ir.Cmd) *ir.Loc {
	for _, cmds := range edges {
		next := loc.Thread.NewLoc(ir.Pos{})
		loc.Thread.NewEdge(loc, next, ir.Pos{}, "", cmds...)
		loc = next
	}
	return loc
}

// fail adds an edge to an error location.
func (b *builder) fail(loc *ir.Loc, cond *logic.Term) {
	b.seq(loc, []ir.Cmd{ir.AssumeCmd(cond)}).Error = true
}

func cmds(cs ...ir.Cmd) []ir.Cmd { return cs }

func explored(t *testing.T, p *ir.Program, opts explore.Options) explore.Result {
	t.Helper()
	res, err := explore.Explore(context.Background(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict == explore.Unsafe {
		tr, err := interp.Replay(p, res.Schedule)
		if err != nil {
			t.Errorf("the counterexample does not replay: %v", err)
		}
		if tr.Error != res.Error {
			t.Errorf("the counterexample reaches %v, not %v", tr.Error, res.Error)
		}
	}
	return res
}

// counters are n threads that each do x++ as two steps, and one that asserts
// that x is n when all have finished; atomic makes the increments one step.
func counters(n int, atomic bool) *ir.Program {
	b := newBuilder()
	x, done := b.shared("x"), b.shared("done")
	for i := range n {
		t := b.p.NewThread("inc")
		tmp := b.local(t.PC.Name()+".tmp", i)
		mid := b.seq(t.Entry, cmds(b.set(tmp, x.Sym)))
		mid.Atomic = atomic
		b.seq(mid, cmds(b.set(x, b.Add(tmp.Sym, b.Int(1)))), cmds(b.set(done, b.Add(done.Sym, b.Int(1)))))
	}
	t := b.p.NewThread("check")
	b.fail(b.seq(t.Entry, cmds(b.is(done, int64(n)))), b.Ne(x.Sym, b.Int(int64(n))))
	return b.p
}

// peterson is Peterson's algorithm for two threads; without it, if broken, the
// threads set turn before flag.
func peterson(broken bool) *ir.Program {
	b := newBuilder()
	turn, inside := b.shared("turn"), b.shared("inside")
	flags := []*ir.Var{b.shared("flag0"), b.shared("flag1")}
	for i := range 2 {
		t := b.p.NewThread("peterson")
		other := flags[1-i]
		setFlag, setTurn := cmds(b.set(flags[i], b.Int(1))), cmds(b.set(turn, b.Int(int64(1-i))))
		if broken {
			setFlag, setTurn = setTurn, setFlag
		}
		wait := b.seq(t.Entry, setFlag, setTurn)
		enter := b.seq(wait, cmds(b.is(other, 0)))
		waitTurn := b.seq(wait, cmds(b.is(other, 1)))
		t.NewEdge(waitTurn, wait, ir.Pos{}, "", b.is(turn, int64(1-i)))
		t.NewEdge(waitTurn, enter, ir.Pos{}, "", b.is(turn, int64(i)))
		critical := b.seq(enter, cmds(b.set(inside, b.Add(inside.Sym, b.Int(1)))))
		b.fail(critical, b.Gt(inside.Sym, b.Int(1)))
		left := b.seq(critical, cmds(b.set(inside, b.Sub(inside.Sym, b.Int(1)))))
		t.NewEdge(left, t.Entry, ir.Pos{}, "", b.set(flags[i], b.Int(0)))
	}
	return b.p
}

// inputs is: v = input; assume(v > 3); x = v * v - 1; assert(x != bad), where v
// has the given type.
func inputs(typ ir.Type, bad int64) *ir.Program {
	b := newBuilder()
	v, x := b.p.NewVar("v", typ, 0), b.shared("x")
	t := b.p.NewThread("main")
	l := b.seq(t.Entry, cmds(ir.HavocCmd(v, "input"), ir.AssumeCmd(b.Gt(v.Sym, b.Int(3)))),
		cmds(b.set(x, b.Sub(b.Mul(v.Sym, v.Sym), b.Int(1)))))
	b.fail(l, b.Eq(x.Sym, b.Int(bad)))
	return b.p
}

// uninitialised is: assert(v != 5) where v starts with any value of its type.
func uninitialised(bits int) *ir.Program {
	b := newBuilder()
	v := b.p.NewVar("v", ir.Type{Bits: bits}, ir.Shared)
	b.fail(b.p.NewThread("main").Entry, b.Eq(v.Sym, b.Int(5)))
	return b.p
}

// unread has an uninitialised local and an input that are overwritten before
// they are read, and a shared input that nobody reads.
func unread() *ir.Program {
	b := newBuilder()
	v, w := b.p.NewVar("v", int32Type, 0), b.p.NewVar("w", int32Type, ir.Shared)
	t := b.p.NewThread("main")
	l := b.seq(t.Entry, cmds(b.set(v, b.Int(1))), cmds(ir.HavocCmd(v, "input")), cmds(ir.HavocCmd(w, "input")),
		cmds(b.set(v, b.Int(2))))
	b.fail(l, b.Ne(v.Sym, b.Int(2)))
	return b.p
}

// wide counts an unsigned 64-bit variable from 2^63 - 1 on, modulo 2^64.
func wide(bad *logic.Term, s *builder) *ir.Program {
	v := s.p.NewVar("v", ir.Type{Bits: 64}, ir.Shared)
	start := logic.IntValue(1<<63 - 1)
	v.Init = &start
	_, hi := v.Type.Range()
	t := s.p.NewThread("main")
	double := s.Mod(s.Mul(s.Int(2), v.Sym), s.Value(hi.Add(logic.IntValue(1))))
	b := s.seq(t.Entry, cmds(s.set(v, double)), cmds(s.set(v, s.Add(v.Sym, s.Int(1)))))
	s.fail(b, s.Eq(v.Sym, bad))
	return s.p
}

func TestExplore(t *testing.T) {
	_, max64 := ir.Type{Bits: 64}.Range()
	w1, w2 := newBuilder(), newBuilder()
	domain := explore.Options{InputDomain: []logic.Value{logic.IntValue(5), logic.IntValue(5), logic.IntValue(-300), logic.IntValue(1 << 40)}}
	u8, i32 := ir.Type{Bits: 8}, int32Type
	tests := []struct {
		name   string
		p      *ir.Program
		opts   explore.Options
		want   explore.Verdict
		reason string
		steps  int // of the counterexample
		states int // 0: any
	}{
		{"lost update", counters(2, false), explore.Options{}, explore.Unsafe, "", 8, 0},
		{"atomic updates", counters(2, true), explore.Options{}, explore.Safe, "", 0, 0},
		{"one counter", counters(1, false), explore.Options{}, explore.Safe, "", 0, 5},
		{"Peterson", peterson(false), explore.Options{}, explore.Safe, "", 0, 0},
		{"Peterson, broken", peterson(true), explore.Options{}, explore.Unsafe, "", 10, 0},
		{"input found", inputs(u8, 24), explore.Options{}, explore.Unsafe, "", 3, 0},
		{"input excluded", inputs(u8, 8), explore.Options{}, explore.Safe, "", 0, 1 + 2*252},
		{"large input", inputs(i32, 24), explore.Options{}, explore.Unknown, "the input input() has 2^32 values, more than 256", 0, 0},
		{"large input, some tried, found", inputs(i32, 24), domain, explore.Unsafe, "", 3, 0},
		{"large input, some tried", inputs(u8, 24), explore.Options{MaxChoices: 255, InputDomain: domain.InputDomain[1:3]},
			explore.Unsafe, "", 3, 4},
		{"large input, none of the type tried", inputs(u8, 24), explore.Options{MaxChoices: 255, InputDomain: domain.InputDomain[2:]},
			explore.Unknown, "safe for the restricted inputs", 0, 1},
		{"uninitialised", uninitialised(3), explore.Options{}, explore.Unsafe, "", 1, 0},
		{"uninitialised, out of its range", uninitialised(2), explore.Options{}, explore.Safe, "", 0, 4},
		{"uninitialised, large", uninitialised(9), explore.Options{}, explore.Unknown, "the uninitialised variable v has 2^9 values, more than 256", 0, 0},
		{"values nobody reads", unread(), explore.Options{}, explore.Safe, "", 0, 5},
		{"64 bits, reached", wide(w1.Value(max64), w1), explore.Options{}, explore.Unsafe, "", 3, 4},
		{"64 bits, not reached", wide(w2.Int(-1), w2), explore.Options{}, explore.Safe, "", 0, 3},
		{"too many states", counters(3, false), explore.Options{MaxStates: 10}, explore.Unknown, "more than 10 states", 0, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := explored(t, tt.p, tt.opts)
			if res.Verdict != tt.want || !strings.Contains(res.Reason, tt.reason) || len(res.Schedule.Steps) != tt.steps {
				t.Errorf("%v (%s), %d steps, want %v (%s), %d steps", res.Verdict, res.Reason, len(res.Schedule.Steps), tt.want, tt.reason, tt.steps)
			}
			if tt.states != 0 && res.States != tt.states {
				t.Errorf("%d states, want %d", res.States, tt.states)
			}
		})
	}
}

func TestExploreErrors(t *testing.T) {
	outOfRange := inputs(ir.Type{Bits: 32}, 0)
	b := newBuilder()
	v := b.p.NewVar("v", ir.Type{Bits: 8}, ir.Shared)
	v.Init = new(logic.Value)
	th := b.p.NewThread("main")
	th.NewEdge(th.Entry, th.Entry, ir.Pos{}, "", b.set(v, b.Add(v.Sym, b.Int(1))))
	broken := inputs(int32Type, 0)
	broken.Vars[0].Index = 7
	tests := []struct {
		name string
		p    *ir.Program
		opts explore.Options
		want string
	}{
		{"value out of range", b.p, explore.Options{}, "value out of range: v has type uint8, and v = v + 1 is 256"},
		{"value out of int64", outOfRange, explore.Options{InputDomain: []logic.Value{logic.IntValue(1<<32 - 1)}},
			"value out of range: x has type int32, and x = v * v - 1 is 18446744065119617024"},
		{"malformed", broken, explore.Options{}, "has index 7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := explore.Explore(context.Background(), tt.p, tt.opts)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestExploreStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := explore.Explore(ctx, peterson(false), explore.Options{})
	if err != nil || res.Verdict != explore.Unknown || !strings.Contains(res.Reason, "canceled") {
		t.Errorf("%v, error %v", res, err)
	}
}

func TestWideVariable(t *testing.T) {
	b := newBuilder()
	v := b.p.NewVar("v", ir.Type{Bits: 65}, ir.Shared)
	b.fail(b.p.NewThread("main").Entry, b.Eq(v.Sym, b.Int(0)))
	if res := explored(t, b.p, explore.Options{}); res.Verdict != explore.Unknown || res.Reason != "v has 65 bits" {
		t.Error(res)
	}
}

func BenchmarkExplore(b *testing.B) {
	p := counters(5, true)
	states := 0
	for b.Loop() {
		res, err := explore.Explore(context.Background(), p, explore.Options{})
		if err != nil || res.Verdict != explore.Safe {
			b.Fatal(res, err)
		}
		states += res.States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}
