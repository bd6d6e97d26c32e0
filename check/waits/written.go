package waits

import (
	"comus/cir"
	"comus/scan/points"
)

// Nobody but the library writes a lock: what is copied to one, or put together in one, may be a lock that is held by nobody, for ever. Zeros may be written: they are a lock that is free. So is what a static
// initialiser makes, and what functions that begin a lock's life do.

// locks returns the places of locks that may be waited for.
func (f *finder) locks() map[Element]points.Location {
	out := map[Element]points.Location{}
	for _, set := range f.h.sets.list {
		for _, e := range set {
			if e.Kind == Lock {
				out[e] = f.h.sets.at[e]
			}
		}
	}
	return out
}

// written returns an error if something else than the library may write a lock.
func (f *finder) written() error {
	locks := f.locks()
	if err := f.apart(locks); err != nil {
		return err
	}
	begun := map[Element]bool{}
	for _, c := range f.h.runs {
		for _, b := range c.Func.Blocks {
			if !f.h.pts.Comes(c.Func, b) {
				continue
			}
			for _, in := range b.Instrs {
				if err := f.writes(c, in, locks, begun); err != nil {
					return err
				}
			}
		}
	}
	for e, l := range locks {
		if g := l.Obj.Global; g != nil {
			if !f.fresh(g, l) {
				return &Error{nil, f.h.sets.name(e) + " is no plain one, or not free, when the program begins"}
			}
		} else if !begun[e] {
			return &Error{nil, f.h.sets.name(e) + " may be used before its life begins"}
		}
	}
	return nil
}

// apart returns an error if locks may have bytes in common without being the same.
func (f *finder) apart(locks map[Element]points.Location) error {
	for e, l := range locks {
		for g, m := range locks {
			if e != g && l.Obj == m.Obj && l.Off < m.Off && m.Off-l.Off < f.h.sets.size[e] {
				return &Error{nil, f.h.sets.name(e) + " may be another one in part"}
			}
		}
	}
	return nil
}

// writes returns an error if an instruction may write a lock, and notes the locks whose lives it begins.
func (f *finder) writes(c points.Copy, in cir.Instr, locks map[Element]points.Location, begun map[Element]bool) error {
	if call, ok := in.(*cir.Call); ok {
		x, err := f.h.callees(c, call)
		if err != nil {
			return err
		}
		for _, op := range x.known {
			if op.does == begins {
				if err := f.starts(c, call, op, begun); err != nil {
					return err
				}
			}
		}
		if len(x.known) > 0 {
			return nil
		}
		if x.outside {
			for e, l := range locks {
				if f.h.pts.MayWrite(c, in, l.Obj) {
					return fail(in, "%s may be written", f.h.sets.name(e))
				}
			}
		}
	}
	zero, size := zeros(in)
	for _, v := range points.Writes(in) {
		for _, at := range f.h.pts.Places(c.Func, c.Ctx, v) {
			for e, l := range locks {
				if at.Obj != l.Obj || !at.Touches(size, l, f.h.sets.size[e]) {
					continue
				}
				if !zero {
					return fail(in, "%s may be written", f.h.sets.name(e))
				}
				begun[e] = true
			}
		}
	}
	return nil
}

// zeros reports whether an instruction writes zeros only, and how many bytes it writes; -1: that is not known.
func zeros(in cir.Instr) (zero bool, size int64) {
	isZero := func(v cir.Value) bool {
		switch v := v.(type) {
		case cir.Int:
			return v.Lo == 0 && v.Hi == 0
		case cir.Null:
			return v.Addr == 0
		}
		return false
	}
	sizeOf := func(v cir.Value) int64 {
		if n, ok := v.(cir.Int); ok && n.Hi == 0 && n.Lo < 1<<40 {
			return int64(n.Lo)
		}
		return -1
	}
	switch in := in.(type) {
	case *cir.Store:
		return isZero(in.X), 16
	case *cir.RMW, *cir.CmpXchg:
		return false, 16
	case *cir.Fill:
		return isZero(in.Byte), sizeOf(in.Size)
	case *cir.Copy:
		g, ok := in.Src.(*cir.Global)
		if ok && (g.Literal || g.Const) && len(g.Relocs) == 0 && !g.External {
			zero = true
			for _, b := range g.Data {
				zero = zero && b == 0
			}
		}
		return zero, sizeOf(in.Size)
	}
	return false, -1
}

// starts notes the locks whose lives a call begins, which have to be plain ones.
func (f *finder) starts(c points.Copy, in *cir.Call, op *operation, begun map[Element]bool) error {
	if g, ok := in.Callee.(*cir.Func); ok && g.Source == "mtx_init" {
		if n, isConst := in.Args[1].X.(cir.Int); !isConst || n.Lo&1 != 0 {
			return fail(in, "a mutex may be locked by who holds it already")
		}
	}
	for _, l := range f.h.pts.Places(c.Func, c.Ctx, in.Args[op.lock].X) {
		begun[Element{Lock, l.Obj.ID, l.Off}] = true
	}
	return nil
}

// maxGlobal bounds the globals with locks that are looked at.
const maxGlobal = 1 << 20

// fresh reports whether all locks at a place in a global are free at the beginning, and plain ones: of any kind, all bytes are 0 but those that a mutex has to say that it is an adaptive one.
func (f *finder) fresh(g *cir.Global, at points.Location) bool {
	if g.External || g.Size > maxGlobal {
		return false
	}
	size := f.h.sets.size[Element{Lock, at.Obj.ID, at.Off}]
	for k := at.Off; k < g.Size && k < int64(len(g.Data)); k++ {
		if at.Obj.Reduce(k) != at.Off {
			continue
		}
		for i := k; i < k+size && i < int64(len(g.Data)); i++ {
			if g.Data[i] != 0 {
				return false
			}
		}
	}
	for _, r := range g.Relocs {
		if at.Touches(size, points.Location{Obj: at.Obj, Off: at.Obj.Reduce(r.Offset)}, 8) {
			return false
		}
	}
	return true
}
