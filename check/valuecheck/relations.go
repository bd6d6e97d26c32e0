package valuecheck

import (
	"fmt"
	"maps"
	"slices"

	"comus/scan/certificate"
)

// Relations between cells are claimed beside the sets of values: what several cells hold is in one of some cases, each of which is a few sums that are at most 0, or
// are 0. A block is looked at with symbols for what cells hold where it begins, what is claimed of them is known of the symbols, and instructions make sums of symbols of
// registers and cells; branches and assertions add what they say of such sums. So what is known of symbols never becomes wrong, and what a cell holds is
// forgotten by giving it no sum any more.
//
// Numbers are mathematical: a result is a sum only if it fits into its type, which is known by sets, or proved by relations, or is promised by C. (That is noted
// where sets leave it open.)
//
// While there may be other threads, a relation says something of a cell only as long as nobody else changes it, which is steady: of what each thread has its own of,
// and of what others access as far as this thread holds a lock that guards the cell, or is in an atomic section. Who gives that up forgets what the cell holds.
//
// What is claimed of cells that a lock guards whenever it is free has to hold when the first thread is created, unless the lock is held then, and whenever somebody gives
// the lock back; who takes it knows it. Nobody else changes the cells in between: they are accessed by holders of the lock only, and others do not give it back. Atomic
// sections count as a lock, for cells that are accessed in sections only.
//
// A global that one thread only accesses (lone) may be guarded, too: by a lock that this thread holds whenever it writes there. Then it counts as one that others access, for
// relations: those are told of it by the lock. If there is no such lock, what is said of it where another thread runs is true of all that it ever holds: a thread
// that begins knows nothing of it, nor does who begins the first one. Nobody but who accesses it takes the sets of what a thread knows of it, as these are about that thread.

// relation says of cells that all sums of one of the cases are as they say. It is never changed.
type relation struct {
	cells []int
	cases [][]relationRow
}

// relationRow is a sum of the relation's cells with coefficients, and a constant.
type relationRow struct {
	coef []int64
	c    int64
	eq   bool
}

// sections is the number of the lock that stands for atomic sections.
const sections = -1

// related is what is known of symbols, and which sums cells and registers are. Nil where there is nothing to be known.
type related struct {
	env   map[int]lin // of cells, by numbers
	forms map[int]lin // of registers
	facts []fact
	rows  []row
	// opened are relations of which the symbols are those of the beginning of the block.
	opened []*relation
}

func (r *related) fork() *related {
	if r == nil {
		return nil
	}
	return &related{maps.Clone(r.env), maps.Clone(r.forms), slices.Clip(r.facts), slices.Clip(r.rows), slices.Clip(r.opened)}
}

// newRelated is for a place of which nothing is known.
func (x *checker) newRelated() *related {
	if x.relations == nil {
		return nil
	}
	return &related{env: map[int]lin{}, forms: map[int]lin{}}
}

func (x *checker) newSymbol() lin {
	x.symbols++
	return symbol(x.symbols)
}

// readRelations reads what is claimed of relations.
func (x *checker) readRelations(c *certificate.Values) error {
	if len(c.Relations) == 0 {
		return nil
	}
	if len(x.back) > 0 { // code outside may give back locks, and calls what accesses cells at any time
		x.refuse("relations of a program that code outside calls back")
		return nil
	}
	x.relating = map[int]bool{}
	for i := range c.Relations {
		rel, err := x.relation(&c.Relations[i])
		if err != nil {
			return fmt.Errorf("relation %d: %w", i, err)
		}
		x.relations = append(x.relations, rel)
		if rel != nil {
			for _, n := range rel.cells {
				x.relating[n] = true
			}
		}
	}
	x.symbols = len(x.memory.cells)
	x.free = map[int][]*relation{}
	for _, f := range c.Free {
		if f.Lock != sections && (f.Lock < 0 || f.Lock >= len(x.memory.locks)) {
			return fmt.Errorf("there is no lock %d", f.Lock)
		}
		x.free[f.Lock] = append(x.free[f.Lock], x.relationsOf([]int{f.Is})...)
	}
	return nil
}

// relation reads one, nil if one of its cells is none.
func (x *checker) relation(c *certificate.Relation) (*relation, error) {
	rel := &relation{cells: c.Cells}
	for i, n := range c.Cells {
		d := x.memory.numbered(n)
		if d == nil || !relatable(d) {
			x.refuse("cell %d in a relation", n)
			return nil, nil
		}
		if i > 0 && n <= c.Cells[i-1] {
			return nil, fmt.Errorf("its cells are not in order")
		}
	}
	for _, k := range c.Cases {
		rows := []relationRow{}
		for _, list := range []struct {
			rows [][]int64
			eq   bool
		}{{k.Most, false}, {k.Equal, true}} {
			for _, r := range list.rows {
				if len(r) != len(c.Cells)+1 {
					return nil, fmt.Errorf("a sum of %d numbers for %d cells", len(r), len(c.Cells))
				}
				rows = append(rows, relationRow{r[:len(c.Cells)], r[len(c.Cells)], list.eq})
			}
		}
		rel.cases = append(rel.cases, rows)
	}
	return rel, nil
}

// relatable reports whether relations may say something of a cell: one integer that stands for one object.
func relatable(c *cell) bool {
	return c.typ.IsInt() && !c.text && (c.own && c.single || c.once)
}

// relationsOf returns relations by their numbers. Others are left out.
func (x *checker) relationsOf(list []int) (rels []*relation) {
	for _, n := range list {
		if n >= 0 && n < len(x.relations) && x.relations[n] != nil {
			rels = append(rels, x.relations[n])
		}
	}
	return rels
}

// only returns the part of a relation that is about some cells: itself if it is all, nil if it says nothing.
func (rel *relation) only(use func(n int) bool) *relation {
	var no []int
	for i, n := range rel.cells {
		if !use(n) {
			no = append(no, i)
		}
	}
	about := func(r relationRow) bool { return !slices.ContainsFunc(no, func(i int) bool { return r.coef[i] != 0 }) }
	return rel.such(func(i, j int) bool { return about(rel.cases[i][j]) })
}

// such returns the part of a relation with some of its rows.
func (rel *relation) such(keep func(i, j int) bool) *relation {
	part := &relation{cells: rel.cells}
	all := true
	for i, c := range rel.cases {
		var rows []relationRow
		for j, r := range c {
			if keep(i, j) {
				rows = append(rows, r)
			} else {
				all = false
			}
		}
		if len(rows) == 0 {
			return nil
		}
		part.cases = append(part.cases, rows)
	}
	if all {
		return rel
	}
	return part
}

// lone reports whether a cell is a global that one thread only accesses.
func lone(c *cell) bool { return c.own && c.static && !c.obj.Global.ThreadLocal }

// guardedByLock reports whether a lock may tell others of a lone cell.
func (x *checker) guardedByLock(c *cell) bool {
	return lone(c) && (c.sections || slices.ContainsFunc(c.guard, func(g int) bool { return x.memory.locks[g].ok }))
}

// steady reports whether nobody else changes a cell for now.
func (x *checker) steady(c *cell, mode int, locks []int, atomic bool) bool {
	if mode == alone || c.own && !x.guardedByLock(c) {
		return true
	}
	return c.once && (atomic || x.guarded(c, locks))
}

// steadyIn is steady in a state, of cells of which relations say something.
func (x *checker) steadyIn(s *state, mode int) func(n int) bool {
	atomic := s.atomic()
	return func(n int) bool { return x.steady(x.memory.cells[n], mode, s.locks, atomic) }
}
