package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

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
	// MaxChoices is the size up to which the type of an input or uninitialised
	// variable is branched over; 0 means 256.
	MaxChoices int
	// InputDomain are the values to try for inputs and uninitialised variables
	// whose types are larger than MaxChoices (those that are of the type). With
	// them, Unsafe is still right, but instead of Safe the answer is Unknown. If
	// empty, such a variable makes the answer Unknown.
	InputDomain []logic.Value
}

// Result is the outcome of an exploration.
type Result struct {
	Verdict  Verdict
	Reason   string      // Unknown: why
	States   int         // distinct states met
	Schedule ir.Schedule // Unsafe: a shortest way to an error, with all inputs
	Error    *ir.Loc     // Unsafe: the location it reaches
}

// Explore visits the reachable states of p, nearest first, until one is at an
// error location. An error means that the program is not well formed (see
// [ir.Program.CheckStructure]) or assigns a value outside a variable's type.
func Explore(ctx context.Context, p *ir.Program, opts Options) (Result, error) {
	if err := p.CheckStructure(); err != nil {
		return Result{}, err
	}
	if opts.MaxStates <= 0 {
		opts.MaxStates = 5_000_000
	}
	opts.MaxStates = min(opts.MaxStates, math.MaxInt32)
	if opts.MaxChoices == 0 {
		opts.MaxChoices = 256
	}
	x, err := newExplorer(p, opts)
	if err == nil {
		err = x.run(ctx)
	}
	if err == errFound {
		err = nil
	}
	res := Result{States: len(x.nodes)}
	var stop giveUp
	switch {
	case err == nil && x.goal < 0 && x.restricted:
		res.Reason = "safe for the restricted inputs that were tried"
	case err == nil && x.goal < 0:
		res.Verdict = Safe
	case err == nil:
		res.Verdict = Unsafe
		res.Schedule, res.Error, err = x.counterexample()
	case errors.As(err, &stop):
		res.Reason, err = stop.reason, nil
	}
	return res, err
}

// giveUp is the error that makes the answer Unknown.
type giveUp struct{ reason string }

func (g giveUp) Error() string { return g.reason }

// errFound ends a search that has found what it was for.
var errFound = errors.New("found")

// node is a state and how it was first reached.
type node struct {
	key    string // the encoded state
	parent int32  // -1 for an initial state
	edge   *edge  // taken at the parent
}

type explorer struct {
	p          *ir.Program
	vars       ir.SymTable
	opts       Options
	edges      [][][]*edge // by thread and location
	live       *liveness
	nodes      []node
	index      map[string]int32 // of each encoded state among the nodes
	goal       int              // a node at an error location, or -1
	restricted bool             // an InputDomain was used

	// Scratch: the state that a step is building, the inputs it has taken, and
	// the encoding of a state.
	m      machine
	loc    []int
	inputs []int64
	buf    []byte
}

func newExplorer(p *ir.Program, opts Options) (*explorer, error) {
	x := &explorer{p: p, vars: p.Symbols(), opts: opts, live: newLiveness(p), index: map[string]int32{}, goal: -1,
		loc: make([]int, len(p.Threads)), m: machine{vals: make([]int64, len(p.Vars))}}
	if err := checkWidths(p); err != nil {
		return x, err
	}
	c := &compiler{index: map[*logic.Term]int{}, wide: map[*logic.Term]bool{}}
	for i, v := range p.Vars {
		c.index[v.Sym] = i
		c.wide[v.Sym] = isWide(v.Type)
	}
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

// run is the breadth-first search; the nodes are their own queue.
func (x *explorer) run(ctx context.Context) error {
	if err := x.initial(); err != nil {
		return err
	}
	for i := 0; i < len(x.nodes); i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return giveUp{"stopped: " + context.Cause(ctx).Error()}
		}
		if err := x.expand(i); err != nil {
			return err
		}
	}
	return nil
}

// expand adds the successors of node i.
func (x *explorer) expand(i int) error {
	return x.successors(i, func(e *edge) error { return x.add(int32(i), e) })
}

// successors calls f with x.m and x.loc set to each state that one step leads to
// from node i. f may end it with an error.
func (x *explorer) successors(i int, f func(e *edge) error) error {
	vals := make([]int64, len(x.p.Vars))
	decode(x.nodes[i].key, x.loc, vals)
	for t, l := range x.loc {
		if !x.mayRun(t) {
			continue
		}
		for _, e := range x.edges[t][l] {
			copy(x.m.vals, vals)
			x.loc[t] = e.src.To.Index
			err := x.exec(e, 0, f)
			x.loc[t] = l
			if err != nil {
				return err
			}
		}
	}
	return nil
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

// add records the state in x.m and x.loc unless it is known.
func (x *explorer) add(parent int32, e *edge) error {
	x.buf = encode(x.buf[:0], x.loc, x.m.vals)
	if _, known := x.index[string(x.buf)]; known {
		return nil
	}
	if len(x.nodes) >= x.opts.MaxStates {
		return giveUp{fmt.Sprintf("more than %d states", x.opts.MaxStates)}
	}
	key := string(x.buf)
	x.index[key] = int32(len(x.nodes))
	x.nodes = append(x.nodes, node{key, parent, e})
	for t, l := range x.loc {
		if x.p.Threads[t].Locs[l].Error {
			x.goal = len(x.nodes) - 1
			return errFound
		}
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
	for t, th := range x.p.Threads {
		x.loc[t] = th.Entry.Index
	}
	var choose func(open []*ir.Var) error
	choose = func(open []*ir.Var) error {
		if len(open) == 0 {
			return x.add(-1, nil)
		}
		c := x.choices(open[0], "the uninitialised variable")
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
	lo, hi := v.Type.Range()
	if n := new(big.Int).Sub(hi.Big(), lo.Big()); n.Cmp(big.NewInt(int64(x.opts.MaxChoices))) < 0 {
		first, _ := lo.Int64()
		for k := range n.Int64() + 1 {
			c.values = append(c.values, first+k)
		}
		return c
	}
	if len(x.opts.InputDomain) == 0 {
		c.err = giveUp{fmt.Sprintf("input range too large: %s %s has type %s", what, v.Name, v.Type)}
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
// The inputs are those that lead from each state to the next: they are found
// again by taking the step once more.
func (x *explorer) counterexample() (ir.Schedule, *ir.Loc, error) {
	var path []int
	for i := x.goal; i >= 0; i = int(x.nodes[i].parent) {
		path = append(path, i)
	}
	slices.Reverse(path)
	sched := ir.Schedule{Init: map[int]logic.Value{}}
	decode(x.nodes[path[0]].key, x.loc, x.m.vals)
	for i, v := range x.p.Vars {
		if v.Init == nil {
			sched.Init[i] = load(v.Type, x.m.vals[i])
		}
	}
	for k, i := range path[1:] {
		sched.Steps = append(sched.Steps, x.step(path[k], i))
	}
	tr, err := interp.Replay(x.p, sched)
	if err != nil {
		return sched, nil, fmt.Errorf("counterexample does not replay: %w", err)
	}
	return sched, tr.Error, nil
}

// step returns the step from one node to the next, with its inputs.
func (x *explorer) step(from, to int) ir.Step {
	st := ir.Step{Edge: x.nodes[to].edge.src}
	havocs := interp.Havocs(st.Edge)
	err := x.successors(from, func(e *edge) error {
		x.buf = encode(x.buf[:0], x.loc, x.m.vals)
		if e != x.nodes[to].edge || string(x.buf) != x.nodes[to].key {
			return nil
		}
		for i, v := range havocs {
			st.Inputs = append(st.Inputs, load(v.Type, x.inputs[i]))
		}
		return errFound
	})
	if err != errFound {
		panic("explore: a recorded step is not possible")
	}
	return st
}
