package ir

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/logic"
)

// maxOwned bounds how much larger threads may become by what is told apart in [Program.Owned].
const maxOwned = 4

// Owned returns a copy of the program in which locks have owners that the program makes itself: of an atomic flag that is tested
// and set, an integer that is compared and exchanged, a semaphore that begins with one. For each shared variable v that is used like
// that, "v.owner" is a variable of the kind [OneThread], which edges take ([Lock]) and give back ([Unlock]) as a mutex. The second
// result is these variables; the program has the same executions, but for them. If there are none, it is p.
//
// A variable is a lock if it has two values in all executions, free and taken, and only who has made it taken makes it free again. That
// is seen by following each thread with what it knows: whether it holds the lock, and, where it has just looked at the variable, the
// values of the local variables that this decides. So the locations of a thread are there once for each thing it may know. An edge that
// looks at the variable is there once for each value that it may have; for who holds the lock, or runs alone, that is one. The owner
// then stands for the variable, which no edge mentions any more.
//
// Why this is sound: at first nobody holds it and it is free, or thread 0 holds it and it is not. Whoever finds it free and leaves it
// taken is the only one to hold it; nobody else gives it back, which is verified for all edges of all threads. So it is taken, and by
// the one that is its owner, exactly if some thread is at a location that holds it; what Lock and Unlock edges assume holds always.
func (p *Program) Owned() (*Program, []*Var) {
	out := p
	var owners []int
	for i, pairs := range p.locklike() {
		for _, k := range pairs {
			q, g := out.owned(out.Vars[i], k[0], k[1], false)
			if q == nil {
				q, g = out.owned(out.Vars[i], k[0], k[1], true)
			}
			if q != nil {
				out, owners = q, append(owners, g)
				break
			}
		}
	}
	if len(owners) > 0 {
		out.Renumber()
	}
	var vars []*Var
	for _, i := range owners {
		vars = append(vars, out.Vars[i])
	}
	return out, vars
}

// locklike returns, by the index of the variable, what may be free and taken; nothing for those that are no locks for sure.
func (p *Program) locklike() [][][2]logic.Value {
	values, edges := make([][]logic.Value, len(p.Vars)), 0
	add := func(v *Var, k logic.Value) {
		if !slices.ContainsFunc(values[v.Index], func(x logic.Value) bool { return x.Cmp(k) == 0 }) {
			values[v.Index] = append(values[v.Index], k)
		}
	}
	never := map[*Var]bool{} // written in ways that locks are not, or flags of threads
	computed := map[*Var]bool{}
	for _, t := range p.Threads {
		never[t.Created], never[t.Ended] = true, true
		t.Edges(func(e *Edge) {
			edges++
			for _, c := range e.Cmds {
				switch v := c.Var; {
				case v == nil || v.Thread != Shared:
				case c.Kind == Havoc:
					never[v] = true
				default:
					k, is := c.Expr.Const()
					if is {
						add(v, k)
						continue
					}
					computed[v] = true
				}
			}
		})
	}
	pairs := make([][][2]logic.Value, len(p.Vars))
	if edges > maxOwnedEdges {
		return nil
	}
	for _, v := range p.Vars {
		if never[v] || v.Thread != Shared || v.Holder != NoLock || v.Cell != NoCell || v.Init == nil || len(values[v.Index]) == 0 && !computed[v] {
			continue
		}
		if add(v, *v.Init); len(values[v.Index]) == 1 && computed[v] {
			add(v, logic.IntValue(0))
			add(v, logic.IntValue(1))
		}
		if vs := values[v.Index]; len(vs) == 2 {
			pairs[v.Index] = [][2]logic.Value{{vs[0], vs[1]}, {vs[1], vs[0]}}
		}
	}
	return pairs
}

// maxOwnedEdges is the size of programs in which locks are looked for.
const maxOwnedEdges = 20_000

// owned returns the program with an owner for one variable, and the index of this; nil if it is no lock with these values. With every, it is
// told apart whatever constant a local variable has.
func (p *Program) owned(v *Var, free, taken logic.Value, every bool) (*Program, int) {
	to := &Program{L: p.L, File: p.File, Assumptions: p.Assumptions, Bounded: p.Bounded}
	c := &copier{from: p, to: to}
	for _, v := range p.Vars {
		w := *v
		to.Vars = append(to.Vars, &w)
		c.vars = append(c.vars, &w)
	}
	name := v.Name + ".owner"
	for c.taken(name) {
		name += "'"
	}
	g := to.NewVar(name, Type{Bits: 32, Signed: true}, Shared)
	g.Source, g.Holder, g.Init = "", OneThread, &logic.Value{}
	if v.Init.Cmp(taken) == 0 {
		one := logic.IntValue(1)
		g.Init = &one
	}
	o := &owning{copier: c, v: v, owner: g, free: free, taken: taken, every: every, created: map[*Var]bool{}}
	for _, t := range p.Threads {
		o.created[t.Created] = true
	}
	alone := p.startsLast()
	for _, t := range p.Threads {
		if !o.thread(t, t.Index == 0 && g.Init.Sign() > 0, t.Index == 0 && alone) {
			return nil, 0
		}
	}
	if !o.takes || !o.gives {
		return nil, 0
	}
	return to, g.Index
}

// startsLast reports whether thread 0 is alone until it writes a flag by which a thread is created.
func (p *Program) startsLast() bool {
	for _, t := range p.Threads[1:] {
		if v := t.Created; v == nil || v.Thread != Shared || v.Init == nil || v.Init.Sign() != 0 {
			return false
		}
		for _, e := range t.Entry.Out {
			if !slices.ContainsFunc(e.Cmds, func(c Cmd) bool {
				return c.Kind == Assume && slices.Contains(logic.Conjuncts(c.Cond), p.L.Eq(t.Created.Sym, p.L.Int(1)))
			}) {
				return false
			}
		}
	}
	return true
}

// owning makes the program of [Program.owned].
type owning struct {
	*copier
	v           *Var // of the program that is copied
	owner       *Var
	free, taken logic.Value
	every       bool // all constants that local variables have are told apart
	created     map[*Var]bool
	takes       bool // some edge takes the lock
	gives       bool // some edge gives it back
}

// knowing is a location of the source with what a thread knows there.
type knowing struct {
	loc   *Loc
	holds bool
	alone bool                 // no other thread has been created
	known map[*Var]logic.Value // local variables that the value of v has decided
}

// next is what the thread knows behind an edge that tells it nothing.
func (k knowing) next(e *Edge, created map[*Var]bool) knowing {
	alone := k.alone && !slices.ContainsFunc(e.Cmds, func(c Cmd) bool { return c.Var != nil && created[c.Var] })
	return knowing{e.To, k.holds, alone, maps.Clone(k.known)}
}

// key tells what is known apart.
func (k knowing) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %t %t", k.loc.Index, k.holds, k.alone)
	for _, v := range sortedVars(k.known) {
		fmt.Fprintf(&b, " %d=%v", v.Index, k.known[v])
	}
	return b.String()
}

func sortedVars(of map[*Var]logic.Value) []*Var {
	return slices.SortedFunc(maps.Keys(of), func(a, b *Var) int { return a.Index - b.Index })
}

// thread copies a thread. It reports whether the variable is used like a lock there.
func (o *owning) thread(t *Thread, holds, alone bool) bool {
	u := &Thread{Index: t.Index, Name: t.Name, PC: t.PC, Replicated: t.Replicated}
	o.to.Threads = append(o.to.Threads, u)
	if t.Created != nil {
		u.Created = o.vars[t.Created.Index]
	}
	if t.Ended != nil {
		u.Ended = o.vars[t.Ended.Index]
	}
	live := o.liveLocals(t)
	at := map[string]*Loc{}
	var queue []knowing
	place := func(k knowing) *Loc {
		for v := range k.known {
			if !live[k.loc.Index][v] {
				delete(k.known, v)
			}
		}
		l := at[k.key()]
		if l == nil {
			m := *k.loc
			m.Index, m.Thread, m.Out, m.In = len(u.Locs), u, nil, nil
			l = &m
			at[k.key()], u.Locs, queue = l, append(u.Locs, l), append(queue, k)
		}
		return l
	}
	u.Entry = place(knowing{t.Entry, holds, alone, map[*Var]logic.Value{}})
	for ; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		for _, e := range from.loc.Out {
			if !o.edge(u, e, from, place) || len(u.Locs) > maxOwned*len(t.Locs)+8 {
				return false
			}
		}
	}
	return true
}

// edge copies an edge of the thread u for one who knows something: once for each value that the variable may have.
func (o *owning) edge(u *Thread, e *Edge, from knowing, place func(knowing) *Loc) bool {
	if !o.looks(e) {
		to := from.next(e, o.created)
		if _, feasible, _ := o.run(e, to.known, nil); feasible {
			o.copyEdge(u, e, place(from), place(to), nil, nil, nil)
		}
		return true
	}
	values := []logic.Value{o.free, o.taken}
	switch {
	case from.holds:
		values = values[1:]
	case from.alone:
		values = values[:1]
	}
	for _, k := range values {
		to := from.next(e, o.created)
		found, feasible, ok := o.run(e, to.known, &k)
		if !ok || feasible && !o.split(u, e, from, to, found, place) {
			return false
		}
	}
	return true
}

// split copies an edge that finds the variable with a value.
func (o *owning) split(u *Thread, e *Edge, from, to knowing, found []logic.Value, place func(knowing) *Loc) bool {
	l := o.to.L
	free, own := l.Eq(o.owner.Sym, l.Int(0)), l.Int(int64(u.Index+1))
	switch taken, takes := o.isTaken(found[0]), o.isTaken(found[len(found)-1]); {
	case e.Kind != Plain && taken != takes || taken && !takes && !from.holds:
		return false
	case !taken && takes:
		to.holds, o.takes = true, true
		f := o.copyEdge(u, e, place(from), place(to), found, []Cmd{AssumeCmd(free)}, []Cmd{AssignCmd(o.owner, own)})
		f.Kind, f.Mutex = Lock, o.owner
	case taken && !takes:
		to.holds, o.gives = false, true
		f := o.copyEdge(u, e, place(from), place(to), found, []Cmd{AssumeCmd(l.Eq(o.owner.Sym, own))}, []Cmd{AssignCmd(o.owner, l.Int(0))})
		f.Kind, f.Mutex = Unlock, o.owner
	case !taken:
		o.copyEdge(u, e, place(from), place(to), found, []Cmd{AssumeCmd(free)}, nil)
	case from.holds:
		o.copyEdge(u, e, place(from), place(to), found, nil, nil)
	default:
		o.copyEdge(u, e, place(from), place(to), found, []Cmd{AssumeCmd(l.Not(free))}, nil)
	}
	return true
}

func (o *owning) isTaken(k logic.Value) bool { return k.Cmp(o.taken) == 0 }

// copyEdge copies an edge with further commands. If found is not empty, it has the values of the variable before each command: the owner
// stands for it.
func (o *owning) copyEdge(u *Thread, e *Edge, from, to *Loc, found []logic.Value, before, after []Cmd) *Edge {
	cmds := slices.Clone(before)
	for i, c := range e.Cmds {
		if c.Var == o.v {
			continue
		}
		if len(found) > 0 {
			sub := map[*logic.Term]*logic.Term{o.v.Sym: o.to.L.Value(found[i])}
			if c.Cond != nil {
				c.Cond = o.to.L.Subst(c.Cond, sub)
			}
			if c.Expr != nil {
				c.Expr = o.to.L.Subst(c.Expr, sub)
			}
			if c.At != nil {
				c.At = o.to.L.Subst(c.At, sub)
			}
		}
		if c.Var != nil {
			c.Var = o.vars[c.Var.Index]
		}
		if c.Of != nil {
			c.Of = o.vars[c.Of.Index]
		}
		if c.Kind != Assume || !c.Cond.IsTrue() {
			cmds = append(cmds, c)
		}
	}
	f := u.NewEdge(from, to, e.Pos, e.Text, append(cmds, after...)...)
	f.Kind, f.Thread, f.Origin, f.Approx, f.Tells = e.Kind, e.Thread, e.Origin, e.Approx, e.Tells
	if e.Mutex != nil {
		f.Mutex = o.vars[e.Mutex.Index]
	}
	return f
}

// looks reports whether an edge has to do with the variable.
func (o *owning) looks(e *Edge) bool {
	for _, c := range e.Cmds {
		if c.Var == o.v || slices.Contains(logic.FreeVars(c.Reads()...), o.v.Sym) {
			return true
		}
	}
	return false
}

// run takes an edge: known is what is known of local variables before, and after. The variable has the value now at first, unless that
// is nil: then the edge does not look at it; found are its values before each command and after the last. It is not ok if one is not free
// or taken.
func (o *owning) run(e *Edge, known map[*Var]logic.Value, now *logic.Value) (found []logic.Value, feasible, ok bool) {
	l := o.to.L
	sub, decided := map[*logic.Term]*logic.Term{}, map[*logic.Term]bool{} // values; those that the variable's has decided
	for v, k := range known {
		sub[v.Sym], decided[v.Sym] = l.Value(k), true
	}
	if now != nil {
		sub[o.v.Sym], decided[o.v.Sym], found = l.Value(*now), true, []logic.Value{*now}
	}
	for i, c := range e.Cmds {
		if now != nil && i > 0 {
			k, _ := sub[o.v.Sym].Const()
			found = append(found, k)
		}
		if c.Kind == Assume {
			if l.Subst(c.Cond, sub).IsFalse() {
				return nil, false, true
			}
			continue
		}
		value, depends := l.Var(fmt.Sprintf("%s'%d", c.Var.Name, i), logic.Int), false // any
		if c.Kind == Assign {
			value = l.Subst(c.Expr, sub)
			from := logic.FreeVars(c.Expr)
			depends = o.every && len(from) == 0 || slices.ContainsFunc(from, func(s *logic.Term) bool { return decided[s] }) && !slices.Contains(from, c.Var.Sym)
		}
		k, is := value.Const()
		sub[c.Var.Sym] = value
		switch {
		case c.Var == o.v:
			if !is || k.Cmp(o.free) != 0 && k.Cmp(o.taken) != 0 {
				return nil, true, false
			}
		case c.Var.Thread == Shared:
		case is && depends:
			known[c.Var], decided[c.Var.Sym] = k, true
		default:
			delete(known, c.Var)
			delete(decided, c.Var.Sym)
		}
	}
	if now != nil {
		k, _ := sub[o.v.Sym].Const()
		found = append(found, k)
	}
	return found, true, true
}

// liveLocals returns, by location, the local variables whose values may be read from there on.
func (o *owning) liveLocals(t *Thread) []map[*Var]bool {
	tab := o.from.Symbols()
	live := make([]map[*Var]bool, len(t.Locs))
	for i := range live {
		live[i] = map[*Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for _, l := range slices.Backward(t.Locs) {
			for _, e := range l.Out {
				now := map[*Var]bool{}
				for v := range live[e.To.Index] {
					now[v] = true
				}
				for _, c := range slices.Backward(e.Cmds) {
					if c.Var != nil {
						delete(now, c.Var)
					}
					for _, s := range logic.FreeVars(c.Reads()...) {
						if v := tab[s]; v != nil && v.Thread != Shared {
							now[v] = true
						}
					}
				}
				for v := range now {
					if !live[l.Index][v] {
						live[l.Index][v], changed = true, true
					}
				}
			}
		}
	}
	return live
}
