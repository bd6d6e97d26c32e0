package accesses

import (
	"fmt"
	"slices"

	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/pointsto"
)

// An object lives at all accesses of it if each place where it may end is one that only the first thread gets to, while no other thread runs that accesses it, and no access of it
// follows: be it by this thread, or by one that is created later. What has no such place lives for good.
//
// An object that threads transfer the ownership of, through containers under locks, is freed by who it belongs to, and belongs to nobody then (package scancheck). One that counts its references is
// freed by who holds all of them, and accessed by who holds one (package counted).
//
// A local may also be one that nobody but its function, and what that calls, ever has the address of: then it is enough that it lives where the function accesses it, and
// calls something with its address.

// lives says why an object may have ended where it is accessed by a pointer; "" if it has not.
func (p *program) lives(o *pointsto.Object) string {
	why, known := p.live[o]
	if !known {
		why = p.endsLate(o)
		if why != "" && o.Local != nil {
			if second := p.keptBelow(o); second == "" {
				why = ""
			} else {
				why += "; " + second
			}
		}
		if _, heap := o.Site.(*cir.Intrinsic); why != "" && heap && (p.handed(o) || p.running.Owned(o, at(p.touched[o])) || p.counts(o)) {
			why = ""
		}
		p.live[o] = why
	}
	return why
}

// at returns places as others name them.
func at(places []place) (list []scancheck.At) {
	for _, x := range places {
		list = append(list, scancheck.At{Copy: x.copy, In: x.in})
	}
	return list
}

// counts reports whether an object counts its references.
func (p *program) counts(o *pointsto.Object) bool {
	return !slices.ContainsFunc(p.touched[o], func(x place) bool { return p.storesID(o, x) }) && p.running.Counted(o, at(p.touched[o]), at(p.deaths[o]), p.ends)
}

// ends reports whether an object may be freed.
func (p *program) ends(o *pointsto.Object) bool { return len(p.deaths[o]) > 0 }

// accessors are the copies that access an object.
func (p *program) accessors(o *pointsto.Object) (list []int) {
	for _, at := range p.touched[o] {
		if !slices.Contains(list, at.copy) {
			list = append(list, at.copy)
		}
	}
	return list
}

// endsLate is the first rule.
func (p *program) endsLate(o *pointsto.Object) string {
	switch {
	case o.Global != nil || o.External:
		return ""
	case o.Local != nil && !p.pts.Once(o):
		return "the local may be one of an earlier call"
	case o.Local == nil && o.Site == nil:
		return "nothing is known of its life"
	}
	if _, heap := o.Site.(*cir.Intrinsic); o.Site != nil && !heap {
		return "arrays of variable length are not looked at"
	}
	for _, at := range p.endsOf(o) {
		if !p.running.Alone(at.copy, at.in, p.accessors(o)) {
			return fmt.Sprintf("it may end at %s while another thread runs that accesses it", siteOf(at.in))
		}
		after := p.after(at)
		for _, x := range p.touched[o] {
			if after[x] {
				return fmt.Sprintf("it may have ended at %s", siteOf(at.in))
			}
		}
	}
	return ""
}

// endsOf returns where an object may end.
func (p *program) endsOf(o *pointsto.Object) []place {
	if o.Local == nil {
		return p.deaths[o]
	}
	var list []place
	c := p.number[pointsto.Copy{Func: o.Func, Ctx: o.Ctx}]
	for _, b := range o.Func.Blocks {
		for _, in := range b.Instrs {
			if e, ok := in.(*cir.LifeEnd); ok && e.Local == o.Local && p.reached[place{c, in}] {
				list = append(list, place{c, in})
			}
		}
		if _, ok := b.Term.(*cir.Return); ok && p.reached[place{c, b.Term}] {
			list = append(list, place{c, b.Term})
		}
	}
	return append(list, p.exits(c)...)
}

// exits returns where the thread may end in a copy, or in what that calls: the locals of all that it runs end there.
func (p *program) exits(c int) (list []place) {
	below := p.below(c)
	p.each(func(at place) {
		if in, ok := at.in.(*cir.Call); ok && (at.copy == c || below[at.copy]) {
			if f := library(in); f != nil && f.Source == "pthread_exit" {
				list = append(list, at)
			}
		}
	})
	return list
}

// after returns what may be executed after an instruction: by the thread that executes it, and by those that are created from then on.
func (p *program) after(at place) map[place]bool {
	out := map[place]bool{}
	whole := map[int]bool{}
	var enter func(c int)
	goesOn := func(x place) { // what an instruction leads to
		for _, g := range p.calls[x] {
			enter(g)
		}
		for _, g := range p.starts[x] {
			enter(g)
		}
	}
	enter = func(c int) {
		if whole[c] {
			return
		}
		whole[c] = true
		for _, b := range p.copies[c].Func.Blocks {
			for _, in := range b.Instrs {
				if x := (place{c, in}); p.reached[x] {
					out[x] = true
					goesOn(x)
				}
			}
			out[place{c, b.Term}] = true
		}
	}
	seen := map[place]bool{}
	var rest func(x place)
	rest = func(x place) {
		if seen[x] {
			return
		}
		seen[x] = true
		f := p.function(p.copies[x.copy].Func)
		mark := func(in cir.Located) bool {
			y := place{x.copy, in}
			if !p.reached[y] {
				return false
			}
			if !out[y] {
				out[y] = true
				goesOn(y)
			}
			return true
		}
		blocks := map[*cir.Block]bool{}
		var walk func(b *cir.Block, from int)
		leave := func(t cir.Term) {
			cir.Succs(t, func(to *cir.Block, _ []cir.Value) {
				if !blocks[to] {
					blocks[to] = true
					walk(to, 0)
				}
			})
		}
		walk = func(b *cir.Block, from int) {
			for _, in := range b.Instrs[from:] {
				if !mark(in) {
					return
				}
			}
			if mark(b.Term) {
				leave(b.Term)
			}
		}
		b := f.blockOf[x.in]
		switch in := x.in.(type) {
		case cir.Instr:
			walk(b, slices.Index(b.Instrs, in)+1)
		case cir.Term:
			leave(in)
		}
		for _, y := range p.callers[x.copy] {
			rest(y)
		}
	}
	rest(at)
	return out
}

// keptBelow is the second rule.
func (p *program) keptBelow(o *pointsto.Object) string {
	c := p.number[pointsto.Copy{Func: o.Func, Ctx: o.Ctx}]
	below := p.below(c)
	if below[c] {
		return "its function may call itself"
	}
	f := p.function(o.Func)
	leads := func(at place, v cir.Value) bool {
		return slices.ContainsFunc(p.places(at.copy, v), func(l pointsto.Location) bool { return l.Obj == o })
	}
	for _, at := range p.touched[o] {
		switch {
		case at.copy == c && !f.living[at.in][o.Local]:
			return "it may have ended at " + siteOf(at.in).String()
		case at.copy != c && !below[at.copy]:
			return "a function accesses it that is not called by its own"
		}
	}
	why, again := "", o.Local.Scoped && f.again(o.Local)
	p.each(func(at place) {
		if why != "" {
			return
		}
		bad := func(s string) { why = s + " at " + siteOf(at.in).String() }
		switch in := at.in.(type) {
		case *cir.Store:
			if leads(at, in.X) && (!p.holds(c, below, at, in.Addr) || again && at.copy == c) {
				bad("its address is stored")
			}
		case *cir.RMW:
			if leads(at, in.X) {
				bad("its address is stored")
			}
		case *cir.CmpXchg:
			if leads(at, in.New) {
				bad("its address is stored")
			}
		case *cir.Copy: // of what holds it
			for _, l := range p.places(at.copy, in.Src) {
				for _, m := range p.pts.Held(l.Obj) {
					if m.Obj == o {
						bad("its address is copied")
					}
				}
			}
		case *cir.Return:
			if in.X != nil && at.copy == c && leads(at, in.X) {
				bad("its address is returned")
			}
		case *cir.Call:
			for i, x := range in.Args {
				if !leads(at, x.X) {
					continue
				}
				g := library(in)
				switch {
				case at.copy == c && !f.living[in][o.Local]:
					bad("its address may be passed after its end")
				case g != nil && (len(contracts[g.Source]) <= i && !prints(g) || len(contracts[g.Source]) > i && contracts[g.Source][i].use == isKept || g.Source == "pthread_exit" || g.Source == "memcpy" || g.Source == "memmove"):
					bad("its address is given away")
				}
			}
		case *cir.Convert:
			if leads(at, in.X) && !in.Dst.Type.IsPointer() && in.Dst.Type != cir.Bool {
				bad("its address becomes a number")
			}
		case cir.Term:
			var args []cir.Value // of blocks
			cir.Succs(in, func(_ *cir.Block, list []cir.Value) { args = append(args, list...) })
			if slices.ContainsFunc(args, func(v cir.Value) bool { return leads(at, v) }) && at.copy == c && o.Local.Scoped {
				bad("its address is passed on")
			}
		case *cir.Intrinsic:
			if slices.ContainsFunc(in.Args, func(v cir.Value) bool { return leads(at, v) }) {
				bad("its address is given away")
			}
		}
	})
	return why
}

// again reports whether the life of a local may begin more than once in an activation.
func (f *function) again(l *cir.Local) bool {
	for _, b := range f.fn.Blocks {
		for i, in := range b.Instrs {
			if s, ok := in.(*cir.LifeStart); ok && s.Local == l {
				found := slices.ContainsFunc(b.Instrs[:i], func(x cir.Instr) bool { y, ok := x.(*cir.LifeStart); return ok && y.Local == l })
				seen := map[*cir.Block]bool{}
				var walk func(b *cir.Block)
				walk = func(b *cir.Block) {
					cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
						if !seen[to] {
							seen[to] = true
							found = found || slices.ContainsFunc(to.Instrs, func(x cir.Instr) bool { y, ok := x.(*cir.LifeStart); return ok && y.Local == l })
							walk(to)
						}
					})
				}
				if walk(b); found {
					return true
				}
			}
		}
	}
	return false
}

// prints reports whether a function of the library only reads what it is given behind its parameters.
func prints(g *cir.Func) bool {
	list := contracts[g.Source]
	return len(list) > 0 && list[len(list)-1].use == isFormat
}

// holds reports whether a store goes to a plain local of a function, or of what that calls: nothing outlives them.
func (p *program) holds(c int, below map[int]bool, at place, addr cir.Value) bool {
	l, ok := addr.(*cir.Local)
	return ok && p.function(p.copies[at.copy].Func).plain[l] && (at.copy == c || below[at.copy])
}

// below returns the copies that calls in a copy may lead to.
func (p *program) below(c int) map[int]bool {
	seen := map[int]bool{}
	work := []int{c}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for at, list := range p.calls {
			if at.copy != x {
				continue
			}
			for _, g := range list {
				if !seen[g] {
					seen[g] = true
					work = append(work, g)
				}
			}
		}
	}
	return seen
}

// siteOf returns the place in the source of an instruction.
func siteOf(in cir.Located) cir.Pos {
	if s := in.Meta().Site; s != nil {
		return s.Pos
	}
	return cir.Pos{}
}
