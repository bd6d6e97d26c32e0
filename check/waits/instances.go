package waits

import (
	"cmp"
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// The argument of flags.go holds of many objects, too, each of which has a flag, a mutex and a condition variable of its own: futures, say. Each has an owner of its own, a thread that is created for it:
//
//   - Whoever waits has read the flag of the same object, and waits with its mutex: all three are as far from one pointer as everywhere.
//   - A pointer to an object gets to who waits only when a thread of a certain class has been created that is given the object, or a pointer to it in memory that nobody writes any more (given.go).
//   - Each thread of that class sets the flag of the object that it was given, while it holds its mutex, and then wakes all that wait, or one where one thread only ever waits (own.go).
//   - All that anybody else writes to the flag is numbers that are not 0, but for who has allocated the object, before anybody else knows it.
//
// So an object that a thread waits for has a thread that owes its flag. All these flags are one element. A thread that waits for one while it owes another one is no proof.

// many is a condition variable of each of many objects.
type many struct {
	object            *pointsto.Object
	cond, mutex, flag int64 // where they are in each
	size              int64 // of the flag
}

// bases are the beginnings of names by which the three are told to be in one object: a parameter, or a local of which the value is followed.
func isBase(n name) bool {
	return n.base != "" && n.base != "0;" && !strings.ContainsAny(n.base, "?") && !restsOnRegisters(n)
}

// restsOnRegisters reports whether a name says anything of what a register holds, which may be another value later.
func restsOnRegisters(n name) bool {
	for i := 0; i < len(n.base); i++ {
		if n.base[i] == 'r' && (i == 0 || strings.IndexByte(";[(*", n.base[i-1]) >= 0) {
			return true
		}
	}
	return false
}

// oneIn returns the offset of a pointer in the objects of which one is meant, if those are of one kind.
func (p *program) oneIn(c pointsto.Copy, v cir.Value) (o *pointsto.Object, off int64) {
	places := p.pts.Places(c.Func, c.Ctx, v)
	if len(places) != 1 || places[0].Off == pointsto.Any || places[0].Off < 0 || places[0].Obj.External || places[0].Obj.IsFunc() {
		return nil, 0
	}
	return places[0].Obj, places[0].Off
}

// sleeperOfMany notes a wait for a condition variable of one of many objects. ok is false if it is not known to be one.
func (f *finder) sleeperOfMany(c pointsto.Copy, in *cir.Call, op *operation, set int, vs values) (e Element, ok bool) {
	cond, mutex := vs.of(in.Args[op.cond].X), vs.of(in.Args[op.lock].X)
	o, at := f.h.oneIn(c, in.Args[op.cond].X)
	q, with := f.h.oneIn(c, in.Args[op.lock].X)
	if o == nil || o != q || !isBase(cond) || cond.base != mutex.base || cond.off-mutex.off != at-with {
		return e, false
	}
	l := f.h.sets.list[set][0]
	f.h.sets.size[l] = sizeCond
	e = Element{Flag, l.Object, l.Off}
	var flags []many
	for _, z := range f.zeroNames(c)[in] {
		if z.name.base == cond.base && z.object == o && z.name.off-cond.off == z.off-at {
			flags = append(flags, many{o, at, with, z.off, z.size})
		}
	}
	slices.SortFunc(flags, func(p, q many) int { return cmp.Or(cmp.Compare(p.flag, q.flag), cmp.Compare(p.size, q.size)) })
	x := f.conditions[set]
	if x == nil {
		x = &condition{set: set, mutex: -1, many: flags}
		f.conditions[set] = x
	}
	x.many = slices.DeleteFunc(slices.Clone(x.many), func(m many) bool { return !slices.Contains(flags, m) })
	if at := (callIn{c, in}); !slices.Contains(x.waits, at) {
		x.waits = append(x.waits, at)
	}
	return e, x.mutex == -1
}

// zero is a number that was read as 0, by the name of its address.
type zero struct {
	name   name
	object *pointsto.Object
	off    int64
	size   int64
}

// zeroNames returns, for each call of a copy, which numbers have been read as 0 on all ways there, and no other call was made since.
func (f *finder) zeroNames(c pointsto.Copy) map[*cir.Call][]zero {
	out := map[*cir.Call][]zero{}
	at := make([]map[zero]bool, len(c.Func.Blocks))
	at[0] = map[zero]bool{}
	for work := []*cir.Block{c.Func.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		now := map[zero]bool{}
		for z := range at[b.Index] {
			now[z] = true
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Call:
				out[in] = nil
				for z := range now {
					out[in] = append(out[in], z)
				}
				clear(now)
			case *cir.Store:
				if l, ok := in.Addr.(*cir.Local); ok {
					drop(now, l)
				}
			case *cir.LifeStart:
				drop(now, in.Local)
			}
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			then := map[zero]bool{}
			for z := range now {
				then[z] = true
			}
			if z, ok := f.namedZero(c, b, to); ok {
				then[z] = true
			}
			old := at[to.Index]
			if old == nil {
				at[to.Index] = then
				work = append(work, to)
				return
			}
			n := len(old)
			for z := range old {
				if !then[z] {
					delete(old, z)
				}
			}
			if len(old) != n {
				work = append(work, to)
			}
		})
	}
	return out
}

// drop forgets what rests on a local that is stored to.
func drop(now map[zero]bool, l *cir.Local) {
	for z := range now {
		if z.name.rests(localToken(l)) {
			delete(now, z)
		}
	}
}

// namedZero is as testedZero, by names.
func (f *finder) namedZero(c pointsto.Copy, b, to *cir.Block) (z zero, ok bool) {
	br, isBranch := b.Term.(*cir.Branch)
	if !isBranch {
		return z, false
	}
	x := f.h.function(c.Func)
	t, known := x.tests[br]
	load, isLoad := t.in.(*cir.Load)
	if !known || !isLoad || (to == br.Then) != t.zero || load.Bits != nil {
		return z, false
	}
	at := slices.Index(b.Instrs, cir.Instr(load))
	for _, in := range b.Instrs[at:] {
		switch in := in.(type) {
		case *cir.Call, *cir.LifeStart:
			return z, false
		case *cir.Store:
			if _, local := in.Addr.(*cir.Local); local {
				return z, false
			}
		}
	}
	o, off := f.h.oneIn(c, load.Addr)
	if o == nil {
		return z, false
	}
	f.elements(c, b, func(in cir.Instr, vs values) {
		if in == cir.Instr(load) {
			z, ok = zero{vs.of(load.Addr), o, off, f.h.sizeOf(load.Type)}, true
		}
	})
	return z, ok && isBase(z.name)
}

// ofMany adds what those owe that set the flags of many objects.
func (f *finder) ofMany(x *condition) error {
	first := x.waits[0].call
	if len(x.many) == 0 {
		return fail(first, "no flag is known that a wait for a condition variable ends with")
	}
	x.single = f.isSingle(x)
	var why error
	for _, m := range x.many {
		if err := f.resetNever(x, m); err != nil {
			why = err
			continue
		}
		for _, k := range f.h.classes {
			if k.main || k.handler {
				continue
			}
			for _, g := range f.giftsOf(k, m) {
				edges, err := f.ownTelling(x, m, g)
				if err == nil {
					err = f.givenBefore(x, g)
				}
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
	}
	if why == nil {
		why = fail(first, "no thread is known that sets the flag which a wait for a condition variable ends with")
	}
	return why
}

// resetNever returns an error if a flag may be written, but with numbers that are not 0, when others than who has allocated the object know it.
func (f *finder) resetNever(x *condition, m many) error {
	at := pointsto.Location{Obj: m.object, Off: m.flag}
	if m.object.Global != nil || m.object.Local != nil {
		return fail(x.waits[0].call, "the flags of condition variables are in no memory that is allocated")
	}
	for _, w := range f.writes[m.object] {
		if !w.whole && !w.at.Touches(w.size, at, m.size) || setsFlag(f.h.program, w, at, m.size) {
			continue
		}
		if w.zeros && !w.whole && (w.by.Func.Library && w.by.Func.Source == "calloc" || f.isFresh(w)) {
			continue
		}
		if w.begun && w.at != at {
			continue
		}
		return fail(w.in, "the flag of a condition variable may be reset")
	}
	return nil
}

// setsFlag reports whether a flag is set to a number that is not 0, as a whole.
func setsFlag(p *program, w write, at pointsto.Location, size int64) bool {
	s, ok := w.in.(*cir.Store)
	if !ok || s.Bits != nil || w.whole || w.at != at {
		return false
	}
	n, ok := s.X.(cir.Int)
	return ok && (n.Lo != 0 || n.Hi != 0) && p.sizeOf(s.Type) == size
}
