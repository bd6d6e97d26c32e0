package waits

import (
	"cmp"
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Kind is what an element is.
type Kind string

// The kinds.
const (
	Lock    Kind = "lock"    // at a place in memory
	Thread  Kind = "thread"  // the end of one: Object is what the library has for it, 0 main's
	Barrier Kind = "barrier" // that all threads have come to it
	Flag    Kind = "flag"    // that a number in memory is not 0 any more, of which a condition variable tells
)

// Element is what can be waited for: all of a kind at a place in memory, as package pointsto tells those apart.
type Element struct {
	Kind   Kind
	Object int
	Off    int64
}

func compare(x, y Element) int {
	return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Object, y.Object), cmp.Compare(x.Off, y.Off))
}

// sets are sets of elements, by number.
type sets struct {
	list   [][]Element
	number map[string]int
	single []bool // one element that stands for one lock
	at     map[Element]pointsto.Location
	size   map[Element]int64 // of locks, in bytes
}

func newSets() *sets {
	return &sets{number: map[string]int{}, at: map[Element]pointsto.Location{}, size: map[Element]int64{}}
}

// of returns the set of where an operand may lead.
func (ss *sets) of(p *program, c pointsto.Copy, in cir.Located, v cir.Value) (int, error) {
	places := p.pts.Places(c.Func, c.Ctx, v)
	if len(places) == 0 {
		return 0, fail(in, "which lock this is is not known")
	}
	var list []Element
	for _, l := range places {
		if l.Obj.External || l.Obj.IsFunc() || l.Off == pointsto.Any || l.Off < 0 || l.Obj.Reduce(l.Off) != l.Off {
			return 0, fail(in, "which lock this is is not known")
		}
		e := Element{Lock, l.Obj.ID, l.Off}
		ss.at[e] = l
		list = append(list, e)
	}
	slices.SortFunc(list, compare)
	list = slices.Compact(list)
	key := fmt.Sprint(list)
	n, known := ss.number[key]
	if !known {
		n = len(ss.list)
		ss.number[key] = n
		ss.list = append(ss.list, list)
		ss.single = append(ss.single, len(list) == 1 && places[0].Exact() && p.pts.Once(places[0].Obj))
	}
	return n, nil
}

// exact reports whether a set is one lock.
func (ss *sets) exact(n int) bool { return ss.single[n] }

// mayHold reports whether an element may be held.
func (ss *sets) mayHold(held map[hold]bool, e Element) bool {
	for k := range held {
		if slices.Contains(ss.list[k.set], e) {
			return true
		}
	}
	return false
}

// describe names the locks of a set.
func (ss *sets) describe(n int) string { return ss.name(ss.list[n][0]) }

func (ss *sets) name(e Element) string {
	l, ok := ss.at[Element{Lock, e.Object, e.Off}]
	switch {
	case e.Kind == Thread && e.Object == 0:
		return "the end of main"
	case !ok || e.Kind == Thread:
		return "the end of a thread"
	case e.Kind == Flag:
		return fmt.Sprintf("the signal of the condition variable in %s at %d", l.Obj, l.Off)
	case l.Off == 0:
		return fmt.Sprintf("the %s in %s", e.Kind, l.Obj)
	}
	return fmt.Sprintf("the %s in %s at %d", e.Kind, l.Obj, l.Off)
}
