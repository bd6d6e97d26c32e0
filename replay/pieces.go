package replay

import (
	"comus/cir"
)

// The kinds of an access, as hookDone is told.
const (
	reads  = 1
	writes = 2
)

// maxPieces bounds the scalars that a struct is copied by, one after the other.
const maxPieces = 64

// piece is a part of an object.
type piece struct{ off, size int64 }

// piecesOf divides size bytes into the scalars of a shape and what lies between.
func (x *instrumenter) piecesOf(s *cir.Shape, size int64) []piece {
	var ps []piece
	at := int64(0)
	add := func(off, n int64) {
		if off > at {
			ps = append(ps, piece{at, off - at})
		}
		if n > 0 && off >= at && off+n <= size {
			ps = append(ps, piece{off, n})
			at = off + n
		}
	}
	var walk func(s *cir.Shape, off int64)
	walk = func(s *cir.Shape, off int64) {
		switch {
		case s == nil || s.Size <= 0 || len(ps) > maxPieces:
		case s.Union:
			add(off, s.Size)
		case s.Elem != nil:
			for i := range min(s.Len, maxPieces+1) {
				walk(s.Elem, off+i*s.Elem.Size)
			}
		case len(s.Fields) > 0:
			for _, f := range s.Fields {
				if f.Bits == nil {
					walk(f.Shape, off+f.Offset)
				}
			}
		default:
			add(off, s.Size)
		}
	}
	if s != nil && s.Size <= size {
		walk(s, 0)
	}
	add(size, 0)
	if len(ps) == 0 || len(ps) > maxPieces {
		return []piece{{0, size}}
	}
	return ps
}

// copied copies a struct as steps of an instruction, each a read or a write of a piece.
func (x *instrumenter) copied(dst, src cir.Value, size int64, s *cir.Shape, n int, meta cir.Info) {
	tmp := x.temp(size)
	pointer := func(p cir.Value, off int64) cir.Value {
		if off == 0 {
			return p
		}
		q := x.reg(x.p.Model.Pointer())
		x.emit(&cir.Offset{Dst: q, P: p, Disp: off})
		return q
	}
	for _, p := range x.piecesOf(s, size) {
		from, to := pointer(src, p.off), pointer(dst, p.off)
		length := cir.IntOf(x.p.Model.Size(), p.size)
		x.turn(n, from, &bytes{length, reads, false})
		x.emit(&cir.Copy{Info: meta, Dst: tmp, Src: from, Size: length, Align: 1})
		x.done(n, cir.IntOf(cir.U64, 0), reads)
		x.turn(n, to, &bytes{length, writes, false})
		x.emit(&cir.Copy{Info: meta, Dst: to, Src: tmp, Size: length, Align: 1})
		x.done(n, cir.IntOf(cir.U64, 0), writes)
	}
}

// temp returns a new local of the function.
func (x *instrumenter) temp(size int64) *cir.Local {
	l := &cir.Local{Index: len(x.f.Locals), Size: max(size, 1), Align: 16}
	x.f.Locals = append(x.f.Locals, l)
	return l
}

// done emits the hook after an access.
func (x *instrumenter) done(n int, value cir.Value, kind int64) {
	x.call(hookDone, n, value, cir.IntOf(cir.U64, kind))
}

// structs takes the copies of structs out of calls: arguments are copied before, results after. It returns the call
// that is left, and what is to be done after it.
func (x *instrumenter) structs(in *cir.Call, n int) (after func()) {
	for i, a := range in.Args {
		if a.ByVal != nil && a.ByVal.Size > 0 {
			tmp := x.temp(a.ByVal.Size)
			x.copied(tmp, a.X, a.ByVal.Size, a.ByVal, n, in.Info)
			in.Args[i].X = tmp
		}
	}
	if in.Result.Shape == nil || in.To == nil || in.Result.Shape.Size <= 0 {
		return func() {}
	}
	to, tmp := in.To, x.temp(in.Result.Shape.Size)
	in.To = tmp
	return func() { x.copied(to, tmp, in.Result.Shape.Size, in.Result.Shape, n, in.Info) }
}

// whole returns the size of a copy that is taken to pieces: a small one of a struct.
func whole(in cir.Instr) (c *cir.Copy, size int64, ok bool) {
	c, ok = in.(*cir.Copy)
	if !ok || c.Overlap || c.Shape == nil {
		return nil, 0, false
	}
	k, ok := c.Size.(cir.Int)
	return c, int64(k.Lo), ok && k.Lo > 0 && k.Lo <= 4096
}
