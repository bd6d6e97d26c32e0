package pointsto

import (
	"cmp"
	"slices"

	"comus/cir"
)

// Sets of copies and of instructions are maps by pointers. What goes through one in order of the map gives another result from run to
// run, and a certificate speaks of one of them: so the order is that of the program.

// listed returns some instances in the order in which they were found.
func (r *Result) listed(set map[*instance]bool) []*instance {
	list := make([]*instance, 0, len(set))
	for x := range set { // order does not matter: the list is sorted
		list = append(list, x)
	}
	if len(list) > 1 {
		slices.SortFunc(list, func(x, y *instance) int { return cmp.Compare(r.number(x), r.number(y)) })
	}
	return list
}

// number returns the place of an instance among all.
func (r *Result) number(x *instance) int { return r.place(Copy{x.fn, x.ctx}) }

// instructions returns those of an instance that are in a map, in the order of the program.
func instructions[I interface {
	comparable
	cir.Instr
}, V any](x *instance, m map[I]V) []I {
	if len(m) == 0 {
		return nil
	}
	var list []I
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(I); ok {
				if _, there := m[i]; there {
					list = append(list, i)
				}
			}
		}
	}
	return list
}
