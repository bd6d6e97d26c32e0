package simulate

import (
	"context"
	"math/rand/v2"
	"time"

	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
)

// Simulator runs one program. Its searches go on where the last one ended. The
// program must not change meanwhile; other goroutines may read it.
type Simulator struct {
	p       *ir.Program
	m       *explore.Stepper
	entries []*node   // by thread
	asserts []bool    // threads with error locations
	initial []int64   // values at first
	open    []*ir.Var // variables with any value at first
	values  map[ir.Type][]int64
	inputs  []input
	rng     *rand.Rand
	fixed   bool // there is only one run
	base    int  // steps of a short run
	length  int  // visible steps of the longest run so far
	alike   int  // groups of steps with inputs that are the same in different threads
	stats   Stats
	run     run
	// input draws the value of a variable in the step being taken.
	input func(*ir.Var) int64
}

// Stats says what was done.
type Stats struct {
	Runs  int
	Steps int
}

// Limits ends a search; a zero is no limit.
type Limits struct {
	Time time.Duration
	Runs int
}

// node is a location.
type node struct {
	loc     *ir.Loc
	out     []step
	visible bool // a step from here touches a shared variable
	input   int  // the place in Simulator.inputs if a step from here has inputs, or -1
}

// step is an edge and where it leads.
type step struct {
	edge  *explore.Compiled
	to    *node
	alike int // its group, or -1
}

// New prepares a program, which must satisfy [ir.Program.CheckStructure]. The error
// is for programs that cannot be simulated.
func New(p *ir.Program) (*Simulator, error) {
	m, err := explore.NewStepper(p)
	if err != nil {
		return nil, err
	}
	s := &Simulator{p: p, m: m, values: interesting(p), rng: rand.New(rand.NewPCG(1, 2)), base: 1000}
	s.input = s.draw
	for _, v := range p.Vars {
		k := int64(0)
		if v.Init != nil {
			k = explore.Stored(*v.Init)
		} else {
			s.open = append(s.open, v)
		}
		s.initial = append(s.initial, k)
	}
	tab := p.Symbols()
	var all []*node
	for _, t := range p.Threads {
		nodes := map[*ir.Loc]*node{}
		for _, l := range t.Locs {
			nodes[l] = s.node(tab, l)
			all = append(all, nodes[l])
			s.base += len(l.Out)
		}
		for _, n := range nodes {
			for i := range n.out {
				n.out[i].to = nodes[n.out[i].edge.Edge().To]
			}
		}
		s.entries = append(s.entries, nodes[t.Entry])
		s.asserts = append(s.asserts, t.HasErrors())
	}
	s.findAlike(all)
	s.fixed = len(p.Threads) == 1 && len(s.inputs) == 0 && len(s.open) == 0
	return s, nil
}

func (s *Simulator) node(tab ir.SymTable, l *ir.Loc) *node {
	n := &node{loc: l, input: -1}
	for _, e := range l.Out {
		n.out = append(n.out, step{edge: s.m.Compile(e)})
		for _, c := range e.Cmds {
			n.visible = n.visible || touchesShared(tab, c)
			if c.Kind == ir.Havoc && n.input < 0 {
				n.input = len(s.inputs)
				s.inputs = append(s.inputs, input{})
			}
		}
	}
	return n
}

func touchesShared(tab ir.SymTable, c ir.Cmd) bool {
	if c.Var != nil && c.Var.Thread == ir.Shared {
		return true
	}
	for _, t := range []*logic.Term{c.Cond, c.Expr} {
		if t == nil {
			continue
		}
		for _, sym := range logic.FreeVars(t) {
			if tab[sym].Thread == ir.Shared {
				return true
			}
		}
	}
	return false
}

// Stats returns what was done so far.
func (s *Simulator) Stats() Stats { return s.stats }

// maxRunSteps bounds the steps of one run.
const maxRunSteps = 200_000

// Search makes runs until one reaches an error location, and returns its schedule;
// nil when a limit is reached or ctx ends. There is a run in any case, unless ctx has
// ended.
func (s *Simulator) Search(ctx context.Context, l Limits) *ir.Schedule {
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	for i := 0; ctx.Err() == nil && (l.Runs == 0 || i < l.Runs); i++ {
		if s.fixed && s.stats.Runs > 0 && s.run.steps < s.run.bound {
			return nil
		}
		if s.once(ctx) {
			s.shorten()
			return s.schedule()
		}
	}
	return nil
}

// schedule returns the last run.
func (s *Simulator) schedule() *ir.Schedule {
	out := &ir.Schedule{Init: map[int]logic.Value{}}
	for i, v := range s.open {
		out.Init[v.Index] = explore.Loaded(v.Type, s.run.start[i])
	}
	inputs := s.run.inputs
	for _, c := range s.run.taken {
		st := ir.Step{Edge: c.Edge()}
		for _, cmd := range st.Edge.Cmds {
			if cmd.Kind == ir.Havoc {
				st.Inputs = append(st.Inputs, explore.Loaded(cmd.Var.Type, inputs[0]))
				inputs = inputs[1:]
			}
		}
		out.Steps = append(out.Steps, st)
	}
	return out
}
