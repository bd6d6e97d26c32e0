package robust_test

import (
	"math/rand/v2"
	"slices"

	"comus/cir"
)

// cyclic makes programs that are close to a cycle.
type cyclic struct {
	*rand.Rand
	p      *litmus
	strict []bool // locations with seq_cst accesses only
}

// pick returns one of some.
func pick[T any](c cyclic, of ...T) T { return of[c.IntN(len(of))] }

// access is a random access of a location.
func (c cyclic) access(loc int, kinds string) step {
	s := step{kind: kinds[c.IntN(len(kinds))], loc: loc, value: uint64(1 + c.IntN(2))}
	s.order = pick(c, pickOrders[s.kind]...)
	if s.order == cir.SeqCst && c.IntN(2) == 0 {
		s.order = cir.Relaxed
	}
	if c.strict[loc] && c.IntN(12) > 0 {
		s.order = cir.SeqCst
	}
	return s
}

const starts, stops = "WWWWRRUAC", "RRRRWWUAC"

// between is what may stand between two accesses.
func (c cyclic) between() []step {
	switch c.IntN(9) {
	case 0, 1, 2, 3:
		return []step{{kind: 'F', order: pick(c, pickOrders['F']...)}}
	case 4:
		return []step{{kind: 'W', loc: c.p.locs - 1, value: 1, order: cir.SeqCst}}
	}
	return nil
}

// randomCycle makes a program of threads each of which has two accesses of a cycle, or of several that synchronise.
func randomCycle(r *rand.Rand) *litmus {
	k := 2 + r.IntN(6)/5
	c := cyclic{r, &litmus{locs: k + 2}, make([]bool, k+2)}
	for i := range k {
		c.strict[i] = r.IntN(3) == 0
	}
	p := c.p
	thread := func(list ...step) { p.threads, p.copies = append(p.threads, list), append(p.copies, 1) }
	var last []step
	for i := range k {
		from, to := c.access(i, starts), c.access((i+1)%k, stops)
		flag := k + c.IntN(2)
		switch n := c.IntN(20); {
		case n < 4: // by a flag
			set, get := step{kind: 'W', loc: flag, value: 1, order: cir.Release}, step{kind: pick[byte](c, 'G', 'G', 'L', 'U', 'C'), loc: flag, value: 1, order: cir.Acquire}
			first, second := []step{from, set}, []step{get, to}
			if c.IntN(3) == 0 {
				first[1].order = cir.Relaxed
				first = slices.Insert(first, 1, step{kind: 'F', order: pick(c, cir.Release, cir.AcqRel, cir.SeqCst)})
			}
			if c.IntN(3) == 0 {
				second[0].order = cir.Relaxed
				second = slices.Insert(second, 1, step{kind: 'F', order: pick(c, cir.Acquire, cir.AcqRel, cir.SeqCst)})
			}
			thread(first...)
			thread(second...)
		case n < 7: // by the location itself
			from.kind, from.order = pick[byte](c, 'W', 'W', 'U'), pick(c, cir.Release, cir.SeqCst)
			thread(from)
			thread(slices.Concat([]step{c.access(i, "GRUC")}, c.between(), []step{to})...)
		case n < 9: // by a mutex
			thread(from, step{kind: 'm'}, step{kind: 'w', value: 1}, step{kind: 'n'})
			thread(step{kind: 'm'}, step{kind: 'r'}, step{kind: 'n'}, to)
		case n < 10 && last == nil: // by the creation of a thread
			p.apart, p.between, last = true, []step{from}, []step{to}
		case n < 11 && last == nil: // by its end
			p.apart, p.amid, last = true, []step{to}, []step{from}
		default:
			thread(slices.Concat([]step{from}, c.between(), []step{to})...)
		}
	}
	if c.IntN(3) == 0 {
		thread(c.access(c.IntN(k), "WWRU"))
	}
	if i := c.IntN(2 * len(p.threads)); i < len(p.threads) {
		p.threads[i] = slices.Insert(p.threads[i], c.IntN(len(p.threads[i])+1), c.access(c.IntN(k), "WRU"))
	}
	if last != nil {
		thread(last...)
	}
	if !p.apart && c.IntN(3) == 0 {
		p.behind = []step{c.access(c.IntN(k), "R")}
	}
	return p
}

// randomLock makes a program of threads that take a lock around accesses of two locations, each in its own order, mostly.
func randomLock(r *rand.Rand) *litmus {
	c := cyclic{r, &litmus{locs: 4}, make([]bool, 4)}
	some := func(o, other cir.Order) cir.Order {
		if c.IntN(7) == 0 {
			return other
		}
		return o
	}
	how := c.IntN(3)
	for range 2 {
		take, give := step{kind: 'm'}, step{kind: 'n'}
		switch how {
		case 0:
			take, give = step{kind: 'X', order: some(cir.Acquire, cir.Relaxed)}, step{kind: 'W', order: some(cir.Release, cir.Relaxed)}
		case 1:
			take = step{kind: 'T', loc: int(pick(c, pickOrders['U']...)), order: some(cir.Acquire, cir.Relaxed)}
			give = step{kind: 't', value: uint64(1 + c.IntN(12)/11), order: some(cir.Release, cir.Relaxed)}
		}
		x := c.IntN(2)
		list := []step{take, c.access(2+x, starts), c.access(3-x, stops), give}
		switch c.IntN(8) {
		case 0: // one access is behind
			list[2], list[3] = list[3], list[2]
		case 1: // or before
			list[0], list[1] = list[1], list[0]
		case 2:
			list = append(list, c.access(c.IntN(4), "WR"))
		}
		c.p.threads, c.p.copies = append(c.p.threads, list), append(c.p.copies, 1)
	}
	return c.p
}
