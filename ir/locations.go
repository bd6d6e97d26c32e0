package ir

import "comus/logic"

// maxPathWork bounds the terms that SharedLocations visits.
const maxPathWork = 200_000

// SharedLocations returns the shared locations of memory that one run of the
// commands touches, for a run that touches most. A location is one variable:
// a[0] and a[1] are two. An access with an index that is not constant, which the
// commands spell out as a choice between cells, touches one of them in each run:
// a choice counts its condition and the chosen side, and a[i] = v, written as
//
//	a[0] = ite(i = 0, v, a[0]), a[1] = ite(i = 1, v, a[1]), ...
//
// counts the cell that gets another value. Variables that skip tells do not
// count; it may be nil. L is the store of the terms. An assignment to no variable only evaluates its term.
//
// Conditions are taken to be independent of one another except for comparisons
// of one term with different constants. Where that is too much work the answer
// is one location of those touched.
func (tab SymTable) SharedLocations(L *logic.Store, cmds []Cmd, skip func(*Var) bool) []*Var {
	p := &paths{L: L, tab: tab, skip: skip, mentions: map[*logic.Term]bool{}}
	var all []*Var
	seen := map[*Var]bool{}
	note := func(v *Var) {
		if p.counts(v) && !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
	}
	for _, c := range cmds {
		for _, s := range freeVars(c) {
			note(tab[s])
		}
		note(c.Var)
	}
	if len(all) <= 1 {
		return all
	}
	most := all[:1]
	for more := true; more; more = p.next() {
		if p.work > maxPathWork {
			return all[:1]
		}
		p.run(cmds)
		if len(p.touched) > len(most) {
			most = p.touched
		}
	}
	return most
}

func freeVars(c Cmd) []*logic.Term { return logic.FreeVars(c.Reads()...) }

// paths enumerates the runs of commands, as far as conditions tell them apart.
type paths struct {
	L        *logic.Store
	tab      SymTable
	skip     func(*Var) bool
	mentions map[*logic.Term]bool // whether a term mentions variables that count
	choices  []bool               // decisions of this run that could be otherwise, in order
	work     int

	// Of one run:
	at      int // choices made again
	known   map[*logic.Term]bool
	equal   map[*logic.Term]*logic.Term // the constant that a term was decided to equal
	done    map[*logic.Term]bool        // integer terms whose variables are noted
	touched []*Var
}

func (p *paths) counts(v *Var) bool {
	return v != nil && v.Thread == Shared && v.Cell != CellIndex && (p.skip == nil || !p.skip(v))
}

// next prepares the next run: the last decision for true becomes false.
func (p *paths) next() bool {
	for n := len(p.choices); n > 0; n-- {
		if p.choices[n-1] {
			p.choices[n-1] = false
			p.choices = p.choices[:n]
			return true
		}
	}
	return false
}

func (p *paths) run(cmds []Cmd) {
	p.at, p.touched = 0, nil
	p.known, p.equal, p.done = map[*logic.Term]bool{}, map[*logic.Term]*logic.Term{}, map[*logic.Term]bool{}
	for _, c := range cmds {
		switch c.Kind {
		case Assume:
			if !p.holds(c.Cond) {
				return
			}
		case Assign:
			if e := p.chosen(c.Expr); c.Var == nil || e != c.Var.Sym {
				p.visit(e)
				p.touch(c.Var)
			}
		case Havoc:
			for _, t := range c.Reads() {
				p.visit(t)
			}
			p.touch(c.Var)
		}
	}
}

func (p *paths) touch(v *Var) {
	if !p.counts(v) {
		return
	}
	for _, w := range p.touched {
		if w == v {
			return
		}
	}
	p.touched = append(p.touched, v)
}

// chosen follows the choices of an integer term.
func (p *paths) chosen(t *logic.Term) *logic.Term {
	for t.Op() == logic.OpIte {
		if p.holds(t.Args()[0]) {
			t = t.Args()[1]
		} else {
			t = t.Args()[2]
		}
	}
	return t
}

// visit notes the variables that the value of an integer term depends on.
func (p *paths) visit(t *logic.Term) {
	p.work++
	if p.done[t] || !p.relevant(t) {
		return
	}
	p.done[t] = true
	if t.IsVar() {
		p.touch(p.tab[t])
		return
	}
	if t.Op() == logic.OpIte {
		p.visit(p.chosen(t))
		return
	}
	for _, a := range t.Args() {
		p.visit(a)
	}
}

// relevant reports whether a term mentions variables that count.
func (p *paths) relevant(t *logic.Term) bool {
	r, ok := p.mentions[t]
	if !ok {
		p.work++
		r = t.IsVar() && p.counts(p.tab[t])
		for _, a := range t.Args() {
			r = p.relevant(a) || r
		}
		p.mentions[t] = r
	}
	return r
}

// holds decides a formula, noting what the decision reads. Operands that read
// nothing shared come first: they may decide it alone.
func (p *paths) holds(t *logic.Term) bool {
	p.work++
	switch t.Op() {
	case logic.OpTrue, logic.OpFalse:
		return t.IsTrue()
	case logic.OpNot:
		return !p.holds(t.Args()[0])
	case logic.OpAnd, logic.OpOr:
		unit := t.Op() == logic.OpAnd
		for _, shared := range []bool{false, true} {
			for _, a := range t.Args() {
				if p.relevant(a) == shared && p.holds(a) != unit {
					return !unit
				}
			}
		}
		return unit
	case logic.OpEq:
		if t.Args()[0].Sort() == logic.Bool {
			return p.holds(t.Args()[0]) == p.holds(t.Args()[1])
		}
	}
	return p.atom(t)
}

// atom decides a formula without connectives.
func (p *paths) atom(t *logic.Term) bool {
	if r, ok := p.known[t]; ok {
		return r
	}
	if t.Op() == logic.OpLe {
		if r, ok := p.known[p.L.Not(t)]; ok {
			return !r
		}
	}
	for _, a := range t.Args() {
		p.visit(a)
	}
	isEq := t.Op() == logic.OpEq
	if isEq && p.equal[t.Args()[0]] != nil { // it equals another constant
		return p.equal[t.Args()[0]] == t.Args()[1]
	}
	if p.at == len(p.choices) {
		p.choices = append(p.choices, true)
	}
	r := p.choices[p.at]
	p.at++
	p.known[t] = r
	if r && isEq {
		if _, constant := t.Args()[1].Const(); constant {
			p.equal[t.Args()[0]] = t.Args()[1]
		}
	}
	return r
}
