package passes

import (
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"
)

// maxMerged bounds the commands of an edge that results from merging.
const maxMerged = 64

// merge removes locations: each edge into one and each edge out of it become one
// step. An edge is local if it touches no shared variable. A location goes when
//
//   - every edge into it is local, and enters rather than leaves atomic sections:
//     such a step can be delayed until just before the thread's next one;
//   - or every edge out of it is local, does not enter an atomic section, and one
//     of them can always be taken: then the next step can be taken at once;
//   - or it is inside an atomic section: then no other thread takes a step between.
//     (If the second edge is blocked, the first ends the execution: nobody takes a
//     step any more.)
//
// In each case an execution that reaches an error becomes one in which the two
// steps are next to each other, or in which both are left out, so the pass is
// exact. A merged edge touches one shared location, like any other, keeps the
// kind of the one of the two that is not plain, and is the approximations that they are.
func merge(d *draft) {
	m := &merger{d: d}
	for _, t := range d.p.Threads {
		for changed := true; changed; {
			changed = false
			for _, l := range t.Locs {
				if m.removable(t, l) {
					m.bypass(l)
					changed = true
				}
			}
		}
	}
}

type merger struct{ d *draft }

func (m *merger) removable(t *ir.Thread, l *ir.Loc) bool {
	if l == t.Entry || l.Error || len(l.In) == 0 || len(l.Out) == 0 || len(l.In)*len(l.Out) > len(l.In)+len(l.Out) {
		return false
	}
	for _, a := range l.In {
		for _, b := range l.Out {
			if !m.joinable(a, b) {
				return false
			}
		}
	}
	return l.Atomic || m.delayed(l) || m.immediate(l)
}

// joinable reports whether one edge can stand for a followed by b.
func (m *merger) joinable(a, b *ir.Edge) bool {
	if a.From == a.To || b.From == b.To || a.Kind != ir.Plain && b.Kind != ir.Plain || len(a.Cmds)+len(b.Cmds) > maxMerged {
		return false
	}
	if b.Kind == ir.Start || a.Kind == ir.End || a.Doubtful() && b.Chooses() || a.Chooses() && b.Doubtful() {
		return false
	}
	if a.From.Atomic || b.To.Atomic {
		return true
	}
	if !a.To.Atomic && (!m.d.touchesShared(a.Cmds) || !m.d.touchesShared(b.Cmds)) {
		return true // local commands leave the granularity of the other edge as it is
	}
	cmds := append(append([]ir.Cmd{}, a.Cmds...), b.Cmds...)
	return a.Kind == ir.Plain && b.Kind == ir.Plain && len(m.d.tab.SharedLocations(m.d.L, cmds, nil)) <= 1
}

// delayed reports whether the steps into l can wait for the next one.
func (m *merger) delayed(l *ir.Loc) bool {
	for _, a := range l.In {
		if a.From.Atomic && !l.Atomic || m.d.touchesShared(a.Cmds) {
			return false
		}
	}
	return true
}

// immediate reports whether a step out of l can follow at once, and nobody notices.
func (m *merger) immediate(l *ir.Loc) bool {
	possible := m.d.L.False()
	for _, b := range l.Out {
		if b.To.Atomic && !l.Atomic || m.d.touchesShared(b.Cmds) {
			return false
		}
		cond, ok := m.condition(b.Cmds)
		if !ok {
			return false
		}
		possible = m.d.L.Or(possible, cond)
	}
	return possible.IsTrue()
}

// condition returns when commands can be run. It is not known, and ok false, if
// that depends on the choice of a value.
func (m *merger) condition(cmds []ir.Cmd) (cond *logic.Term, ok bool) {
	cond = m.d.L.True()
	now := map[*logic.Term]*logic.Term{}
	chosen := map[*logic.Term]bool{}
	for _, c := range cmds {
		switch c.Kind {
		case ir.Assume:
			t := m.d.L.Subst(c.Cond, now)
			for _, s := range logic.FreeVars(t) {
				if chosen[s] {
					return nil, false
				}
			}
			cond = m.d.L.And(cond, t)
		case ir.Assign:
			now[c.Var.Sym] = m.d.L.Subst(c.Expr, now)
		case ir.Havoc:
			s := m.d.L.FreshVar("any", logic.Int)
			chosen[s], now[c.Var.Sym] = true, s
		}
	}
	return cond, true
}

// bypass joins each edge into l with each edge out of it. l is unreachable then.
func (m *merger) bypass(l *ir.Loc) {
	in, out := append([]*ir.Edge{}, l.In...), append([]*ir.Edge{}, l.Out...)
	for _, a := range in {
		for _, b := range out {
			m.join(a, b)
		}
	}
	for _, e := range append(in, out...) {
		m.d.remove(e)
	}
}

// join adds the edge that stands for a followed by b, if it can be taken.
func (m *merger) join(a, b *ir.Edge) {
	like := b
	if b.Kind == ir.Plain {
		like = a
	}
	e := m.d.add(a.From, b.To, like, append(append([]ir.Cmd{}, a.Cmds...), b.Cmds...))
	e.Text = joinTexts(a.Text, b.Text)
	if e.Pos = a.Pos; e.Pos == (ir.Pos{}) {
		e.Pos = b.Pos
	}
	m.d.origin[e] = append(append([]*ir.Edge{}, m.d.origin[a]...), m.d.origin[b]...)
	e.Approx = joinNames(a.Approx, b.Approx)
	m.d.simplify(e)
}

// joinNames returns the names of the approximations of two steps that became one.
func joinNames(a, b string) string {
	names := strings.Split(a, nameSep)
	for _, name := range strings.Split(b, nameSep) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), nameSep)
}

// nameSep stands between the names of the approximations of an edge.
const nameSep = "; "

// joinTexts describes two steps that became one.
func joinTexts(a, b string) string {
	switch {
	case a == "" || strings.HasSuffix(b, a):
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}
