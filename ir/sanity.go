package ir

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"comus/logic"
)

// Check verifies the invariants of a program fresh from the front end and
// returns all that are broken, joined, or nil: those of [Program.CheckStructure]
// and that an edge outside atomic sections touches at most one shared location.
// A program that fails is a bug of the code that built it.
func (p *Program) Check() error { return p.check(true) }

// CheckStructure verifies what the rest of comus relies on in every program: the
// bookkeeping (indexes, names, symbols, edges listed on both sides), the commands
// (sorts, known variables, locals touched by their owner only) and the shape of
// the edges with a kind. Passes that merge steps keep these invariants.
func (p *Program) CheckStructure() error { return p.check(false) }

func (p *Program) check(steps bool) error {
	c := &checker{p: p, tab: SymTable{}}
	c.vars()
	c.threads()
	if len(c.errs) > 0 { // what follows trusts the bookkeeping
		return errors.Join(c.errs...)
	}
	if steps {
		c.handover = handoverVars(p)
	}
	for _, t := range p.Threads {
		t.Edges(func(e *Edge) { c.edge(t, e) })
		c.firstEdges(t)
	}
	if err := p.CheckCells(); err != nil {
		c.errs = append(c.errs, err)
	}
	return errors.Join(c.errs...)
}

type checker struct {
	p        *Program
	tab      SymTable
	handover map[*Var]bool // nil: steps may be of any size
	errs     []error
}

func (c *checker) failf(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *checker) vars() {
	names := map[string]bool{}
	for i, v := range c.p.Vars {
		if v == nil {
			c.failf("variable %d is nil", i)
			continue
		}
		c.tab[v.Sym] = v
		if v.Index != i {
			c.failf("variable %s has index %d at place %d", v.Name, v.Index, i)
		}
		if names[v.Name] {
			c.failf("two variables are named %s", v.Name)
		}
		names[v.Name] = true
		if v.Sym == nil || !v.Sym.IsVar() || v.Sym.Sort() != logic.Int || v.Sym.Name() != v.Name {
			c.failf("variable %s has the symbol %v", v.Name, v.Sym)
		} else if v.Sym != c.p.L.Var(v.Name, logic.Int) {
			c.failf("variable %s has a symbol of another store", v.Name)
		}
		if v.Type.Bits < 1 {
			c.failf("variable %s has %d bits", v.Name, v.Type.Bits)
		} else if v.Init != nil && !v.Type.Contains(*v.Init) {
			c.failf("variable %s of type %s has the initial value %s", v.Name, v.Type, v.Init)
		}
		if v.Thread < Shared || v.Thread >= len(c.p.Threads) {
			c.failf("variable %s belongs to thread %d, which does not exist", v.Name, v.Thread)
		}
	}
}

func (c *checker) has(v *Var) bool {
	return v != nil && v.Index >= 0 && v.Index < len(c.p.Vars) && c.p.Vars[v.Index] == v
}

func (c *checker) threads() {
	if len(c.p.Threads) == 0 {
		c.failf("there is no thread")
	}
	for i, t := range c.p.Threads {
		if t == nil {
			c.failf("thread %d is nil", i)
			continue
		}
		if t.Index != i {
			c.failf("thread %d has index %d", i, t.Index)
		}
		if t.PC == nil || !t.PC.IsVar() || t.PC.Sort() != logic.Int || t.PC.Name() != fmt.Sprintf("pc%d", i) || c.tab[t.PC] != nil {
			c.failf("thread %d has the program counter %v", i, t.PC)
		}
		if i == 0 && t.Created != nil {
			c.failf("thread 0 has a Created variable")
		}
		c.flag(t, "Created", t.Created)
		c.flag(t, "Ended", t.Ended)
		c.locs(t)
	}
}

// flag checks a Created or Ended variable.
func (c *checker) flag(t *Thread, what string, v *Var) {
	if v == nil {
		return
	}
	if !c.has(v) || v.Thread != Shared || v.Type != Flag || v.Init == nil || v.Init.Bool() {
		c.failf("thread %d: %s is not a shared flag that is 0 at first", t.Index, what)
	}
}

func (c *checker) locs(t *Thread) {
	owns := func(l *Loc) bool {
		return l != nil && l.Index >= 0 && l.Index < len(t.Locs) && t.Locs[l.Index] == l
	}
	if !owns(t.Entry) {
		c.failf("thread %d: the entry is not one of its locations", t.Index)
	} else if t.Entry.Atomic {
		c.failf("thread %d: the entry is atomic", t.Index)
	}
	for i, l := range t.Locs {
		switch {
		case l == nil:
			c.failf("thread %d: location %d is nil", t.Index, i)
			continue
		case l.Index != i:
			c.failf("thread %d: location %d has index %d", t.Index, i, l.Index)
		case l.Thread != t:
			c.failf("thread %d: %s belongs to another thread", t.Index, l)
		}
		if l.Error && len(l.Out) > 0 {
			c.failf("thread %d: error location %s has edges", t.Index, l)
		}
		for _, e := range l.Out {
			if e == nil || e.From != l || !owns(e.To) || count(e.To.In, e) != 1 || count(l.Out, e) != 1 {
				c.failf("thread %d: an edge out of %s is not linked properly", t.Index, l)
			}
		}
		for _, e := range l.In {
			if e == nil || e.To != l || !owns(e.From) || count(e.From.Out, e) != 1 {
				c.failf("thread %d: an edge into %s is not linked properly", t.Index, l)
			}
		}
	}
}

func count(es []*Edge, e *Edge) int {
	n := 0
	for _, x := range es {
		if x == e {
			n++
		}
	}
	return n
}

// edge checks the commands, the kind and the granularity of an edge.
func (c *checker) edge(t *Thread, e *Edge) {
	n := len(c.errs)
	fail := func(format string, args ...any) {
		c.failf("thread %d, %s: %s", t.Index, e, fmt.Sprintf(format, args...))
	}
	for _, cmd := range e.Cmds {
		c.cmd(t, cmd, fail)
	}
	if len(c.errs) > n {
		return
	}
	c.kind(t, e, fail)
	c.granularity(e, fail)
}

func (c *checker) cmd(t *Thread, cmd Cmd, fail func(string, ...any)) {
	wantCond, wantExpr, wantVar := cmd.Kind == Assume, cmd.Kind == Assign, cmd.Kind != Assume
	if cmd.Kind > Havoc || (cmd.Cond != nil) != wantCond || (cmd.Expr != nil) != wantExpr || (cmd.Var != nil) != wantVar {
		fail("a command of kind %d has the wrong parts", cmd.Kind)
		return
	}
	if cmd.Input != "" && cmd.Kind != Havoc {
		fail("%s is no input", cmd)
	}
	if cmd.Cond != nil {
		c.term(t, cmd.Cond, logic.Bool, fail)
	}
	if cmd.Expr != nil {
		c.term(t, cmd.Expr, logic.Int, fail)
	}
	if cmd.Var != nil {
		c.access(t, cmd.Var, fail)
	}
	if cmd.At != nil {
		c.term(t, cmd.At, logic.Int, fail)
	}
}

func (c *checker) term(t *Thread, term *logic.Term, sort logic.Sort, fail func(string, ...any)) {
	if term.Sort() != sort {
		fail("%s has sort %s", term, term.Sort())
	}
	for _, s := range logic.FreeVars(term) {
		if v := c.tab[s]; v != nil {
			c.access(t, v, fail)
		} else {
			fail("%s is no variable of the program", s)
		}
	}
}

func (c *checker) access(t *Thread, v *Var, fail func(string, ...any)) {
	if !c.has(v) {
		fail("%s is no variable of the program", v.Name)
	} else if v.Thread != Shared && v.Thread != t.Index {
		fail("%s is local to thread %d", v.Name, v.Thread)
	}
}

// kind checks that an edge does what its kind says.
func (c *checker) kind(t *Thread, e *Edge, fail func(string, ...any)) {
	if e.Thread < -1 || e.Thread >= len(c.p.Threads) || e.Thread != -1 && e.Kind != Create && e.Kind != Join {
		fail("names thread %d", e.Thread)
		return
	}
	if (e.Mutex != nil) != (e.Kind == Lock || e.Kind == Unlock) || e.Mutex != nil && !c.has(e.Mutex) {
		fail("names the mutex %s", e.Mutex.name())
		return
	}
	switch e.Kind {
	case Plain, Joined, Fence:
	case Create:
		if e.Thread < 1 || !c.assigns(e, c.p.Threads[e.Thread].Created, 1) {
			fail("does not assign 1 to the Created variable of thread %d", e.Thread)
		}
	case Join:
		if !c.waitsForEnd(e) {
			fail("does not assume that thread %d has ended", e.Thread)
		}
	case Lock:
		if !c.assumes(e, e.Mutex, 0) || !c.assigns(e, e.Mutex, int64(t.Index+1)) {
			fail("does not assume %s == 0 and assign %d", e.Mutex.Name, t.Index+1)
		}
	case Unlock:
		if !c.assumes(e, e.Mutex, int64(t.Index+1)) || !c.assigns(e, e.Mutex, 0) {
			fail("does not assume %s == %d and assign 0", e.Mutex.Name, t.Index+1)
		}
	case Start:
		if e.From != t.Entry || !c.assumes(e, t.Created, 1) {
			fail("does not assume the Created variable at the entry")
		}
	case End:
		if len(e.To.Out) > 0 || t.Ended != nil && !c.assigns(e, t.Ended, 1) {
			fail("does not assign 1 to the Ended variable and stop")
		}
	default:
		fail("has an unknown kind")
	}
}

// assigns reports whether the edge assigns the constant k to v.
func (c *checker) assigns(e *Edge, v *Var, k int64) bool {
	return v != nil && slices.ContainsFunc(e.Cmds, func(cmd Cmd) bool {
		return cmd.Kind == Assign && cmd.Var == v && cmd.Expr == c.p.L.Int(k)
	})
}

// assumes reports whether the edge assumes v = k, perhaps with more.
func (c *checker) assumes(e *Edge, v *Var, k int64) bool {
	if v == nil {
		return false
	}
	want := c.p.L.Eq(v.Sym, c.p.L.Int(k))
	return slices.ContainsFunc(e.Cmds, func(cmd Cmd) bool {
		return cmd.Kind == Assume && slices.Contains(logic.Conjuncts(cmd.Cond), want)
	})
}

// waitsForEnd reports whether a join edge assumes the Ended variable of its
// thread, or reads some thread's if it joins one of several.
func (c *checker) waitsForEnd(e *Edge) bool {
	if e.Thread >= 0 {
		return c.assumes(e, c.p.Threads[e.Thread].Ended, 1)
	}
	reads := c.tab.CmdAccess(e.Cmds).Reads
	return slices.ContainsFunc(c.p.Threads, func(t *Thread) bool { return t.Ended != nil && reads[t.Ended] })
}

// firstEdges checks that a thread that is created waits for it.
func (c *checker) firstEdges(t *Thread) {
	if t.Created == nil {
		return
	}
	if len(t.Entry.In) > 0 {
		c.failf("thread %d: there is an edge back to the entry", t.Index)
	}
	for _, e := range t.Entry.Out {
		if e.Kind != Start {
			c.failf("thread %d, %s: does not wait for the thread's creation", t.Index, e)
		}
	}
}

// handoverVars returns the shared variables that carry threads' arguments,
// results and flags: written by Create and End edges only.
func handoverVars(p *Program) map[*Var]bool {
	carries := map[*Var]bool{}
	for _, v := range p.Vars {
		carries[v] = v.Thread == Shared
	}
	for _, t := range p.Threads {
		t.Edges(func(e *Edge) {
			for _, cmd := range e.Cmds {
				if cmd.Kind != Assume && e.Kind != Create && e.Kind != End {
					delete(carries, cmd.Var)
				}
			}
		})
	}
	return carries
}

// granularity checks that a step outside atomic sections touches one shared
// location. An edge that creates, starts, ends or joins a thread may hand over
// values beside.
func (c *checker) granularity(e *Edge, fail func(string, ...any)) {
	if c.handover == nil || e.From.Atomic || e.To.Atomic {
		return
	}
	threading := e.Kind == Create || e.Kind == Start || e.Kind == End || e.Kind == Join
	touched := c.tab.SharedLocations(c.p.L, e.Cmds, func(v *Var) bool { return threading && c.handover[v] })
	if len(touched) > 1 {
		var names []string
		for _, v := range touched {
			names = append(names, v.Name)
		}
		slices.Sort(names)
		fail("touches %s in one step", strings.Join(names, " and "))
	}
}
