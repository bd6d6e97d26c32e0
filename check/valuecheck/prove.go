package valuecheck

import "slices"

// What is known of symbols are rows that hold, and facts: that all rows of one of several cases hold. What is to be proved is a fact, too. It is proved for each way in which the
// cases of what is known may come together, by a contradiction with each row that is to hold (linear.go). Where none of the cases that are to be proved holds in
// all of such a way, it is taken apart by a row of theirs.

// fact says that all rows of one of some cases hold.
type fact [][]row

// Bounds of proofs: the ways in which cases come together, how often one is taken apart, and the contradictions that are looked for.
const (
	maxWays  = 512
	maxDeep  = 5
	maxTries = 1500
)

// prover proves what follows.
type prover struct {
	tries, ways int
	// missing notes which rows of a goal's cases do not follow, so that it holds without them; nil: it is not asked for that.
	missing [][]bool
	refuted bool // a row was noted
}

// known are rows that hold together. bound has of the terms of each what is added to them at most: terms + bound <= 0.
type known struct {
	rows  []row
	bound map[string]int64
	never bool // they contradict each other
}

func (k *known) fork() *known {
	y := &known{slices.Clip(k.rows), make(map[string]int64, len(k.bound)+8), k.never}
	for x, c := range k.bound {
		y.bound[x] = c
	}
	return y
}

// add adds a row.
func (k *known) add(r row) {
	r, never := r.normal()
	switch {
	case never:
		k.never = true
		return
	case len(r.terms) == 0:
		return
	}
	k.rows = append(k.rows, r)
	k.note(r)
	if r.eq {
		k.note(r.minus())
	}
}

func (k *known) note(r row) {
	x := r.key()
	if c, had := k.bound[x]; had && c >= r.c {
		return
	}
	k.bound[x] = r.c
	if c, had := k.bound[r.minus().key()]; had && r.c+c > 0 {
		k.never = true
	}
}

// evident reports whether a row follows from a single other one.
func (k *known) evident(r row) bool {
	r, never := r.normal()
	switch {
	case never:
		return false
	case len(r.terms) == 0:
		return true
	}
	c, had := k.bound[r.key()]
	if !had || c < r.c {
		return false
	}
	if !r.eq {
		return true
	}
	m := r.minus()
	c, had = k.bound[m.key()]
	return had && c >= m.c
}

// impossible reports whether rows contradict each other, and perhaps one more.
func (p *prover) impossible(k *known, more ...row) bool {
	if k.never {
		return true
	}
	if p.tries++; p.tries > maxTries {
		return false
	}
	rows := slices.Clip(k.rows)
	for _, r := range more {
		r, never := r.normal()
		if never {
			return true
		}
		if len(r.terms) > 0 {
			rows = append(rows, r)
		}
	}
	if len(more) > 0 {
		rows = cone(rows, more)
	}
	return contradictory(rows)
}

// cone returns the rows that have to do with some, by symbols that they have in common.
func cone(rows, from []row) []row {
	in := map[int]bool{}
	for _, r := range from {
		for _, t := range r.terms {
			in[t.sym] = true
		}
	}
	for grows := true; grows; {
		grows = false
		for _, r := range rows {
			if touchesAny(r, in) && includes(r, in) {
				grows = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !touchesAny(r, in) })
}

func touchesAny(r row, in map[int]bool) bool {
	return slices.ContainsFunc(r.terms, func(t symTerm) bool { return in[t.sym] })
}

// includes puts the symbols of a row into a set. It reports whether one was not there.
func includes(r row, in map[int]bool) (grows bool) {
	for _, t := range r.terms {
		grows = grows || !in[t.sym]
		in[t.sym] = true
	}
	return grows
}

// follows reports whether a row follows.
func (p *prover) follows(k *known, r row) bool {
	if k.never || k.evident(r) {
		return true
	}
	n := r.not()
	for _, x := range n {
		if !p.impossible(k, x) {
			return false
		}
	}
	return len(n) > 0
}

// proves reports whether a goal follows from facts and rows: one of its cases holds, or, if it has none, they contradict each other.
func (p *prover) proves(facts []fact, rows []row, goal fact) bool {
	in := map[int]bool{}
	for _, c := range goal {
		for _, r := range c {
			includes(r, in)
		}
	}
	all := len(goal) == 0
	if !all {
		facts, rows = relevant(facts, rows, in)
	}
	k := &known{bound: map[string]int64{}}
	for _, r := range rows {
		k.add(r)
	}
	// Those with few cases first: they contradict some of the others.
	facts = slices.Clone(facts)
	slices.SortStableFunc(facts, func(a, b fact) int { return len(a) - len(b) })
	return p.each(facts, k, goal)
}

// relevant returns what is known of some symbols, and of those that have to do with them.
func relevant(facts []fact, rows []row, in map[int]bool) (some []fact, few []row) {
	touches := func(f fact) bool {
		return slices.ContainsFunc(f, func(c []row) bool { return slices.ContainsFunc(c, func(r row) bool { return touchesAny(r, in) }) })
	}
	for grows := true; grows; {
		grows = false
		for _, r := range rows {
			if touchesAny(r, in) && includes(r, in) {
				grows = true
			}
		}
		for _, f := range facts {
			if !touches(f) {
				continue
			}
			for _, c := range f {
				for _, r := range c {
					grows = includes(r, in) || grows
				}
			}
		}
	}
	for _, f := range facts {
		if touches(f) {
			some = append(some, f)
		}
	}
	for _, r := range rows {
		if touchesAny(r, in) {
			few = append(few, r)
		}
	}
	return some, few
}

// each proves a goal for each way in which cases of facts come together.
func (p *prover) each(facts []fact, k *known, goal fact) bool {
	if k.never {
		return true
	}
	if len(facts) == 0 {
		if p.ways++; p.ways > maxWays {
			return false
		}
		return p.holds(k, goal, maxDeep)
	}
	for _, c := range facts[0] {
		y := k
		if len(c) > 0 {
			y = k.fork()
			for _, r := range c {
				y.add(r)
			}
		}
		if !p.each(facts[1:], y, goal) {
			return false
		}
	}
	return true
}

// holds proves a goal of rows that hold together.
func (p *prover) holds(k *known, goal fact, deep int) bool {
	if k.never {
		return true
	}
	best, fewest := -1, 0
	var open []int
	var first row
	for i, c := range goal {
		if slices.ContainsFunc(c, func(r row) bool { return evidentlyNot(k, r) }) {
			continue
		}
		left := 0
		for j, r := range c {
			if (p.missing == nil || !p.missing[i][j]) && !p.follows(k, r) {
				if left++; left == 1 && len(open) == 0 {
					first = r
				}
			}
		}
		if left == 0 {
			return true
		}
		if open = append(open, i); best < 0 || left < fewest {
			best, fewest = i, left
		}
	}
	if p.impossible(k) {
		return true
	}
	if len(open) > 1 && deep > 0 {
		ok := true
		for _, x := range append(first.not(), first) {
			y := k.fork()
			y.add(x)
			ok = p.holds(y, goal, deep-1) && ok
			if !ok && p.missing == nil {
				return false
			}
		}
		return ok
	}
	if p.missing == nil || best < 0 {
		return false
	}
	for j, r := range goal[best] {
		if !p.missing[best][j] && !p.follows(k, r) {
			p.missing[best][j], p.refuted = true, true
		}
	}
	return true
}

// evidentlyNot reports whether a row contradicts another one.
func evidentlyNot(k *known, r row) bool {
	n, never := r.normal()
	if never {
		return true
	}
	against := func(x row) bool {
		c, had := k.bound[x.minus().key()]
		return had && x.c+c > 0
	}
	return len(n.terms) > 0 && (against(n) || n.eq && against(n.minus()))
}
