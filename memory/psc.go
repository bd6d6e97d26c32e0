package memory

// psc has what the axiom of sequential consistency of RC11 is computed from. All relations are turned round: a row has what comes before an event.
//
//	scb = po ∪ po≠loc ; hb ; po≠loc ∪ hb|loc ∪ mo ∪ rb
//	psc = ([SC] ∪ [F SC] ; hb?) ; scb ; ([SC] ∪ hb? ; [F SC])  ∪  [F SC] ; (hb ∪ hb ; eco ; hb) ; [F SC]
//
// No row is computed pair by pair: where a relation is larger the later an event is in po or hb, the union over a set of events
// is that over the last ones of the set ([lastOf]).
type psc struct {
	*causality
	po        Relation // with Sync, transitive
	elsewhere Relation // po≠loc
	begun     Relation // what is before an event, or one that is po-before it, by po≠loc
	eco       Relation
	at        Relation // for each location, the accesses to it
	fences    []uint64 // the seq_cst fences
	all       []uint64 // the seq_cst events
}

// seqCst: psc has no cycles.
func (c *causality) seqCst(order []int32) bool {
	n, w := c.n, c.before.w
	slab := make([]uint64, (6*n+c.locs+7)*w)
	cut := func(rows int) Relation {
		r := Relation{rows, w, slab[: rows*w : rows*w]}
		slab = slab[rows*w:]
		return r
	}
	p := &psc{causality: c, po: cut(n), elsewhere: cut(n), begun: cut(n), eco: cut(n), at: cut(c.locs), fences: cut(1).row(0), all: cut(1).row(0)}
	for i := range c.Events {
		if e := &c.Events[i]; e.seqCst() {
			set(p.all, i)
			if e.Kind == Fence {
				set(p.fences, i)
			}
		}
		if c.loc[i] >= 0 {
			set(p.at.row(int(c.loc[i])), i)
		}
	}
	p.programOrder(order)
	p.extendedCoherence()
	result, memo, work := cut(n), cut(n), cut(5)
	known := work.row(4)
	for i := highest(p.all); i >= 0; i = previous(p.all, i) {
		p.row(i, result.row(i), memo, known, work)
	}
	return result.acyclic()
}

// programOrder computes po, po≠loc and begun.
func (p *psc) programOrder(order []int32) {
	for _, i32 := range order {
		i := int(i32)
		row, elsewhere, begun := p.po.row(i), p.elsewhere.row(i), p.begun.row(i)
		if j := int(p.prev[i]); j >= 0 {
			or(row, p.po.row(j))
			set(row, j)
			or(begun, p.begun.row(j))
		}
		copy(elsewhere, row)
		if l := p.loc[i]; l >= 0 {
			without(elsewhere, p.at.row(int(l)))
		}
		or(begun, elsewhere)
		for k := p.leaving[i]; k >= 0; k = p.leaving[int32(p.n)+k] {
			to := p.Sync[k][1]
			or(p.po.row(to), row)
			set(p.po.row(to), i)
			or(p.begun.row(to), begun)
		}
	}
}

// extendedCoherence computes eco.
func (p *psc) extendedCoherence() {
	for _, writes := range p.MO {
		for k, w := range writes {
			row := p.eco.row(w)
			if k > 0 {
				or(row, p.eco.row(writes[k-1]))
				or(row, p.readers.row(writes[k-1]))
				set(row, writes[k-1])
			}
			for r := p.reader[w]; r >= 0; r = p.reader[r] {
				or(p.eco.row(int(r)), row)
				set(p.eco.row(int(r)), w)
			}
		}
	}
}

// row computes what is before i by psc.
func (p *psc) row(i int, row []uint64, memo Relation, known []uint64, work Relation) {
	base, end, left := work.row(0), work.row(1), work.row(2)
	clear(base)
	or(base, p.scb(i, memo, known, work.row(3)))
	isFence := p.Events[i].Kind == Fence
	if isFence {
		for j := highest(p.before.row(i)); j >= 0; j = previous(p.before.row(i), j) {
			or(base, p.scb(j, memo, known, work.row(3)))
		}
	}
	both(row, base, p.all)
	if highest(p.fences) < 0 {
		return
	}
	if isFence { // hb and hb ; eco ; hb: what follows adds the first step, hb? from fences only
		or(base, p.before.row(i))
		for j := highest(p.before.row(i)); j >= 0; j = previous(p.before.row(i), j) {
			or(base, p.eco.row(j))
		}
	}
	clear(end)
	or(end, base)
	copy(left, base)
	lastOf(end, left, p.before, p.before)
	for k := range row {
		row[k] |= end[k] & p.fences[k]
	}
}

// scb returns what is before i by scb.
func (p *psc) scb(i int, memo Relation, known, left []uint64) []uint64 {
	row := memo.row(i)
	if has(known, i) {
		return row
	}
	set(known, i)
	copy(left, p.elsewhere.row(i))
	lastOf(row, left, p.before, p.before) // hb ; po≠loc
	copy(left, row)
	clear(row)
	lastOf(row, left, p.begun, p.po) // po≠loc ; hb ; po≠loc
	or(row, p.po.row(i))
	if l := p.loc[i]; l >= 0 {
		at, before := p.at.row(int(l)), p.before.row(i)
		for k := range row {
			row[k] |= at[k] & before[k]
		}
	}
	if p.Events[i].Kind == Write {
		or(row, p.eco.row(i)) // mo ∪ rb
	}
	return row
}

// lastOf adds to row the rows of r of all events of left, which it empties. Whatever is below an event (in its row of below) has a row within the event's.
func lastOf(row, left []uint64, r, below Relation) {
	for i := highest(left); i >= 0; i = highest(left) {
		or(row, r.row(i))
		unset(left, i)
		without(left, below.row(i))
	}
}
