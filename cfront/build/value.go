package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// val is the value of an expression: one of three.
type val struct {
	v     cir.Value   // a scalar
	parts []cir.Value // a complex number (real and imaginary part) or a vector (its elements)
	addr  cir.Value   // a struct or union: the address of its bytes
	align int64       // of addr
}

// lval is an object, or some bits of one, that an expression denotes.
type lval struct {
	base   cir.Value // an address
	disp   int64     // to be added to it
	align  int64     // what the program promises of base+disp
	t      *types.Type
	bits   *cir.Bits
	swap   bool // a scalar in big-endian order
	last   bool // the last member of a struct: as an array, it may go on behind it
	member bool // of a struct or union
	// of is the outermost struct or union whose members lead here, which begins ofAt bytes from base; nil: there is none.
	of   *types.Type
	ofAt int64
}

func (l lval) volatile() bool { return l.t.Quals&types.Volatile != 0 }
func (l lval) atomic() bool   { return l.t.Quals&types.Atomic != 0 }

// at returns the part of type t at an offset of l.
func (l lval) at(offset int64, t *types.Type) lval {
	return lval{base: l.base, disp: l.disp + offset, align: min(l.align, lowBit(offset, l.align)), t: t, of: l.of, ofAt: l.ofAt}
}

// address returns the address of l.
func (f *fn) address(l lval) cir.Value {
	if _, null := l.base.(cir.Null); null || l.disp == 0 || l.of == nil {
		return f.displace(l.base, l.disp)
	}
	o := &cir.Offset{Dst: f.reg(f.u.model.Pointer()), P: l.base, Disp: l.disp}
	o.Of, o.At = f.path(l)
	f.emit(o)
	return o.Dst
}

// path returns the struct or union whose members lead to l, and where it begins.
func (f *fn) path(l lval) (of *cir.Shape, at int64) {
	if l.of == nil {
		return nil, 0
	}
	return f.u.shape(l.of), l.ofAt
}

// displace returns p + n bytes.
func (f *fn) displace(p cir.Value, n int64) cir.Value {
	if n == 0 {
		return p
	}
	if null, ok := p.(cir.Null); ok {
		return cir.Null{Addr: f.u.wrapAddress(null.Addr + uint64(n))}
	}
	d := f.reg(f.u.model.Pointer())
	f.emit(&cir.Offset{Dst: d, P: p, Disp: n})
	return d
}

// access says how a scalar of l is accessed.
func (f *fn) access(l lval, t cir.Type) cir.Access {
	a := cir.Access{Type: t, Align: max(l.align, 1), Bits: l.bits, Volatile: l.volatile()}
	if l.bits != nil {
		a.Align = 1
	}
	if l.atomic() {
		a.Order = cir.SeqCst
	}
	return a
}

// load reads the value of an object.
func (f *fn) load(l lval) val {
	t := l.t
	switch {
	case hasParts(t) && l.atomic():
		return f.load(f.atomicCopy(l))
	case hasParts(t):
		ps := make([]cir.Value, parts(t))
		for i := range ps {
			ps[i] = f.load(f.part(l, i)).v
		}
		return val{parts: ps}
	case isRecord(t) && (l.atomic() || l.volatile()):
		l = f.atomicCopy(l)
		fallthrough
	case isRecord(t):
		return val{addr: f.address(l), align: l.align}
	case t.Kind == types.Void:
		return val{}
	}
	if l.swap && (t.Size > 1 || l.bits != nil) {
		return f.loadSwapped(l)
	}
	st := f.u.scalar(t)
	d := f.reg(st)
	f.emit(&cir.Load{Dst: d, Addr: f.address(l), Access: f.access(l, st)})
	return val{v: d}
}

// part returns the i-th part of a complex number or vector in memory.
func (f *fn) part(l lval, i int) lval {
	p := l.at(int64(i)*l.t.Elem.Size, l.t.Elem)
	if l.volatile() {
		p.t = withQuals(p.t, types.Volatile)
	}
	return p
}

// withQuals returns t with more qualifiers.
func withQuals(t *types.Type, q types.Quals) *types.Type {
	if t.Quals&q == q {
		return t
	}
	c := *t
	c.Quals |= q
	return &c
}

// atomicCopy copies an atomic or volatile object that is no scalar to a temporary.
func (f *fn) atomicCopy(l lval) lval {
	tmp := f.temp(unqual(l.t))
	f.transfer(tmp, f.address(l), l.align, l)
	return tmp
}

// unqual returns t without the qualifiers that matter to accesses.
func unqual(t *types.Type) *types.Type {
	if t.Quals&(types.Volatile|types.Atomic) == 0 {
		return t
	}
	c := *t
	c.Quals &^= types.Volatile | types.Atomic
	return &c
}

// transfer copies the bytes at src to dst; how says what of them is volatile or atomic.
func (f *fn) transfer(dst lval, src cir.Value, align int64, how lval) {
	if dst.t.Size == 0 {
		return
	}
	if how.atomic() {
		f.emit(&cir.Intrinsic{Op: cir.AtomicBegin, Name: cir.OneObject})
		defer f.emitLater(&cir.Intrinsic{Op: cir.AtomicEnd, Name: cir.OneObject})
	}
	f.emit(&cir.Copy{
		Dst:      f.address(dst),
		Src:      src,
		Size:     f.size(dst.t),
		Align:    max(min(dst.align, align), 1),
		Volatile: how.volatile(),
		Shape:    f.u.shape(unqual(dst.t)),
	})
}

// emitLater emits an instruction; for defer.
func (f *fn) emitLater(i cir.Instr) { f.emit(i) }

// store writes a value of l's type to l and returns the value that l has then.
func (f *fn) store(l lval, v val) val {
	t := l.t
	switch {
	case hasParts(t) && l.atomic():
		tmp := f.temp(unqual(t))
		f.store(tmp, v)
		f.transfer(l, f.address(tmp), tmp.align, l)
		return v
	case hasParts(t):
		for i, p := range v.parts {
			f.store(f.part(l, i), val{v: p})
		}
		return v
	case isRecord(t):
		f.transfer(l, v.addr, max(v.align, 1), l)
		if l.atomic() || l.volatile() {
			return v
		}
		return val{addr: f.address(l), align: l.align}
	case t.Kind == types.Void:
		return val{}
	}
	if l.swap && (t.Size > 1 || l.bits != nil) {
		return f.storeSwapped(l, v)
	}
	f.emit(&cir.Store{Addr: f.address(l), X: v.v, Access: f.access(l, f.u.scalar(t))})
	if l.bits != nil {
		v.v = f.narrow(v.v, l.bits.Width)
	}
	return v
}

// narrow returns what a bit-field of some width holds after v was stored to it.
func (f *fn) narrow(v cir.Value, width int) cir.Value {
	t := f.typeOf(v)
	if width >= t.Bits {
		return v
	}
	if c, ok := v.(cir.Int); ok {
		c.Type.Bits = width
		c = c.Normal()
		c.Type.Bits = t.Bits
		return c.Normal()
	}
	if !t.Signed {
		return f.binary(cir.And, v, maskOf(t, width))
	}
	d := cir.IntOf(cir.U32, int64(t.Bits-width))
	up := f.reg(t)
	f.emit(&cir.Binary{Dst: up, Op: cir.Shl, X: v, Y: d, Wrap: true})
	return f.binary(cir.Shr, up, d)
}

// maskOf is the constant of type t whose n lowest bits are 1.
func maskOf(t cir.Type, n int) cir.Int {
	c := cir.Int{Type: t, Lo: ^uint64(0), Hi: ^uint64(0)}
	if n < 64 {
		c.Lo, c.Hi = 1<<n-1, 0
	} else if n < 128 {
		c.Hi = 1<<(n-64) - 1
	}
	return c.Normal()
}

// temp makes an object without a name that lives as long as the activation.
func (f *fn) temp(t *types.Type) lval {
	if t.Size < 0 {
		d := f.reg(f.u.model.Pointer())
		f.emit(&cir.Alloca{Dst: d, Size: f.size(t), Align: max(t.Align, 1)})
		return lval{base: d, align: max(t.Align, 1), t: t}
	}
	l := f.local("", t, 0, nil)
	return lval{base: l, align: l.Align, t: t}
}

// spill puts a value of type t into memory, if it is not there.
func (f *fn) spill(v val, t *types.Type) (addr cir.Value, align int64) {
	if v.addr != nil {
		return v.addr, max(v.align, 1)
	}
	tmp := f.temp(unqual(t))
	f.store(tmp, v)
	return f.address(tmp), tmp.align
}

// typeOf returns the type of an operand.
func (f *fn) typeOf(v cir.Value) cir.Type { return f.u.model.TypeOf(v) }

// scalarOf evaluates an expression of scalar type.
func (f *fn) scalarOf(e tree.Expr) cir.Value { return f.expr(e).v }

// zero is the value 0 of a type.
func (u *unit) zero(t *types.Type) val {
	if hasParts(t) {
		v := val{parts: make([]cir.Value, parts(t))}
		for i := range v.parts {
			v.parts[i] = u.zero(t.Elem).v
		}
		return v
	}
	return val{v: zeroOf(u.scalar(t))}
}

// zeroOf is the constant 0 of a scalar type.
func zeroOf(t cir.Type) cir.Value {
	switch t.Kind {
	case cir.FloatKind:
		return cir.Float{Type: t}
	case cir.PointerKind:
		return cir.Null{}
	}
	return cir.Int{Type: t}
}
