package scancheck

import (
	"fmt"

	"comus/cir"
)

// text says values of a loop in terms of locals, such that equal texts are equal values if the locals hold the same; lost tells that one cannot be said.
type text struct {
	l      *counter
	locals map[*cir.Local]bool
	rests  []*cir.Local // that it speaks of, but for the counter
	end    bool         // locals are meant as they are at the end of the block, not at its beginning
	lost   bool
}

// of says a value that is computed in a block before an instruction; nil: the block's end. What it loads must not be stored to in that block before,
// or after.
func (t *text) of(v cir.Value, b *cir.Block, before cir.Instr) string {
	if c, ok := v.(cir.Int); ok {
		return fmt.Sprintf("(%v %d %d)", c.Type, c.Hi, c.Lo)
	}
	for i, in := range b.Instrs {
		if in == before {
			break
		}
		rs := cir.Results(in)
		if len(rs) != 1 || cir.Value(rs[0]) != v {
			continue
		}
		typ := rs[0].Type
		switch in := in.(type) {
		case *cir.Load:
			l, ok := in.Addr.(*cir.Local)
			others := b.Instrs[:i]
			if t.end {
				others = b.Instrs[i:]
			}
			if !ok || !t.locals[l] || storesTo(others, l) > 0 {
				break
			}
			if l == t.l.local && t.end { // what it held before
				break
			}
			if l == t.l.local {
				return fmt.Sprintf("(%v i)", typ)
			}
			t.rests = append(t.rests, l)
			return fmt.Sprintf("(%v local %d)", typ, l.Index)
		case *cir.Convert:
			return fmt.Sprintf("(%v %s)", typ, t.of(in.X, b, in))
		case *cir.Compare:
			return fmt.Sprintf("(%d %s %s)", in.Pred, t.of(in.X, b, in), t.of(in.Y, b, in))
		case *cir.Binary:
			return fmt.Sprintf("(%v %d %s %s)", typ, in.Op, t.of(in.X, b, in), t.of(in.Y, b, in))
		}
	}
	t.lost = true
	return ""
}

// beginning says what the counter holds at the end of a block that leads to the loop.
func (t *text) beginning(b *cir.Block) string {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		switch in := b.Instrs[i].(type) {
		case *cir.Store:
			if in.Addr == cir.Value(t.l.local) {
				t.end = true
				return t.of(in.X, b, in)
			}
		case *cir.LifeStart:
			t.lost = t.lost || in.Local == t.l.local
		}
	}
	t.lost = true
	return ""
}

// storesTo returns how many instructions change a local that is private.
func storesTo(instrs []cir.Instr, l *cir.Local) (n int) {
	for _, in := range instrs {
		switch in := in.(type) {
		case *cir.Store:
			if in.Addr == cir.Value(l) {
				n++
			}
		case *cir.LifeStart:
			if in.Local == l {
				n++
			}
		case *cir.LifeEnd:
			if in.Local == l {
				n++
			}
		}
	}
	return n
}
