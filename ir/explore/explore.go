package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// Verdict is the answer of an exploration.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota // gave up; Result.Reason says why
	Safe                   // no error location is reachable
	Unsafe                 // Result.Schedule reaches one
)

// String returns "SAFE", "UNSAFE" or "UNKNOWN".
func (v Verdict) String() string {
	return [...]string{"UNKNOWN", "SAFE", "UNSAFE"}[v]
}

// Options bounds an exploration. The zero value means the defaults.
type Options struct {
	// MaxStates is the number of states after which to give up; 0 means 5
	// million.
	MaxStates int
	// MaxBytes is the size of the stored states after which to give up; 0 means
	// no limit.
	MaxBytes int64
	// MaxChoices is the number of values up to which an input or uninitialised
	// variable is branched over; 0 means 256.
	MaxChoices int
	// InputDomain are the values to try for inputs and uninitialised variables
	// whose types are larger than MaxChoices (those that are of the type). With
	// them, Unsafe is still right, but instead of Safe the answer is Unknown. If
	// empty, such a variable makes the answer Unknown.
	InputDomain []logic.Value
	// Reduce leaves out interleavings that only differ in the order of
	// independent steps. The verdict is the same, the schedule need not be a
	// shortest one.
	Reduce bool
	// Recheck confirms Safe with package interp, see [Result.CheckTime].
	Recheck bool
	// Observe is called now and then with the number of states met and of those
	// whose steps have been taken; may be nil.
	Observe func(met, done int)
}

// Result is the outcome of an exploration.
type Result struct {
	Verdict  Verdict
	Reason   string      // Unknown: why
	Limit    bool        // Unknown: there were too many states
	States   int         // distinct states met
	Bytes    int64       // size of the stored states
	Schedule ir.Schedule // Unsafe: a way to an error, with all inputs; a shortest one without Reduce
	Error    *ir.Loc     // Unsafe: the location it reaches
	// CheckTime is what it took to confirm Safe: every step from every state
	// met was taken again by package interp, and led to one of them.
	CheckTime time.Duration
}

// Explore visits the reachable states of p, nearest first, until one is at an
// error location. An error means that the program is not well formed (see
// [ir.Program.CheckStructure]) or assigns a value outside a variable's type.
func Explore(ctx context.Context, p *ir.Program, opts Options) (Result, error) {
	if err := errors.Join(p.CheckStructure(), p.Single()); err != nil {
		return Result{}, err
	}
	if opts.MaxStates <= 0 {
		opts.MaxStates = 5_000_000
	}
	opts.MaxStates = min(opts.MaxStates, math.MaxInt32)
	if opts.MaxChoices == 0 {
		opts.MaxChoices = 256
	}
	res, open, err := search(ctx, p, opts)
	if open {
		if r, ok := exploreUnset(ctx, p, opts); ok {
			return r, nil
		}
	}
	return res, err
}

// search visits the states. open tells whether it gave up because of a variable with
// too many values.
func search(ctx context.Context, p *ir.Program, opts Options) (res Result, open bool, err error) {
	x, err := newExplorer(p, opts)
	if err == nil {
		err = x.run(ctx)
	}
	if err == errFound {
		err = nil
	}
	switch {
	case err == nil && x.goal < 0 && x.restricted:
		res.Reason = "safe for the restricted inputs that were tried"
	case err == nil && x.goal < 0:
		res.Verdict = Safe
		if opts.Recheck {
			start := time.Now()
			err = x.recheck(ctx)
			res.CheckTime = time.Since(start)
		}
	case err == nil:
		res.Verdict = Unsafe
		res.Schedule, res.Error, err = x.counterexample()
	}
	res.States, res.Bytes = x.states.n, x.bytes()
	if stop := (giveUp{}); errors.As(err, &stop) {
		res.Verdict, res.Reason, res.Limit, open, err = Unknown, stop.reason, stop.limit, stop.open, nil
	}
	return res, open, err
}

// giveUp is the error that makes the answer Unknown.
type giveUp struct {
	reason string
	limit  bool // there are too many states
	open   bool // a variable has too many values
}

func (g giveUp) Error() string { return g.reason }

// stopped is the giveUp for the end of a context.
func stopped(ctx context.Context) error {
	return giveUp{reason: "stopped: " + context.Cause(ctx).Error()}
}

// errFound ends a search that has found what it was for.
var errFound = errors.New("found")

type explorer struct {
	evaluator  // on the state that a step is building
	p          *ir.Program
	opts       Options
	edges      [][][]*edge // by thread and location
	live       *liveness
	reduction  *reduction // nil without Reduce
	layout     *layout
	states     *stateSet // tuples of components
	goal       int       // a state at an error location, or -1
	restricted bool      // an InputDomain was used

	// Scratch: the state whose steps are taken, its tuple, the inputs that a step
	// from it has taken, and the encoding of a component.
	base   []int64
	loc    []int
	tuple  []uint32
	inputs []int64
	buf    []byte
	next   [][]successor // by thread
}

// successor is a state that a step leads to, told by the components that differ.
type successor struct {
	edge          *edge
	shared, local uint32
}

func newExplorer(p *ir.Program, opts Options) (*explorer, error) {
	n := len(p.Threads)
	x := &explorer{evaluator: newEvaluator(p), p: p, opts: opts, live: newLiveness(p), states: newStateSet(n + 1), goal: -1,
		loc: make([]int, n), tuple: make([]uint32, n+1), next: make([][]successor, n),
		base: make([]int64, len(p.Vars))}
	x.layout = newLayout(p, x.live)
	if err := checkWidths(p); err != nil {
		return x, err
	}
	if opts.Reduce {
		x.reduction = newReduction(p)
	}
	c := newCompiler(p)
	for _, t := range p.Threads {
		byLoc := make([][]*edge, len(t.Locs))
		for i, l := range t.Locs {
			for _, e := range l.Out {
				byLoc[i] = append(byLoc[i], x.compileEdge(c, e))
			}
		}
		x.edges = append(x.edges, byLoc)
	}
	return x, nil
}

// run is the breadth-first search; the states are their own queue.
func (x *explorer) run(ctx context.Context) error {
	if err := x.initial(); err != nil {
		return err
	}
	for i := 0; i < x.states.n; i++ {
		if i%1024 == 0 {
			if err := x.watch(ctx, i); err != nil {
				return err
			}
		}
		if err := x.expand(i); err != nil {
			return err
		}
	}
	return nil
}

// watch stops the search at a limit.
func (x *explorer) watch(ctx context.Context, done int) error {
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	if x.opts.MaxBytes > 0 && x.bytes() > x.opts.MaxBytes {
		return giveUp{reason: fmt.Sprintf("the first %d states take more than %d MB", x.states.n, x.opts.MaxBytes/1e6), limit: true}
	}
	if x.opts.Observe != nil && done%(1<<16) == 0 {
		x.opts.Observe(x.states.n, done)
	}
	return nil
}

// bytes returns the size of the stored states.
func (x *explorer) bytes() int64 { return x.states.bytes() + x.layout.bytes() }

// expand adds the successors of state i.
func (x *explorer) expand(i int) error {
	x.load(i)
	if x.reduction != nil && !x.anyAtomic() {
		return x.expandReduced(i)
	}
	for t := range x.loc {
		if !x.mayRun(t) {
			continue
		}
		if err := x.stepsOf(t); err != nil {
			return err
		}
		if err := x.addAll(i, t); err != nil {
			return err
		}
	}
	return nil
}

// load makes state i the one whose steps are taken.
func (x *explorer) load(i int) {
	x.states.tuple(i, x.tuple)
	for c, id := range x.tuple {
		x.layout.decode(c, id, x.loc, x.base)
	}
	copy(x.m.vals, x.base)
}

// mayRun reports whether no other thread is at an atomic location.
func (x *explorer) mayRun(t int) bool {
	for i, l := range x.loc {
		if i != t && x.p.Threads[i].Locs[l].Atomic {
			return false
		}
	}
	return true
}

func (x *explorer) anyAtomic() bool { return !x.mayRun(-1) }

// stepsOf puts the steps of a thread from the loaded state into x.next.
func (x *explorer) stepsOf(t int) error {
	x.next[t] = x.next[t][:0]
	return x.steps(t, func(s successor) error {
		x.next[t] = append(x.next[t], s)
		return nil
	})
}

// steps calls f for each step of thread t from the loaded state; x.inputs are its
// inputs then. f may end it with an error.
func (x *explorer) steps(t int, f func(s successor) error) error {
	l := x.loc[t]
	for _, e := range x.edges[t][l] {
		err := x.exec(e, 0, func() error {
			s := successor{edge: e, shared: x.tuple[0]}
			x.loc[t] = e.src.To.Index
			s.local = x.component(t + 1)
			x.loc[t] = l
			if e.shared {
				s.shared = x.component(0)
			}
			return f(s)
		})
		for _, w := range e.writes {
			x.m.vals[w] = x.base[w]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// component returns the number of a component of the state being built.
func (x *explorer) component(c int) uint32 {
	x.buf = x.layout.encode(x.buf[:0], c, x.loc, x.m.vals)
	return x.layout.tables[c].intern(x.buf)
}

// addAll records the states that the steps of thread t in x.next lead to.
func (x *explorer) addAll(parent, t int) error {
	shared, local := x.tuple[0], x.tuple[t+1]
	defer func() { x.tuple[0], x.tuple[t+1] = shared, local }()
	for _, s := range x.next[t] {
		x.tuple[0], x.tuple[t+1] = s.shared, s.local
		if err := x.add(uint32(parent), s.edge.src.To.Error); err != nil {
			return err
		}
	}
	return nil
}

// add records the state with the tuple x.tuple unless it is known.
func (x *explorer) add(parent uint32, isError bool) error {
	i, isNew, full := x.states.add(x.tuple, parent, x.opts.MaxStates)
	switch {
	case full:
		return giveUp{reason: fmt.Sprintf("more than %d states", x.opts.MaxStates), limit: true}
	case isNew && isError:
		x.goal = i
		return errFound
	}
	return nil
}

// initial adds the initial states.
func (x *explorer) initial() error {
	var open []*ir.Var
	for i, v := range x.p.Vars {
		switch {
		case v.Init != nil:
			x.m.vals[i] = store(*v.Init)
		case x.live.atStart(x.p, v):
			open = append(open, v)
		}
	}
	isError := false
	for t, th := range x.p.Threads {
		x.loc[t] = th.Entry.Index
		isError = isError || th.Entry.Error
	}
	var choose func(open []*ir.Var) error
	choose = func(open []*ir.Var) error {
		if len(open) == 0 {
			for c := range x.tuple {
				x.tuple[c] = x.component(c)
			}
			return x.add(noParent, isError)
		}
		c := x.choices(open[0], "the uninitialised variable "+open[0].Name+atPlace(open[0].Pos))
		for _, val := range c.values {
			x.m.vals[open[0].Index] = val
			if err := choose(open[1:]); err != nil {
				return err
			}
		}
		return x.note(c)
	}
	return choose(open)
}

// atPlace returns " at f.c:3:7", nothing for no place.
func atPlace(p ir.Pos) string {
	if p == (ir.Pos{}) {
		return ""
	}
	return " at " + p.String()
}

// choices are the values that an input or uninitialised variable is given.
type choices struct {
	values     []int64 // as stored
	restricted bool    // there are more values
	err        error   // why there are none
}

// note takes account of what the choices left out; it is called when they have
// been used.
func (x *explorer) note(c choices) error {
	x.restricted = x.restricted || c.restricted
	return c.err
}

// choices returns the values to try for v.
func (x *explorer) choices(v *ir.Var, what string) choices {
	var c choices
	if v.Type.Bits < 63 && int64(1)<<v.Type.Bits <= int64(x.opts.MaxChoices) {
		lo, _ := v.Type.Range()
		first, _ := lo.Int64()
		for k := range int64(1) << v.Type.Bits {
			c.values = append(c.values, first+k)
		}
		return c
	}
	if len(x.opts.InputDomain) == 0 {
		c.err = giveUp{reason: fmt.Sprintf("%s has 2^%d values, more than %d", what, v.Type.Bits, x.opts.MaxChoices), open: true}
		return c
	}
	c.restricted = true
	for _, val := range x.opts.InputDomain {
		if s := store(val); v.Type.Contains(val) && !slices.Contains(c.values, s) {
			c.values = append(c.values, s)
		}
	}
	return c
}

// counterexample returns the schedule to the goal and the location it reaches.
// Edges and inputs are those that lead from each state to the next: they are found
// again by taking the steps once more.
func (x *explorer) counterexample() (ir.Schedule, *ir.Loc, error) {
	path := []int{x.goal}
	for {
		parent := x.states.tuple(path[len(path)-1], x.tuple)
		if parent == noParent {
			break
		}
		path = append(path, int(parent))
	}
	slices.Reverse(path)
	sched := ir.Schedule{Init: map[int]logic.Value{}}
	x.load(path[0])
	for i, v := range x.p.Vars {
		if v.Init == nil {
			sched.Init[i] = load(v.Type, x.base[i])
		}
	}
	for k, i := range path[1:] {
		sched.Steps = append(sched.Steps, x.stepTo(path[k], i))
	}
	tr, err := interp.Replay(x.p, sched)
	if err != nil {
		return sched, nil, fmt.Errorf("counterexample does not replay: %w", err)
	}
	return sched, tr.Error, nil
}

// stepTo returns a step from one state to the next, with its inputs.
func (x *explorer) stepTo(from, to int) ir.Step {
	want := make([]uint32, len(x.tuple))
	x.states.tuple(to, want)
	x.load(from)
	var st ir.Step
	for t := range x.loc {
		if !x.mayRun(t) {
			continue
		}
		got := slices.Clone(x.tuple)
		err := x.steps(t, func(s successor) error {
			if got[0], got[t+1] = s.shared, s.local; !slices.Equal(got, want) {
				return nil
			}
			st.Edge = s.edge.src
			for i, v := range interp.Havocs(st.Edge) {
				st.Inputs = append(st.Inputs, load(v.Type, x.inputs[i]))
			}
			return errFound
		})
		if err == errFound {
			return st
		}
	}
	panic("explore: a recorded step is not possible")
}
