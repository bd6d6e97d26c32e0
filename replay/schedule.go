package replay

import (
	"math/big"
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// group is a step of the execution that other threads notice, or all steps of an atomic section.
type group struct {
	thread  int // of ir
	kind    ir.EdgeKind
	created int  // ir.Create: the thread
	resumes bool // a handler ends
	victim  int  // the index + 1 of the thread that a handler of signals interrupts which begins; 0: none does
	origins map[int]bool
	step    int // the first step in the schedule
	edge    *ir.Edge
	section bool // several steps
	reads   bool // shared variables
	writes  bool
}

// inputKey is a thread of ir and the number of an instruction that gets an input.
type inputKey struct{ thread, n int }

// plan is an execution as the instructions of cir take part in it.
type plan struct {
	groups  []group
	inputs  map[inputKey][]uint64
	threads int
	failing int // the thread that fails
	args    []string
	goal    *ir.Loc
	wraps   bool // signed overflow wraps around
	fill    bool // every load of indeterminate memory reads this
	filled  uint64
	race    *race  // what the execution ends with; nil: something else
	waits   []stop // of a deadlock: where threads wait
	handled bool   // handlers of signals interrupt threads
	wakes   int    // 1: waits on condition variables end only when they are signalled; see [cir.Wakeups]
}

// newPlan takes a schedule apart.
func newPlan(p *ir.Program, sched ir.Schedule) *plan {
	pl := &plan{inputs: map[inputKey][]uint64{}, threads: len(p.Threads), wraps: p.Wraps}
	tab := p.Symbols()
	shared := map[*ir.Edge]bool{}
	asking := askingSteps(sched)
	stood := -1
	var open *group // of an atomic section
	for i, s := range sched.Steps {
		e := s.Edge
		t := e.From.Thread.Index
		pl.noteInputs(t, s)
		pl.failing, pl.goal = t, e.To
		noticed, ok := shared[e]
		if !ok {
			noticed = e.Kind != ir.Plain && e.Kind != ir.Start || touches(tab, e.Cmds) || interrupts(e) != nil
			shared[e] = noticed && e.Kind != ir.Start
			noticed = shared[e]
		}
		noticed = noticed && !asking[i]
		if standsBefore(e) {
			stood = i
			pl.race = &race{first: stop{thread: t, n: e.Origin, where: whereOf(e, "is about to execute "), pos: e.Pos}, from: len(pl.groups)}
		}
		if open != nil && open.thread == t && e.From.Atomic {
			open.section = true
			if noticed {
				open.note(tab, e)
				if e.Kind != ir.Plain {
					open.kind, open.created = e.Kind, e.Thread
				}
			}
		} else {
			pl.close(open)
			open = &group{thread: t, kind: e.Kind, created: e.Thread, origins: map[int]bool{}, step: i, edge: e}
			if noticed {
				open.note(tab, e)
			}
		}
		if !e.To.Atomic {
			pl.close(open)
			open = nil
		}
	}
	pl.close(open)
	pl.handled = slices.ContainsFunc(pl.groups, func(g group) bool { return g.victim > 0 })
	pl.endRace(sched, stood)
	pl.endDeadlock(sched)
	return pl
}

// close adds a group, if other threads notice it.
func (pl *plan) close(g *group) {
	if g != nil && len(g.origins) > 0 {
		pl.groups = append(pl.groups, *g)
	}
}

// note adds the instructions that a step comes from: those that access shared variables.
func (g *group) note(tab ir.SymTable, e *ir.Edge) {
	n := len(g.origins)
	if c := interrupts(e); c != nil {
		k, _ := c.Expr.Const()
		v, _ := k.Int64()
		g.victim, g.resumes = int(v), v == 0
	}
	a := tab.CmdAccess(e.Cmds)
	g.reads, g.writes = g.reads || anyShared(a.Reads), g.writes || anyShared(a.Writes)
	g.section = g.section || e.To.Atomic
	for _, c := range e.Cmds {
		if touches(tab, []ir.Cmd{c}) {
			g.origins[c.Origin] = true
		}
	}
	if n == len(g.origins) || e.Kind != ir.Plain {
		g.origins[e.Origin] = true
	}
}

// touches reports whether commands access shared variables of the program.
func touches(tab ir.SymTable, cmds []ir.Cmd) bool {
	a := tab.CmdAccess(cmds)
	return anyShared(a.Reads) || anyShared(a.Writes)
}

func anyShared(vars map[*ir.Var]bool) bool {
	for v := range vars {
		if v.Thread == ir.Shared && !isAsking(v) && !isVictim(v) {
			return true
		}
	}
	return false
}

// noteInputs keeps the values that a step chooses.
func (pl *plan) noteInputs(t int, s ir.Step) {
	if len(s.Inputs) == 0 {
		return
	}
	k := 0
	if s.Edge.Origin == 0 && t == 0 && pl.args == nil { // main's first parameter
		if n, ok := s.Inputs[0].Int64(); ok && n > 0 && n < 1000 {
			pl.args = append(pl.args, "program")
			for int64(len(pl.args)) < n {
				pl.args = append(pl.args, "argument")
			}
		}
	}
	for _, c := range s.Edge.Cmds {
		if c.Kind == ir.Havoc && k < len(s.Inputs) {
			key := inputKey{t, c.Origin}
			pl.inputs[key] = append(pl.inputs[key], lowBits(s.Inputs[k]))
			k++
		}
	}
}

// lowBits returns the value modulo 2^64.
func lowBits(v logic.Value) uint64 {
	if n, ok := v.Int64(); ok {
		return uint64(n)
	}
	n, ok := new(big.Int).SetString(v.String(), 10)
	if !ok {
		return 0
	}
	return n.And(n, new(big.Int).SetUint64(^uint64(0))).Uint64()
}

// places returns where the interpreter has to tell what it does.
func (pl *plan) places(p *cir.Program) places {
	at := map[int]bool{}
	for _, g := range pl.groups {
		for n := range g.origins {
			at[n] = true
		}
	}
	private := privateAccesses(p)
	input := map[int]bool{}
	for k := range pl.inputs {
		input[k.n] = true
	}
	for in, n := range cir.Number(p) {
		if namesThread(in) {
			input[n] = true
		}
		if _, load := in.(*cir.Load); load && (pl.fill || pl.readsUnset()) {
			input[n] = pl.fill // what nobody has written is left so where that is the error
		}
	}
	return places{access: func(n int) bool { return !private[n] }, at: at, input: input, begins: true}
}

// readsUnset reports whether the execution ends by reading what nobody has written.
func (pl *plan) readsUnset() bool { return strings.HasPrefix(pl.goal.Text, "reads ") }

// privateAccesses returns the loads and stores of locals whose address goes nowhere.
func privateAccesses(p *cir.Program) map[int]bool {
	numbers := cir.Number(p)
	private := map[int]bool{}
	for _, f := range p.Funcs {
		leaks := map[cir.Value]bool{}
		direct := map[cir.Value][]int{}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				var addr cir.Value
				switch in := in.(type) {
				case *cir.Load:
					addr = in.Addr
				case *cir.Store:
					if addr = in.Addr; in.X == addr {
						leaks[addr] = true
					}
				}
				cir.Operands(in, func(v cir.Value) {
					if v != addr {
						leaks[v] = true
					}
				})
				if _, ok := addr.(*cir.Local); ok {
					direct[addr] = append(direct[addr], numbers[in])
				}
			}
			cir.TermOperands(b.Term, func(v cir.Value) { leaks[v] = true })
		}
		for l, ns := range direct {
			if !leaks[l] {
				for _, n := range ns {
					private[n] = true
				}
			}
		}
	}
	return private
}
