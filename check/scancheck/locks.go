package scancheck

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"comus/check/anew"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// activation is a copy of a function as it is called with some locks held, and what is claimed of it. What cannot be confirmed is taken out.
type activation struct {
	index  int
	copy   pointsto.Copy
	entry  []lock
	blocks []claim
	exit   claim
	to     map[cir.Located][]*activation
	from   map[*activation]bool
	queued bool
}

// claim is what is claimed of a point: never means that control does not get there.
type claim struct {
	never bool
	held  []lock
	cells map[int]name
	owned map[string]bool
	// exprs are not claimed, but found: control has reached the point with each of them.
	reached bool
	exprs   map[expr]name
}

// locks verifies what is claimed of which locks are held.
type locks struct {
	*program
	all     []*activation
	of      map[int][]*activation // by the number of their copy
	roots   map[int]bool          // copies that are called with nothing held
	bare    map[int]bool          // copies that may be called in ways of which nothing is claimed
	queue   []*activation
	refuse  func(format string, args ...any)
	globals map[string]*cir.Global
	// sites are where locks are; gives what of it copies may give back, or write to, their callees included; robust tells that a
	// mutex may not be held though it was locked.
	sites       map[*pointsto.Object][]pointsto.Location
	sizes       map[pointsto.Location]int64
	gives       map[int]places
	robust      bool
	backsOf     map[int][]int
	branches    *branches
	semaphores  *semaphores // once all claims are looked at
	closings    *closings   // once they are asked for
	plainLocals map[*cir.Func]map[*cir.Local]bool
	fresh       anew.Funcs
	crossing    map[*cir.Func]map[int]bool                    // registers that are used in other blocks than their own
	seen        func(a *activation, in cir.Located, s *state) // of what is confirmed
}

// newLocks reads the claims. The error is one of the form.
func newLocks(p *program, c *certificate.Certificate, refuse func(string, ...any)) (*locks, error) {
	x := &locks{program: p, of: map[int][]*activation{}, roots: map[int]bool{}, bare: map[int]bool{}, refuse: refuse, globals: map[string]*cir.Global{},
		backsOf: map[int][]int{}, plainLocals: map[*cir.Func]map[*cir.Local]bool{}, crossing: map[*cir.Func]map[int]bool{}}
	for _, g := range p.prog.Globals {
		x.globals[g.Name] = g
	}
	for i := range c.Activations {
		y := &c.Activations[i]
		if y.Copy < 0 || y.Copy >= len(p.copies) || p.copies[y.Copy].Func.Library || len(y.Blocks) != len(p.copies[y.Copy].Func.Blocks) {
			return nil, fmt.Errorf("activation %d: no such function", i)
		}
		a := &activation{index: i, copy: p.copies[y.Copy], to: map[cir.Located][]*activation{}, from: map[*activation]bool{}}
		var err error
		if a.entry, err = x.read(y.Entry); err != nil {
			return nil, err
		}
		for _, s := range append(slices.Clone(y.Blocks), y.Exit) {
			k := claim{never: s.Never, cells: map[int]name{}, owned: map[string]bool{}}
			if k.held, err = x.read(s.Held); err != nil {
				return nil, err
			}
			for _, h := range s.Cells {
				k.cells[h.Local] = h.Is
			}
			for _, b := range s.Owned {
				k.owned[b] = true
			}
			a.blocks = append(a.blocks, k)
		}
		a.exit, a.blocks = a.blocks[len(y.Blocks)], a.blocks[:len(y.Blocks)]
		x.all = append(x.all, a)
		x.of[y.Copy] = append(x.of[y.Copy], a)
	}
	for i := range c.Activations {
		if err := x.connect(x.all[i], c.Activations[i].Calls); err != nil {
			return nil, err
		}
	}
	x.findSites()
	x.findGives()
	x.findRoots()
	return x, nil
}

// connect reads which activations the calls of another one get to.
func (x *locks) connect(a *activation, calls []certificate.Calls) error {
	for _, k := range calls {
		bs := a.copy.Func.Blocks
		if k.Block < 0 || k.Block >= len(bs) || k.Instr < 0 || k.Instr >= len(bs[k.Block].Instrs) {
			return fmt.Errorf("activation %d: no call at %d:%d", a.index, k.Block, k.Instr)
		}
		in := bs[k.Block].Instrs[k.Instr]
		for _, to := range k.To {
			if to < 0 || to >= len(x.all) {
				return fmt.Errorf("activation %d calls activation %d", a.index, to)
			}
			a.to[in] = append(a.to[in], x.all[to])
			x.all[to].from[a] = true
		}
	}
	return nil
}

func (x *locks) read(ls []certificate.Lock) (list []lock, err error) {
	for _, l := range ls {
		at, err := x.readAt(l.At)
		if err != nil {
			return nil, err
		}
		list = append(list, lock{slices.Clone(l.Names), at, l.Reading})
	}
	return list, nil
}

func (x *locks) readAt(as []certificate.At) (list []pointsto.Location, err error) {
	for _, p := range as {
		if p.Object < 0 || p.Object >= len(x.pts.Objects) {
			return nil, fmt.Errorf("object %d of %d", p.Object, len(x.pts.Objects))
		}
		list = append(list, pointsto.Location{Obj: x.pts.Objects[p.Object], Off: p.Off})
	}
	return list, nil
}

// check verifies all claims until those that are left are confirmed.
func (x *locks) check() {
	for _, a := range x.all {
		x.enqueue(a)
	}
	for len(x.queue) > 0 {
		a := x.queue[0]
		x.queue = x.queue[1:]
		a.queued = false
		for again := true; again; {
			again = x.walk(a)
		}
	}
	x.spreadBare()
	x.findSemaphores()
}

func (x *locks) enqueue(a *activation) {
	if !a.queued {
		a.queued = true
		x.queue = append(x.queue, a)
	}
}

// walk carries the claims of an activation through its blocks. It reports whether some of its own had to go.
func (x *locks) walk(a *activation) (again bool) {
	f := a.copy.Func
	first := newState(f)
	first.held = slices.Clone(a.entry)
	if f.Atomic {
		first.take(x.atomic())
	}
	x.ownLocals(first)
	again = x.arrives(a, first, f.Blocks[0], nil)
	for i, b := range f.Blocks {
		if a.blocks[i].never {
			continue
		}
		s := newState(f)
		s.held = slices.Clone(a.blocks[i].held)
		for c, n := range a.blocks[i].cells {
			s.cells[c] = n
		}
		for o := range a.blocks[i].owned {
			s.owned[o] = true
		}
		maps.Copy(s.exprs, a.blocks[i].exprs)
		if x.through(a, b, s) {
			again = x.leaves(a, b, s) || again
		}
	}
	return again
}

// through carries what is known through a block. It reports whether control gets to its end.
func (x *locks) through(a *activation, b *cir.Block, s *state) bool {
	for _, in := range b.Instrs {
		if x.seen != nil {
			x.seen(a, in, s)
		}
		if !x.step(a, in, s) {
			return false
		}
	}
	if x.seen != nil {
		x.seen(a, b.Term, s)
	}
	return true
}

// leaves verifies what is claimed of where control goes on.
func (x *locks) leaves(a *activation, b *cir.Block, s *state) (again bool) {
	if r, ok := b.Term.(*cir.Return); ok {
		x.returns(a, r, s)
		return false
	}
	n := 0
	cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
		if !x.branches.never(x.number[a.copy], b, n) {
			again = x.arrives(a, s.branch(b.Term, n), to, args) || again
		}
		n++
	})
	return again
}

// arrives verifies the claims of a block where control comes from another one. It reports whether some had to go.
func (x *locks) arrives(a *activation, s *state, b *cir.Block, args []cir.Value) (changed bool) {
	c := &a.blocks[b.Index]
	if c.never {
		c.never, c.held, c.cells, c.owned = false, nil, map[int]name{}, map[string]bool{}
		x.refuse("%s, activation %d: control gets to block %d", a.copy.Func.Name, a.index, b.Index)
		return true
	}
	then := x.renaming(s, b, args)
	for l, n := range c.cells {
		if l < 0 || l >= len(s.fn.Locals) || !x.followed(s.fn)[s.fn.Locals[l]] {
			delete(c.cells, l) // how others follow it is not known here
			changed = true
			continue
		}
		if n == (name{Base: fmt.Sprintf("meet:%d:%d", b.Index, l)}) {
			continue // that is what the name means
		}
		now, known := s.cells[l]
		if was := then(n); !known || len(was) == 0 || was[0] != now {
			x.refuse("%s, activation %d: what local %d holds at block %d", a.copy.Func.Name, a.index, l, b.Index)
			delete(c.cells, l)
			changed = true
		}
	}
	held, less := x.confirm(c.held, s.held, then, func() string {
		return fmt.Sprintf("%s, activation %d: held at block %d", a.copy.Func.Name, a.index, b.Index)
	})
	c.held = held
	for o := range c.owned {
		if !x.stillOwned(c, s, b, args, o) {
			x.refuse("%s, activation %d: %s is owned at block %d", a.copy.Func.Name, a.index, o, b.Index)
			delete(c.owned, o)
			changed = true
		}
	}
	return c.arrive(s, b) || changed || less
}

// renaming returns what names at the beginning of a block meant before it.
func (x *locks) renaming(s *state, b *cir.Block, args []cir.Value) func(name) []name {
	return func(n name) []name {
		kind, of, at := cut(n.Base)
		switch kind {
		case "meet":
			if of != fmt.Sprint(b.Index) {
				return []name{n}
			}
			l, err := strconv.Atoi(at)
			if c, known := s.cells[l]; err == nil && known {
				return []name{{Base: c.Base, Off: c.Off + n.Off}}
			}
			return nil
		case "reg":
			for i, p := range b.Params {
				if n.Base != fresh(p).Base {
					continue
				}
				if i < len(args) {
					if v, ok := s.value(args[i]); ok {
						return []name{{Base: v.Base, Off: v.Off + n.Off}}
					}
				}
				return nil
			}
		}
		return []name{n}
	}
}

// cut returns the parts of a symbol's name; that of a global is not cut.
func cut(base string) (kind, of, at string) {
	kind, of, _ = strings.Cut(base, ":")
	if kind == "meet" {
		of, at, _ = strings.Cut(of, ":")
	}
	return kind, of, at
}

// confirm returns what of claimed locks is held, given what their names meant before, and whether that is less.
func (x *locks) confirm(claimed, held []lock, then func(name) []name, where func() string) (out []lock, less bool) {
	for _, l := range claimed {
		var best []name
		for _, m := range held {
			if m.reading && !l.reading || len(l.at) > 0 && !within(m.at, l.at) {
				continue
			}
			var names []name
			for _, n := range l.names {
				if slices.ContainsFunc(then(n), m.is) {
					names = append(names, n)
				}
			}
			if len(names) > len(best) {
				best = names
			}
		}
		if len(best) < len(l.names) {
			less = true
			x.refuse("%s: %v", where(), l.names)
		}
		if l.names = best; len(best) > 0 {
			out = append(out, l)
		}
	}
	return out, less
}

// within reports whether some places are among others; nothing stands for all.
func within(at, of []pointsto.Location) bool {
	return len(at) > 0 && !slices.ContainsFunc(at, func(l pointsto.Location) bool { return !slices.Contains(of, l) })
}

// returns verifies the claims of an activation's end.
func (x *locks) returns(a *activation, r *cir.Return, s *state) {
	if a.exit.never {
		a.exit = claim{}
		x.refuse("%s, activation %d: it returns", a.copy.Func.Name, a.index)
		x.again(a)
		return
	}
	if a.copy.Func.Atomic {
		s.drop(func(l *lock) bool { return l.is(name{Base: "atomic"}) })
	}
	value, known := name{}, false
	if r.X != nil && a.copy.Func.Result.Shape == nil {
		value, known = s.value(r.X)
	}
	then := func(n name) []name {
		switch kind, _, _ := cut(n.Base); {
		case kind == "result" && known && value.Base != "":
			return []name{{Base: value.Base, Off: value.Off + n.Off}}
		case kind == "param" || isShared(kind):
			return []name{n}
		}
		return nil
	}
	held, less := x.confirm(a.exit.held, s.held, then, func() string { return fmt.Sprintf("%s, activation %d: held at its end", a.copy.Func.Name, a.index) })
	a.exit.held = held
	if less {
		x.again(a)
	}
}

// again lets the callers of an activation be looked at again.
func (x *locks) again(a *activation) {
	for b := range a.from {
		x.enqueue(b)
	}
}

// isShared reports whether symbols of a kind mean the same in all functions of a thread.
func isShared(kind string) bool { return kind == "global" || kind == "object" || kind == "atomic" }

// closed reports whether a name means the same in all threads.
func (x *locks) closed(n name) bool {
	kind, of, _ := cut(n.Base)
	if kind == "global" {
		return x.globals[of] != nil && !x.globals[of].ThreadLocal
	}
	return isShared(kind)
}

// snapshot is what is known at a call, with the names of its arguments.
type snapshot struct {
	held []lock
	args [][]name
}

func (s *state) snapshot(x *locks, c pointsto.Copy, in *cir.Call) snapshot {
	b := snapshot{held: s.held}
	for _, arg := range in.Args {
		var names []name
		if arg.ByVal == nil {
			names, _ = x.operand(c, s, arg.X)
		}
		b.args = append(b.args, names)
	}
	return b
}

// enters verifies the claims of the beginning of what a call gets to, and returns what is claimed of its end.
func (x *locks) enters(a *activation, in *cir.Call, m int, before snapshot) (held []lock, comes bool) {
	f := x.copies[m].Func
	then := func(n name) (out []name) {
		kind, of, _ := cut(n.Base)
		if isShared(kind) {
			return []name{n}
		}
		for i, names := range before.args {
			if kind != "param" || of != fmt.Sprint(i) || i >= len(f.Params) || f.Params[i].ByVal != nil {
				continue
			}
			for _, k := range names {
				out = append(out, name{Base: k.Base, Off: k.Off + n.Off})
			}
		}
		return out
	}
	var to *activation
	for _, b := range a.to[in] {
		if x.number[b.copy] != m {
			continue
		}
		x.begins(b, before.held, then)
		if to == nil {
			to = b
		}
	}
	if to == nil {
		x.nothing(m, fmt.Sprintf("%s, activation %d: nothing is claimed of %s, called at %s", a.copy.Func.Name, a.index, f.Name, position(in)))
		return nil, true
	}
	if to.exit.never {
		return nil, false
	}
	for _, l := range to.exit.held {
		var names []name
		for _, n := range l.names {
			if n.Base == "result" {
				names = append(names, n)
			}
			names = append(names, then(n)...)
		}
		if len(names) > 0 {
			held = append(held, lock{names, l.at, l.reading})
		}
	}
	return held, true
}

// named puts the register that a call's result is in into the names of what is held afterwards.
func (x *locks) named(held []lock, in *cir.Call) []lock {
	if in.Dst != nil {
		held = unnamed(held, fresh(in.Dst).Base)
	}
	for i := range held {
		var names []name
		for _, n := range held[i].names {
			if n.Base == "result" && in.Dst == nil {
				continue
			}
			if n.Base == "result" {
				n.Base = fresh(in.Dst).Base
			}
			names = append(names, n)
		}
		held[i].names = names
	}
	return held
}

// begins verifies the claims of an activation's beginning.
func (x *locks) begins(b *activation, held []lock, then func(name) []name) {
	entry, less := x.confirm(b.entry, held, then, func() string {
		return fmt.Sprintf("%s, activation %d: held at its beginning", b.copy.Func.Name, b.index)
	})
	if b.entry = entry; less {
		x.enqueue(b)
	}
}

// entersBack verifies the claims of what the library calls back.
func (x *locks) entersBack(a *activation, in *cir.Call, m int, s *state) {
	found := false
	for _, b := range a.to[in] {
		if x.number[b.copy] == m {
			found = true
			x.begins(b, s.held, func(n name) []name {
				if kind, _, _ := cut(n.Base); isShared(kind) {
					return []name{n}
				}
				return nil
			})
		}
	}
	if !found {
		x.nothing(m, fmt.Sprintf("%s, activation %d: nothing is claimed of %s, which the library calls back at %s", a.copy.Func.Name, a.index, x.copies[m].Func.Name, position(in)))
	}
}

// nothing notes that nothing is claimed of how a copy is called.
func (x *locks) nothing(m int, why string) {
	if !x.bare[m] {
		x.bare[m] = true
		x.refuse("%s", why)
	}
}

// spreadBare spreads to callees that nothing is claimed of how a copy is called.
func (x *locks) spreadBare() {
	var work []int
	for _, m := range slices.Sorted(maps.Keys(x.roots)) {
		if x.rootOf(m) == nil {
			x.nothing(m, fmt.Sprintf("nothing is claimed of %s, called with nothing held", x.copies[m].Func.Name))
		}
	}
	for m := range x.bare {
		work = append(work, m)
	}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range x.copies[m].Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, k := range x.callees(m, call).to {
					ks := []int{k}
					if x.copies[k].Func.Library {
						ks = x.backs(k)
					}
					for _, k := range ks {
						if !x.bare[k] {
							x.bare[k] = true
							work = append(work, k)
						}
					}
				}
			}
		}
	}
}

// rootOf returns the activation of a copy that is called with nothing held, nil if there is none.
func (x *locks) rootOf(m int) *activation {
	for _, a := range x.of[m] {
		if len(a.entry) == 0 {
			return a
		}
	}
	return nil
}
