package specialise

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// piece is a scalar that is copied: bits of consecutive bytes, from bit first of byte off on.
type piece struct {
	off         int64
	acc         cir.Access
	first, bits int64
}

func bytePiece(off int64) piece {
	return piece{off, cir.Access{Type: cir.U8, Align: 1}, 0, 8}
}

// layout is what lies at one of the places that a pointer may point to: its scalars, and the number of bytes that they
// speak of. Where there is no scalar, there is padding.
type layout struct {
	ps     []piece
	extent int64
}

// maxLayouts bounds the places that are looked at one by one for copying scalars; with more, bytes are copied.
const maxLayouts = 256

// pieces returns how n bytes at a pointer are copied or set: by the scalars of what it may point to, which are the same at
// each place, or else by bytes; if nothing is tracked there, by the scalars of a shape. It is nil if neither is known.
func (b *builder) pieces(p *value, v cir.Value, n int64, shape *cir.Shape) []piece {
	ls, untracked, few := b.layouts(p, v, n)
	switch {
	case len(ls) == 0 && shape == nil:
		return nil
	case len(ls) == 0:
		return scalarsOf(withoutUnions(shape, 0, nil), 0, n)
	case len(ls) == 1 && few && !untracked:
		return ls[0].ps
	}
	if untracked || !few {
		ls = append(ls, layout{nil, n})
	}
	return commonPieces(ls, n, untracked || !few)
}

// piecesOfBoth returns how n bytes are copied: by the scalars at the destination, and as bytes what is padding there but not
// at the source; by those of a shape if they are fewer.
func (b *builder) piecesOfBoth(dst, src source, n int64, shape *cir.Shape) []piece {
	ps := b.pieces(dst.p, dst.v, n, nil)
	switch {
	case ps == nil || shape != nil && len(scalarsOf(shape, 0, n)) < len(ps):
		ps = b.pieces(src.p, src.v, n, shape)
	case shape == nil && len(ps) <= maxCells: // the padding of a struct that is assigned is not copied
		ps = withGaps(ps, b.pieces(src.p, src.v, n, nil), n)
	}
	return b.cutPieces(ps, dst, src)
}

// cutPieces takes those pieces apart into bytes of which some may be indeterminate, and others be read alone.
func (b *builder) cutPieces(ps []piece, dst, src source) []piece {
	if !b.opts.Check.Memory || len(ps) > maxCounts {
		return ps
	}
	var cut []piece
	for _, p := range ps {
		if p.bits <= 8 || p.acc.Bits != nil || !b.isCut(dst, p) || !b.mayBeUnset(src, p) {
			cut = append(cut, p)
			continue
		}
		for i := range p.bits / 8 {
			cut = append(cut, bytePiece(p.off+i))
		}
	}
	return cut
}

// isCut reports whether parts of what a piece is copied to are accessed alone.
func (b *builder) isCut(dst source, p piece) bool {
	return slices.ContainsFunc(b.resolve(b.shifted(dst.p, p.off), dst.v, p.first, p.bits, 1).list, func(t target) bool {
		return slices.ContainsFunc(b.stretchesAt(t.obj, t.bit, p.bits), func(s *stretch) bool { return s.lo > s.c.bit || s.hi < s.c.bit+s.c.bits })
	})
}

// mayBeUnset reports whether some of what a piece is copied from is not known to have been written.
func (b *builder) mayBeUnset(src source, p piece) bool {
	return slices.ContainsFunc(b.resolve(b.shifted(src.p, p.off), src.v, p.first, p.bits, 1).list, func(t target) bool {
		return slices.ContainsFunc(b.stretchesAt(t.obj, t.bit, p.bits), func(s *stretch) bool { return !b.certain(s) })
	})
}

// layouts returns the different layouts of the n bytes at each place that a pointer may point to and that is tracked,
// whether others are not, and whether all places were looked at. If the first has no padding it stands for all: whatever
// lies elsewhere, its scalars are all the bytes.
func (b *builder) layouts(p *value, v cir.Value, n int64) (ls []layout, untracked, few bool) {
	few = true
	at := func(o *object, off int64) bool {
		if o.open {
			b.takeApart(o) // it has no end
		}
		l := layout{scalarsOf(o.shape, max(off, 0), n), o.size - max(off, 0)}
		if len(ls) == 0 && l.extent >= n && len(withGaps(l.ps, everything(n), n)) == len(l.ps) {
			ls, untracked, few = []layout{l}, false, true
			return true
		}
		if !slices.ContainsFunc(ls, func(m layout) bool {
			return slices.EqualFunc(l.ps, m.ps, samePiece) && min(l.extent, n) == min(m.extent, n)
		}) {
			ls = append(ls, l)
		}
		return false
	}
	if p.at != nil && !p.at.obj.vague {
		for i, off := range p.at.offsets() {
			if few = i < maxLayouts; !few {
				break
			}
			if at(p.at.obj, off) {
				break
			}
		}
		return ls, false, few
	}
	seen := 0
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		for _, o := range b.instances(l.Obj) {
			if o.fn != nil {
				continue
			}
			if o.vague || o.shape == nil {
				untracked = true
				continue
			}
			offs := []int64{0}
			if l.Off == pointsto.Any {
				few = few && len(scalarsOf(o.shape, 0, o.size)) == 1
			} else {
				offs = offsets(o, l.Off, 1)
			}
			for _, off := range offs {
				if seen++; seen > maxLayouts {
					return ls, untracked, false
				}
				if at(o, off+p.shift) {
					return ls, untracked, few
				}
			}
		}
	}
	return ls, untracked, few
}

// offsets returns the places in an object that a pointer with unknown indices may point to.
func (at *place) offsets() []int64 {
	step := int64(0)
	for _, x := range at.idx {
		for k := abs(x.scale); k != 0; { // the greatest common divisor
			step, k = k, step%max(k, 1)
		}
	}
	if step == 0 {
		return []int64{at.off}
	}
	var offs []int64
	for off := (at.off%step + step) % step; off < at.obj.size && len(offs) <= maxLayouts; off += step {
		offs = append(offs, off)
	}
	return offs
}

func samePiece(x, y piece) bool { return x.off == y.off && x.first == y.first && x.bits == y.bits }

// commonPieces returns the pieces that n bytes are copied by at places of different layouts: those that are in each, and the
// bytes of the others; all other bytes, too, if whole is set.
func commonPieces(ls []layout, n int64, whole bool) []piece {
	var ps []piece
	for _, p := range ls[0].ps {
		if !slices.ContainsFunc(ls[1:], func(l layout) bool {
			return p.off < l.extent && len(l.ps) > 0 && !slices.ContainsFunc(l.ps, func(q piece) bool { return samePiece(p, q) })
		}) {
			ps = append(ps, p)
		}
	}
	for _, l := range ls {
		ps = withGaps(ps, l.ps, n)
	}
	if whole {
		ps = withGaps(ps, everything(n), n)
	}
	return ps
}

// everything is one piece that stands for all of n bytes.
func everything(n int64) []piece {
	return []piece{{bits: min(n, maxCells+1) * 8}}
}

// withGaps returns pieces and the bytes that others cover beside them.
func withGaps(ps, others []piece, n int64) []piece {
	covered := make([]uint8, min(n, maxCells+1)) // the bits of each byte
	all := slices.Clone(ps)
	for _, p := range ps {
		p.eachByte(func(i int64, bits uint8) {
			if i < int64(len(covered)) {
				covered[i] |= bits
			}
		})
	}
	for _, p := range others {
		p.eachByte(func(i int64, bits uint8) {
			if i < int64(len(covered)) && bits&^covered[i] != 0 {
				covered[i] = 0xff
				all = append(all, bytePiece(i))
			}
		})
	}
	slices.SortStableFunc(all, func(x, y piece) int { return cmp.Compare(x.off, y.off) })
	return all
}

// eachByte calls f for each byte that a piece covers, with its bits.
func (p piece) eachByte(f func(i int64, bits uint8)) {
	for at := p.first; at < p.first+p.bits; {
		in := at % 8
		n := min(8-in, p.first+p.bits-at)
		f(p.off+at/8, uint8((1<<n-1)<<in))
		at += n
	}
}

// scalarsOf returns the scalars of a shape that lie within n bytes from off on; what is between them is padding.
func scalarsOf(s *cir.Shape, off, n int64) []piece {
	var ps []piece
	lo, hi := off*8, (off+n)*8
	leaves(s, 0, lo, hi, "", func(l leaf) {
		from, to := max(l.bit, lo), min(l.bit+l.bits, hi)
		acc := cir.Access{Type: l.typ, Align: 1}
		switch {
		case l.typ == cir.Bool && l.bits == 8:
			acc.Type = cir.U8
		case from > l.bit || to < l.bit+l.bits || l.bits%8 != 0 || l.bit%8 != 0:
			acc.Type = cir.Type{Kind: cir.IntKind, Bits: int(to - from)}
			acc.Bits = &cir.Bits{Offset: int(from % 8), Width: int(to - from)}
		}
		ps = append(ps, piece{from/8 - off, acc, from % 8, to - from})
	})
	return ps
}

// maxCounts bounds the scalars of a copy or memset of a number of bytes that is not known.
const maxCounts = 64

// openPieces returns the scalars that a copy to, or memset of, an unknown number of bytes may write; nil for too many.
func (b *builder) openPieces(dst, src source, size *value) []piece {
	most := int64(-1)
	if p := dst.p; p.at != nil && len(p.at.idx) == 0 && !p.at.obj.vague {
		most = p.at.obj.size - p.at.off
	} else {
		for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, dst.v) {
			for _, o := range b.instances(l.Obj) {
				if o.vague {
					return nil
				}
				most = max(most, o.size-max(l.Off, 0))
			}
		}
	}
	if hi, small := size.bounds().hi.Int64(); small && hi < most {
		most = hi
	}
	if most < 0 {
		return nil
	}
	var ps []piece
	if src.p == nil {
		ps = b.pieces(dst.p, dst.v, most, nil)
	} else {
		ps = b.piecesOfBoth(dst, src, most, nil)
	}
	if len(ps) > maxCounts {
		return nil
	}
	return ps
}
