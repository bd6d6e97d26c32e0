package valuecheck

import (
	"context"
	"errors"
	"math"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// View is what is confirmed of values right before an instruction, on one of the ways there.
type View struct{ run *run }

// Copy is the number of the copy of a function that the instruction is in.
func (v View) Copy() int { return v.run.act.copy }

// Bounds returns between which numbers an operand is; ok is false if that is not known, or no number of 64 bits.
func (v View) Bounds(x cir.Value) (lo, hi int64, ok bool) {
	if !countable(v.run.typ(x)) {
		return 0, 0, false
	}
	return limits(v.run.value(x))
}

// NotNull reports whether a pointer is not null.
func (v View) NotNull(x cir.Value) bool { return !v.run.value(x).has(num{}) }

// Local returns between which numbers a local is of the function, as a scalar that it is all of.
func (v View) Local(l *cir.Local) (lo, hi int64, ok bool) {
	o := v.run.pts.Object(v.run.act.fn, v.run.copies[v.run.act.copy].Ctx, l)
	if o == nil {
		return 0, 0, false
	}
	for _, c := range v.run.touched(pointsto.Location{Obj: o}, l.Size) {
		if c.off == 0 && c.size == l.Size && c.typ.IsInt() {
			return limits(v.run.read(c).ofType(c.typ))
		}
	}
	return 0, 0, false
}

// limits returns the bounds of a set of numbers of 64 bits.
func limits(s set) (lo, hi int64, ok bool) {
	a, b, ok := s.bounds()
	if !ok || s.any || a.less(small(math.MinInt64)) || small(math.MaxInt64).less(b) {
		return 0, 0, false
	}
	return int64(a.lo), int64(b.lo), true
}

// CheckViewed is [Check], and calls visit for each instruction and end of a block that control may get to, with what is confirmed there: once for each way in which it was looked at.
func CheckViewed(ctx context.Context, prog *cir.Program, pts *pointsto.Result, c *certificate.Values, opts Options, visit func(in cir.Located, v View)) (*Report, error) {
	x, err := checked(ctx, prog, pts, c, opts)
	if err != nil {
		return nil, err
	}
	x.view = visit
	dropped := x.rep.Dropped
	for i, n := 0, len(x.visited); i < n && x.stop == nil; i++ {
		x.block(x.visited[i])
	}
	switch {
	case x.stop != nil:
		return nil, x.stop
	case x.all || x.rep.Dropped != dropped:
		return nil, errors.New("what is confirmed of values changes when it is looked at again")
	}
	return x.rep, ctx.Err()
}
