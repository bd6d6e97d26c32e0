package valuecheck

import (
	"cmp"
	"slices"
)

// entry says what the register or cell with a number may hold.
type entry struct {
	of int
	is set
}

// layer is what is known of some registers or cells: some entries that are never changed, and what came after.
type layer struct {
	base []entry // ascending
	over map[int]set
	bare bool // the base does not count any more
}

func (l *layer) get(k int) (set, bool) {
	if s, ok := l.over[k]; ok {
		return s, !s.any
	}
	if l.bare {
		return set{}, false
	}
	i, ok := slices.BinarySearchFunc(l.base, k, func(e entry, k int) int { return cmp.Compare(e.of, k) })
	if !ok {
		return set{}, false
	}
	return l.base[i].is, true
}

// put says what is known of one; nothing if that is anything.
func (l *layer) put(k int, s set) {
	if l.over == nil {
		l.over = map[int]set{}
	}
	l.over[k] = s
}

func (l *layer) drop(k int) { l.put(k, anything) }

func (l *layer) clear() { l.over, l.bare = nil, true }

// fork returns another one that knows the same.
func (l *layer) fork() layer {
	x := layer{base: l.base, bare: l.bare}
	if len(l.over) > 0 {
		x.over = make(map[int]set, len(l.over))
		for k, s := range l.over {
			x.over[k] = s
		}
	}
	return x
}

// each calls f for all that is known, in no order.
func (l *layer) each(f func(k int, s set)) {
	if !l.bare {
		for _, e := range l.base {
			if _, ok := l.over[e.of]; !ok {
				f(e.of, e.is)
			}
		}
	}
	for k, s := range l.over {
		if !s.any {
			f(k, s)
		}
	}
}

// known returns all that is known, in order.
func (l *layer) known() (list []entry) {
	l.each(func(k int, s set) { list = append(list, entry{k, s}) })
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.of, b.of) })
	return list
}
