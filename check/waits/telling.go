package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// phase is a set of what a thread may have done about a flag.
type phase uint8

const (
	unset     phase = 1 << iota // it has not set it
	set                         // it has set it, and not told so
	signalled                   // it has told so, or created the thread that does
	// phases is how many there are.
	phases = 3
)

// telling is the analysis of what the thread that sets the flag of a condition variable, its owner, has done about it.
type telling struct {
	*finder
	x     *condition
	flag  flag
	owner *class
	gift  *gift // how the owners of many flags were given the objects; nil: there is one flag
	edges []Edge

	// What follows is of one thread: of the owner, or of main, which owes the flag until it has created the owner.
	of     *class
	rel    map[pointsto.Copy][phases]phase // what may be when a copy returns, for each phase that it may be called in
	entry  map[pointsto.Copy]phase         // in which it may be called
	final  bool
	err    error
	change bool
}

// analyse returns what stands behind the flag, as its owner may owe that where it waits. The error says why the owner need not tell.
func (t *telling) analyse() ([]Edge, error) {
	if err := t.byOthers(); err != nil {
		return nil, err
	}
	if err := t.thread(t.h.classes[0]); err != nil {
		return nil, err
	}
	if t.owner.main {
		return t.edges, nil
	}
	if err := t.createdByMain(); err != nil {
		return nil, err
	}
	return t.edges, t.thread(t.owner)
}

// createdByMain returns an error unless the owner is one thread, that nobody but main creates.
func (t *telling) createdByMain() error {
	for _, c := range t.h.runs {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				for _, k := range t.h.runners[c] {
					if !k.main && t.creates(c, in) {
						return fail(in, "who sets the flag of a condition variable is not created by main")
					}
				}
			}
		}
	}
	if !t.h.isOne(t.owner) {
		return &Error{nil, "there may be more than one thread that sets the flag of a condition variable"}
	}
	return nil
}

// creates reports whether an instruction creates the owner.
func (t *telling) creates(c pointsto.Copy, in cir.Instr) bool {
	i, ok := in.(*cir.Intrinsic)
	if !ok || i.Op != cir.ThreadCreate || t.owner.main {
		return false
	}
	places := t.h.pts.Places(c.Func, c.Ctx, i.Args[1])
	return len(places) == 1 && places[0].Obj.ID == t.owner.element.Object
}

// thread goes over all that a thread runs.
func (t *telling) thread(k *class) error {
	t.of, t.final, t.rel, t.entry = k, false, map[pointsto.Copy][phases]phase{}, map[pointsto.Copy]phase{}
	for _, r := range k.roots {
		t.entry[r] = unset
		if k.main && r.Func != t.h.prog.Entry && !slices.Contains(t.h.prog.Constructors, r.Func) {
			t.entry[r] = unset | set | signalled
		}
	}
	var copies []pointsto.Copy
	for _, c := range t.h.runs {
		if slices.Contains(t.h.runners[c], k) {
			copies = append(copies, c)
		}
	}
	for t.change = true; t.change; {
		t.change = false
		for _, c := range copies {
			if err := t.h.ctx.Err(); err != nil {
				return err
			}
			t.copy(c)
		}
	}
	t.final = true
	for _, c := range copies {
		if t.copy(c); t.err != nil {
			return t.err
		}
	}
	return nil
}

// byOthers returns an error if another thread than main and the owner may write the flag, but numbers that are not 0.
func (t *telling) byOthers() error {
	for _, w := range t.writes[t.flag.at.Obj] {
		if !t.touches(w) || t.sets(w) {
			continue
		}
		for _, k := range t.h.runners[w.by] {
			if !k.main && k != t.owner {
				return fail(w.in, "the flag of a condition variable may be reset")
			}
		}
	}
	return nil
}

// touches reports whether the flag may be written.
func (t *telling) touches(w write) bool {
	return !w.begun && (w.whole || w.at.Touches(w.size, t.flag.at, t.flag.size))
}

// sets reports whether the flag is set to a number that is not 0, as a whole.
func (t *telling) sets(w write) bool {
	s, ok := w.in.(*cir.Store)
	if !ok || s.Bits != nil || w.whole || w.at != t.flag.at {
		return false
	}
	n, ok := s.X.(cir.Int)
	return ok && (n.Lo != 0 || n.Hi != 0) && t.h.sizeOf(s.Type) == t.flag.size
}

// copy goes over a copy, in each phase that it may be called in.
func (t *telling) copy(c pointsto.Copy) {
	f := c.Func
	at := make([][phases]phase, len(f.Blocks))
	come := make([]bool, len(f.Blocks))
	for i := range phases {
		at[0][i] = t.entry[c] & (1 << i)
	}
	if t.entry[c] == 0 {
		return
	}
	come[0] = true
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !t.h.pts.Comes(f, b) {
			continue
		}
		if now := all(at[b.Index]); t.final && t.h.endless[c][b] && now&(unset|set) != 0 {
			t.fails(first(b), "a thread may run for ever here without having told that the flag of a condition variable is set")
		}
		now, through := t.block(c, b, at[b.Index])
		if !through {
			continue
		}
		if _, returns := b.Term.(*cir.Return); returns {
			t.returns(c, now)
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !t.h.pts.Goes(f, b, to) {
				return
			}
			old := at[to.Index]
			for i := range phases {
				at[to.Index][i] |= now[i]
			}
			if !come[to.Index] || at[to.Index] != old {
				come[to.Index] = true
				work = append(work, to)
			}
		})
	}
}

func all(now [phases]phase) (p phase) {
	for _, q := range now {
		p |= q
	}
	return p
}

func (t *telling) fails(in cir.Located, text string) {
	if t.err == nil {
		t.err = fail(in, "%s", text)
	}
}

func (t *telling) returns(c pointsto.Copy, now [phases]phase) {
	sum := t.rel[c]
	for i := range phases {
		sum[i] |= now[i]
	}
	if sum != t.rel[c] {
		t.rel[c], t.change = sum, true
	}
}

// block carries phases over a block. through is false if control does not get to its end.
func (t *telling) block(c pointsto.Copy, b *cir.Block, now [phases]phase) (out [phases]phase, through bool) {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *cir.Call:
			if now, through = t.call(c, in, now); !through {
				return now, false
			}
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit && all(now)&(unset|set) != 0 && t.final {
				t.fails(in, "a thread may end without having told that the flag of a condition variable is set")
			}
			if in.Op == cir.ThreadExit || in.Op == cir.Stop || in.Op == cir.Trap {
				return now, false
			}
			if in.Op == cir.ThreadCreate && slices.ContainsFunc(t.h.pts.Places(c.Func, c.Ctx, in.Args[1]), func(l pointsto.Location) bool { return isSingle(l.Obj) }) {
				return now, false // that is there only where any number of threads are asked about
			}
			if t.of.main && t.creates(c, in) {
				now = move(now, unset|set, signalled)
			}
		}
		now = t.writesOf(c, in, now)
	}
	return now, true
}

// writesOf carries phases over what an instruction writes by itself.
func (t *telling) writesOf(c pointsto.Copy, in cir.Instr, now [phases]phase) [phases]phase {
	for _, w := range t.writes[t.flag.at.Obj] {
		if w.in != in || w.by != c || !t.touches(w) {
			continue
		}
		switch {
		case t.gift != nil: // nobody resets it (resetNever)
			if s, ok := in.(*cir.Store); ok && t.sets(w) && t.certain(c, in) && t.setsOwn(c, s) {
				now = move(now, unset, set)
			}
		case !t.sets(w):
			if t.final && all(now)&(set|signalled) != 0 {
				t.fails(in, "the flag of a condition variable may be reset")
			}
		case t.of == t.owner && t.h.owns(c, t.x.mutex)[in] && t.certain(c, in):
			now = move(now, unset, set)
		}
	}
	return now
}

// certain reports whether a store is to the flag in any case.
func (t *telling) certain(c pointsto.Copy, in cir.Instr) bool {
	return slices.Equal(t.h.pts.Places(c.Func, c.Ctx, in.(*cir.Store).Addr), []pointsto.Location{t.flag.at})
}

// move takes what is in one phase to another one.
func move(now [phases]phase, from, to phase) [phases]phase {
	for i := range now {
		if now[i]&from != 0 {
			now[i] = now[i]&^from | to
		}
	}
	return now
}

// call carries phases over a call.
func (t *telling) call(c pointsto.Copy, in *cir.Call, now [phases]phase) (out [phases]phase, through bool) {
	x, err := t.h.callees(c, in)
	if err != nil {
		t.err = err
		return now, false
	}
	if t.final && all(now)&(unset|set) != 0 {
		for _, e := range t.awaited[callIn{c, in}] {
			t.edges = append(t.edges, Edge{t.element(t.x), e, in.Site})
		}
	}
	if len(x.known) == 1 {
		op := x.known[0]
		if op.does == destroys && t.final && all(now)&(unset|set) != 0 && t.mayBe(c, in, op) {
			t.fails(in, "a condition variable may be destroyed while a thread waits for it")
		}
		if op.does == wakes || op.does == signals && t.x.single {
			if n, err := t.h.sets.of(t.h.program, c, in, in.Args[op.cond].X); err == nil && n == t.x.set && t.of == t.owner && (t.gift == nil || t.gift.isOwn(c, in.Args[op.cond].X, 0)) {
				now = move(now, set, signalled)
			}
		}
		if op.does != onceOnly {
			return now, true
		}
	}
	if x.outside || len(x.to) == 0 && in.Returns || len(x.known) > 0 {
		out, through = now, true
	}
	for _, y := range x.to {
		if came := all(now); t.entry[y]|came != t.entry[y] {
			t.entry[y] |= came
			t.change = true
		}
		for i := range phases {
			for k := range phases {
				if now[i]&(1<<k) != 0 {
					out[i] |= t.rel[y][k]
				}
			}
			through = through || out[i] != 0
		}
	}
	return out, through
}

// mayBe reports whether an operation may be one of the condition variable.
func (t *telling) mayBe(c pointsto.Copy, in *cir.Call, op *operation) bool {
	n, err := t.h.sets.of(t.h.program, c, in, in.Args[op.cond].X)
	return err != nil || slices.Contains(t.h.sets.list[n], t.h.sets.list[t.x.set][0])
}

// owns returns the stores of a copy that are made while the thread holds a mutex, one, in any case: it was taken in the function, and nothing was called since that may give it
// back.
func (h *holding) owns(c pointsto.Copy, mutex int) map[cir.Instr]bool {
	f := c.Func
	out := map[cir.Instr]bool{}
	at := make([]int, len(f.Blocks)) // 1: held on all ways there, 2: not on all
	at[0] = 2
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		held := at[b.Index] == 1
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				out[in] = held
			case *cir.Call:
				held = h.keeps(c, in, mutex, held)
			}
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			now := 2
			if held {
				now = 1
			}
			if now > at[to.Index] {
				at[to.Index] = now
				work = append(work, to)
			}
		})
	}
	return out
}

// keeps reports whether a mutex, one, is held in any case behind a call.
func (h *holding) keeps(c pointsto.Copy, in *cir.Call, mutex int, held bool) bool {
	x, err := h.callees(c, in)
	if err != nil || len(x.to) > 0 {
		return false
	}
	if len(x.known) == 0 || x.known[0].lock < 0 {
		return held
	}
	set, err := h.sets.of(h.program, c, in, in.Args[x.known[0].lock].X)
	if err != nil {
		return false
	}
	switch x.known[0].does {
	case takes:
		return held || set == mutex
	case gives, begins:
		return held && !slices.Contains(h.sets.list[set], h.sets.list[mutex][0])
	}
	return held
}
