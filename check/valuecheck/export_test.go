package valuecheck

import (
	"context"
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Remains are the claims that a check has left.
type Remains struct {
	*Report
	x *checker
}

// Remaining is [Check], and gives the claims that are left, too.
func Remaining(ctx context.Context, prog *cir.Program, pts *pointsto.Result, c *certificate.Values) (*Remains, error) {
	x, err := checked(ctx, prog, pts, c, Options{})
	if err != nil {
		return nil, err
	}
	return &Remains{x.rep, x}, nil
}

// Seen is what a run has shown at the beginning of a block. Pointers that are not null are [Somewhere].
type Seen struct {
	Func    string
	Block   int
	Regs    map[int]Scalar
	Locals  map[int][]Byte // by their numbers in the function
	Globals map[string][]Byte
}

// Scalar is a number of 128 bits.
type Scalar = num

// Byte is a byte of memory; Known is false for one that has no value, or a part of an address.
type Byte struct {
	Value byte
	Known bool
}

// Somewhere is the address of something.
var Somewhere = Scalar{0, 1 << 45}

// NumberOf returns the number that a scalar is whose last bits are these.
func NumberOf(bits uint64, t cir.Type) Scalar { return Scalar{0, bits}.cut(t) }

// Refuted returns the claim that is left and that a run has shown to be wrong; "" if there is none.
func (r *Remains) Refuted(s *Seen) string {
	why := "control gets there"
	for _, v := range r.x.visited {
		if a := r.x.acts[v.act]; a.fn.Name != s.Func || v.block != s.Block {
			continue
		}
		if why = r.wrongAt(v, s); why == "" {
			break
		}
	}
	if why != "" {
		return fmt.Sprintf("block %d of %s: %s", s.Block, s.Func, why)
	}
	for _, c := range r.x.memory.cells {
		if c == nil || !c.static {
			continue
		}
		if w := wrongIn(c, s.Globals[c.obj.Global.Name], c.ever); w != "" {
			return "ever: " + w
		}
	}
	return ""
}

// wrongAt returns what is wrong of what is claimed of the beginning of a block of an activation, if a run may be in it.
func (r *Remains) wrongAt(v blockKey, s *Seen) string {
	c := r.x.claimAt(v)
	for _, e := range c.regs {
		if n, ok := s.Regs[e.of]; ok && !e.is.has(n) {
			return fmt.Sprintf("register %d is %s, not %s", e.of, n, e.is)
		}
	}
	state := r.x.stateOf(c, v.mode)
	for _, e := range append(state.cells.known(), state.held.known()...) {
		d := r.x.memory.cells[e.of]
		var bytes []Byte
		switch {
		case d.static:
			bytes = s.Globals[d.obj.Global.Name]
		case slices.Contains(r.x.locals[r.x.acts[v.act].copy], d):
			bytes = s.Locals[d.obj.Local.Index]
		}
		if w := wrongIn(d, bytes, e.is); w != "" {
			return w
		}
	}
	return ""
}

// wrongIn returns what is wrong with what is claimed of a cell of an object with some bytes.
func wrongIn(c *cell, bytes []Byte, is set) string {
	for at := range int64(len(bytes)) {
		if c.obj.Reduce(at) != c.off || at+c.size > int64(len(bytes)) || c.typ.IsPointer() {
			continue
		}
		n, known := num{}, true
		for k, b := range bytes[at : at+c.size] {
			n.lo |= uint64(b.Value) << (8 * k)
			known = known && b.Known
		}
		if n = n.cut(c.typ); known && !is.has(n) {
			return fmt.Sprintf("%s+%d is %s, not %s", c.obj, at, n, is)
		}
	}
	return ""
}

// Follows reports whether what is left is no more than what is left of another one.
func (r *Remains) Follows(of *Remains) bool {
	for _, v := range r.x.visited {
		if v.act >= len(of.x.acts) || !of.x.seen[v] {
			continue
		}
		c, d := r.x.claimAt(v), of.x.claimAt(v)
		for k, list := range [][]entry{c.regs, c.cells, c.held} {
			for _, e := range list {
				had := [][]entry{d.regs, d.cells, d.held}[k]
				if i := slices.IndexFunc(had, func(x entry) bool { return x.of == e.of }); i < 0 || !had[i].is.within(e.is) {
					return false
				}
			}
		}
	}
	for i, c := range r.x.memory.cells {
		if d := of.x.memory.numbered(i); c != nil && (d == nil || !d.ever.within(c.ever) || !d.met.within(c.met)) {
			return false
		}
	}
	return true
}
