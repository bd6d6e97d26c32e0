package passes

import (
	"comus/ir"
	"comus/logic"
)

// Exact returns the program of the executions that no approximation of p has a part in: those
// that count as executions of the source, as [ir.Approximation] says. It has fewer executions
// than the source, so a violation of it is a violation, and nothing else can be concluded.
// Each of its edges stands for one edge of p. The variables of p keep their places.
//
// The steps that the source may not take are not there: a thread that comes to one waits. The
// values that an approximation chooses are 0, and beside each variable that may have come of
// them is a flag that tells when it has. No assumption holds that depends on such a variable:
// so no other value would lead elsewhere, and no execution is lost by the 0.
func Exact(p *ir.Program) (*Result, error) {
	if err := p.Single(); err != nil {
		return nil, err
	}
	d := newDraft(p)
	x := &exact{d: d, L: d.L, flags: map[*ir.Var]*ir.Var{}, memo: map[*logic.Term]*logic.Term{}}
	for _, t := range d.p.Threads {
		for _, e := range edges(t) {
			if e.Doubtful() {
				d.remove(e)
			}
		}
	}
	d.tidy()
	x.find()
	for _, t := range d.p.Threads {
		t.Edges(x.edge)
	}
	return &Result{Program: d.p, Origin: d.origin}, nil
}

// exact makes the program.
type exact struct {
	d     *draft
	L     *logic.Store
	flags map[*ir.Var]*ir.Var // of the variables that may depend on an approximation
	memo  map[*logic.Term]*logic.Term
}

// find adds the flags: of the variables that approximations choose, and of those that are
// computed from them.
func (x *exact) find() {
	may, into := map[*ir.Var]bool{}, map[*ir.Var][]*ir.Var{}
	var work []*ir.Var
	for _, t := range x.d.p.Threads {
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				switch {
				case c.Kind == ir.Assign:
					for _, v := range x.d.varsOf(c.Expr) {
						into[v] = append(into[v], c.Var)
					}
				case c.Kind == ir.Havoc && e.Approx != "":
					work = append(work, c.Var)
				}
			}
		})
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		if work = work[:len(work)-1]; !may[v] {
			may[v] = true
			work = append(work, into[v]...)
		}
	}
	names := map[string]bool{}
	for _, v := range x.d.p.Vars {
		names[v.Name] = true
	}
	for _, v := range x.d.p.Vars[:len(names)] {
		if !may[v] {
			continue
		}
		name := v.Name + ".approx"
		for names[name] {
			name += "'"
		}
		names[name] = true
		f := x.d.p.NewVar(name, ir.Flag, v.Thread)
		f.Source, f.Init = "", &logic.Value{}
		x.flags[v] = f
	}
	x.d.tab = x.d.p.Symbols()
}

// edge adds the flags to the commands of an edge.
func (x *exact) edge(e *ir.Edge) {
	var out []ir.Cmd
	for _, c := range e.Cmds {
		flag := x.flags[c.Var]
		switch {
		case c.Kind == ir.Assume:
			if on := x.depends(c.Cond); !on.IsFalse() {
				out = append(out, ir.AssumeCmd(x.L.Not(on)))
			}
		case c.Kind == ir.Havoc && e.Approx != "":
			out = append(out, ir.AssignCmd(flag, x.L.Int(1)))
			c = ir.AssignCmd(c.Var, x.L.Int(0))
		case flag != nil && c.Kind == ir.Havoc:
			out = append(out, ir.AssignCmd(flag, x.L.Int(0)))
		case flag != nil:
			out = append(out, ir.AssignCmd(flag, x.L.BoolToInt(x.depends(c.Expr))))
		}
		out = append(out, c)
	}
	e.Cmds, e.Approx = out, ""
}

// depends returns the condition under which the value of a term depends on an approximation:
// not if what does is in the part of a choice that is not taken, or beside an operand that
// decides alone.
func (x *exact) depends(t *logic.Term) *logic.Term {
	if f, ok := x.memo[t]; ok {
		return f
	}
	L, args := x.L, t.Args()
	out := L.False()
	switch t.Op() {
	case logic.OpVar:
		if f := x.flags[x.d.tab[t]]; f != nil {
			out = L.Eq(f.Sym, L.Int(1))
		}
	case logic.OpIte:
		out = L.Or(x.depends(args[0]), L.And(args[0], x.depends(args[1])), L.And(L.Not(args[0]), x.depends(args[2])))
	case logic.OpAnd, logic.OpOr:
		decides := L.False()
		for _, a := range args {
			out = L.Or(out, x.depends(a))
			if t.Op() == logic.OpAnd {
				a = L.Not(a)
			}
			decides = L.Or(decides, L.And(a, L.Not(x.depends(a))))
		}
		out = L.And(out, L.Not(decides))
	default:
		for _, a := range args {
			out = L.Or(out, x.depends(a))
		}
	}
	x.memo[t] = out
	return out
}
