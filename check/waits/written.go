package waits

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// Nobody but the library writes a lock: what is copied to one, or put together in one, may be a lock that is held by nobody, for ever. Zeros may be written: they are a lock that is free. So is what a static
// initialiser makes, and what functions that begin a lock's life do.

// locks returns the places of locks and condition variables that may be used.
func (f *finder) locks() map[Element]pointsto.Location {
	out := map[Element]pointsto.Location{}
	for _, set := range f.h.sets.list {
		for _, e := range set {
			out[e] = f.h.sets.at[e]
		}
	}
	return out
}

// region is bytes that a lock consists of, or that are copied to one.
type region struct {
	at   pointsto.Location
	size int64
	of   Element
}

// write is what an instruction may write: zeros only, or what a copy takes from elsewhere, or anything.
type write struct {
	in    cir.Instr
	by    pointsto.Copy
	at    pointsto.Location
	size  int64 // -1: not known
	zeros bool
	from  []pointsto.Location // of a copy
	begun bool                // the function that begins the life of a lock
	whole bool                // the object as a whole
}

// written returns an error if something else than the library may write a lock.
func (f *finder) written() error {
	locks := f.locks()
	if err := f.apart(locks); err != nil {
		return err
	}
	var work []region
	seen := map[pointsto.Location]bool{}
	for _, e := range f.w.sorted(locks) {
		work = append(work, region{locks[e], f.h.sets.size[e], e})
		seen[locks[e]] = true
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		more, err := f.region(r)
		if err != nil {
			return err
		}
		for _, x := range more {
			for _, l := range locks {
				if l.Obj == x.at.Obj && x.at.Touches(x.size, l, 1) {
					return &Error{nil, f.h.sets.name(x.of) + " may be a copy of another one"}
				}
			}
			if !seen[x.at] {
				seen[x.at] = true
				work = append(work, x)
			}
		}
	}
	return nil
}

// region returns an error if something may write other than zeros to some bytes, or nothing makes them a lock that is free; and what else may be copied there.
func (f *finder) region(r region) (more []region, err error) {
	begun := false
	for _, w := range f.writes[r.at.Obj] {
		switch {
		case w.begun:
			begun = begun || w.at == r.at
			continue
		case !w.whole && !w.at.Touches(w.size, r.at, r.size):
			continue
		case w.zeros:
			begun = true
			continue
		case len(w.from) == 0 || !within(w, r):
			return nil, fail(w.in, "%s may be written", f.h.sets.name(r.of))
		}
		for _, src := range w.from {
			off := src.Off + r.at.Off - w.at.Off
			if src.Off < 0 || src.Obj.External || src.Obj.IsFunc() || src.Obj.Reduce(off) != off {
				return nil, fail(w.in, "%s may be written", f.h.sets.name(r.of))
			}
			more = append(more, region{pointsto.Location{Obj: src.Obj, Off: off}, r.size, r.of})
		}
		begun = true
	}
	switch g := r.at.Obj.Global; {
	case g != nil && !f.fresh(g, r):
		return nil, &Error{nil, f.h.sets.name(r.of) + " is no plain one, or not free, when the program begins"}
	case g == nil && !begun:
		return nil, &Error{nil, f.h.sets.name(r.of) + " may be used before its life begins"}
	}
	return more, nil
}

// apart returns an error if locks may have bytes in common without being the same.
func (f *finder) apart(locks map[Element]pointsto.Location) error {
	for e, l := range locks {
		for g, m := range locks {
			if e != g && l.Obj == m.Obj && l.Off < m.Off && m.Off-l.Off < f.h.sets.size[e] {
				return &Error{nil, f.h.sets.name(e) + " may be another one in part"}
			}
		}
	}
	return nil
}

// within reports whether a copy has all bytes of a region from the same distance, in each element of the array that it is in: it goes beyond none.
func within(w write, r region) bool {
	if w.whole || w.size < 0 || w.at.Off < 0 || w.at.Off > r.at.Off || w.at.Off+w.size < r.at.Off+r.size {
		return false
	}
	if r.at.Exact() {
		return true
	}
	lo, hi, ok := r.at.Element()
	return ok && lo <= w.at.Off && w.at.Off+w.size <= hi
}

// allWrites returns all that is written by who is no function that is known by its name, by objects.
func (f *finder) allWrites() (map[*pointsto.Object][]write, error) {
	out := map[*pointsto.Object][]write{}
	for _, c := range f.h.runs {
		for _, b := range c.Func.Blocks {
			if !f.h.pts.Comes(c.Func, b) {
				continue
			}
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					f.plain(c, in, out)
					continue
				}
				if err := f.called(c, call, out); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// called adds what a call writes by itself.
func (f *finder) called(c pointsto.Copy, call *cir.Call, out map[*pointsto.Object][]write) error {
	x, err := f.h.callees(c, call)
	if err != nil {
		return err
	}
	for _, op := range x.known {
		if (op.does == joins || op == operations["pthread_tryjoin_np"]) && len(call.Args) > 1 {
			for _, at := range f.h.pts.Places(c.Func, c.Ctx, call.Args[1].X) {
				out[at.Obj] = append(out[at.Obj], write{in: call, by: c, at: at, size: 8})
			}
		}
		if op.does == tunes {
			for _, at := range f.h.pts.Places(c.Func, c.Ctx, call.Args[0].X) {
				out[at.Obj] = append(out[at.Obj], write{in: call, by: c, at: at, size: 8})
			}
		}
		if op.does == begins || op.does == readies || op.does == founds {
			if err := f.starts(c, call, op, out); err != nil {
				return err
			}
		}
	}
	if x.outside {
		f.vague(c, call, out)
	}
	if call.To != nil {
		f.plain(c, call, out)
	}
	return nil
}

// vaguely are the intrinsics that write more than what their operands lead to, or that move objects.
var vaguely = map[cir.IntrinsicOp]bool{cir.Scan: true, cir.Print: true, cir.Format: true, cir.ReadIn: true, cir.ReadLine: true, cir.HavocReachable: true, cir.Resize: true}

// vague adds the objects that an instruction may write, as wholes.
func (f *finder) vague(c pointsto.Copy, in cir.Instr, out map[*pointsto.Object][]write) {
	for _, o := range f.h.pts.Objects {
		if f.h.pts.MayWrite(c, in, o) {
			out[o] = append(out[o], write{in: in, by: c, whole: true})
		}
	}
}

// plain adds what an instruction writes.
func (f *finder) plain(c pointsto.Copy, in cir.Instr, out map[*pointsto.Object][]write) {
	w := write{in: in, by: c, size: -1}
	switch in := in.(type) {
	case *cir.Store:
		w.size, w.zeros = f.h.sizeOf(in.Type), f.isZero(c, in.X)
	case *cir.RMW:
		w.size = f.h.sizeOf(in.Type)
	case *cir.CmpXchg:
		w.size = f.h.sizeOf(in.Type)
	case *cir.Fill:
		w.size, w.zeros = c.Given(in.Size), f.isZero(c, in.Byte)
	case *cir.Copy:
		w.size = c.Given(in.Size)
		w.from = f.h.pts.Places(c.Func, c.Ctx, in.Src)
	case *cir.Intrinsic:
		if vaguely[in.Op] {
			f.vague(c, in, out)
			return
		}
	}
	for _, v := range pointsto.Writes(in) {
		for _, at := range f.h.pts.Places(c.Func, c.Ctx, v) {
			w.at = at
			out[at.Obj] = append(out[at.Obj], w)
		}
	}
}

// isZero reports whether a value is 0.
func (f *finder) isZero(c pointsto.Copy, v cir.Value) bool {
	if r, ok := v.(*cir.Reg); ok {
		if x, ok := f.h.function(c.Func).defs[r.Index].(*cir.Convert); ok {
			return f.isZero(c, x.X)
		}
	}
	if x := c.Argument(v); x != nil {
		v = x
	}
	switch v := v.(type) {
	case cir.Int:
		return v.Lo == 0 && v.Hi == 0
	case cir.Null:
		return v.Addr == 0
	}
	return false
}

// sizeOf returns the size of a scalar, or more.
func (p *program) sizeOf(t cir.Type) int64 {
	switch {
	case t.IsPointer():
		return int64(p.prog.Model.PointerBits) / 8
	case t.IsInt() && t.Bits <= 64:
		n := int64(1)
		for 8*n < int64(t.Bits) {
			n *= 2
		}
		return n
	}
	return 16
}

// starts adds the locks whose lives a call begins, which have to be plain ones.
func (f *finder) starts(c pointsto.Copy, in *cir.Call, op *operation, out map[*pointsto.Object][]write) error {
	if g, ok := in.Callee.(*cir.Func); ok && g.Source == "mtx_init" {
		if n, isConst := in.Args[1].X.(cir.Int); !isConst || n.Lo&1 != 0 {
			return fail(in, "a mutex may be locked by who holds it already")
		}
	}
	for _, l := range f.h.pts.Places(c.Func, c.Ctx, in.Args[max(op.lock, op.cond)].X) {
		out[l.Obj] = append(out[l.Obj], write{in: in, by: c, at: l, begun: true})
	}
	return nil
}

// maxGlobal bounds the globals with locks that are looked at.
const maxGlobal = 1 << 20

// fresh reports whether all bytes of a region in a global are 0 at the beginning, in all elements of arrays that it is in.
func (f *finder) fresh(g *cir.Global, r region) bool {
	if g.External || g.Size > maxGlobal {
		return false
	}
	for k := r.at.Off; k < int64(len(g.Data)); k++ {
		if r.at.Obj.Reduce(k) != r.at.Off {
			continue
		}
		for i := k; i < k+r.size && i < int64(len(g.Data)); i++ {
			if g.Data[i] != 0 {
				return false
			}
		}
	}
	for _, x := range g.Relocs {
		if r.at.Touches(r.size, pointsto.Location{Obj: r.at.Obj, Off: r.at.Obj.Reduce(x.Offset)}, 8) {
			return false
		}
	}
	return true
}
