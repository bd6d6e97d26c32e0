package explore

import (
	"context"
	"slices"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// unset is a program in which variables of large types have no arbitrary values:
// where the original program leaves the value open, the variable becomes 0 and a
// flag beside it 1. An assignment clears the flag, or copies the flags of what it
// copies. An edge whose outcome depends on a variable with its flag set has one
// beside it that leads to an error location of its own.
//
// If no such location can be reached, no execution of the original program depends
// on a value that was left open, and its executions are those of this program but
// for these values. A term's value does not depend on a variable that only a branch
// of an if-then-else not taken mentions, or a conjunct behind one that is false.
type unset struct {
	p, q   *ir.Program
	tab    ir.SymTable
	flags  map[*ir.Var]*ir.Var // of the variables that may be open
	zeroed map[*ir.Var]*ir.Var // of those open at first, the variables of q
	memo   map[*logic.Term]*logic.Term
	origin map[*ir.Edge]*ir.Edge
	bad    []*ir.Loc // by thread
}

// flagType is the type of the flags.
var flagType = ir.Type{Bits: 1}

// exploreUnset explores the program with open values; ok is false if an execution
// may depend on one, or nothing was found out.
func exploreUnset(ctx context.Context, p *ir.Program, opts Options) (res Result, ok bool) {
	u := &unset{p: p, tab: p.Symbols(), flags: map[*ir.Var]*ir.Var{}, zeroed: map[*ir.Var]*ir.Var{}, memo: map[*logic.Term]*logic.Term{}, origin: map[*ir.Edge]*ir.Edge{}}
	u.build(opts.MaxChoices)
	if u.q.CheckStructure() != nil {
		return Result{}, false
	}
	res, _, err := search(ctx, u.q, opts)
	switch {
	case err != nil || res.Verdict == Unknown && !res.Limit:
		return Result{}, false
	case res.Verdict != Unsafe:
		return res, true
	case slices.Contains(u.bad, res.Error):
		return Result{}, false
	}
	res.Schedule = u.schedule(res.Schedule)
	res.Error = p.Threads[res.Error.Thread.Index].Locs[res.Error.Index]
	_, err = interp.Replay(p, res.Schedule)
	return res, err == nil
}

// build makes the program.
func (u *unset) build(maxChoices int) {
	q := *u.p
	u.q = &q
	q.Vars, q.Threads = slices.Clone(u.p.Vars), nil
	u.find(maxChoices)
	names := map[string]bool{}
	for _, v := range u.p.Vars {
		names[v.Name] = true
	}
	for i, v := range u.p.Vars {
		if _, open := u.flags[v]; !open {
			continue
		}
		name := v.Name + ".open"
		for names[name] {
			name += "'"
		}
		names[name] = true
		f, zero := q.NewVar(name, flagType, v.Thread), logic.IntValue(0)
		f.Init, u.flags[v] = &zero, f
		if v.Init == nil {
			w, one := *v, logic.IntValue(1)
			w.Init, f.Init = &zero, &one
			q.Vars[i], u.zeroed[v] = &w, &w
		}
	}
	for _, t := range u.p.Threads {
		u.thread(t)
	}
}

// find collects the variables that may be open: those of large types that get any
// value, and those that may get a copy of theirs. None is read by an edge that a
// thread starts with, beside which there is no other.
func (u *unset) find(maxChoices int) {
	large := func(v *ir.Var) bool { return v.Type.Bits >= 63 || int64(1)<<v.Type.Bits > int64(maxChoices) }
	started := map[*ir.Var]bool{}
	var assigns []ir.Cmd
	for _, t := range u.p.Threads {
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				switch c.Kind {
				case ir.Havoc:
					if large(c.Var) {
						u.flags[c.Var] = nil
					}
				case ir.Assign:
					assigns = append(assigns, c)
				}
			}
			if e.From == t.Entry && t.Created != nil {
				for v := range u.tab.CmdAccess(e.Cmds).Reads {
					started[v] = true
				}
			}
		})
	}
	for _, v := range u.p.Vars {
		if v.Init == nil && large(v) {
			u.flags[v] = nil
		}
	}
	for v := range started {
		delete(u.flags, v)
	}
	for grown := true; grown; {
		grown = false
		for _, c := range assigns {
			if _, open := u.flags[c.Var]; !open && !started[c.Var] && u.copies(c.Expr, c.Var.Type) {
				u.flags[c.Var], grown = nil, true
			}
		}
	}
}

// copies reports whether the value of a term may be that of a variable of this type
// that may be open.
func (u *unset) copies(t *logic.Term, typ ir.Type) bool {
	switch t.Op() {
	case logic.OpVar:
		v := u.tab[t]
		_, open := u.flags[v]
		return open && v.Type == typ
	case logic.OpIte:
		return u.copies(t.Args()[1], typ) || u.copies(t.Args()[2], typ)
	}
	return false
}

// thread copies a thread.
func (u *unset) thread(t *ir.Thread) {
	c := &ir.Thread{Index: t.Index, Name: t.Name, PC: t.PC, Created: t.Created, Ended: t.Ended}
	for _, l := range t.Locs {
		m := c.NewLoc(l.Pos)
		m.Atomic, m.Error, m.Text, m.Check = l.Atomic, l.Error, l.Text, l.Check
	}
	c.Entry = c.Locs[t.Entry.Index]
	bad := c.NewLoc(t.Entry.Pos)
	bad.Error = true
	t.Edges(func(e *ir.Edge) {
		from, to := c.Locs[e.From.Index], c.Locs[e.To.Index]
		f := c.NewEdge(from, to, e.Pos, e.Text, u.edge(e, from, bad)...)
		f.Kind, f.Thread, f.Mutex, f.Approx = e.Kind, e.Thread, e.Mutex, e.Approx
		u.origin[f] = e
	})
	u.bad = append(u.bad, bad)
	u.q.Threads = append(u.q.Threads, c)
}

// edge returns the commands of an edge with the flags, and adds the edges to bad.
func (u *unset) edge(e *ir.Edge, from, bad *ir.Loc) []ir.Cmd {
	L := u.p.L
	var out []ir.Cmd
	for _, c := range e.Cmds {
		depends := L.False()
		var flag *ir.Var
		if c.Kind != ir.Assume {
			flag = u.flags[c.Var]
		}
		switch {
		case c.Kind == ir.Assume:
			depends = u.depends(c.Cond)
		case c.Kind == ir.Assign && flag == nil:
			depends = u.depends(c.Expr)
		case c.Kind == ir.Assign:
			depends = u.chooses(c.Expr, c.Var.Type)
		}
		if !depends.IsFalse() {
			from.Thread.NewEdge(from, bad, e.Pos, e.Text, append(slices.Clone(out), ir.AssumeCmd(depends))...)
		}
		if v := u.zeroed[c.Var]; v != nil {
			c.Var = v
		}
		switch {
		case flag == nil:
			out = append(out, c)
		case c.Kind == ir.Havoc:
			out = append(out, ir.AssignCmd(flag, L.Int(1)), ir.AssignCmd(c.Var, L.Int(0)))
		default:
			out = append(out, ir.AssignCmd(flag, L.BoolToInt(u.copied(c.Expr))), c)
		}
	}
	return out
}

// depends returns the condition under which the value of a term depends on a
// variable that is open.
func (u *unset) depends(t *logic.Term) *logic.Term {
	if f, ok := u.memo[t]; ok {
		return f
	}
	L, args := u.p.L, t.Args()
	out := L.False()
	switch t.Op() {
	case logic.OpVar:
		if f := u.flags[u.tab[t]]; f != nil {
			out = L.Eq(f.Sym, L.Int(1))
		}
	case logic.OpIte:
		out = L.Or(u.depends(args[0]), L.And(args[0], u.depends(args[1])), L.And(L.Not(args[0]), u.depends(args[2])))
	case logic.OpAnd, logic.OpOr:
		for _, a := range slices.Backward(args) { // those behind one that decides play no role
			on := a
			if t.Op() == logic.OpOr {
				on = L.Not(a)
			}
			out = L.Or(u.depends(a), L.And(on, out))
		}
	default:
		for _, a := range args {
			out = L.Or(out, u.depends(a))
		}
	}
	u.memo[t] = out
	return out
}

// chooses is depends for a term that is copied to a variable of this type with a
// flag: that it is the value of an open variable is no reason.
func (u *unset) chooses(t *logic.Term, typ ir.Type) *logic.Term {
	L, args := u.p.L, t.Args()
	switch {
	case t.Op() == logic.OpVar && u.copies(t, typ):
		return L.False()
	case t.Op() == logic.OpIte:
		return L.Or(u.depends(args[0]), L.And(args[0], u.chooses(args[1], typ)), L.And(L.Not(args[0]), u.chooses(args[2], typ)))
	}
	return u.depends(t)
}

// copied returns the condition under which the value of a term is that of an open
// variable.
func (u *unset) copied(t *logic.Term) *logic.Term {
	L, args := u.p.L, t.Args()
	switch t.Op() {
	case logic.OpVar:
		return u.depends(t)
	case logic.OpIte:
		return L.Or(L.And(args[0], u.copied(args[1])), L.And(L.Not(args[0]), u.copied(args[2])))
	}
	return L.False()
}

// schedule returns the execution of the original program that one of this program
// stands for, with 0 for values that were left open.
func (u *unset) schedule(s ir.Schedule) ir.Schedule {
	out := ir.Schedule{Init: map[int]logic.Value{}}
	for i, v := range u.p.Vars {
		if v.Init == nil {
			out.Init[i] = s.Init[i] // the zero Value is 0
		}
	}
	for _, st := range s.Steps {
		e := u.origin[st.Edge]
		step, k := ir.Step{Edge: e}, 0
		for _, v := range interp.Havocs(e) {
			val := logic.Value{}
			if u.flags[v] == nil {
				val, k = st.Inputs[k], k+1
			}
			step.Inputs = append(step.Inputs, val)
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
