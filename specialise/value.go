package specialise

import (
	"math/big"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// value is what a register holds. Its term is evaluated by the edge that uses it; until then it may
// mention variables, which settle protects. It is not changed once made.
type value struct {
	typ  cir.Type
	t    *logic.Term   // an integer; of a pointer, its address; of a float, its bits
	side []*logic.Term // what has to hold so that t is the value: no overflow, say
	rng  *interval     // bounds narrower than those of the type, or nil
	at   *place        // of a pointer: where, if that is known to be within one object
	// shift is how many bytes further a pointer is than the operand it was made of, of which points knows the targets.
	shift int64
	site  *cir.Site // the expression, for the text of the step that reads it
	// unset is the condition under which it is indeterminate, of what is only copied; nil: never.
	unset *logic.Term
}

// interval bounds a value.
type interval struct{ lo, hi logic.Value }

// place is a pointer into an object: its bytes from off on, moved by indexes.
type place struct {
	obj *object
	off int64
	idx []index
}

// index moves a place by scale bytes times a term.
type index struct {
	t     *logic.Term
	rng   interval
	scale int64
	len   int64 // of the array subscripted, 0 if that is not known
	array bool  // it is a subscript of an array, which begins at index 0
}

func pow2(n int) logic.Value { return logic.BigValue(new(big.Int).Lsh(big.NewInt(1), uint(n))) }

// irType returns the type of a variable that holds values of a scalar type. Pointers are
// addresses of ours, floats their bits.
func irType(t cir.Type) ir.Type {
	switch t.Kind {
	case cir.IntKind:
		return ir.Type{Bits: t.Bits, Signed: t.Signed}
	case cir.PointerKind:
		return ir.Type{Bits: 64, Signed: true}
	}
	return ir.Type{Bits: max(t.Bits, 1)}
}

// bounds returns an interval that the value is in.
func (v *value) bounds() interval {
	if c, ok := v.t.Const(); ok {
		return interval{c, c}
	}
	if v.rng != nil {
		return *v.rng
	}
	lo, hi := irType(v.typ).Range()
	return interval{lo, hi}
}

// constant returns the value if it is one.
func (v *value) constant() (logic.Value, bool) {
	if len(v.side) > 0 {
		return logic.Value{}, false
	}
	return v.t.Const()
}

// same reports whether two values are the same, whatever the state.
func (v *value) same(w *value) bool {
	if v.t != w.t || v.typ != w.typ || v.unset != w.unset || len(v.side) != len(w.side) {
		return false
	}
	for i := range v.side {
		if v.side[i] != w.side[i] {
			return false
		}
	}
	return true
}

// terms returns all terms of a value.
func (v *value) terms() []*logic.Term {
	ts := append([]*logic.Term{v.t}, v.side...)
	if v.at != nil {
		for _, x := range v.at.idx {
			ts = append(ts, x.t)
		}
	}
	if v.unset != nil {
		ts = append(ts, v.unset)
	}
	return ts
}

func (b *builder) val(t cir.Type, x *logic.Term) *value { return &value{typ: t, t: x} }

func (b *builder) constVal(t cir.Type, n int64) *value { return b.val(t, b.L.Int(n)) }

// bigOf returns a constant's value.
func (b *builder) bigOf(c cir.Int) *logic.Term { return b.L.Value(logic.BigValue(c.Big())) }

// operand returns the value of an operand.
func (b *builder) operand(v cir.Value) *value {
	switch v := v.(type) {
	case *cir.Reg:
		if x := b.cur.regs[v.Index]; x != nil {
			return x
		}
		b.bugf("register %%%d of %s has no value", v.Index, b.fr.fn.Name)
	case cir.Int:
		return b.val(v.Type, b.bigOf(v))
	case cir.Float:
		n := new(big.Int).SetUint64(v.Hi)
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(v.Lo))
		return b.val(v.Type, b.L.Value(logic.BigValue(n)))
	case cir.Null:
		return b.val(b.m.Pointer(), b.L.Value(addressOf(v.Addr)))
	case *cir.Global:
		return b.pointerTo(b.global(v), 0)
	case *cir.Local:
		return b.pointerTo(b.local(b.fr, v), 0)
	case *cir.Func:
		return b.pointerTo(b.function(v), 0)
	case *cir.Block:
		return b.pointerTo(b.label(b.fr.fn, v), 0)
	case cir.Undef:
		return b.anything(v.Type, "", nil)
	}
	b.bugf("operand %T", v)
	return nil
}

// addressOf is a pointer's value as variables for pointers hold it: signed ones of 64 bits, so that one of 32 is not negative.
func addressOf(addr uint64) logic.Value { return logic.IntValue(int64(addr)) }

// heldBy returns the numbers that bits are when they are read as a scalar: pointers of 32 bits are not negative.
func (b *builder) heldBy(t cir.Type) ir.Type {
	if t.IsPointer() && b.m.PointerBits < 64 {
		return irType(b.m.Size())
	}
	return irType(t)
}

// pointerTo returns the address of a byte of an object.
func (b *builder) pointerTo(o *object, off int64) *value {
	return &value{typ: b.m.Pointer(), t: b.L.Int(o.addr + off), at: &place{obj: o, off: off}}
}

// truth returns the condition that a value of type Bool is 1.
func (b *builder) truth(v *value) *logic.Term { return b.L.IntToBool(v.t) }

// condValue returns a condition as a value.
func (b *builder) condValue(c *logic.Term, side ...[]*logic.Term) *value {
	v := b.val(cir.Bool, b.L.BoolToInt(c))
	for _, s := range side {
		v.side = append(v.side, s...)
	}
	return v
}
