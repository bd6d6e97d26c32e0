package valuenum

import (
	"comus/cir"
)

// instr walks over an instruction.
func (s *solver) instr(in cir.Instr, cs contents) {
	switch in := in.(type) {
	case *cir.Load:
		s.assign(in.Dst, s.load(in, cs))
		return
	case *cir.Store:
		s.store(in, cs)
		return
	case *cir.LifeStart:
		cs.forget(in.Local)
		return
	case *cir.LifeEnd:
		cs.forget(in.Local)
		return
	case *cir.Copy:
		s.overwritten(in.Dst, cs)
	case *cir.Fill:
		s.overwritten(in.Dst, cs)
	}
	s.havoc(in, cs)
	results := cir.Results(in)
	for _, r := range results {
		v, ok := s.compute(in)
		if !ok || len(results) > 1 {
			v = s.fresh(r)
		}
		s.assign(r, v)
	}
}

// forget drops what is known of a local.
func (cs contents) forget(l *cir.Local) {
	for c := range cs {
		if c.local == l {
			delete(cs, c)
		}
	}
}

// overwritten drops what is known of the local that an address leads to.
func (s *solver) overwritten(addr cir.Value, cs contents) {
	if l := s.locals.root(addr); l != nil {
		cs.forget(l)
	}
}

// havoc drops what is known of exposed locals that an instruction may write.
func (s *solver) havoc(in cir.Instr, cs contents) {
	if len(s.locals.exposed) == 0 || len(cs) == 0 {
		return
	}
	for c := range cs {
		o := s.locals.exposed[c.local]
		if o == nil {
			continue
		}
		k := kill{in, c.local}
		writes, known := s.kills[k]
		if !known {
			writes = s.pts.MayWrite(s.Copy, in, o)
			s.kills[k] = writes
		}
		if writes {
			delete(cs, c)
		}
	}
}

// followed returns the cell that an access goes to, if it is one of a local that is followed.
func (s *solver) followed(addr cir.Value, a cir.Access) (cell, bool) {
	l := s.locals.root(addr)
	if l == nil || !s.follow || s.locals.lost[l] || a.Bits != nil || a.Type.IsFloat() {
		return cell{}, false
	}
	v := s.Value(addr)
	return cell{l, v.Off}, v.Index == nil
}

func (s *solver) load(in *cir.Load, cs contents) Value {
	if c, ok := s.followed(in.Addr, in.Access); ok {
		if x, known := cs[c]; known && x.t == in.Type {
			return x.v
		}
		v := s.fresh(in.Dst)
		if _, known := cs[c]; !known {
			cs[c] = content{in.Type, v}
		}
		return v
	}
	at := s.Value(in.Addr)
	_, isConst := at.Const()
	if isConst || in.Bits != nil || in.Volatile || in.Type.IsFloat() || s.locals.root(in.Addr) != nil ||
		s.opts.Stable == nil || !s.opts.Stable(s.Copy, in) {
		return s.fresh(in.Dst)
	}
	return s.t.Of(Sym{Kind: Load, At: at, What: in.Type})
}

func (s *solver) store(in *cir.Store, cs contents) {
	l := s.locals.root(in.Addr)
	if l == nil {
		s.havoc(in, cs)
		return
	}
	c, ok := s.followed(in.Addr, in.Access)
	if !ok {
		cs.forget(l)
		return
	}
	size := s.model.SizeOf(in.Type)
	if l.Size != size {
		for d, x := range cs {
			if d.local == l && d.off < c.off+size && c.off < d.off+s.model.SizeOf(x.t) {
				delete(cs, d)
			}
		}
	}
	cs[c] = content{in.Type, s.Value(in.X)}
}

// compute returns what an instruction that does not access memory computes, if it can be said.
func (s *solver) compute(in cir.Instr) (Value, bool) {
	word := s.model.PointerBits
	switch in := in.(type) {
	case *cir.Offset:
		v := s.Value(in.P)
		if in.Index != nil {
			i, ok := s.Value(in.Index).times(in.Scale)
			if !ok {
				return Value{}, false
			}
			if v, ok = add(v, i); !ok {
				return Value{}, false
			}
		}
		return add(v, Value{Off: in.Disp})
	case *cir.Convert:
		return s.convert(in, word)
	case *cir.Select:
		v, w := s.Value(in.X), s.Value(in.Y)
		return v, v == w
	case *cir.Binary:
		t := in.Dst.Type
		if !t.IsInt() || t.Bits > word || t.Bits < word && (!t.Signed || in.Wrap) {
			return Value{}, false
		}
		return s.arithmetic(in)
	}
	return Value{}, false
}

// arithmetic returns the result of an operation that is exact, or modulo what addresses are.
func (s *solver) arithmetic(in *cir.Binary) (Value, bool) {
	x, y := s.Value(in.X), s.Value(in.Y)
	n, isConst := y.Const()
	switch in.Op {
	case cir.Add:
		return add(x, y)
	case cir.Sub:
		if isConst {
			return add(x, Value{Off: -n})
		}
		if d, ok := x.Minus(y); ok {
			return Value{Off: d}, true
		}
	case cir.Mul:
		if m, ok := x.Const(); ok && !isConst {
			return y.times(m)
		}
		if isConst {
			return x.times(n)
		}
	case cir.Shl:
		if isConst && n >= 0 && n < 20 {
			return x.times(1 << n)
		}
	}
	return Value{}, false
}

// convert returns a conversion's result: the same value where none is changed, or only as addresses are, modulo a power of 2.
func (s *solver) convert(in *cir.Convert, word int) (Value, bool) {
	from, to := s.model.TypeOf(in.X), in.Dst.Type
	if from.IsFloat() || to.IsFloat() || from.Bits > word || to.Bits > word {
		return Value{}, false
	}
	v := s.Value(in.X)
	switch {
	case to.Bits == word, from == to:
		return v, true
	case to.Bits > from.Bits && (to.Signed || !from.Signed) && from.IsInt():
		return v, true
	}
	if n, isConst := v.Const(); isConst {
		c := cir.IntOf(to, n)
		if to == cir.Bool && n != 0 {
			c = cir.IntOf(to, 1)
		}
		return s.Value(c), true
	}
	return s.t.Of(Sym{Kind: Conv, At: v, What: to}), true
}
