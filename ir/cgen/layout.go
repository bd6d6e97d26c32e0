package cgen

import (
	"errors"
	"fmt"
	"slices"

	"comus/ir"
)

// Layout is a thread's locations in the order in which they are written.
type Layout struct {
	Thread *ir.Thread
	// Order has the locations that control gets to, the entry first. Of a thread
	// without loops each location comes after those that lead to it.
	Order []*ir.Loc
	// Number has the numbers of the locations at which the thread may be interrupted,
	// counted from 0, the entry's, in Order. Last is that of the thread's end, which
	// comes after all locations.
	Number map[*ir.Loc]int
	Last   int
	place  map[*ir.Loc]int
}

// NewLayout lays out a thread. The error is for a thread with a loop to its entry.
func NewLayout(p *ir.Program, t *ir.Thread) (*Layout, error) {
	if len(t.Entry.In) > 0 {
		return nil, errors.New("unsupported: a loop to the entry of thread " + t.Name)
	}
	tab := p.Symbols()
	y := &Layout{Thread: t, Number: map[*ir.Loc]int{}, place: map[*ir.Loc]int{}}
	y.Order = reversePostorder(t)
	for i, l := range y.Order {
		y.place[l] = i
		if l == t.Entry || !l.Atomic && (acts(tab, l) || mayStop(tab, l)) {
			y.Number[l] = len(y.Number)
		}
	}
	y.Last = len(y.Number)
	return y, nil
}

// acts reports whether a step from l is visible.
func acts(tab ir.SymTable, l *ir.Loc) bool {
	return slices.ContainsFunc(l.Out, func(e *ir.Edge) bool { return visible(tab, e) })
}

// mayStop reports whether a thread that has done something visible may never do anything
// visible again, nor end, from l on: because it waits for what does not come, or goes
// around a loop of its own. Others see what it has done, so it must be interrupted here.
func mayStop(tab ir.SymTable, l *ir.Loc) bool {
	if !slices.ContainsFunc(l.In, func(e *ir.Edge) bool { return e.From.Atomic || visible(tab, e) }) {
		return false
	}
	state := map[*ir.Loc]int{} // 1 while it is looked at, 2 after
	var stops func(l *ir.Loc) bool
	stops = func(l *ir.Loc) bool {
		switch {
		case state[l] == 1:
			return true
		case l.Atomic:
			return true
		case state[l] == 2 || l.Error || len(l.Out) == 0 || acts(tab, l):
			return false
		case !goesOn(l):
			return true
		}
		state[l] = 1
		for _, e := range l.Out {
			if stops(e.To) {
				return true
			}
		}
		state[l] = 2
		return false
	}
	return stops(l)
}

// goesOn reports whether some step can always be taken from a location: by the form of
// the assumptions, there is one without any, or two with one each that are opposites.
func goesOn(l *ir.Loc) bool {
	one := true
	for _, e := range l.Out {
		n := 0
		for _, c := range e.Cmds {
			if c.Kind == ir.Assume {
				n++
			}
		}
		if n == 0 {
			return true
		}
		one = one && n == 1 && e.Cmds[0].Kind == ir.Assume
	}
	return one && choice(l.Out, 0) != nil
}

// visible reports whether a step touches shared memory.
func visible(tab ir.SymTable, e *ir.Edge) bool {
	a := tab.CmdAccess(e.Cmds)
	for _, m := range []map[*ir.Var]bool{a.Reads, a.Writes} {
		for v := range m {
			if v != nil && v.Thread == ir.Shared {
				return true
			}
		}
	}
	return false
}

// Next returns the location written after l, or nil.
func (y *Layout) Next(l *ir.Loc) *ir.Loc {
	if i := y.place[l] + 1; i < len(y.Order) {
		return y.Order[i]
	}
	return nil
}

// Target reports whether control jumps to l, from elsewhere than the location before.
func (y *Layout) Target(l *ir.Loc) bool {
	for _, e := range l.In {
		if es := e.From.Out; es[len(es)-1] != e || y.Next(e.From) != l {
			return true
		}
	}
	return false
}

// Ahead returns the number of the first numbered location from l on: its own if it has
// one.
func (y *Layout) Ahead(l *ir.Loc) int {
	for _, m := range y.Order[y.place[l]:] {
		if k, ok := y.Number[m]; ok {
			return k
		}
	}
	return y.Last
}

// Jump writes the way from the code at one location to another one: nothing from its
// last statement if the other one comes next.
func (y *Layout) Jump(from, to *ir.Loc, last bool) string {
	if last && y.Next(from) == to {
		return ""
	}
	if k, ok := y.Number[to]; ok {
		return fmt.Sprintf("goto L%d;", k)
	}
	return fmt.Sprintf("goto M%d;", to.Index)
}

// reversePostorder orders the locations so that straight-line code is in sequence.
func reversePostorder(t *ir.Thread) []*ir.Loc {
	type visit struct {
		l    *ir.Loc
		next int
	}
	seen := map[*ir.Loc]bool{t.Entry: true}
	stack := []visit{{t.Entry, 0}}
	var out []*ir.Loc
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.l.Out) {
			out = append(out, top.l)
			stack = stack[:len(stack)-1]
			continue
		}
		to := top.l.Out[len(top.l.Out)-1-top.next].To // the last first: the first one's target comes right after
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{to, 0})
		}
	}
	slices.Reverse(out)
	return out
}
