package memory

// relations are the basic relations of a graph; the derived ones are methods, written as in the papers:
// seq is ';', union is '∪', maybe is '?', plus is '⁺', and on(p) is '[P]'.
type relations struct {
	*Graph
	po   Relation // program order of the threads; the initial writes are before everything
	all  Relation // po with Sync, transitive: program order across threads
	rf   Relation
	mo   Relation
	rb   Relation // reads-before: from a read to the writes that come after what it reads
	rmw  Relation // the halves of read-modify-writes
	sync Relation
}

// relations computes the basic relations from the definitions.
func (g *Graph) relations() *relations {
	n := len(g.Events)
	r := &relations{Graph: g, po: newRelation(n), rf: newRelation(n), mo: newRelation(n), rmw: newRelation(n), sync: newRelation(n)}
	last := map[int]int{} // of each thread, 1 and its last event
	for i := range g.Events {
		e := &g.Events[i]
		for j := range g.Events {
			if other := g.Events[j].Thread; i != j && e.Thread < 0 && other >= 0 || i < j && e.Thread >= 0 && other == e.Thread {
				r.po.add(i, j)
			}
		}
		if e.Kind == Read && g.RF[i] >= 0 {
			r.rf.add(g.RF[i], i)
		}
		if p := last[e.Thread]; p > 0 && e.Kind == Write && e.Exclusive {
			r.rmw.add(p-1, i)
		}
		last[e.Thread] = i + 1
	}
	for _, writes := range g.MO {
		for p, i := range writes {
			for _, j := range writes[p+1:] {
				r.mo.add(i, j)
			}
		}
	}
	for _, s := range g.Sync {
		r.sync.add(s[0], s[1])
	}
	r.all = union(r.po, r.sync).plus()
	r.rb = seq(r.rf.inverse(), r.mo)
	return r
}

// on is the identity on the events with a property.
func (r *relations) on(property func(*Event) bool) Relation {
	return identity(len(r.Events), func(i int) bool { return property(&r.Events[i]) })
}

// same reports whether two events are accesses to the same location.
func (r *relations) same(a, b int) bool {
	x, y := &r.Events[a], &r.Events[b]
	return x.access() && y.access() && x.Loc == y.Loc
}

func (r *relations) different(a, b int) bool { return !r.same(a, b) }

func isFence(e *Event) bool       { return e.Kind == Fence }
func isWrite(e *Event) bool       { return e.Kind == Write }
func isAtomicWrite(e *Event) bool { return e.Kind == Write && e.atomic() }
func isAtomicRead(e *Event) bool  { return e.Kind == Read && e.atomic() }
func isSeqCstFence(e *Event) bool { return e.Kind == Fence && e.seqCst() }

// rs, the release sequence of a write: itself and later atomic writes of its thread to the location, then read-modify-writes of whatever thread.
//
//	[W] ; po|loc? ; [W⊒rlx] ; (rf ; rmw)*
func (r *relations) rs() Relation {
	return seq(r.on(isWrite), r.po.where(r.same).maybe(), r.on(isAtomicWrite), seq(r.rf, r.rmw).plus().maybe())
}

// sw, synchronises-with.
//
//	[E⊒rel] ; ([F] ; po)? ; rs ; rf ; [R⊒rlx] ; (po ; [F])? ; [E⊒acq]
func (r *relations) sw() Relation {
	fence := r.on(isFence)
	return seq(r.on((*Event).releases), seq(fence, r.po).maybe(), r.rs(), r.rf, r.on(isAtomicRead), seq(r.po, fence).maybe(), r.on((*Event).acquires))
}

// hb, happens-before.
//
//	(po ∪ sw)⁺
func (r *relations) hb() Relation { return union(r.all, r.sw()).plus() }

// eco, extended coherence order.
//
//	(rf ∪ mo ∪ rb)⁺
func (r *relations) eco() Relation { return union(r.rf, r.mo, r.rb).plus() }

// scb, the SC-before relation.
//
//	po ∪ po≠loc ; hb ; po≠loc ∪ hb|loc ∪ mo ∪ rb
func (r *relations) scb(hb Relation) Relation {
	elsewhere := r.all.where(r.different)
	return union(r.all, seq(elsewhere, hb, elsewhere), hb.where(r.same), r.mo, r.rb)
}

// psc, the partial SC relation.
//
//	([SC] ∪ [F SC] ; hb?) ; scb ; ([SC] ∪ hb? ; [F SC])  ∪  [F SC] ; (hb ∪ hb ; eco ; hb) ; [F SC]
func (r *relations) psc(hb, eco Relation) Relation {
	sc, fence := r.on((*Event).seqCst), r.on(isSeqCstFence)
	base := seq(union(sc, seq(fence, hb.maybe())), r.scb(hb), union(sc, seq(hb.maybe(), fence)))
	return union(base, seq(fence, union(hb, seq(hb, eco, hb)), fence))
}

// HappensBefore is happens-before of RC11, the edges of Sync in it.
func (g *Graph) HappensBefore() Relation {
	l := g.layout()
	if order, ok := l.sort(false); ok {
		return l.causality(order).before.inverse()
	}
	return g.relations().hb()
}

// Violation says that a graph breaks an axiom.
type Violation struct {
	Axiom string   // coherence, atomicity; of SC: sc; of TSO and PSO: ghb; of RC11: psc, po-rf
	Cycle []int    // events, each related to the next one and the last one to the first one
	Steps []string // by what each of them is related to the next one
}

// Violations returns why a graph is not consistent with a model: for each axiom that it breaks, one of the shortest cycles; of atomicity all.
func (g *Graph) Violations(m Model) []Violation {
	r := g.relations()
	all := r.atomicity()
	switch m {
	case SC:
		return append(all, cycle("sc", named{"po", r.all}, named{"rf", r.rf}, named{"mo", r.mo}, named{"rb", r.rb})...)
	case TSO, PSO:
		all = append(all, cycle("coherence", named{"po", r.all.where(r.same)}, named{"rf", r.rf}, named{"mo", r.mo}, named{"rb", r.rb})...)
		return append(all, cycle("ghb", named{"po", r.preserved(m == PSO)}, named{"rf", r.external()}, named{"mo", r.mo}, named{"rb", r.rb})...)
	}
	hb, eco := r.hb(), r.eco()
	all = append(all, r.coherence(hb, eco)...)
	all = append(all, cycle("psc", named{"psc", r.psc(hb, eco)})...)
	return append(all, cycle("po-rf", named{"po", r.all}, named{"rf", r.rf})...)
}

// coherence: hb ; eco? is irreflexive.
func (r *relations) coherence(hb, eco Relation) []Violation {
	var best []Violation
	there, back := together(named{"po", r.all}, named{"sw", r.sw()}), together(named{"rf", r.rf}, named{"mo", r.mo}, named{"rb", r.rb})
	for _, p := range hb.Pairs() {
		a, b := p[0], p[1]
		if a != b && !eco.Has(b, a) {
			continue
		}
		v := Violation{Axiom: "coherence"}
		v.walk(a, b, there)
		if a != b {
			v.walk(b, a, back)
		}
		if best == nil || len(v.Cycle) < len(best[0].Cycle) {
			best = []Violation{v}
		}
	}
	return best
}

// atomicity: rmw ∩ (rb ; mo) is empty.
func (r *relations) atomicity() []Violation {
	var all []Violation
	between := seq(r.rb, r.mo)
	for _, p := range r.rmw.Pairs() {
		if !between.Has(p[0], p[1]) {
			continue
		}
		v := Violation{Axiom: "atomicity"}
		for x := range r.Events {
			if r.rb.Has(p[0], x) && r.mo.Has(x, p[1]) {
				v.Cycle, v.Steps = []int{p[0], x, p[1]}, []string{"rb", "mo", "rmw"}
				break
			}
		}
		all = append(all, v)
	}
	return all
}

// named is a relation with its name.
type named struct {
	name string
	Relation
}

// parts is the union of relations that one wants to tell apart.
type parts struct {
	Relation
	of []named
}

func together(of ...named) parts {
	all := of[0].Relation
	for _, x := range of[1:] {
		all = union(all, x.Relation)
	}
	return parts{all, of}
}

// cycle returns a shortest cycle of the union of some relations as a violation, or nothing.
func cycle(axiom string, of ...named) []Violation {
	r := together(of...)
	if r.acyclic() {
		return nil
	}
	var best []Violation
	for i := range r.n {
		v := Violation{Axiom: axiom}
		if v.walk(i, i, r); v.Cycle != nil && (best == nil || len(v.Cycle) < len(best[0].Cycle)) {
			best = []Violation{v}
		}
	}
	return best
}

// walk appends a shortest way from a to b, without b.
func (v *Violation) walk(a, b int, r parts) {
	way := r.path(a, b)
	for k := 1; k < len(way); k++ {
		v.Cycle = append(v.Cycle, way[k-1])
		for _, x := range r.of {
			if x.Has(way[k-1], way[k]) {
				v.Steps = append(v.Steps, x.name)
				break
			}
		}
	}
}
