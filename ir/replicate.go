package ir

import (
	"errors"
	"fmt"
	"slices"

	"comus/logic"
)

// Replicated returns the threads of which any number of instances may run. A
// program that has some is a template: every instance has its own copy of the
// thread's local variables and its own program counter, waits for the same Created
// flag, and uses the thread's Index + 1 as the owner of a mutex. It has no Ended
// flag. Such a program is for proofs of safety, by code that knows about it; all
// else has to refuse it: see [Program.Single].
func (p *Program) Replicated() []*Thread {
	var out []*Thread
	for _, t := range p.Threads {
		if t.Replicated {
			out = append(out, t)
		}
	}
	return out
}

// ErrReplicated is the error of [Program.Single].
var ErrReplicated = errors.New("the program has threads that stand for any number of threads")

// ErrCells is the error of [Program.Single] for a program that has one cell only of each array ([Program.Cells]).
var ErrCells = errors.New("the program has one cell only of each array")

// Single returns ErrReplicated if the program is a template, and ErrCells if it has one cell only of each array.
func (p *Program) Single() error {
	if len(p.Replicated()) > 0 {
		return ErrReplicated
	}
	if index, _ := p.Cells(); index != nil {
		return ErrCells
	}
	return nil
}

// Instances returns the program with n instances of each replicated thread, and
// with no replicated thread. The threads of p keep their indexes, a replicated one
// being the first instance; the others come after all of them. Locations keep their
// indexes. The instances own mutexes in their own name: Lock and Unlock edges use the
// instance's Index + 1, so that this is what n real threads do.
//
// The error is for programs in which an edge of another kind looks at a mutex other
// than to see whether it is free or out of use. In all others, whatever the instances do with
// owners of their own, they can also do with a common one.
func (p *Program) Instances(n int) (*Program, error) {
	if err := p.checkMutexes(); err != nil {
		return nil, err
	}
	c := &copier{from: p, to: &Program{L: p.L, File: p.File, Assumptions: p.Assumptions, Bounded: p.Bounded}}
	for range p.Vars {
		c.to.Vars = append(c.to.Vars, nil)
	}
	c.vars = make([]*Var, len(p.Vars))
	for i, v := range p.Vars {
		w := *v
		c.to.Vars[i], c.vars[i] = &w, &w
	}
	first := slices.Clone(c.vars)
	for _, t := range p.Threads {
		c.thread(t, t.Index, first)
	}
	for k := 1; k < n; k++ {
		for _, t := range p.Replicated() {
			index := len(c.to.Threads)
			c.thread(t, index, c.locals(t, index, first))
		}
	}
	for _, t := range c.to.Threads {
		t.Replicated = false
	}
	return c.to, nil
}

// checkMutexes verifies that a mutex is only locked, unlocked and compared with 0.
func (p *Program) checkMutexes() error {
	mutex := map[*logic.Term]bool{}
	for _, t := range p.Threads {
		t.Edges(func(e *Edge) {
			if e.Kind == Lock || e.Kind == Unlock {
				mutex[e.Mutex.Sym] = true
			}
		})
	}
	var err error
	for _, t := range p.Threads {
		t.Edges(func(e *Edge) {
			owner := e.Kind == Lock || e.Kind == Unlock
			for _, c := range e.Cmds {
				if err == nil && !p.harmless(c, t, e, owner, mutex) {
					err = fmt.Errorf("thread %d, %s: looks at the owner of a mutex", t.Index, e)
				}
			}
		})
	}
	return err
}

// harmless reports whether a command uses mutexes as [Program.Instances] demands.
func (p *Program) harmless(c Cmd, t *Thread, e *Edge, owner bool, mutex map[*logic.Term]bool) bool {
	l := p.L
	switch c.Kind {
	case Assign:
		if mutex[c.Var.Sym] {
			k, ok := c.Expr.Const()
			return ok && k.Sign() <= 0 || owner && c.Var == e.Mutex && c.Expr == l.Int(int64(t.Index+1))
		}
		return blind(c.Expr, mutex)
	case Havoc:
		return !mutex[c.Var.Sym] && (c.Of == nil || !mutex[c.Of.Sym] && blind(c.At, mutex))
	}
	for _, x := range logic.Conjuncts(c.Cond) {
		if !blind(x, mutex) && !(owner && x == l.Eq(e.Mutex.Sym, l.Int(int64(t.Index+1)))) {
			return false
		}
	}
	return true
}

// blind reports whether a term is the same whichever threads own the mutexes: it only compares a mutex with numbers that
// are no owner's, which are positive.
func blind(x *logic.Term, mutex map[*logic.Term]bool) bool {
	args := x.Args()
	switch {
	case mutex[x]:
		return false
	case x.Op() == logic.OpEq && (mutex[args[0]] || mutex[args[1]]):
		for _, a := range args {
			if k, ok := a.Const(); ok && k.Sign() <= 0 {
				return true
			}
		}
		return false
	case x.Op() == logic.OpLe && mutex[args[0]]: // m <= k
		k, ok := args[1].Const()
		return ok && k.Sign() <= 0
	case x.Op() == logic.OpLe && mutex[args[1]]: // k <= m
		k, ok := args[0].Const()
		return ok && k.Cmp(logic.IntValue(1)) <= 0
	}
	return !slices.ContainsFunc(args, func(a *logic.Term) bool { return !blind(a, mutex) })
}

// copier makes the program of [Program.Instances].
type copier struct {
	from, to *Program
	vars     []*Var // the copies of the variables of from
}

// locals returns the variables of an instance: the local ones are new.
func (c *copier) locals(t *Thread, index int, first []*Var) []*Var {
	vars := slices.Clone(first)
	for i, v := range c.from.Vars {
		if v.Thread != t.Index {
			continue
		}
		name := fmt.Sprintf("%s'%d", v.Name, index)
		for slices.ContainsFunc(c.to.Vars, func(w *Var) bool { return w.Name == name }) {
			name += "'"
		}
		w := c.to.NewVar(name, v.Type, index)
		w.Source, w.Shown, w.Inner, w.Points, w.Init, w.Pos, w.Holder, w.Cell = v.Source, v.Shown, v.Inner, v.Points, v.Init, v.Pos, v.Holder, v.Cell
		vars[i] = w
	}
	return vars
}

// thread adds an instance of t that uses these variables.
func (c *copier) thread(t *Thread, index int, vars []*Var) {
	l := c.to.L
	u := &Thread{Index: index, Name: t.Name, PC: l.Var(fmt.Sprintf("pc%d", index), logic.Int), Replicated: t.Replicated}
	c.to.Threads = append(c.to.Threads, u)
	for _, loc := range t.Locs {
		m := *loc
		m.Thread, m.Out, m.In = u, nil, nil
		u.Locs = append(u.Locs, &m)
	}
	u.Entry = u.Locs[t.Entry.Index]
	if t.Created != nil {
		u.Created = vars[t.Created.Index]
	}
	if t.Ended != nil {
		u.Ended = vars[t.Ended.Index]
	}
	sub := map[*logic.Term]*logic.Term{}
	for i, v := range c.from.Vars {
		if vars[i].Sym != v.Sym {
			sub[v.Sym] = vars[i].Sym
		}
	}
	for _, loc := range t.Locs {
		for _, e := range loc.Out {
			cmds := make([]Cmd, len(e.Cmds))
			for i, cmd := range e.Cmds {
				cmds[i] = c.cmd(cmd, t, index, e, vars, sub)
			}
			f := u.NewEdge(u.Locs[e.From.Index], u.Locs[e.To.Index], e.Pos, e.Text, cmds...)
			f.Kind, f.Thread, f.Approx, f.Tells = e.Kind, e.Thread, e.Approx, e.Tells
			if e.Mutex != nil {
				f.Mutex = vars[e.Mutex.Index]
			}
		}
	}
}

// cmd copies a command of an edge of t for the thread with this index.
func (c *copier) cmd(cmd Cmd, t *Thread, index int, e *Edge, vars []*Var, sub map[*logic.Term]*logic.Term) Cmd {
	l := c.to.L
	old, own := l.Int(int64(t.Index+1)), l.Int(int64(index+1))
	if cmd.Var != nil {
		cmd.Var = vars[cmd.Var.Index]
	}
	if cmd.Of != nil {
		cmd.Of, cmd.At = vars[cmd.Of.Index], l.Subst(cmd.At, sub)
	}
	if cmd.Expr != nil {
		if e.Mutex != nil && cmd.Var.Sym == e.Mutex.Sym && cmd.Expr == old {
			cmd.Expr = own
		}
		cmd.Expr = l.Subst(cmd.Expr, sub)
	}
	if cmd.Cond != nil {
		conj := slices.Clone(logic.Conjuncts(cmd.Cond))
		for i, x := range conj {
			if e.Mutex != nil && x == l.Eq(e.Mutex.Sym, old) {
				conj[i] = l.Eq(e.Mutex.Sym, own)
			}
		}
		cmd.Cond = l.Subst(l.And(conj...), sub)
	}
	return cmd
}
