package accesses

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// An object that is allocated to be handed to a new thread belongs to its maker until it is given to pthread_create, and then to the thread, or to the maker again if there is none. Who it belongs to
// may free it. The maker and the threads, with what they call, are followed as long as its address is in locals only: each access has to be by an address of that very object (typestates,
// Strom and Yemini 1986). Nothing else in the program may have its address.

// handing is what is found out of one object.
type handing struct {
	obj     *pointsto.Object
	touched map[place]bool
	walked  map[int]bool
	threads []int // copies that threads begin with which are given the object
	bad     bool
}

// handed reports whether an object only is accessed by who it belongs to.
func (p *program) handed(o *pointsto.Object) bool {
	h := &handing{obj: o, touched: map[place]bool{}, walked: map[int]bool{}}
	for _, at := range p.touched[o] {
		if p.storesID(o, at) {
			return false
		}
		h.touched[at] = true
	}
	made := 0
	for c := range p.copies {
		if p.own(c) {
			for _, b := range p.maker(o, c) {
				made++
				p.follow(h, c, b, false)
			}
		}
	}
	if made != 1 {
		return false
	}
	for i := 0; i < len(h.threads) && !h.bad; i++ { // which may grow
		t := h.threads[i]
		if len(p.callers[t]) > 0 || len(p.copies[t].Func.Params) != 1 {
			return false
		}
		p.follow(h, t, p.copies[t].Func.Params[0].Reg, true)
	}
	return !h.bad && !p.elsewhereKnown(h)
}

// follow follows a copy that makes the object, or is given it.
func (p *program) follow(h *handing, c int, base cir.Value, given bool) {
	x := &filling{p: p, f: p.function(p.copies[c].Func), copy: c, obj: h.obj, base: base, failed: map[int64]bool{}, callees: map[calleeKey]*calleeFill{}, life: h, lives: given, known: true}
	if x.run(); x.lost {
		h.bad = true
	}
}

// elsewhereKnown reports whether a copy that was not followed accesses the object, or has its address.
func (p *program) elsewhereKnown(h *handing) (yes bool) {
	for at := range h.touched {
		yes = yes || !h.walked[at.copy]
	}
	p.each(func(at place) {
		if !yes && !h.walked[at.copy] {
			p.operands(at.in, func(v cir.Value) { yes = yes || h.isIn(p.places(at.copy, v)) })
		}
	})
	return yes
}

// storesID reports whether pthread_create puts the id of a thread into an object, which the thread may free.
func (p *program) storesID(o *pointsto.Object, at place) bool {
	in, ok := at.in.(*cir.Call)
	if !ok {
		return false
	}
	f := library(in)
	return f != nil && f.Source == "pthread_create" && slices.ContainsFunc(in.Args[:3], func(x cir.Arg) bool {
		return slices.ContainsFunc(p.places(at.copy, x.X), func(l pointsto.Location) bool { return l.Obj == o })
	})
}

func (h *handing) isIn(ls []pointsto.Location) bool {
	return slices.ContainsFunc(ls, func(l pointsto.Location) bool { return l.Obj == h.obj })
}

// belongs follows what an instruction does to who the object belongs to.
func (x *filling) belongs(s knowing, in cir.Located) {
	if x.life == nil {
		return
	}
	here := place{x.copy, in}
	wrong := func() { x.life.bad = x.life.bad || x.judging }
	if x.life.walked[x.copy] = true; x.life.touched[here] && !s[known{kind: alive}] {
		wrong()
	}
	x.p.operands(in, func(v cir.Value) {
		if a := x.address(s, v); x.life.isIn(x.p.places(x.copy, v)) && !(a.ok && (!a.vague || a.inside)) {
			wrong()
		}
	})
	switch in := in.(type) {
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); !(ok && x.f.plain[l]) && x.address(s, in.X).ok {
			wrong()
		}
	case *cir.Call:
		f := library(in)
		switch {
		case f == nil || len(in.Args) == 0:
		case f.Source == "free":
			if x.address(s, in.Args[0].X).ok {
				delete(s, known{kind: alive})
			}
		case f.Source == "pthread_create" && len(in.Args) == 4:
			a := x.address(s, in.Args[3].X)
			if !a.ok {
				return
			}
			if !s[known{kind: alive}] || a.off != 0 || a.at != nil || len(x.p.starts[here]) == 0 || in.Dst == nil {
				wrong()
				return
			}
			maps.DeleteFunc(s, func(k known, _ bool) bool { return k.kind == alive || k.kind == given })
			s[known{kind: given, k: int64(in.Dst.Index) + 1}] = true
			for _, t := range x.p.starts[here] {
				if !slices.Contains(x.life.threads, t) {
					x.life.threads = append(x.life.threads, t)
				}
			}
		}
	}
}

// tells notes that a local holds what pthread_create has returned.
func (x *filling) tells(s knowing, in cir.Instr) {
	st, ok := in.(*cir.Store)
	if x.life == nil || !ok {
		return
	}
	r, isReg := st.X.(*cir.Reg)
	if l, ok := st.Addr.(*cir.Local); ok && isReg && x.f.plain[l] && s[known{kind: given, k: int64(r.Index) + 1}] {
		s[known{kind: given, i: l}] = true
	}
}

// refused notes that the object belongs to its maker where a number that pthread_create returned is not 0.
func (x *filling) refused(in *cir.Compare, yes, no knowing) {
	n, ok := in.Y.(cir.Int)
	r, isReg := in.X.(*cir.Reg)
	if x.life == nil || !ok || !isReg {
		return
	}
	k, fits := n.Int64()
	if l, ok := x.number(in.X); fits && k == 0 && (yes[known{kind: given, k: int64(r.Index) + 1}] || ok && yes[known{kind: given, i: l}]) {
		again := yes
		switch in.Pred {
		case cir.Eq:
			again = no
		case cir.Ne:
		default:
			return
		}
		// Only once: whoever frees it then, and asks for the number again, does not have it again.
		maps.DeleteFunc(again, func(k known, _ bool) bool { return k.kind == given })
		again[known{kind: alive}] = true
	}
}
