package lockset

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// A lock may be in the same struct as an array that it guards, and the struct be an element of another array: d->lock and d->item[i]. Then
// the lock and what is accessed are in one element whatever d and i are, as a subscript of an array of known length stays in that.

// start says that an access begins between from+lo and from+hi bytes; where it is not bound, at some element of the object that from leads to.
type start struct {
	from   valuenum.Value
	lo, hi int64
	bound  bool
}

// maxSubscripts bounds the steps from an address back to what it was made of.
const maxSubscripts = 8

// starts returns what is known of where an access of addr begins, by what the address was made of in the same block: nothing of
// that was computed again since.
func (p Point) starts(addr cir.Value) []start {
	f := p.Activation.Copy.Func
	i := slices.IndexFunc(f.Blocks, func(b *cir.Block) bool { return slices.Contains(b.Instrs, p.Instr) })
	if i < 0 {
		return nil
	}
	before := f.Blocks[i].Instrs
	before = before[:slices.Index(before, p.Instr)]
	s := start{bound: true}
	back := false // something is taken off again behind here
	var list []start
	for range maxSubscripts {
		s.from = p.Value(addr)
		list = append(list, s)
		m, ok := p.maker(before, addr, s.from)
		if !ok {
			break
		}
		in := before[m.at].(*cir.Offset)
		before = before[:m.at]
		s.lo, s.hi, back = s.lo+m.more, s.hi+m.more, back || m.more < 0
		s.step(in, m.same && !back)
		s.lo, s.hi, back = s.lo+in.Disp, s.hi+in.Disp, back || in.Disp < 0
		addr = in.P
	}
	return list
}

// step takes account of a subscript.
func (s *start) step(in *cir.Offset, accessed bool) {
	if in.Index == nil {
		return
	}
	if c, isConst := in.Index.(cir.Int); isConst {
		k, ok := c.Int64()
		if ok = ok && k < maxStep && k >= 0; ok {
			s.lo, s.hi = s.lo+k*in.Scale, s.hi+k*in.Scale
		}
		s.bound = s.bound && ok && in.Scale > 0
		return
	}
	n, ok := farthest(in, accessed)
	s.hi += n
	s.bound = s.bound && ok
}

// maxStep bounds what is multiplied.
const maxStep = 1 << 24

// farthest returns how far the last element of the array that a subscript is in is from the first one, if just that address is accessed, or one behind
// it: at the index that is the length that is undefined. Otherwise it is how far that index is.
func farthest(in *cir.Offset, accessed bool) (n int64, ok bool) {
	n = in.Elements()
	if n <= 0 || n > maxStep || in.Scale <= 0 || in.Scale > maxStep {
		return 0, false
	}
	if accessed {
		return (n - 1) * in.Scale, true
	}
	return n * in.Scale, true
}

// made is an instruction that made an address, but for a constant. Same tells that the address is what it gave; otherwise the two are only equal.
type made struct {
	at   int
	more int64
	same bool
}

// maker returns which of some instructions, which have all been run, made an address.
func (p Point) maker(before []cir.Instr, addr cir.Value, v valuenum.Value) (m made, ok bool) {
	for i, in := range slices.Backward(before) {
		o, ok := in.(*cir.Offset)
		if !ok || o.Scale >= maxStep || o.Scale <= -maxStep {
			continue
		}
		if cir.Value(o.Dst) == addr {
			return made{i, 0, true}, true
		}
		if _, isReg := addr.(*cir.Reg); !isReg || v.Base == nil || o.Index == nil {
			continue
		}
		if d, ok := v.Minus(p.Value(o.Dst)); ok { // it went through a local, maybe
			return made{i, d, false}, true
		}
	}
	return m, false
}

// around adds the keys of a lock that is in one element, or one object, with an access of size bytes.
func around(keys []Key, lock valuenum.Value, at []pointsto.Location, starts []start, size int64) []Key {
	if len(at) == 0 {
		return keys
	}
	add := func(k KeyKind) {
		if key := (Key{k, valuenum.Value{Off: at[0].Off}}); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	_, same := sameOffset(at)
	for _, s := range starts {
		d, ok := lock.Minus(s.from)
		if !ok || s.from.Base == nil {
			continue
		}
		if same {
			add(Object)
		}
		if s.bound && size > 0 && !slices.ContainsFunc(at, func(l pointsto.Location) bool {
			lo, hi, ok := l.Element()
			return !ok || l.Off != at[0].Off || l.Off+s.lo-d < lo || l.Off+s.hi-d+size > hi
		}) {
			add(Element)
		}
	}
	return keys
}
