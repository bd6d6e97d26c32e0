package replay

import "comus/cir"

// bytes are what an access takes, from its address on.
type bytes struct {
	size   cir.Value // nil: all of an object
	kind   int64     // reads, writes, or both
	atomic bool
}

// turn emits the hook before an access; b is nil if it is not known which bytes it takes.
func (x *instrumenter) turn(n int, addr cir.Value, b *bytes) {
	size, kind, atomic := cir.Value(cir.IntOf(cir.U64, 0)), int64(0), int64(0)
	if b != nil {
		kind = b.kind
		if b.atomic {
			atomic = 1
		}
		if b.size == nil {
			size = cir.IntOf(cir.U64, -1)
		} else {
			r := x.reg(cir.U64)
			x.emit(&cir.Convert{Dst: r, X: b.size})
			size = r
		}
	}
	x.call(hookTurn, n, addr, size, cir.IntOf(cir.U64, kind), cir.IntOf(cir.U64, atomic))
}

// extent returns the bytes that an instruction accesses, nil if that is not known here.
func (x *instrumenter) extent(in cir.Instr) *bytes {
	of := func(a cir.Access, kind int64) *bytes {
		n := x.p.Model.SizeOf(a.Type)
		if a.Bits != nil { // and what lies beside it, which is the same memory location or not
			n = int64(a.Bits.Offset+a.Bits.Width+7) / 8
		}
		return &bytes{cir.IntOf(cir.U64, n), kind, a.Order != cir.Plain}
	}
	switch in := in.(type) {
	case *cir.Load:
		return of(in.Access, reads)
	case *cir.Store:
		return of(in.Access, writes)
	case *cir.RMW:
		return of(in.Access, reads|writes)
	case *cir.CmpXchg:
		return of(in.Access, reads|writes)
	case *cir.Copy:
		return &bytes{in.Size, writes, false}
	case *cir.Fill:
		return &bytes{in.Size, writes, false}
	case *cir.Intrinsic:
		switch in.Op {
		case cir.HavocBytes:
			return &bytes{in.Args[1], writes, false}
		case cir.ThreadEnded: // not bytes: which thread
			return &bytes{in.Args[0], 0, false}
		case cir.Free, cir.Resize:
			return &bytes{nil, writes, false}
		case cir.Format, cir.ReadIn, cir.ReadLine:
			return &bytes{in.Args[1], writes, false}
		}
	}
	return nil
}
