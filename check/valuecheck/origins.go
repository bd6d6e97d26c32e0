package valuecheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Where a string begins is known by addresses: an object and an offset, elements of arrays told apart. origins finds which ones registers may be: the addresses
// of variables, what is so many bytes behind them, and what of that is given to functions or kept in local variables. A register is open if it
// may be something else, too.
type origins struct {
	*program
	of    map[originKey]*addresses // parameters and locals
	homes map[*cir.Func]map[*cir.Local]bool
	grown bool
}

// originKey is a parameter of a copy, or a local of one.
type originKey struct {
	copy, param int
	local       *cir.Local
}

// addresses are what a pointer may be; open: or something else.
type addresses struct {
	open bool
	list []address
}

type address struct {
	obj *pointsto.Object
	off int64
}

// maxAddresses bounds the addresses of a register.
const maxAddresses = 8

func newOrigins(p *program) *origins {
	s := &origins{program: p, of: map[originKey]*addresses{}, homes: map[*cir.Func]map[*cir.Local]bool{}}
	s.opened()
	for s.grown = true; s.grown; {
		s.grown = false
		for i, c := range p.copies {
			homes := s.homesOf(c.Func)
			for _, b := range c.Func.Blocks {
				for _, in := range b.Instrs {
					switch in := in.(type) {
					case *cir.Store:
						if l, ok := in.Addr.(*cir.Local); ok && homes[l] {
							s.grow(originKey{i, -1, l}, s.value(i, in.X))
						}
					case *cir.Call:
						s.given(i, in)
					}
				}
			}
		}
	}
	return s
}

// opened are the parameters of functions that are not only called by the program's calls.
func (s *origins) opened() {
	open := func(n int) {
		for k := range s.copies[n].Func.Params {
			s.grow(originKey{n, k, nil}, addresses{open: true})
		}
	}
	begin := append(slices.Clone(s.prog.Constructors), s.prog.Destructors...)
	for _, f := range append(begin, s.prog.Entry, s.exit) {
		if f == nil {
			continue
		}
		if n, ok := s.plain(f); ok {
			open(n)
		}
	}
	for _, n := range s.back {
		open(n)
	}
	threads := map[*cir.Func]bool{}
	for _, r := range s.pts.Roots {
		threads[r.Func] = true
	}
	for i, c := range s.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if x, ok := in.(*cir.Intrinsic); ok && x.Op == cir.ThreadCreate {
					for _, l := range s.places(i, x.Args[0]) {
						if l.Obj.IsFunc() {
							threads[l.Obj.Func] = true
						}
					}
				}
			}
		}
	}
	for i, c := range s.copies {
		if threads[c.Func] {
			open(i)
		}
	}
}

// given is what a call gives to parameters.
func (s *origins) given(copy int, in *cir.Call) {
	for _, n := range s.callees(copy, in) {
		for k, p := range s.copies[n].Func.Params {
			switch {
			case !p.Reg.Type.IsPointer():
			case p.ByVal != nil || k >= len(in.Args) || in.Args[k].ByVal != nil:
				s.grow(originKey{n, k, nil}, addresses{open: true})
			default:
				s.grow(originKey{n, k, nil}, s.value(copy, in.Args[k].X))
			}
		}
	}
}

func (s *origins) grow(k originKey, add addresses) {
	x := s.of[k]
	if x == nil {
		x = &addresses{}
		s.of[k] = x
	}
	if x.open {
		return
	}
	for _, a := range add.list {
		if !slices.Contains(x.list, a) {
			x.list = append(x.list, a)
			s.grown = true
		}
	}
	if add.open || len(x.list) > maxAddresses {
		x.open, x.list, s.grown = true, nil, true
	}
}

// value returns what an operand of a copy may be.
func (s *origins) value(copy int, v cir.Value) addresses {
	unknown := addresses{open: true}
	c := s.copies[copy]
	switch v := v.(type) {
	case cir.Null:
		return addresses{}
	case *cir.Global:
		if o := s.pts.Object(nil, pointsto.Context{}, v); o != nil {
			return addresses{list: []address{{o, 0}}}
		}
	case *cir.Local:
		if o := s.pts.Object(c.Func, c.Ctx, v); o != nil {
			return addresses{list: []address{{o, 0}}}
		}
	case *cir.Reg:
		switch in := s.defs[v].(type) {
		case nil:
			k := slices.IndexFunc(c.Func.Params, func(p cir.Param) bool { return p.Reg == v })
			if k >= 0 && v.Type.IsPointer() {
				return s.known(originKey{copy, k, nil})
			}
		case *cir.Load:
			if l, ok := in.Addr.(*cir.Local); ok && s.homesOf(c.Func)[l] && in.Type.IsPointer() {
				return s.known(originKey{copy, -1, l})
			}
		case *cir.Offset:
			by, ok := constantOffset(in)
			x := s.value(copy, in.P)
			if !ok || x.open {
				return unknown
			}
			y := addresses{}
			for _, a := range x.list {
				y.list = append(y.list, address{a.obj, a.off + by})
			}
			return y
		}
	}
	return unknown
}

func (s *origins) known(k originKey) addresses {
	if x := s.of[k]; x != nil {
		return *x
	}
	return addresses{}
}

// constantOffset returns how many bytes an offset goes, if that is always the same.
func constantOffset(in *cir.Offset) (int64, bool) {
	if in.Index == nil {
		return in.Disp, true
	}
	c, ok := in.Index.(cir.Int)
	if !ok || c.Type.Bits > 64 {
		return 0, false
	}
	n, ok := numOf(c).times(small(in.Scale))
	n = n.plus(small(in.Disp))
	return int64(n.lo), ok && n == small(int64(n.lo))
}

// homesOf returns the locals of a function that are pointers, and accessed by their names only, as pointers.
func (s *origins) homesOf(f *cir.Func) map[*cir.Local]bool {
	if h, ok := s.homes[f]; ok {
		return h
	}
	home := map[*cir.Local]bool{}
	for _, l := range f.Locals {
		home[l] = l.Size*8 == int64(s.prog.Model.PointerBits)
	}
	not := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			home[l] = false
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.LifeStart, *cir.LifeEnd:
				continue
			case *cir.Load:
				if in.Type.IsPointer() && in.Bits == nil {
					continue
				}
			case *cir.Store:
				if in.Type.IsPointer() && in.Bits == nil {
					not(in.X)
					continue
				}
			}
			cir.Operands(in, not)
		}
		cir.TermOperands(b.Term, not)
	}
	s.homes[f] = home
	return home
}
