package threadmodular

import (
	"maps"
	"math/rand/v2"
	"slices"

	"comus/ir"
	"comus/logic"
)

// walker runs the program for a while, with a few instances of replicated threads, so that what does not hold of the states
// that it comes to is dropped: most of what does not hold at all, without a solver.
type walker struct {
	s      *system
	rnd    *rand.Rand
	shared map[*logic.Term]logic.Value
	all    []*walking
	pool   []logic.Value              // values for inputs
	seen   func(w *walker, moved int) // is called when an instance has moved
}

// walking is an instance of a thread in a walk.
type walking struct {
	t      *thread
	loc    int
	locals map[*logic.Term]logic.Value
}

// walks is how many runs are made, of that many steps each.
const walks, walkSteps, walkTries = 120, 200, 6

// walk drops lemmas by runs.
func (h *lemmas) walk() {
	h.pool = usualInputs()
	for _, v := range h.s.m.p.Vars {
		h.pool = append(h.pool, h.values[v.Sym]...)
	}
	for range walks {
		h.newWalker().run()
	}
}

// usualInputs returns values for inputs.
func usualInputs() []logic.Value {
	return []logic.Value{logic.IntValue(2), logic.IntValue(3), logic.IntValue(1 << 30), logic.IntValue(1<<30 + 64)}
}

func (h *lemmas) newWalker() *walker {
	return &walker{s: h.s, rnd: h.rnd, shared: map[*logic.Term]logic.Value{}, pool: h.pool, seen: h.drops}
}

// walk makes runs.
func (s *system) walk(runs int, seen func(w *walker, moved int)) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range runs {
		w := &walker{s: s, rnd: rnd, shared: map[*logic.Term]logic.Value{}, pool: usualInputs(), seen: seen}
		w.run()
	}
}

// run makes a run from an initial state.
func (w *walker) run() {
	w.begin()
	for range walkSteps {
		w.step()
	}
}

// begin makes an initial state.
func (w *walker) begin() {
	for _, t := range w.s.m.threads {
		n := 1
		if t.Replicated {
			n = 3
		}
		for range n {
			w.all = append(w.all, &walking{t, t.Entry.Index, map[*logic.Term]logic.Value{}})
		}
	}
	for _, v := range w.s.m.p.Vars {
		if v.Thread == ir.Shared {
			w.shared[v.Sym] = w.initial(v)
		}
		for _, x := range w.all {
			if v.Thread == x.t.Index {
				x.locals[v.Sym] = w.initial(v)
			}
		}
	}
	for i := range w.all {
		w.seen(w, i)
	}
}

// follow drops the lemmas that do not hold of the states that follow on one that the lemmas of a relation do not exclude, and of those that follow on
// these, as long as there is one to drop: that is cheaper than to find these by the solver.
func (h *lemmas) follow(r *relation, values []logic.Value) {
	if len(r.places) != 2 {
		return
	}
	todo := []*walker{h.resume(r, values)}
	for n := 0; n < followings && len(todo) > 0; n++ {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i, x := range w.all {
			if y := w.all[1-i]; !y.t.cut[y.loc] {
				continue
			}
			for _, b := range x.t.out[x.loc] {
				for range followTries {
					before, next := h.dropped, w.clone()
					if next.take(i, b) && h.dropped > before {
						todo = append(todo, next)
					}
				}
			}
		}
	}
}

// followings is how many states are followed from one, with so many tries of each block.
const followings, followTries = 100, 2

// resume returns two instances in a state that a relation is about.
func (h *lemmas) resume(r *relation, values []logic.Value) *walker {
	w := h.newWalker()
	for _, pl := range r.places {
		w.all = append(w.all, &walking{h.s.m.threads[pl.Thread], pl.Loc, map[*logic.Term]logic.Value{}})
	}
	for _, v := range h.s.m.p.Vars {
		if v.Thread == ir.Shared {
			w.shared[v.Sym] = w.initial(v)
		}
		for _, x := range w.all {
			if v.Thread == x.t.Index {
				x.locals[v.Sym] = w.initial(v)
			}
		}
	}
	for i, p := range r.params {
		if base := h.lifted[p]; base != nil {
			w.all[1].locals[base] = values[i]
		} else if _, ok := w.shared[p]; ok {
			w.shared[p] = values[i]
		} else {
			w.all[0].locals[p] = values[i]
		}
	}
	return w
}

func (w *walker) initial(v *ir.Var) logic.Value {
	if v.Init != nil {
		return *v.Init
	}
	if k := w.any(); v.Type.Contains(k) {
		return k
	}
	return logic.IntValue(1)
}

// any returns a value for what may have any.
func (w *walker) any() logic.Value {
	switch k := w.rnd.IntN(8); {
	case k < 3:
		return logic.IntValue(int64(k))
	case k == 3:
		if vs := w.s.m.shared; len(vs) > 0 { // one that is there already
			return w.shared[vs[w.rnd.IntN(len(vs))].Sym]
		}
	}
	return w.pool[w.rnd.IntN(len(w.pool))]
}

// next returns the instance that moves: one between cut-points runs alone.
func (w *walker) next() int {
	if i := slices.IndexFunc(w.all, func(x *walking) bool { return !x.t.cut[x.loc] }); i >= 0 {
		return i
	}
	return w.rnd.IntN(len(w.all))
}

// step lets one instance take a block that it can take.
func (w *walker) step() {
	i := w.next()
	x := w.all[i]
	out := x.t.out[x.loc]
	if len(out) == 0 {
		return
	}
	for range walkTries {
		if w.take(i, out[w.rnd.IntN(len(out))]) {
			return
		}
	}
}

// take lets an instance take a block, with values for its inputs, and reports whether it can.
func (w *walker) take(i int, b *block) bool {
	x := w.all[i]
	chosen := map[*logic.Term]logic.Value{}
	env := func(v *logic.Term) logic.Value {
		if k, ok := x.locals[v]; ok {
			return k
		}
		if k, ok := w.shared[v]; ok {
			return k
		}
		if _, ok := chosen[v]; !ok {
			chosen[v] = w.any()
		}
		return chosen[v]
	}
	if b.to.Error || !logic.Eval(b.cond, env).Bool() {
		return false
	}
	after := map[*logic.Term]logic.Value{}
	for v, t := range b.value {
		after[v] = logic.Eval(t, env)
	}
	for v, k := range after {
		if _, ok := x.locals[v]; ok {
			x.locals[v] = k
		} else {
			w.shared[v] = k
		}
	}
	x.loc = b.to.Index
	w.seen(w, i)
	return true
}

// clone returns the same state again.
func (w *walker) clone() *walker {
	c := *w
	c.shared, c.all = maps.Clone(w.shared), nil
	for _, x := range w.all {
		c.all = append(c.all, &walking{x.t, x.loc, maps.Clone(x.locals)})
	}
	return &c
}

// drops drops the lemmas about an instance that has moved and another one, and about two others.
func (h *lemmas) drops(w *walker, moved int) {
	for i, x := range w.all {
		for k, y := range w.all {
			if i != k && (i == moved || k == moved || x.t.cut[x.loc] && y.t.cut[y.loc]) {
				h.dropPair(w, x, y)
			}
		}
	}
}

func (h *lemmas) dropPair(w *walker, x, y *walking) {
	if x.t.Index > y.t.Index || x.t == y.t && x.loc > y.loc {
		return // it is the other way round, too
	}
	r := h.s.rels[relationName(Place{x.t.Index, x.loc}, Place{y.t.Index, y.loc})]
	if r == nil {
		return
	}
	h.candidates(r)
	of := map[*logic.Term]logic.Value{}
	var values []logic.Value
	for _, p := range r.params {
		k, ok := w.shared[p]
		if base := h.lifted[p]; !ok && base == nil {
			k = x.locals[p]
		} else if !ok {
			k = y.locals[base]
		}
		of[p] = k
		values = append(values, k)
	}
	for _, s := range h.of[r][len(r.params):] {
		values = append(values, logic.Eval(s, func(v *logic.Term) logic.Value { return of[v] }))
	}
	h.refuted(r, values)
}
