package counted

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// walk follows all threads in a form.
type walk struct {
	*rule
	form    form
	inner   inner
	number  map[pointsto.Copy]int
	acts    []bool // copies that matter, or call who does
	own     []bool // that do themselves
	quits   []bool // copies that may end the thread
	states  [][]boxState
	proof   *Proof
	grown   bool
	missed  string
	entered map[int]bool
	single  map[place]bool
	first   bool // the first thread is followed
	why     string
	steps   int
	numbers map[*cir.Func]map[*cir.Local]bool // that elements of the row are found by
	acted   map[int]bool                      // which copies of functions of the library access objects by themselves
}

const maxSteps = 40000

func (w *walk) no(why string, at cir.Located) {
	if w.why != "" {
		return
	}
	if w.why = why; at != nil && at.Meta().Site != nil {
		w.why += " at " + at.Meta().Site.Pos.String()
	}
}

// try follows all threads in a form, until no new states of containers are found.
func (r *rule) try(f form, x inner) *walk {
	w := &walk{rule: r, form: f, inner: x, number: map[pointsto.Copy]int{}, acted: map[int]bool{}, numbers: map[*cir.Func]map[*cir.Local]bool{}, acts: make([]bool, len(r.copies)), own: make([]bool, len(r.copies)), quits: make([]bool, len(r.copies)), states: make([][]boxState, len(f.locks))}
	for i, c := range r.copies {
		w.number[c] = i
	}
	w.findActs()
	w.strangers()
	if !w.startsAlone() {
		for b := range w.states {
			w.states[b] = w.beginnings(b)
		}
	}
	for w.grown = true; w.grown && w.why == ""; {
		w.grown, w.missed = false, ""
		w.proof = &Proof{Objects: f.objects, lock: f.own, met: map[place]bool{}, calls: map[*cir.Call]bool{}, level: map[cir.Located]level{}, bare: map[cir.Located]bool{}}
		for t := range r.in.Threads() {
			w.thread(t)
		}
	}
	if w.why == "" && w.missed != "" {
		w.no(w.missed+" is called in a way that is not followed", nil)
	}
	return w
}

// concerns reports whether some places are of an object that is followed.
func (w *walk) concerns(at []pointsto.Location) bool {
	return slices.ContainsFunc(at, func(l pointsto.Location) bool { return w.form.objects[l.Obj] || w.inner.objects[l.Obj] })
}

func (w *walk) toObject(at []pointsto.Location) bool {
	return slices.ContainsFunc(at, func(l pointsto.Location) bool { return w.form.objects[l.Obj] })
}

func (w *walk) toInner(at []pointsto.Location) bool {
	return len(w.inner.objects) > 0 && slices.ContainsFunc(at, func(l pointsto.Location) bool { return w.inner.objects[l.Obj] })
}

// toCells reports whether some bytes may be those of a cell; -1: it is not known how many.
func (w *walk) toCells(at []pointsto.Location, size int64) bool {
	for _, l := range at {
		for _, c := range w.form.cells {
			if l.Obj == c.at.Obj && (l.Off == pointsto.Any || !l.Exact() || l.Off < c.at.Off+w.word && (size < 0 || c.at.Off < l.Off+size)) {
				return true
			}
		}
	}
	return false
}

// cellAt returns the only cell that an address leads to, -1 if there is none.
func (w *walk) cellAt(at []pointsto.Location) int {
	if len(at) != 1 {
		return -1
	}
	return slices.IndexFunc(w.form.cells, func(c cell) bool { return c.at == at[0] })
}

// findActs finds the copies that matter: those in which something may lead to an object, a cell or a lock.
func (w *walk) findActs() {
	callers := map[int][]int{}
	var work []int
	for k, c := range w.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					for _, m := range w.pts.Called(c, call) {
						callers[w.number[m]] = append(callers[w.number[m]], k)
					}
				}
			}
		}
		for o := range w.objectsIn(k) {
			w.own[k] = w.own[k] || w.matters(o)
		}
		if w.own[k] {
			work = append(work, k)
		}
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		if work = work[:len(work)-1]; !w.acts[k] {
			w.acts[k] = true
			work = append(work, callers[k]...)
		}
	}
	creates, ends := w.haveOp(cir.ThreadCreate, callers), w.haveOp(cir.ThreadExit, callers)
	for _, c := range w.in.Nodes(0) {
		k := w.number[c]
		w.acts[k] = w.acts[k] || creates[k] && !c.Func.Library // so that what the first thread leaves to others is seen
	}
	for k, c := range w.copies {
		w.acts[k] = w.acts[k] || ends[k] && !c.Func.Library
		w.quits[k] = ends[k]
	}
}

// haveOp returns the copies that have an intrinsic, or call who does.
func (w *walk) haveOp(op cir.IntrinsicOp, callers map[int][]int) map[int]bool {
	found := map[int]bool{}
	var work []int
	for k, c := range w.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == op {
					work = append(work, k)
				}
			}
		}
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		if work = work[:len(work)-1]; !found[k] {
			found[k] = true
			work = append(work, callers[k]...)
		}
	}
	return found
}

// matters reports whether an object is followed, or has a cell or lock of a container.
func (w *walk) matters(o *pointsto.Object) bool {
	return w.form.objects[o] || w.inner.objects[o] || w.form.carriers.objects[o] || o == w.form.row ||
		slices.ContainsFunc(w.form.cells, func(c cell) bool { return c.at.Obj == o }) || slices.ContainsFunc(w.form.locks, func(m pointsto.Location) bool { return m.Obj == o })
}

// objectsIn returns the objects that something in a copy may lead to.
func (r *rule) objectsIn(k int) map[*pointsto.Object]bool {
	if r.touched == nil {
		r.touched = make([]map[*pointsto.Object]bool, len(r.copies))
	}
	if r.touched[k] != nil {
		return r.touched[k]
	}
	c, m := r.copies[k], map[*pointsto.Object]bool{}
	note := func(v cir.Value) {
		if v != nil {
			for _, l := range r.places(c, v) {
				m[l.Obj] = true
			}
		}
	}
	for _, b := range c.Func.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, note)
			for _, x := range cir.Results(in) {
				note(x)
			}
		}
		cir.TermOperands(b.Term, note)
	}
	r.touched[k] = m
	return m
}

// strangers refuses that functions which matter are called by others than the program's own.
func (w *walk) strangers() {
	mine := func(c pointsto.Copy) bool { return !c.Func.Library && w.acts[w.number[c]] }
	for _, c := range w.pts.KnownOutside() {
		if mine(c) {
			w.no("code outside calls "+c.Func.Name, nil)
		}
	}
	for t := range w.in.Threads() {
		if slices.ContainsFunc(w.in.Starts(t), func(c pointsto.Copy) bool { return c.Func.Library && w.acts[w.number[c]] }) {
			w.no("a thread begins with a function of the library that accesses objects", nil) // of which the call would be the one that creates it
		}
		for _, c := range w.in.Nodes(t) {
			if !c.Func.Library {
				continue
			}
			if c.Ctx.Call == nil && w.own[w.number[c]] {
				w.no("the library accesses objects by itself", nil)
			}
			for _, b := range c.Func.Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(*cir.Call); ok && !w.in.Begins(c) && slices.ContainsFunc(w.pts.Called(c, call), mine) {
						w.no("the library calls a function that matters", call)
					}
				}
			}
		}
	}
}

// startsAlone reports whether the first thread is followed from the program's beginning, where it is alone.
func (w *walk) startsAlone() bool {
	starts := w.in.Starts(0)
	if len(starts) != 1 || !w.acts[w.number[starts[0]]] {
		return false
	}
	b := starts[0].Func.Blocks[0]
	at := cir.Located(b.Term)
	if len(b.Instrs) > 0 {
		at = b.Instrs[0]
	}
	w.first = w.in.Alone(starts[0])[at]
	return w.first
}

// beginnings returns what the cells of a container may hold when the program begins: those of memory that is not static anything.
func (w *walk) beginnings(b int) []boxState {
	all := []boxState{{}}
	for i, c := range w.form.cells {
		if c.box != b {
			continue
		}
		words := []value{zero, {kind: other}}
		if g := c.at.Obj.Global; g != nil {
			if words = words[:1]; !g.ZeroAt(c.at.Off, w.word) {
				words = []value{{kind: other}} // no object that is allocated yet
			}
		}
		var more []boxState
		for _, e := range all {
			for _, x := range words {
				e[i] = x
				more = append(more, e)
			}
		}
		all = more
	}
	return all
}

// thread follows a thread.
func (w *walk) thread(t int) {
	w.entered, w.single = map[int]bool{}, map[place]bool{}
	if t == 0 {
		for _, c := range w.in.Nodes(0) {
			if w.acts[w.number[c]] && !c.Func.Library {
				for in, yes := range w.in.Alone(c) {
					w.single[place{c, in}] = yes
				}
			}
		}
	}
	for _, c := range w.in.Starts(t) {
		k := w.number[c]
		if c.Func.Library || !w.acts[k] {
			continue
		}
		given := len(c.Func.Params) > 0 && t > 0 && c.Func.Params[0].ByVal == nil
		at := []pointsto.Location(nil)
		if given {
			at = w.places(c, c.Func.Params[0].Reg)
		}
		for _, first := range w.firsts(at) {
			s := &state{frames: []*frame{{copy: k, vars: map[int]value{}, regs: map[int]value{}}}, fresh: t == 0 && w.first}
			if given {
				if first.kind == carrier {
					first = w.carry(s, w.givenIn(first))
				}
				if first.kind == node || first.kind == carrier && s.carriers[first.n].holds.kind == node {
					s.has, s.units = shared, 1
				}
				s.top().set(c.Func.Params[0].Reg, first)
			}
			w.follow(s, t)
		}
	}
	for _, c := range w.in.Nodes(t) {
		if k := w.number[c]; w.why == "" && w.own[k] && !c.Func.Library && !w.entered[k] {
			w.missed = c.Func.Name // so far, perhaps
		}
	}
}

// firsts are what a thread may be given that is given an address: none of the followed object, that, or that of a carrier with one of these (n).
func (w *walk) firsts(at []pointsto.Location) []value {
	list := []value{{kind: neither}}
	if len(at) > 0 && !slices.ContainsFunc(at, func(l pointsto.Location) bool { return !w.form.carriers.objects[l.Obj] }) {
		list = []value{zero} // if it is no carrier, it is none of them
	}
	if w.toObject(at) {
		list = append(list, value{node, 0, w.offsetIn(at)})
	}
	if w.toCarrier(at) {
		list = append(list, value{kind: carrier, n: 0}, value{kind: carrier, n: 1}, value{kind: carrier, n: 2})
	}
	return list
}

// givenIn returns what the carrier holds that a thread is given.
func (w *walk) givenIn(first value) value {
	var at []pointsto.Location
	for o := range w.form.carriers.objects {
		at = append(at, w.pts.Contents(o, w.form.carriers.field)...)
	}
	return []value{zero, {kind: other}, {node, 0, w.offsetIn(at)}}[first.n]
}

// offsetIn returns the offset of all those of some places that are in objects.
func (w *walk) offsetIn(at []pointsto.Location) int64 {
	off, first := somewhere, true
	for _, l := range at {
		switch {
		case !w.form.objects[l.Obj]:
		case !l.Exact() || !first && l.Off != off:
			return somewhere
		default:
			off, first = l.Off, false
		}
	}
	return off
}

// follow follows a thread from a state on.
func (w *walk) follow(from *state, t int) {
	known := map[string]bool{}
	work := []*state{from}
	for len(work) > 0 && w.why == "" {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		ch := &choice{}
		for more := true; more && w.why == ""; more = ch.next() {
			w.budget--
			if w.steps++; w.steps > maxSteps || w.budget < 0 {
				w.no("it takes too long", nil)
				return
			}
			y := s.copied()
			w.entered[y.top().copy] = true
			w.step(y, ch)
			if ch.dead || w.why != "" {
				continue
			}
			if len(y.frames) == 0 {
				if t != 0 {
					w.ends(y, nil)
				}
				continue
			}
			if len(ch.of) > 0 || y.top().next == 0 {
				y.tidy()
				key := y.text()
				if known[key] {
					continue
				}
				known[key] = true
			}
			work = append(work, y)
		}
	}
}

// ends is the end of a thread: references that it has left would be lost, and might be so many that the counter begins anew.
func (w *walk) ends(s *state, at cir.Located) {
	switch {
	case s.has == shared && s.units > 0 || s.inLock:
		w.no("a thread ends that holds a reference", at)
	case slices.Contains(s.locked[:], true): // what its cells hold, who is alone later would find there
		w.no("a thread ends that holds the lock of a container", at)
	}
}

// step is the next instruction of a thread.
func (w *walk) step(s *state, ch *choice) {
	f := s.top()
	c := w.copies[f.copy]
	b := c.Func.Blocks[f.block]
	var at cir.Located = b.Term
	if f.next < len(b.Instrs) {
		at = b.Instrs[f.next]
	}
	w.proof.met[place{c, at}] = true
	if call, ok := at.(*cir.Call); ok {
		w.proof.calls[call] = true
	}
	if single := w.single[place{c, at}]; single != s.single {
		s.single = single // alone is as good as all locks
		for k := range w.form.locks {
			switch {
			case single && !s.open[k] && s.fresh:
				w.takeIn(s, k, w.beginnings(k), ch)
			case single && !s.open[k]:
				w.take(s, k, ch)
			case !single && s.open[k] && !s.locked[k]:
				w.give(s, k, at)
			}
			if ch.dead || w.why != "" {
				return
			}
		}
	}
	s.fresh = false
	if f.next == len(b.Instrs) {
		w.leave(s, b.Term, ch)
		return
	}
	f.next++
	w.instr(s, b.Instrs[f.next-1], ch)
}

// leave is the end of a block.
func (w *walk) leave(s *state, t cir.Term, ch *choice) {
	f := s.top()
	fn := w.copies[f.copy].Func
	var to *cir.Block
	var args []cir.Value
	switch t := t.(type) {
	case *cir.Jump:
		to, args = t.To, t.Args
	case *cir.Branch:
		yes, known := truth(w.value(s, t.Cond, ch))
		if !known {
			yes = ch.pick(2) == 0
		}
		if to, args = t.Then, t.ThenArgs; !yes {
			to, args = t.Else, t.ElseArgs
		}
	case *cir.Switch:
		v := w.value(s, t.X, ch)
		var ways []*cir.Block
		for _, k := range t.Cases {
			if v.kind != number || k.Has(v.n) {
				ways = append(ways, k.To)
			}
		}
		if v.kind != number || len(ways) == 0 {
			ways = append(ways, t.Default)
		}
		to = ways[ch.pick(len(ways))]
	case *cir.Return:
		v := value{}
		if t.X != nil && fn.Result.Shape == nil {
			if v = w.value(s, t.X, ch); v.kind == within && len(s.frames) == 1 { // to who waits for its end
				w.no("a thread returns an inner object", t)
			}
		} else if t.X != nil && (w.concerns(w.places(w.copies[f.copy], t.X)) || w.toCells(w.places(w.copies[f.copy], t.X), -1)) {
			w.no("a struct is returned out of an object", t)
		}
		if s.frames = s.frames[:len(s.frames)-1]; len(s.frames) > 0 {
			s.top().set(f.result, v)
		}
		return
	case *cir.IndirectJump:
		w.no("a computed goto", t)
	}
	if to == nil {
		ch.dead = true
		return
	}
	var vs []value
	for _, a := range args {
		vs = append(vs, w.value(s, a, ch))
	}
	kept := w.crosses(fn)
	for r := range f.regs {
		if !kept[r] {
			delete(f.regs, r)
		}
	}
	for i, p := range to.Params {
		f.set(p, vs[i])
	}
	f.block, f.next = to.Index, 0
}

// truth reports whether a value is not 0, and whether that is known.
func truth(v value) (yes, known bool) {
	switch v.kind {
	case number:
		return v.n != 0, true
	case node, within, other, carrier:
		return true, true
	case least:
		return true, v.n > 0
	case more:
		return true, v.off > 0
	}
	return false, false
}

// String describes a form for who looks for mistakes.
func (f form) String() string {
	return fmt.Sprintf("counter at %d, lock at %d, outer lock %d, %d locks, %d cells, %d carriers, row %v", f.off, f.own, f.outer, len(f.locks), len(f.cells), len(f.carriers.objects), f.row)
}
