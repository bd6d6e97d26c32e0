package waits

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A thread that waits for a condition variable waits for a signal, which may never come. There is an argument where it waits for a flag, too, that one thread sets in any case, its owner: main, or
// one that main creates:
//
//	lock(m); while (empty && !closed) wait(c, m); … unlock(m);        lock(m); closed = 1; broadcast(c); unlock(m);
//
//   - Whoever waits has read, holding m and without giving it back in between, that the flag is 0.
//   - The owner sets the flag while it holds m, and then, before or after giving m back, wakes all that wait for c. From then on it never writes the flag again, but numbers that are not 0; nor does
//     anybody else at any time, but main before it creates the owner. All are one object each: one flag, one mutex, one condition variable.
//
// So as soon as the owner has told, nobody waits: who had read 0 before the flag was set was waiting when all were woken, and who reads the flag later reads no 0. Until then the owner owes the
// flag, and main until it has created the owner: it stands before all that they may wait for until then; and they do not end before, but with the program.
//
// A signal wakes one thread only, so it will do where one thread only ever waits for c.

// flag is a number in memory, one object.
type flag struct {
	at   pointsto.Location
	size int64
}

// condition is a condition variable that threads wait for.
type condition struct {
	set   int // one
	mutex int
	waits []callIn
	// flags are those that have been read as 0 by whoever waits.
	flags []flag
	// many are the flags, if the condition variable is one of many; mutex is -1 then.
	many []many
	// single tells that one thread only ever waits for it.
	single bool
}

// element is what who waits for it waits for.
func (f *finder) element(x *condition) Element {
	e := f.h.sets.list[x.set][0]
	return Element{Flag, e.Object, e.Off}
}

// sleeper notes a wait for a condition variable.
func (f *finder) sleeper(c pointsto.Copy, in *cir.Call, op *operation, vs values) (Element, error) {
	set, err := f.h.sets.of(f.h.program, c, in, in.Args[op.cond].X)
	if err != nil {
		return Element{}, err
	}
	mutex, _, err := f.h.lockOf(c, in, op, vs)
	if err != nil {
		return Element{}, err
	}
	if !f.h.sets.exact(set) || !f.h.sets.exact(mutex) {
		if e, ok := f.sleeperOfMany(c, in, op, set, vs); ok {
			return e, nil
		}
		return Element{}, fail(in, "which condition variable is waited for is not known, or which mutex with it")
	}
	e := f.h.sets.list[set][0]
	f.h.sets.size[e] = sizeCond
	flags := slices.Clone(f.h.readZero(c)[in])
	slices.SortFunc(flags, func(x, y flag) int {
		return cmp.Or(cmp.Compare(x.at.Obj.ID, y.at.Obj.ID), cmp.Compare(x.at.Off, y.at.Off), cmp.Compare(x.size, y.size))
	})
	x := f.conditions[set]
	if x == nil {
		x = &condition{set: set, mutex: mutex, flags: flags}
		f.conditions[set] = x
	}
	if x.mutex != mutex {
		return Element{}, fail(in, "there is a wait for the condition variable with another mutex")
	}
	x.flags = slices.DeleteFunc(slices.Clone(x.flags), func(l flag) bool { return !slices.Contains(flags, l) })
	if at := (callIn{c, in}); !slices.Contains(x.waits, at) {
		x.waits = append(x.waits, at)
	}
	return f.element(x), nil
}

// readZero returns, for each call of a copy, which flags have been read as 0 on all ways there, and no other call was made since: one object each.
func (p *program) readZero(c pointsto.Copy) map[*cir.Call][]flag {
	if out, known := p.zeros[c]; known {
		return out
	}
	f, x := c.Func, p.function(c.Func)
	out := map[*cir.Call][]flag{}
	p.zeros[c] = out
	at := make([]map[flag]bool, len(f.Blocks))
	at[0] = map[flag]bool{}
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		now := map[flag]bool{}
		for l := range at[b.Index] {
			now[l] = true
		}
		for _, in := range b.Instrs {
			call, ok := in.(*cir.Call)
			if !ok {
				continue
			}
			out[call] = nil
			for l := range now {
				out[call] = append(out[call], l)
			}
			clear(now)
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			then := map[flag]bool{}
			for l := range now {
				then[l] = true
			}
			if l, ok := p.testedZero(c, x, b, to); ok {
				then[l] = true
			}
			switch old := at[to.Index]; {
			case old == nil:
				at[to.Index] = then
			default:
				n := len(old)
				for l := range old {
					if !then[l] {
						delete(old, l)
					}
				}
				if len(old) == n {
					return
				}
			}
			work = append(work, to)
		})
	}
	return out
}

// testedZero returns the flag that has been read as 0 where control goes from a block to another one, if it has been read in the block, and no call was made since.
func (p *program) testedZero(c pointsto.Copy, x *function, b, to *cir.Block) (flag, bool) {
	br, ok := b.Term.(*cir.Branch)
	if !ok {
		return flag{}, false
	}
	t, ok := x.tests[br]
	load, isLoad := t.in.(*cir.Load)
	if !ok || !isLoad || (to == br.Then) != t.zero || load.Bits != nil {
		return flag{}, false
	}
	for _, in := range b.Instrs[slices.Index(b.Instrs, cir.Instr(load)):] {
		if _, calls := in.(*cir.Call); calls {
			return flag{}, false
		}
	}
	places := p.pts.Places(c.Func, c.Ctx, load.Addr)
	if len(places) != 1 || !places[0].Exact() || !p.pts.Once(places[0].Obj) {
		return flag{}, false
	}
	return flag{places[0], p.sizeOf(load.Type)}, true
}

// flagged adds what main owes to those that wait for conditions.
func (f *finder) flagged() error {
	var list []*condition
	for _, x := range f.conditions {
		list = append(list, x)
	}
	slices.SortFunc(list, func(x, y *condition) int { return compare(f.element(x), f.element(y)) })
	for _, x := range list {
		if err := f.condition(x); err != nil {
			return err
		}
	}
	return nil
}

// condition adds what main owes to those that wait for one.
func (f *finder) condition(x *condition) error {
	if err := f.madeBefore(x); err != nil {
		return err
	}
	if x.mutex < 0 {
		return f.ofMany(x)
	}
	first := x.waits[0].call
	if len(x.flags) == 0 {
		return fail(first, "no flag is known that a wait for a condition variable ends with")
	}
	x.single = f.isSingle(x)
	var why error
	for _, l := range x.flags {
		for _, k := range f.h.classes {
			if k.handler {
				continue
			}
			t := &telling{finder: f, x: x, flag: l, owner: k}
			edges, err := t.analyse()
			if err == nil && !slices.ContainsFunc(edges, func(e Edge) bool { return f.circles(e) }) {
				for _, e := range edges {
					f.w.edge(e.Owed, e.Awaited, e.At)
				}
				return nil
			}
			if why == nil {
				why = err
			}
		}
	}
	if why == nil {
		why = fail(first, "whoever sets the flag that a wait for a condition variable ends with waits for those that wait for it")
	}
	return why
}

// circles reports whether an edge would close a circle.
func (f *finder) circles(e Edge) bool {
	seen := map[Element]bool{}
	work := []Element{e.Awaited}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == e.Owed {
			return true
		}
		for _, y := range f.w.Edges {
			if y.Owed == x && !seen[y.Awaited] {
				seen[y.Awaited] = true
				work = append(work, y.Awaited)
			}
		}
	}
	return false
}

// isSingle reports whether one thread only ever waits for a condition variable.
func (f *finder) isSingle(x *condition) bool {
	var only *class
	for _, c := range f.h.runs {
		for _, call := range f.h.callsOf(c) {
			y, err := f.h.callees(c, call)
			if err != nil || len(y.known) != 1 || y.known[0].does != sleeps && y.known[0].does != dozes {
				continue
			}
			set, err := f.h.sets.of(f.h.program, c, call, call.Args[y.known[0].cond].X)
			if err != nil {
				return false
			}
			if !slices.Contains(f.h.sets.list[set], f.h.sets.list[x.set][0]) {
				continue
			}
			for _, k := range f.h.runners[c] {
				if only != nil && only != k || !f.h.isOne(k) {
					return false
				}
				only = k
			}
		}
	}
	return true
}

// isOne reports whether there is never more than one thread of a class.
func (p *program) isOne(k *class) bool {
	return k.main || slices.ContainsFunc(p.pts.Objects, func(o *pointsto.Object) bool { return o.ID == k.element.Object && p.pts.Once(o) })
}

// madeBefore returns an error if a condition variable may be written, or made anew, while a thread waits for it: who waits is forgotten then. All that is written there is by main before the first thread is there, or by who has allocated it,
// before anybody else knows it.
func (f *finder) madeBefore(x *condition) error {
	e := f.h.sets.list[x.set][0]
	at := f.h.sets.at[e]
	created := f.h.mayHave(func(c pointsto.Copy, in cir.Instr) bool {
		return slices.ContainsFunc(f.h.classes, func(k *class) bool { return f.h.createsOf(k, c, in) })
	})
	for _, w := range f.writes[at.Obj] {
		switch {
		case !w.whole && !w.at.Touches(max(w.size, 1), at, sizeCond) && !(w.size < 0 && w.at.Touches(w.size, at, sizeCond)):
		case f.h.mainOnly(w.by) && !created.before(w.by, w.in):
		case w.zeros && !w.whole && w.by.Func.Library && w.by.Func.Source == "calloc" || f.isFresh(w):
		default:
			return fail(w.in, "%s may be written, or made anew, while a thread waits for it", f.h.sets.name(e))
		}
	}
	return nil
}
