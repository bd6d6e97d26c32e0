package specialise

import (
	"slices"

	"comus/scan/pointsto"
)

// wakeups returns what [cir.Wakeups] is for the question.
func (b *builder) wakeups() int64 {
	switch {
	case b.opts.Check.Deadlock:
		return 1
	case !b.opts.Check.Locks:
		return 0
	case b.conditions == 0:
		b.conditions = 1 + b.whoWaits()
	}
	return b.conditions - 1
}

// whoWaits tells whether it matters who waits for condition variables: 2 if some are destroyed, or used with several mutexes, as far as is
// known; 3 if objects of which there are several may be mixed; else 0.
func (b *builder) whoWaits() int64 {
	with := map[pointsto.Location][]pointsto.Location{}
	how := int64(0)
	for _, f := range b.cp.Funcs {
		switch {
		case !f.Library:
		case f.Source == "pthread_cond_destroy":
			return 2
		case f.Source == "wait_on":
			b.pts.EachCall(f, func(args [][]pointsto.Location) {
				for _, c := range args[0] {
					with[c] = append(with[c], args[1]...)
				}
			})
		}
	}
	for c, mutexes := range with {
		others := slices.ContainsFunc(mutexes, func(m pointsto.Location) bool { return m != mutexes[0] })
		certain := isOne(c) && !slices.ContainsFunc(mutexes, func(m pointsto.Location) bool { return !isOne(m) })
		switch {
		case others && certain:
			return 2
		case others || !certain:
			how = 3
		}
	}
	return how
}

// isOne reports whether there is one object only at a location, and one place in it.
func isOne(l pointsto.Location) bool {
	return l.Off != pointsto.Any && l.Obj.Global != nil && !l.Obj.Global.ThreadLocal && l.Exact()
}
