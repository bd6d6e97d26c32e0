package check

import (
	"fmt"
	"math/rand/v2"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// generator makes random small programs: two or three threads over a few small
// shared variables, with mutexes, atomic sections, creation and joining.
type generator struct {
	r      *rand.Rand
	p      *ir.Program
	shared []*ir.Var
	mutex  *ir.Var
	t      *ir.Thread
	local  *ir.Var
	at     *ir.Loc
	atomic bool
	held   bool
	small  bool
}

// RandomProgram returns the random program of a seed.
func RandomProgram(seed uint64) *ir.Program {
	g := &generator{r: rand.New(rand.NewPCG(seed, 7)), p: ir.NewProgram("random.c")}
	n := 2 + g.r.IntN(2)
	g.small = n == 3
	for i := range n {
		g.p.NewThread(fmt.Sprintf("t%d", i))
	}
	for i := range 2 {
		v := g.p.NewVar(fmt.Sprintf("x%d", i), ir.Type{Bits: 1 + i}, ir.Shared)
		if g.r.IntN(4) > 0 {
			v.Init = new(logic.Value)
		}
		g.shared = append(g.shared, v)
	}
	g.mutex = g.p.NewVar("m", ir.Type{Bits: 3}, ir.Shared)
	g.mutex.Init = new(logic.Value)
	for _, t := range g.p.Threads[1:] {
		if g.r.IntN(2) == 0 {
			t.Created = g.p.NewVar(fmt.Sprintf("created%d", t.Index), ir.Flag, ir.Shared)
			t.Created.Init = new(logic.Value)
			t.Ended = g.p.NewVar(fmt.Sprintf("ended%d", t.Index), ir.Flag, ir.Shared)
			t.Ended.Init = new(logic.Value)
		}
	}
	for _, t := range g.p.Threads {
		g.thread(t)
	}
	return g.p
}

func (g *generator) is(v *ir.Var, k int64) ir.Cmd  { return ir.AssumeCmd(g.p.L.Eq(v.Sym, g.p.L.Int(k))) }
func (g *generator) set(v *ir.Var, k int64) ir.Cmd { return ir.AssignCmd(v, g.p.L.Int(k)) }

// edge adds an edge from the current location to a new one.
func (g *generator) edge(cmds ...ir.Cmd) *ir.Edge {
	to := g.t.NewLoc(ir.Pos{})
	to.Atomic = g.atomic
	e := g.t.NewEdge(g.at, to, ir.Pos{}, "", cmds...)
	g.at = to
	return e
}

func (g *generator) thread(t *ir.Thread) {
	g.t, g.at = t, t.Entry
	g.local = g.p.NewVar(fmt.Sprintf("t%d.a", t.Index), ir.Type{Bits: 2}, t.Index)
	if g.r.IntN(2) == 0 {
		g.local.Init = new(logic.Value)
	}
	if t.Created != nil {
		g.edge(g.is(t.Created, 1)).Kind = ir.Start
	}
	if t.Index == 0 {
		g.statements(1)
		for _, u := range g.p.Threads[1:] {
			if u.Created != nil {
				e := g.edge(g.set(u.Created, 1))
				e.Kind, e.Thread = ir.Create, u.Index
			}
		}
	}
	g.statements(2 + g.r.IntN(3))
	if t.Index == 0 && g.r.IntN(2) == 0 {
		for _, u := range g.p.Threads[1:] {
			if u.Ended != nil {
				e := g.edge(g.is(u.Ended, 1))
				e.Kind, e.Thread = ir.Join, u.Index
			}
		}
		g.statements(1)
	}
	if g.r.IntN(3) > 0 || t.Index == 0 {
		g.assertion()
	}
	if t.Ended != nil {
		g.edge(g.set(t.Ended, 1)).Kind = ir.End
	}
}

func (g *generator) statements(n int) {
	if g.small {
		n = min(n, 3)
	}
	for range n {
		g.statement()
	}
}

func (g *generator) v() *ir.Var { return g.shared[g.r.IntN(len(g.shared))] }

// value returns a random constant of v's type.
func (g *generator) value(v *ir.Var) int64 { return int64(g.r.IntN(1 << v.Type.Bits)) }

func (g *generator) assertion() {
	l := g.p.L
	v := g.local
	if g.r.IntN(2) == 0 {
		v = g.v()
	}
	bad := l.Eq(v.Sym, l.Int(g.value(v)))
	e := g.t.NewLoc(ir.Pos{})
	e.Error = true
	g.t.NewEdge(g.at, e, ir.Pos{}, "", ir.AssumeCmd(bad))
	g.edge(ir.AssumeCmd(l.Not(bad)))
}

func (g *generator) statement() {
	l := g.p.L
	v := g.v()
	switch g.r.IntN(11) {
	case 0, 1:
		g.edge(g.set(v, g.value(v)))
	case 2, 3:
		g.edge(ir.AssignCmd(g.local, v.Sym))
	case 4:
		g.edge(ir.AssignCmd(v, l.Mod(l.Add(g.local.Sym, l.Int(1)), l.Int(1<<v.Type.Bits))))
	case 5:
		g.edge(ir.HavocCmd(g.local, "input"))
	case 6:
		g.edge(g.is(v, g.value(v)))
	case 7:
		if g.held || g.atomic {
			return
		}
		g.held = true
		e := g.edge(g.is(g.mutex, 0), g.set(g.mutex, int64(g.t.Index+1)))
		e.Kind, e.Mutex = ir.Lock, g.mutex
		g.statements(1 + g.r.IntN(2))
		e = g.edge(g.is(g.mutex, int64(g.t.Index+1)), g.set(g.mutex, 0))
		e.Kind, e.Mutex = ir.Unlock, g.mutex
		g.held = false
	case 8:
		if g.atomic {
			return
		}
		g.atomic = true
		g.edge()
		g.statements(1 + g.r.IntN(2))
		g.atomic = false
		g.edge()
	case 9:
		g.branch()
	case 10:
		if g.held || g.atomic {
			return
		}
		fail := g.at
		g.edge(g.is(g.mutex, 0), g.set(g.mutex, int64(g.t.Index+1)))
		g.edge(g.set(v, g.value(v)))
		g.edge(g.is(g.mutex, int64(g.t.Index+1)), g.set(g.mutex, 0))
		g.t.NewEdge(fail, g.at, ir.Pos{}, "", ir.AssumeCmd(l.Ne(g.mutex.Sym, l.Int(0))))
	}
}

// branch adds an if, or a loop.
func (g *generator) branch() {
	l := g.p.L
	c := l.Le(g.local.Sym, l.Int(1))
	from := g.at
	g.edge(ir.AssumeCmd(c))
	g.statements(1)
	if g.r.IntN(2) == 0 {
		g.t.NewEdge(from, g.at, ir.Pos{}, "", ir.AssumeCmd(l.Not(c)))
		return
	}
	g.t.NewEdge(g.at, from, ir.Pos{}, "")
	g.at = from
	g.edge(ir.AssumeCmd(l.Not(c)))
}

// inputs calls f for all inputs of an edge.
func inputs(e *ir.Edge, f func([]logic.Value)) {
	vars := interp.Havocs(e)
	vals := make([]logic.Value, len(vars))
	var choose func(i int)
	choose = func(i int) {
		if i == len(vars) {
			f(vals)
			return
		}
		for k := range int64(1) << vars[i].Type.Bits {
			vals[i] = logic.IntValue(k)
			choose(i + 1)
		}
	}
	choose(0)
}

// Explore returns the threads that can be the first to reach an error location.
// mayRun restricts which threads may take a step in a state; nil means the
// program's own rules. The result is nil when there are too many states.
func Explore(p *ir.Program, mayRun func(s *interp.State, t int) bool) map[int]bool {
	failing := map[int]bool{}
	seen := map[string]bool{}
	var work []*interp.State
	add := func(s *interp.State) {
		if e := s.AtError(); e != nil {
			failing[e.Thread.Index] = true
			return
		}
		key := fmt.Sprint(s.Vals)
		for _, l := range s.Locs {
			key += fmt.Sprint(",", l.Index)
		}
		if !seen[key] {
			seen[key] = true
			work = append(work, s)
		}
	}
	var start func(i int, init map[int]logic.Value)
	start = func(i int, init map[int]logic.Value) {
		if i == len(p.Vars) {
			s, err := interp.Initial(p, init)
			if err != nil {
				panic(err)
			}
			add(s)
			return
		}
		if p.Vars[i].Init != nil {
			start(i+1, init)
			return
		}
		for k := range int64(1) << p.Vars[i].Type.Bits {
			init[i] = logic.IntValue(k)
			start(i+1, init)
		}
	}
	start(0, map[int]logic.Value{})
	for len(work) > 0 {
		if len(seen) > 30_000 {
			return nil
		}
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range interp.Enabled(p, s) {
			if mayRun != nil && !mayRun(s, e.From.Thread.Index) {
				continue
			}
			inputs(e, func(in []logic.Value) {
				if next, err := interp.Step(p, s, e, in); err == nil {
					add(next)
				}
			})
		}
	}
	return failing
}
